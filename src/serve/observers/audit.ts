/**
 * Who changed what, and who was refused: one line of JSON each, a file per month in `audit/` of the
 * state folder. What was said in a call is not in it; the history of changes has that.
 */
import { appendFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Observer } from '../door/observer.ts'

export interface Audit extends Observer {
  refused(request: { readonly peer: string; readonly path: string; readonly status: number }): void
}

/** A month that is full is left as it is: the end of it says so. */
const MOST_BYTES = 100 * 1024 * 1024

export function openAudit(
  state: string,
  log: (message: string) => void,
  now = () => new Date(),
): Audit {
  const folder = join(state, 'audit')
  let told = false
  const append = (line: Readonly<Record<string, unknown>>): void => {
    try {
      const at = now().toISOString()
      const file = join(folder, `${at.slice(0, 7)}.jsonl`)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) return
      appendFileSync(file, `${JSON.stringify({ at, ...line })}\n`, { mode: 0o600 })
      told = false
    } catch (error) {
      // A full disk must not end a call that went well; it is said once.
      if (!told) log(`The audit log cannot be written: ${String(error)}`)
      told = true
    }
  }
  return {
    ended({ surface, tool, access = 'read', client, principal, durationMs, outcome }) {
      if (access === 'read' && outcome !== 'forbidden' && outcome !== 'unauthorized') return
      append({
        kind: 'call',
        surface,
        tool,
        principal,
        client,
        outcome,
        ms: Math.round(durationMs),
      })
    },
    refused: (request) => append({ kind: 'refused', ...request }),
  }
}
