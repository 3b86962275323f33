/** Who is calling? Basic credentials or API keys, compared in a time that tells nothing. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { PERMISSIONS } from '../../../core/domain/caller.ts'
import type { Caller, Permission } from '../../../core/domain/caller.ts'
import type { Sender } from './mount.ts'

export type Credentials =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'apikey'; readonly keys: readonly string[] }

export interface CallerHeaders {
  readonly authorization?: string | undefined
  readonly 'x-api-key'?: string | string[] | undefined
  readonly cookie?: string | undefined
  readonly origin?: string | undefined
}

/** Who is let in, and as whom. */
export interface Access {
  /** Whether callers have to say who they are. */
  isNeeded(): boolean
  /** Undefined: nobody we know. */
  callerOf(headers: CallerHeaders, asked?: Asked): Promise<Caller | undefined>
  /** What a caller without credentials is told; `where` is the address that was asked for. */
  challenge(where: Wanted): Response
  /** Answers that anybody gets, such as who issues tokens; undefined where there is none. */
  publicly?(request: Request, sender: Sender): Promise<Response | undefined>
  /** Which paths those are. */
  isPublic?(path: string): boolean
  /** How a caller is told that more is needed: every permission at once. */
  stepUp?(caller: Caller, needs: readonly Permission[], where: Where): Response | undefined
}

export interface Asked {
  readonly path: string
  readonly method: string
  /** Scheme and host that were asked for. */
  readonly asked: string
}

export interface Where {
  /** Scheme and host, as clients reach this server. */
  readonly origin: string
  readonly path: string
}

export interface Wanted extends Where {
  /** A person opens it in a browser: path and query, and whether by a link on another site. */
  readonly opened?: { readonly to: string; readonly fromElsewhere: boolean } | undefined
}

export function createAuthentication(credentials: Credentials): Access {
  // Digests have one length, so a comparison does not tell how long the secret is.
  const salt = randomBytes(32)
  const digest = (secret: Buffer) => createHmac('sha256', salt).update(secret).digest()
  const known = secretsOf(credentials).map((secret) => digest(Buffer.from(secret, 'utf8')))
  const isBasic = credentials.kind === 'basic'
  return {
    isNeeded: () => true,
    async callerOf(headers) {
      const given = isBasic ? basicSecret(headers.authorization) : keyOf(headers['x-api-key'])
      if (given === undefined) return undefined
      const own = digest(given)
      // All are compared, whichever it is.
      const matches = known.map((each) => timingSafeEqual(each, own))
      if (!matches.includes(true)) return undefined
      // A name that can be compared and gives nothing away.
      return { principal: own.toString('base64url'), may: PERMISSIONS }
    },
    challenge: () =>
      new Response('Unauthorized', {
        status: 401,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          ...(isBasic && { 'www-authenticate': 'Basic realm="Restricted"' }),
        },
      }),
  }
}

function secretsOf(credentials: Credentials): readonly string[] {
  if (credentials.kind === 'apikey') return credentials.keys
  return [`${credentials.username}:${credentials.password}`]
}

/** `user:password` of the header; a colon may stand in the password but not in the name. */
export function basicSecret(header: string | undefined): Buffer | undefined {
  const encoded = /^basic +([a-z0-9+/=_-]+) *$/i.exec(header ?? '')?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64')
}

/** Headers arrive as bytes, one character each; a key with an umlaut is two of them in UTF-8. */
export function keyOf(header: string | string[] | undefined): Buffer | undefined {
  return typeof header === 'string' ? Buffer.from(header, 'latin1') : undefined
}
