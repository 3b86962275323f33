/** What is really in a file, with the numbers of its lines: a window around the line one reads. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DoorError } from '../door.ts'
import { door, errorOf } from '../state/app.ts'
import { Problem, Waiting } from './text.tsx'

interface Lines {
  readonly text: string
  readonly first: number
  readonly lines: number
}

interface Props {
  readonly id: string
  readonly lines: string
  /** Rises when the file was changed. */
  readonly version: number
}

export function Source({ id, lines, version }: Props) {
  const [shown, setShown] = useState<Lines | undefined>()
  const [error, setError] = useState<DoorError | undefined>()
  const [moved, setMoved] = useState<number | undefined>()
  const list = useRef<HTMLOListElement>(null)
  const lit = Number(lines.split('-')[0])
  const wanted = moved ?? lit
  useEffect(() => {
    let current = true
    door.read<Lines>('source', { id, ...(wanted > 0 && { line: wanted }) }).then(
      (found) => {
        if (!current) return
        setShown(found)
        setError(undefined)
      },
      (problem: unknown) => {
        if (current) setError(errorOf(problem))
      },
    )
    return () => {
      current = false
    }
  }, [id, wanted, version])
  useEffect(() => {
    if (shown && wanted > 0)
      list.current?.children[wanted - shown.first]?.scrollIntoView({ block: 'center' })
  }, [shown])
  if (error) return <Problem error={error} />
  if (!shown) return <Waiting />
  const all = shown.text.split('\n')
  const next = shown.first + all.length
  return (
    <>
      {shown.first > 1 && (
        <button type="button" onClick={() => setMoved(Math.max(1, shown.first - 1))}>
          Earlier lines
        </button>
      )}
      <ol class="source" ref={list} dir="ltr">
        {all.map((line, index) => (
          <li
            key={shown.first + index}
            data-number={shown.first + index}
            class={shown.first + index === lit ? 'here' : ''}
          >
            <code dir="auto">{line}</code>
          </li>
        ))}
      </ol>
      {next <= shown.lines && (
        <button type="button" onClick={() => setMoved(next)}>
          {`Further lines (of ${shown.lines.toLocaleString('en')})`}
        </button>
      )}
    </>
  )
}
