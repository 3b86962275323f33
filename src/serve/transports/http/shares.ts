/**
 * Quota: so many streams in all: of these no more than a fifth for each caller, or four fifths for
 * each address where callers are not known and one address may stand for all of them.
 */
import { createExchanges } from './exchanges.ts'
import type { Sender } from './mount.ts'

export interface Shares {
  /** Holds its place until the stream ends. Undefined: there is none left. */
  run(sender: Sender, open: () => Promise<Response>): Promise<Response | undefined>
}

export function createShares(most: number): Shares {
  const byCaller = new Map<string, number>()
  const fifths = (parts: number): number => Math.max(1, Math.ceil((most * parts) / 5))
  let all = 0
  return {
    async run({ caller, peer }, open) {
      const who = caller?.principal ?? peer
      const held = byCaller.get(who) ?? 0
      if (all >= most || held >= fifths(caller ? 1 : 4)) return undefined
      all++
      byCaller.set(who, held + 1)
      const exchange = createExchanges()
      const leave = (): void => {
        all--
        const left = (byCaller.get(who) ?? 1) - 1
        if (left > 0) byCaller.set(who, left)
        else byCaller.delete(who)
      }
      try {
        const response = await exchange.run(open)
        void exchange.idle().then(leave)
        return response
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}
