/** What a note says of itself, as a form: only the lines that were changed are written. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { DoorError } from '../door.ts'
import { clean, Path, Problem } from '../parts/text.tsx'
import { door, errorOf } from '../state/app.ts'
import { changed, sayDone, write, type Written } from '../state/writing.ts'
import type { ChangedLine, ShownNote, Vocabulary } from '../../wire/wire.ts'
import { Dialog } from './dialog.tsx'
import {
  changeOf,
  fieldsOf,
  laidOver,
  type Change,
  type Field,
  type Kind,
} from './property-values.ts'

interface Props {
  readonly note: ShownNote
  readonly onClose: () => void
}

/** More rows than anybody has a use for. */
const MOST = 200

export function Properties({ note, onClose }: Props) {
  const { id, title } = note
  const [base, setBase] = useState(note)
  const all = fieldsOf(base.properties)
  const before = all.slice(0, MOST)
  const [fields, setFields] = useState<readonly Field[]>(before)
  const [error, setError] = useState<DoorError | undefined>()
  const [wrong, setWrong] = useState('')
  const [gone, setGone] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const [known, setKnown] = useState<Vocabulary['properties']>([])
  const added = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const gone = new AbortController()
    door.read<Vocabulary>('vocabulary', { id }, gone.signal).then(
      ({ properties }) => setKnown(properties),
      () => undefined,
    )
    return () => gone.abort()
  }, [])
  // A new one is named at once.
  const count = fields.length
  const counted = useRef(count)
  useLayoutEffect(() => {
    if (count > counted.current) added.current?.focus()
    counted.current = count
  }, [count])

  const set = (at: number, change: Partial<Field>): void =>
    setFields(fields.map((each, index) => (index === at ? { ...each, ...change } : each)))
  const save = async (): Promise<void> => {
    const change = changeOf(before, fields)
    setWrong(typeof change === 'string' ? change : '')
    if (typeof change === 'string') return
    if (change.renamed.length + Object.keys(change.metadata).length === 0) {
      onClose()
      return
    }
    setBusy(true)
    try {
      const operation = await saved(base, change)
      onClose()
      sayDone(`Changed the properties of ${clean(title)}`, operation)
    } catch (problem) {
      const said = errorOf(problem)
      setError(said)
      // What was written here stays; it is laid over what is there by now.
      if (said.code === 'conflict') await lookAgain()
    }
    setBusy(false)
  }
  const lookAgain = async (): Promise<void> => {
    try {
      const now = await door.read<ShownNote>('note', { id })
      const there = fieldsOf(now.properties).slice(0, MOST)
      const { fields: laid, gone } = laidOver(there, before, fields)
      setBase(now)
      setFields(laid)
      setGone(gone)
    } catch {
      // What was said first is what matters.
    }
  }
  return (
    <Dialog title={`Properties of ${clean(title)}`} onClose={onClose}>
      <h2>Properties</h2>
      <p>
        <Path id={id} />
      </p>
      {error && <Problem error={error} />}
      {gone.length > 0 && (
        <p class="remark warn" role="alert">
          {`Somebody else took ${gone.map((each) => `“${clean(each)}”`).join(', ')} away. What you changed there is below, and is added again when you save.`}
        </p>
      )}
      {wrong !== '' && (
        <p class="remark warn" role="alert">
          {clean(wrong)}
        </p>
      )}
      <form
        class="fields properties-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void save()
        }}
      >
        {fields.map((field, at) => (
          <fieldset key={field.was ?? `new ${at}`} class="property">
            <legend class="unseen-text">{clean(field.name || 'New property')}</legend>
            <input
              ref={field.was === undefined && at === count - 1 ? added : null}
              type="text"
              aria-label={`Name of ${clean(field.name || 'the new property')}`}
              value={field.name}
              maxLength={200}
              list="known-properties"
              autocomplete="off"
              onInput={(event) => set(at, named(field, event.currentTarget.value, known))}
            />
            <Value field={field} known={known} onChange={(text) => set(at, { text })} />
            {field.was === undefined && (
              <select
                aria-label={`Kind of ${clean(field.name || 'the new property')}`}
                value={field.kind}
                onChange={(event) => set(at, { kind: event.currentTarget.value as Kind, text: '' })}
              >
                {KINDS.map(([kind, name]) => (
                  <option key={kind} value={kind}>
                    {name}
                  </option>
                ))}
              </select>
            )}
            <button
              type="button"
              class="quiet"
              aria-label={`Take ${clean(field.name || 'it')} away`}
              title="Take away"
              onClick={() => setFields(fields.filter((_, index) => index !== at))}
            >
              ×
            </button>
          </fieldset>
        ))}
        {all.length > MOST && (
          <p class="hint">{`${all.length - MOST} more are changed in the text.`}</p>
        )}
        <datalist id="known-properties">
          {known.map(({ key }) => (
            <option key={key} value={key} />
          ))}
        </datalist>
        <p>
          <button
            type="button"
            onClick={() => setFields([...fields, { name: '', kind: 'text', text: '' }])}
          >
            Add a property
          </button>
        </p>
        <p class="row-of-buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={busy}>
            Save
          </button>
        </p>
      </form>
    </Dialog>
  )
}

