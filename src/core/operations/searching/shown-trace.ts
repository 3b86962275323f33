/**
 * Record and replay: what an answer asked of what its connection had been shown, and what it added.
 * Where another connection would have told the same, the answer is the same for it.
 */
import type { Shown } from './shown-before.ts'

export interface TracedShown extends Shown {
  readonly trace: ShownTrace
}

/** In their order: what was asked, with the reply, and what was added, with none. */
export type ShownTrace = readonly ShownStep[]

interface ShownStep {
  readonly id: string
  readonly sentence: string
  readonly known?: boolean
}

export function traced(shown: Shown): TracedShown {
  const trace: ShownStep[] = []
  const has = (id: string, sentence: string): boolean => {
    const known = shown.has(id, sentence)
    trace.push({ id, sentence, known })
    return known
  }
  const add = (id: string, sentence: string): void => {
    shown.add(id, sentence)
    trace.push({ id, sentence })
  }
  return {
    isBlank: shown.isBlank,
    has,
    add,
    names: (id) => {
      add(id, '')
      return has(id, '')
    },
    told: shown.told,
    trace,
  }
}

/** Whether each question has the same reply again; what was added is added. */
export function replays(trace: ShownTrace, shown: Shown): boolean {
  for (const { id, sentence, known } of trace) {
    if (known === undefined) shown.add(id, sentence)
    else if (shown.has(id, sentence) !== known) return false
  }
  return true
}
