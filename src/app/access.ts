/** Who is let in over HTTP, by the settings and the tokens of a base. */
import { join } from 'node:path'
import { openAccess } from '../access/open-access.ts'
import { openIssuer } from '../access/open-issuer.ts'
import { openTokens } from '../access/open-tokens.ts'
import type { Tokens } from '../access/open-tokens.ts'
import type { Config } from '../config/config.ts'
import type { Access } from '../transports/http/authentication.ts'

export function tokensOf({ state }: Pick<Config, 'state'>): Tokens {
  return openTokens(join(state, 'tokens.json'))
}

export function accessOf(config: Config, log: (message: string) => void): Access {
  const { issuer, audience, keysUrl } = config.access ?? {}
  return openAccess({
    tokens: tokensOf(config),
    ...(issuer !== undefined &&
      audience !== undefined && {
        issuer: openIssuer({ url: issuer, audience, ...(keysUrl && { keysUrl }), log }),
      }),
  })
}
