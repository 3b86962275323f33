/** Both have changed the same lines: what each wrote and what was there before, and what becomes of it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MergedPart } from '../../../core/editing/merge-lines.ts'
import { plural } from '../parts/text.tsx'

interface Props {
  readonly parts: readonly MergedPart[]
  readonly onBack: () => void
  readonly onDecide: (text: string, save: boolean) => void
}

type Conflict = Extract<MergedPart, { kind: 'conflict' }>
type Side = 'ours' | 'theirs' | 'base'

const SIDES = [
  ['ours', 'Yours'],
  ['theirs', 'Theirs'],
  ['base', 'Before'],
] as const

export function Merging({ parts, onBack, onDecide }: Props) {
  const conflicts = parts.filter((part): part is Conflict => part.kind === 'conflict')
  const [decided, setDecided] = useState<readonly (string | undefined)[]>(
    conflicts.map(() => undefined),
  )
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const open = decided.filter((each) => each === undefined).length
  const decide = (at: number, text: string): void => setDecided(decided.with(at, text))
  const all = (side: Side): void => setDecided(conflicts.map((each) => each[side].join('\n')))
  const finish = (save: boolean): void => onDecide(together(parts, decided), save)
  return (
    <section
      class="merging"
      aria-label="Put together"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return
        event.preventDefault()
        onBack()
      }}
    >
      <h2 tabIndex={-1} ref={heading}>
        Somebody else changed the same lines
      </h2>
      <p>
        {`What you and they changed elsewhere is put together already. Choose what becomes of ${plural(conflicts.length, 'place')} that you both changed.`}
      </p>
      <p class="row-of-buttons">
        <button type="button" onClick={() => all('ours')}>
          All mine
        </button>
        <button type="button" onClick={() => all('theirs')}>
          All theirs
        </button>
      </p>
      <ol>
        {conflicts.map((conflict, at) => (
          <Place
            key={at}
            name={`Place ${at + 1} of ${conflicts.length}`}
            conflict={conflict}
            decided={decided[at]}
            onDecide={(text) => decide(at, text)}
          />
        ))}
      </ol>
      <p class="row-of-buttons">
        <button type="button" class="primary" disabled={open > 0} onClick={() => finish(true)}>
          Save
        </button>
        <button type="button" disabled={open > 0} onClick={() => finish(false)}>
          Go on writing with this
        </button>
        <button type="button" onClick={onBack}>
          Back to my text
        </button>
      </p>
    </section>
  )
}

interface PlaceProps {
  readonly name: string
  readonly conflict: Conflict
  readonly decided: string | undefined
  readonly onDecide: (text: string) => void
}

function Place({ name, conflict, decided, onDecide }: PlaceProps) {
  const both = [...conflict.theirs, ...conflict.ours].join('\n')
  return (
    <li>
      <fieldset>
        <legend>{name}</legend>
        <div class="three">
          {SIDES.map(([side, called]) => {
            const text = conflict[side].join('\n')
            return (
              <div key={side} class={side}>
                <h3>{called}</h3>
                <pre dir="auto" tabIndex={0}>
                  {text === '' ? <em>nothing</em> : text}
                </pre>
                <button
                  type="button"
                  aria-label={`${name}: Take ${called.toLowerCase()}`}
                  aria-pressed={decided === text}
                  onClick={() => onDecide(text)}
                >
                  {`Take ${called.toLowerCase()}`}
                </button>
              </div>
            )
          })}
        </div>
        <p>
          <button
            type="button"
            aria-label={`${name}: Take both, one after the other`}
            aria-pressed={decided === both}
            onClick={() => onDecide(both)}
          >
            Take both, one after the other
          </button>
        </p>
        <label>
          <span>What becomes of it</span>
          <textarea
            dir="auto"
            rows={Math.min(12, (decided ?? both).split('\n').length + 1)}
            value={decided ?? ''}
            placeholder="Choose above, or write it here."
            onInput={({ currentTarget }) => onDecide(currentTarget.value)}
          />
        </label>
      </fieldset>
    </li>
  )
}

/** A place of which nothing is left has no line. */
function together(parts: readonly MergedPart[], decided: readonly (string | undefined)[]): string {
  let at = 0
  const lines = parts.flatMap((part) => {
    if (part.kind === 'merged') return part.lines
    const text = decided[at++] ?? ''
    return text === '' ? [] : text.split('\n')
  })
  return lines.join('\n')
}
