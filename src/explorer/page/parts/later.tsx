/**
 * Code splitting: a part of the page that is loaded when it is first shown. While it comes, a line
 * says so; where it does not come (no server, or one that was updated), one can try again.
 */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { DoorError } from '../door.ts'
import { outdated } from '../state/app.ts'
import { Problem, Waiting } from './text.tsx'

type Load<Props> = () => Promise<ComponentType<Props>>

export function later<Props extends object>(load: Load<Props>): ComponentType<Props> {
  // Outside of the component, so that a second look at it needs no waiting.
  let loaded: ComponentType<Props> | undefined
  return function Later(props: Props) {
    const [, setTries] = useState(0)
    const [error, setError] = useState<DoorError | undefined>()
    const [wanted, setWanted] = useState(0)
    useEffect(() => {
      if (loaded) return undefined
      let current = true
      load().then(
        (part) => {
          loaded = part
          if (current) setTries((tries) => tries + 1)
        },
        () => {
          if (current) setError(problem())
        },
      )
      return () => {
        current = false
      }
    }, [wanted])
    if (loaded) {
      const Loaded = loaded
      return <Loaded {...props} />
    }
    if (!error) return <Waiting />
    return (
      <div>
        <Problem error={error} />
        <button
          type="button"
          onClick={() => {
            setError(undefined)
            setWanted(wanted + 1)
          }}
        >
          Try again
        </button>
      </div>
    )
  }
}

function problem(): DoorError {
  return outdated.value
    ? new DoorError('outdated', 'The server was updated.', 'Reload this page.')
    : new DoorError('unreachable', 'This part of the page could not be loaded.', 'Try again.')
}
