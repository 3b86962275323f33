/**
 * Who is let in over HTTP? The holder of a token of this base, shown as a bearer token, as an API key
 * or as the password of basic credentials; or of a token that somebody else issues for this server.
 */
import type { Caller, Permission } from '../../core/domain/caller.ts'
import { amountTo, PERMISSIONS } from '../../core/domain/caller.ts'
import type { Issuer } from './open-issuer.ts'
import type { Tokens } from './open-tokens.ts'
import type { SignIn } from './sign-in.ts'
import type { Asked, WebHeaders, WebSession } from './web-session.ts'

export interface AccessOptions {
  readonly tokens: Pick<Tokens, 'areNeeded' | 'callerOf'>
  /** Undefined: only tokens of this base count. */
  readonly issuer?: Issuer
  /** Where this server issues tokens itself. */
  readonly signIn?: SignIn
  /** Where there is a page that people sign in to. */
  readonly web?: WebSession
}

interface Headers extends WebHeaders {
  readonly authorization?: string | undefined
  readonly 'x-api-key'?: string | string[] | undefined
}

interface Where {
  readonly origin: string
  readonly path: string
}

interface Wanted extends Where {
  /** A person opens it in a browser: path and query, and whether by a link on another site. */
  readonly opened?: { readonly to: string; readonly fromElsewhere: boolean } | undefined
}

const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Of which resource the metadata is asked for: what follows the well-known part (RFC 9728). */
function resourcePath(path: string): string | undefined {
  if (!path.startsWith(METADATA_PATH)) return undefined
  const rest = path.slice(METADATA_PATH.length)
  return rest === '' || rest.startsWith('/') ? rest : undefined
}

export function openAccess({ tokens, issuer, signIn, web }: AccessOptions) {
  const issuers = [...(issuer ? [issuer.url] : []), ...(signIn ? [signIn.origin] : [])]
  const canAsk = issuers.length > 0
  /** Where a client learns who issues tokens for this server (RFC 9728). */
  const pointer = ({ origin, path }: Where): string =>
    canAsk ? ` resource_metadata="${origin}${METADATA_PATH}${path}"` : ' realm="cairn"'

  const isNeeded = (): boolean => canAsk || tokens.areNeeded()

  return {
    isNeeded,

    async callerOf(headers: Headers, asked?: Asked): Promise<Caller | undefined> {
      const token = tokenIn(headers)
      const known =
        token === undefined
          ? undefined
          : (tokens.callerOf(token) ??
            (await signIn?.callerOf(token)) ??
            (await issuer?.callerOf(token)))
      const caller = known ?? (asked && (await web?.callerOf(headers, asked)))
      return caller && { ...caller, may: amountTo(caller.may) }
    },

    challenge(where: Wanted): Response {
      const { path, opened } = where
      const bearer = `Bearer${pointer(where)}${canAsk ? ', scope="read"' : ''}`
      if (web && opened && web.isPage(path)) {
        const page = web.form(opened.to, { again: opened.fromElsewhere })
        page.headers.set('www-authenticate', bearer)
        return page
      }
      const response = refusal(401, 'A token is needed.', bearer)
      // A browser asks its user for a name and a password, and the password is the token. Not for
      // what the page asks for: it has a form of its own.
      if (!(web && path.startsWith('/web/')))
        response.headers.append('www-authenticate', 'Basic realm="cairn"')
      return response
    },

    /** Every permission at once, so that the client asks its user a single time. */
    stepUp(caller: Caller, needs: readonly Permission[], where: Where): Response | undefined {
      const missing = needs.filter((need) => !caller.may.includes(need))
      if (missing.length === 0 || !canAsk) return undefined
      const scope = PERMISSIONS.filter((each) => caller.may.includes(each) || needs.includes(each))
      const how = `Bearer error="insufficient_scope", scope="${scope.join(' ')}",${pointer(where)}`
      return refusal(403, `This needs the permission ${missing.join(', ')}.`, how)
    },

    isPublic: (path: string) =>
      signIn?.isPublic(path) === true ||
      web?.isPublic(path) === true ||
      (canAsk && resourcePath(path) !== undefined),

    async publicly(
      request: Request,
      sender: {
        readonly peer: string
        readonly origin: string
        readonly caller: Caller | undefined
      },
    ): Promise<Response | undefined> {
      const { peer, origin } = sender
      const { pathname } = new URL(request.url)
      if (signIn?.isPublic(pathname)) return signIn.answer(request, peer)
      if (web?.isPublic(pathname)) {
        // Where nobody is asked, nobody need sign in.
        return isNeeded() ? web.answer(request, sender) : toTheBase()
      }
      const asked = resourcePath(pathname)
      if (!canAsk || asked === undefined) return undefined
      return Response.json(
        {
          // A client compares it with the address that it meant to use.
          resource: `${origin}${asked}`,
          authorization_servers: issuers,
          scopes_supported: PERMISSIONS,
          bearer_methods_supported: ['header'],
          resource_name: 'Cairn',
        },
        { headers: { 'cache-control': 'max-age=3600', 'access-control-allow-origin': '*' } },
      )
    },
  }
}

function tokenIn({ authorization = '', 'x-api-key': key }: Headers): string | undefined {
  if (typeof key === 'string' && key !== '') return key
  const [, bearer] = /^bearer +([^\s]{1,8192}) *$/i.exec(authorization) ?? []
  if (bearer !== undefined) return bearer
  const [, encoded] = /^basic +([a-z0-9+/=_-]{1,8192}) *$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}

function toTheBase(): Response {
  return new Response(null, {
    status: 303,
    headers: { location: '/', 'cache-control': 'no-store' },
  })
}

function refusal(status: number, message: string, how: string): Response {
  const hint = 'Send one as "Authorization: Bearer …"; "cairn token create" makes them.'
  return Response.json(
    { error: { message, hint } },
    { status, headers: { 'www-authenticate': how } },
  )
}
