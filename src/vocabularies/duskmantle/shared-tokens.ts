/** Tokens that whoever starts a server sets in its environment: one text for all of a kind. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../core/domain/caller.ts'

export interface SharedToken {
  readonly token: string
  readonly caller: Caller
}

/** Undefined where there are none: then nobody is asked for one. The texts are not kept. */
export function openSharedTokens(
  tokens: readonly SharedToken[],
): ((token: string) => Caller | undefined) | undefined {
  if (tokens.length === 0) return undefined
  const known = tokens.map(({ token, caller }) => ({ digest: digestOf(token), caller }))
  return (token) => {
    const digest = digestOf(token)
    // All are compared, so that the time it takes tells nothing.
    const right = known.filter((each) => timingSafeEqual(each.digest, digest))
    return right[0]?.caller
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
