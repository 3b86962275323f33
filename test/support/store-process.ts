/**
 * A process with a store of its own that does what it is told, one JSON line each, and says how it
 * went: to be stopped in the middle and thawed again.
 */
import { existsSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { KnowledgeError } from '../../src/core/domain/error.ts'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { resolveLink } from '../../src/core/indexing/resolve-link.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import type { Lease } from '../../src/core/store/store.ts'
import { note, segmentOf, wiki } from '../contract/store-contract.ts'

export type Order =
  | { readonly kind: 'lease'; readonly owner: string; readonly ttlMs: number }
  /** Stays in the middle of the transaction until the file is there. */
  | { readonly kind: 'put'; readonly no: number; readonly until?: string }

const [url = '', copies = ''] = process.argv.slice(2)
const address = parseStoreAddress(url)
const store = await openPostgresStore({ address, format: 'test', sources: '', copies })
const say = (what: object): void => void writeSync(1, `${JSON.stringify(what)}\n`)
const clock = new Int32Array(new SharedArrayBuffer(4))
const waitFor = (file: string): void => {
  say({ inside: true })
  while (!existsSync(file)) Atomics.wait(clock, 0, 0, 20)
}
let lease: Lease | undefined
say({ opened: true })

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as Order
  try {
    if (order.kind === 'lease') {
      lease = await store.acquireLease(order.owner, order.ttlMs)
      say({ lease })
    } else {
      const { no, until } = order
      const document = note(no, `${no}.md`, { links: [wiki('nowhere')] })
      await store.commit(
        { put: [document], segment: segmentOf([document]), ...(lease && { lease }) },
        (...asked) => {
          // Links are resolved while the base is locked.
          if (until !== undefined) waitFor(until)
          return resolveLink(...asked)
        },
      )
      say({ put: no })
    }
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    say({ refused: error.code, message: error.message })
  }
}
await store.close()
