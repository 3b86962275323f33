/**
 * Record and replay: what an answer asked of what its connection had been shown, and what it added.
 * Where another connection would have told the same, the answer is the same for it.
 */
import { keyOf } from './shown-before.ts'
import type { Shown } from './shown-before.ts'

export interface TracedShown extends Shown {
  readonly trace: ShownTrace
}

/** In their order: what was asked, with the reply, and what was added, with none. */
export type ShownTrace = readonly ShownStep[]

interface ShownStep {
  /** Of a sentence: the letters would hold on to their text. */
  readonly key: number
  readonly known?: boolean
}

export function traced(shown: Shown): TracedShown {
  const trace: ShownStep[] = []
  const hasKey = (key: number): boolean => {
    const known = shown.hasKey(key)
    trace.push({ key, known })
    return known
  }
  const addKey = (key: number): void => {
    shown.addKey(key)
    trace.push({ key })
  }
  return {
    isBlank: shown.isBlank,
    has: (id, sentence) => hasKey(keyOf(id, sentence)),
    add: (id, sentence) => addKey(keyOf(id, sentence)),
    hasKey,
    addKey,
    names: (id) => {
      const key = keyOf(id, '')
      addKey(key)
      return hasKey(key)
    },
    told: shown.told,
    trace,
  }
}

/** Whether each question has the same reply again; what was added is added. */
export function replays(trace: ShownTrace, shown: Shown): boolean {
  for (const { key, known } of trace) {
    if (known === undefined) shown.addKey(key)
    else if (shown.hasKey(key) !== known) return false
  }
  return true
}
