/**
 * Tokens that an authorization server elsewhere issues for this server (JWT). Its keys are fetched
 * when they are needed, kept, and fetched again when it signs with a new one. Nothing else is
 * believed: signature, issuer, audience and time have to be right.
 */
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { JWTVerifyGetKey } from 'jose'
import type { Caller } from '../../core/domain/caller.ts'
import { callerWithClaims, type ClaimRule } from './claims.ts'

export interface IssuerOptions {
  /** As it stands in `iss`. */
  readonly url: string
  /** As it stands in `aud`, any of them: addresses of this server, more likely than not. */
  readonly audiences: readonly string[]
  /** Where its keys are; found in its metadata unless given. */
  readonly keysUrl?: string
  /** What its tokens allow, by their claims; their scopes alone count without. */
  readonly rules?: readonly ClaimRule[]
  /** Hears why a key could not be fetched. */
  readonly log?: (message: string) => void
}

export interface Issuer {
  readonly url: string
  /** Undefined for everything but a token that is good now. */
  callerOf(token: string): Promise<Caller | undefined>
}

/** Symmetric keys and `none` are out: nobody shares a secret here. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']
const CLOCKS_DIFFER_SECONDS = 30
const FETCH_MS = 5_000

export function openIssuer(options: IssuerOptions): Issuer {
  const { url, audiences, rules = [], log } = options
  let keys: Promise<JWTVerifyGetKey> | undefined
  const keySet = (): Promise<JWTVerifyGetKey> => {
    keys ??= findKeys(options).catch((error: unknown) => {
      // The next token tries again.
      keys = undefined
      throw error
    })
    return keys
  }
  return {
    url,
    async callerOf(token) {
      // Not every stray text is worth a question to somebody else's server.
      if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined
      try {
        const { payload } = await jwtVerify(token, await keySet(), {
          issuer: url,
          audience: [...audiences],
          algorithms: ALGORITHMS,
          clockTolerance: CLOCKS_DIFFER_SECONDS,
          requiredClaims: ['exp', 'sub'],
        })
        return callerWithClaims(`${payload.sub}@${new URL(url).host}`, payload, rules)
      } catch (error) {
        if (isOurTrouble(error)) log?.(`The keys of ${url} cannot be had: ${String(error)}`)
        return undefined
      }
    },
  }
}

async function findKeys({ url, keysUrl }: IssuerOptions): Promise<JWTVerifyGetKey> {
  const place = keysUrl ?? (await announcedKeys(url))
  return createRemoteJWKSet(new URL(place), {
    timeoutDuration: FETCH_MS,
    cooldownDuration: 30_000,
    cacheMaxAge: 10 * 60_000,
  })
}

/** RFC 8414 puts the well-known part in front of the path, OpenID Connect behind it. */
async function announcedKeys(url: string): Promise<string> {
  const { origin, pathname } = new URL(url)
  const path = pathname.replace(/\/$/, '')
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  for (const place of places) {
    const response = await fetch(place, {
      signal: AbortSignal.timeout(FETCH_MS),
      redirect: 'error',
    }).catch(() => undefined)
    if (!response?.ok) continue
    const { jwks_uri: keys, issuer } = (await response.json()) as Record<string, unknown>
    if (typeof keys === 'string' && issuer === url) return keys
  }
  throw new Error('it announces no keys')
}

function isOurTrouble(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code
  return code === 'ERR_JWKS_TIMEOUT' || typeof code !== 'string' || !code.startsWith('ERR_J')
}
