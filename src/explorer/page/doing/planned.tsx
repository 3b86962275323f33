/** What would happen is asked for first, and shown; then exactly that is done, or it is shown anew. */
import { useEffect, useState } from 'preact/hooks'
import type { DoorError } from '../door.ts'
import { errorOf } from '../state/app.ts'

export interface Planned<Plan> {
  readonly plan: Plan | undefined
  readonly error: DoorError | undefined
  /** What was shown is not what would happen any more; `plan` is what would happen now. */
  readonly isNew: boolean
  readonly busy: boolean
  /** Does exactly what is shown. */
  carryOut(): void
}

interface How<Plan> {
  /** Nothing to ask as long as it is undefined. */
  readonly look: ((signal: AbortSignal) => Promise<Plan>) | undefined
  readonly act: (plan: Plan) => Promise<void>
}

/** Looks again whenever `wanted` is another one, after a moment in which somebody may go on typing. */
export function usePlanned<Plan>(wanted: string, { look, act }: How<Plan>): Planned<Plan> {
  const [plan, setPlan] = useState<Plan | undefined>()
  const [error, setError] = useState<DoorError | undefined>()
  const [isNew, setNew] = useState(false)
  const [busy, setBusy] = useState(false)
  const refresh = async (signal: AbortSignal): Promise<void> => {
    try {
      const found = await look?.(signal)
      if (signal.aborted) return
      setPlan(() => found)
      setError(undefined)
    } catch (problem) {
      if (signal.aborted) return
      setPlan(undefined)
      setError(errorOf(problem))
    }
  }
  useEffect(() => {
    setPlan(undefined)
    setNew(false)
    setError(undefined)
    const gone = new AbortController()
    const timer = setTimeout(() => void refresh(gone.signal), PAUSE_MS)
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [wanted])
  return {
    plan,
    error,
    isNew,
    busy,
    async carryOut() {
      if (plan === undefined || busy) return
      setBusy(true)
      try {
        await act(plan)
      } catch (problem) {
        const said = errorOf(problem)
        if (said.code === 'conflict') {
          setNew(true)
          await refresh(new AbortController().signal)
        } else setError(said)
      }
      setBusy(false)
    },
  }
}

const PAUSE_MS = 150

export function Anew() {
  return (
    <p class="remark warn" role="alert">
      Something was changed meanwhile, so nothing was done. This is what would happen now.
    </p>
  )
}