const KINDS: readonly (readonly [Kind, string])[] = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['date', 'Date'],
  ['list', 'List'],
  ['checkbox', 'Checkbox'],
]

/** One that others have gets the kind that it has there. */
function named(field: Field, name: string, known: Vocabulary['properties']): Partial<Field> {
  const values = known.find(({ key }) => key === name)?.values ?? []
  if (field.was !== undefined || field.text !== '' || values.length === 0) return { name }
  const are = (test: RegExp): boolean => values.every((each) => test.test(each))
  const kind = are(/^(?:true|false)$/)
    ? 'checkbox'
    : are(/^-?\d+(?:\.\d+)?$/)
      ? 'number'
      : are(/^\d{4}-\d{2}-\d{2}$/)
        ? 'date'
        : /^(?:tags|aliases)$/.test(name)
          ? 'list'
          : 'text'
  return { name, kind }
}

function Value({
  field: { name, kind, text },
  known,
  onChange,
}: {
  readonly field: Field
  readonly known: Vocabulary['properties']
  readonly onChange: (text: string) => void
}) {
  const label = `Value of ${clean(name || 'the new property')}`
  const list = `values of ${name}`
  const onInput = (event: { readonly currentTarget: { readonly value: string } }): void =>
    onChange(event.currentTarget.value)
  switch (kind) {
    case 'checkbox':
      return (
        <span class="value">
          <input
            type="checkbox"
            aria-label={label}
            checked={text === 'true'}
            onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
          />
        </span>
      )
    case 'number':
      return (
        <input
          class="value"
          type="number"
          step="any"
          aria-label={label}
          value={text}
          onInput={onInput}
        />
      )
    case 'date':
    case 'moment':
      return (
        <input
          class="value"
          type={kind === 'date' ? 'date' : 'datetime-local'}
          step={kind === 'moment' ? 1 : undefined}
          aria-label={label}
          value={text}
          onInput={onInput}
        />
      )
    case 'list':
    case 'long':
      return (
        <textarea
          class="value"
          rows={Math.max(2, Math.min(8, text.split('\n').length + 1))}
          aria-label={kind === 'list' ? `${label}, one a line` : label}
          dir="auto"
          value={text}
          onInput={onInput}
        />
      )
    case 'text':
      return (
        <>
          <input
            class="value"
            type="text"
            aria-label={label}
            dir="auto"
            autocomplete="off"
            list={list}
            value={text}
            onInput={onInput}
          />
          <datalist id={list}>
            {known
              .find(({ key }) => key === name)
              ?.values.map((each) => (
                <option key={each} value={each} />
              ))}
          </datalist>
        </>
      )
    case 'other':
      return (
        <span class="value hint" dir="auto">
          {clean(text)}
        </span>
      )
    default:
      return kind satisfies never
  }
}

/** One operation, whatever was changed. */
async function saved(
  { id, digest }: ShownNote,
  { renamed, metadata }: Change,
): Promise<string | undefined> {
  const setting = { action: 'set_metadata', id, metadata, if_digest: digest }
  if (renamed.length === 0) return (await write(setting)).operation
  const lines = await Promise.all(
    renamed.map((names) => door.read<ChangedLine>('property', { id, ...names })),
  )
  const edits = [
    ...lines.map(({ lines: at, content }) => ({
      action: 'replace',
      id,
      lines: at,
      content,
      if_digest: digest,
    })),
    ...(Object.keys(metadata).length > 0 ? [setting] : []),
  ]
  const { operation } = await door.call<Pick<Written, 'operation'>>('write', { edits })
  changed([id])
  return operation
}
