/**
 * How many tokens each client was given, and how many it was spared because they stood in the
 * conversation already. Every process adds lines to a file of the month; who asks adds them up.
 */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { estimateTokens } from '../../core/operations/reading/tokens.ts'
import type { Observer } from '../door/observer.ts'

export interface TokenCount {
  readonly calls: number
  readonly given: number
  readonly saved: number
}

const FLUSH_MS = 5_000
const MOST_BYTES = 20 * 1024 * 1024
/** Months that are added up. */
const MONTHS = 12

export function openTokenCounter(state: string, now = () => new Date()): Observer {
  const folder = join(state, 'tokens')
  const pending = new Map<string, TokenCount>()
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const lines = [...pending].map(([client, count]) => `${JSON.stringify({ client, ...count })}\n`)
    pending.clear()
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${now().toISOString().slice(0, 7)}.jsonl`)
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) return
      appendFileSync(file, lines.join(''), { mode: 0o600 })
    } catch {
      // A count is no reason to end a call that went well.
    }
  }
  return {
    surface: 'native',
    ended({ client = 'unknown', outcome }, { texts, saved = 0 }) {
      // A program was given nothing to read, and a failure is no answer.
      if (outcome !== 'ok' || !texts?.length) return
      const given = estimateTokens(texts.join(''))
      const name = client.replace(/\/.*$/s, '').slice(0, 80) || 'unknown'
      add(pending, name, { calls: 1, given, saved })
      timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
    close: flush,
  }
}

/** By client, most given first; empty where nothing was counted. */
export function readTokenCounts(
  state: string,
): readonly (TokenCount & { readonly client: string })[] {
  const folder = join(state, 'tokens')
  const sums = new Map<string, TokenCount>()
  for (const file of filesIn(folder)) {
    for (const { client, ...count } of linesIn(join(folder, file))) add(sums, client, count)
  }
  return [...sums]
    .map(([client, count]) => ({ client, ...count }))
    .toSorted((a, b) => b.given - a.given)
}

function add(sums: Map<string, TokenCount>, client: string, count: TokenCount): void {
  const { calls, given, saved } = sums.get(client) ?? { calls: 0, given: 0, saved: 0 }
  sums.set(client, {
    calls: calls + count.calls,
    given: given + count.given,
    saved: saved + count.saved,
  })
}

function filesIn(folder: string): string[] {
  try {
    const all = readdirSync(folder).filter((name) => /^\d{4}-\d{2}\.jsonl$/.test(name))
    return all.toSorted().slice(-MONTHS)
  } catch {
    return []
  }
}

function linesIn(file: string): (TokenCount & { readonly client: string })[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          const { client, calls, given, saved } = JSON.parse(line) as Record<string, unknown>
          const whole = [calls, given, saved].every(Number.isSafeInteger)
          if (typeof client !== 'string' || !whole) return []
          return [{ client, calls, given, saved } as TokenCount & { client: string }]
        } catch {
          // The last line of a process that was killed.
          return []
        }
      })
  } catch {
    return []
  }
}
