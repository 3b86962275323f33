/** The shortest way over links and names in prose. The texts are on the server, so it is asked. */
import { useEffect, useState } from 'preact/hooks'
import { door, errorOf } from '../state/app.ts'

export interface WayStep {
  readonly id: string
  readonly title: string
  readonly via?: 'in' | 'out'
  /** Of a name: the sentence, and its line in the one that says it. */
  readonly sentence?: string
  readonly line?: number
}

export interface NamedWay {
  /** Empty where there is none. */
  readonly path: readonly WayStep[]
  /** What kept it from being found, or from being the shortest for sure. */
  readonly note?: string
}

/** Undefined as long as nobody knows, or nobody wants to. `version` says that notes have changed. */
export function useNamedWay(
  from: string | undefined,
  to: string | undefined,
  version: number,
): NamedWay | undefined {
  const [way, setWay] = useState<NamedWay | undefined>()
  useEffect(() => {
    setWay(undefined)
    if (from === undefined || to === undefined) return
    const stopping = new AbortController()
    const { signal } = stopping
    door.call<NamedWay>('path', { from, to, mentions: true }, signal).then(
      (found) => signal.aborted || setWay(found),
      (problem: unknown) => signal.aborted || setWay({ path: [], note: errorOf(problem).message }),
    )
    return () => stopping.abort()
  }, [from, to, version])
  return way
}
