/**
 * Who is let in over HTTP? The holder of a token of this base, shown as a bearer token, as an API key
 * or as the password of basic credentials; or of a token that somebody else issues for this server.
 */
import type { Caller, Permission } from '../domain/caller.ts'
import { amountTo, PERMISSIONS } from '../domain/caller.ts'
import type { Issuer } from './open-issuer.ts'
import type { Tokens } from './open-tokens.ts'
import type { SignIn } from './sign-in.ts'

export interface AccessOptions {
  readonly tokens: Pick<Tokens, 'areNeeded' | 'callerOf'>
  /** Undefined: only tokens of this base count. */
  readonly issuer?: Issuer
  /** Where this server issues tokens itself. */
  readonly signIn?: SignIn
}

interface Headers {
  readonly authorization?: string | undefined
  readonly 'x-api-key'?: string | string[] | undefined
}

interface Where {
  readonly origin: string
  readonly path: string
}

const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Of which resource the metadata is asked for: what follows the well-known part (RFC 9728). */
function resourcePath(path: string): string | undefined {
  if (!path.startsWith(METADATA_PATH)) return undefined
  const rest = path.slice(METADATA_PATH.length)
  return rest === '' || rest.startsWith('/') ? rest : undefined
}

export function openAccess({ tokens, issuer, signIn }: AccessOptions) {
  const issuers = [...(issuer ? [issuer.url] : []), ...(signIn ? [signIn.origin] : [])]
  const canAsk = issuers.length > 0
  /** Where a client learns who issues tokens for this server (RFC 9728). */
  const pointer = ({ origin, path }: Where): string =>
    canAsk ? ` resource_metadata="${origin}${METADATA_PATH}${path}"` : ' realm="cairn"'

  return {
    isNeeded: () => canAsk || tokens.areNeeded(),

    async callerOf(headers: Headers): Promise<Caller | undefined> {
      const token = tokenIn(headers)
      if (token === undefined) return undefined
      const caller =
        tokens.callerOf(token) ?? (await signIn?.callerOf(token)) ?? (await issuer?.callerOf(token))
      return caller && { ...caller, may: amountTo(caller.may) }
    },

    challenge(where: Where): Response {
      // A browser asks its user for a name and a password, and the password is the token.
      const how = `Bearer${pointer(where)}${canAsk ? ', scope="read"' : ''}, Basic realm="cairn"`
      return refusal(401, 'A token is needed.', how)
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
      signIn?.isPublic(path) === true || (canAsk && resourcePath(path) !== undefined),

    async publicly(
      request: Request,
      { peer, origin }: { readonly peer: string; readonly origin: string },
    ): Promise<Response | undefined> {
      const { pathname } = new URL(request.url)
      if (signIn?.isPublic(pathname)) return signIn.answer(request, peer)
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

function refusal(status: number, message: string, how: string): Response {
  const hint = 'Send one as "Authorization: Bearer …"; "cairn token create" makes them.'
  return Response.json(
    { error: { message, hint } },
    { status, headers: { 'www-authenticate': how } },
  )
}
