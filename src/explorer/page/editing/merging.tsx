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
/** None at all is another thing than one that is blank. */
type Lines = readonly string[]

const SIDES = [
  ['ours', 'Yours'],
  ['theirs', 'Theirs'],
  ['base', 'Before'],
] as const

export function Merging({ parts, onBack, onDecide }: Props) {
  const conflicts = parts.filter((part): part is Conflict => part.kind === 'conflict')
  const [decided, setDecided] = useState<readonly (Lines | undefined)[]>(
    conflicts.map(() => undefined),
  )
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const open = decided.filter((each) => each === undefined).length
  const decide = (at: number, lines: Lines): void => setDecided(decided.with(at, lines))
  const all = (side: Side): void => setDecided(conflicts.map((each) => each[side]))
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
            onDecide={(lines) => decide(at, lines)}
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
  readonly decided: Lines | undefined
  readonly onDecide: (lines: Lines) => void
}

function Place({ name, conflict, decided, onDecide }: PlaceProps) {
  const both = [...conflict.theirs, ...conflict.ours]
  const isDecided = (lines: Lines): boolean =>
    decided?.length === lines.length && lines.every((line, at) => line === decided[at])
  return (
    <li>
      <fieldset>
        <legend>{name}</legend>
        <div class="three">
          {SIDES.map(([side, called]) => {
            const lines = conflict[side]
            return (
              <div key={side} class={side}>
                <h3>{called}</h3>
                <pre dir="auto" tabIndex={0}>
                  {lines.length === 0 ? <em>nothing</em> : lines.join('\n')}
                </pre>
                <button
                  type="button"
                  aria-label={`${name}: Take ${called.toLowerCase()}`}
                  aria-pressed={isDecided(lines)}
                  onClick={() => onDecide(lines)}
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
            aria-pressed={isDecided(both)}
            onClick={() => onDecide(both)}
          >
            Take both, one after the other
          </button>
        </p>
        <label>
          <span>What becomes of it</span>
          <textarea
            dir="auto"
            rows={Math.min(12, (decided ?? both).length + 1)}
            value={decided?.join('\n') ?? ''}
            placeholder="Choose above, or write it here."
            onInput={({ currentTarget: { value } }) =>
              onDecide(value === '' ? [] : value.split('\n'))
            }
          />
        </label>
      </fieldset>
    </li>
  )
}

/** A place of which nothing is left has no line. */
function together(parts: readonly MergedPart[], decided: readonly (Lines | undefined)[]): string {
  let at = 0
  const lines = parts.flatMap((part) =>
    part.kind === 'merged' ? part.lines : (decided[at++] ?? []),
  )
  return lines.join('\n')
}
