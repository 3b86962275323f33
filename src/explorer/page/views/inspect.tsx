/** Why these notes, in this order, and why not that one? */
import { useEffect, useState } from 'preact/hooks'
import type { DoorError } from '../door.ts'
import { Check, Choice } from '../parts/controls.tsx'
import { clean, Path, Problem, Waiting } from '../parts/text.tsx'
import { door, errorOf, go, openNote, reconnected, route, selectionOf } from '../state/app.ts'
import type { Missing, SearchAnswer, Signals } from '../../wire/wire.ts'

const MODES = ['auto', 'lexical', 'semantic', 'hybrid'] as const

const BARS: readonly (readonly [keyof Signals, string, string])[] = [
  ['words', 'words', 'How well its words fit, against the best'],
  ['meaning', 'meaning', 'How close its meaning is'],
  ['links', 'links', 'What links among the results add'],
  ['name', 'name', 'Whether the question is what it is called'],
]

export function Inspect() {
  const { q, filters, more } = route.value
  const mode = more['mode'] ?? 'auto'
  const links = more['links'] !== 'off'
  const missing = more['missing'] ?? ''
  const [answer, setAnswer] = useState<SearchAnswer | undefined>()
  const [why, setWhy] = useState<Missing | undefined>()
  const [error, setError] = useState<DoorError | undefined>()

  useEffect(() => {
    if (q.trim() === '') {
      setAnswer(undefined)
      return undefined
    }
    const gone = new AbortController()
    door
      .read<SearchAnswer>(
        'search',
        { query: q, mode, links, limit: 20, ...selectionOf(filters) },
        gone.signal,
      )
      .then(
        (found) => {
          setAnswer(found)
          setError(undefined)
        },
        (problem: unknown) => {
          if (!gone.signal.aborted) setError(errorOf(problem))
        },
      )
    return () => gone.abort()
  }, [q, mode, links, JSON.stringify(filters), reconnected.value])

  useEffect(() => {
    setWhy(undefined)
    if (missing === '' || q.trim() === '') return
    door
      .call<{ missing?: Missing }>('search', {
        query: q,
        mode,
        limit: 10,
        explain_missing: missing,
        // In a chat the connection is the model's, which has not seen what is shown here.
        again: true,
      })
      .then(
        (found) => setWhy(found.missing),
        (problem: unknown) => setError(errorOf(problem)),
      )
  }, [q, mode, missing])

  const set = (change: Record<string, string>): void => go({ more: { ...more, ...change } })
  return (
    <div class="scroll">
      <div class="page wide">
        <h1>Inspect</h1>
        <div class="narrow">
          <Choice
            name="Mode"
            value={mode}
            values={MODES}
            onChange={(next) => set({ mode: next })}
          />
          <Check
            name="let links count"
            checked={links}
            onChange={(on) => set({ links: on ? '' : 'off' })}
          />
          <form
            class="why"
            onSubmit={(event) => {
              event.preventDefault()
              const data = new FormData(event.currentTarget)
              const named = data.get('missing')
              set({ missing: typeof named === 'string' ? named.trim() : '' })
            }}
          >
            <label>
              <span>Why not</span>
              <input
                name="missing"
                type="text"
                placeholder="id or title of a note"
                defaultValue={missing}
              />
            </label>
            <button type="submit">Say why</button>
          </form>
        </div>
        {error && <Problem error={error} />}
        {q.trim() === '' && (
          <p class="nothing">Type a question above to see how every note was weighed.</p>
        )}
        {q.trim() !== '' && !answer && !error && <Waiting />}
        {why && <WhyNot why={why} />}
        {answer && (
          <>
            <p class="lead">{`Searched by ${answer.mode === 'hybrid' ? 'words and meaning' : answer.mode === 'semantic' ? 'meaning' : 'words'}${answer.relevant ? '.' : '; nothing is really about this.'}`}</p>
            {answer.notes.map((note) => (
              <p class="remark" key={note}>
                {note}
              </p>
            ))}
            <table class="signals">
              <thead>
                <tr>
                  <th scope="col">Note</th>
                  {BARS.map(([name, label, about]) => (
                    <th scope="col" key={name} title={about}>
                      {label}
                    </th>
                  ))}
                  <th scope="col">covered</th>
                  <th scope="col">total</th>
                </tr>
              </thead>
              <tbody>
                {answer.hits.map(({ id, title, signals }) => (
                  <tr key={id}>
                    <th scope="row">
                      <button type="button" class="plain opens" onClick={() => openNote(id)}>
                        {clean(title)}
                      </button>
                      <Path id={id} />
                    </th>
                    {BARS.map(([name, label]) => (
                      <td key={name} data-label={label}>
                        <Bar value={signals[name] ?? 0} />
                      </td>
                    ))}
                    <td
                      class="number"
                      data-label="covered"
                    >{`${Math.round(100 * signals.coverage)} %`}</td>
                    <td class="number" data-label="total">
                      {signals.total.toFixed(3)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </div>
    </div>
  )
}

function Bar({ value }: { readonly value: number }) {
  return (
    <span class="bar">
      <progress max={1} value={Math.max(0, Math.min(1, value))} aria-label={value.toFixed(2)} />
      <span class="number">{value.toFixed(2)}</span>
    </span>
  )
}

function WhyNot({ why }: { readonly why: Missing }) {
  return (
    <section class="confirm" aria-label="Why not">
      <p>
        <button type="button" class="plain opens" onClick={() => openNote(why.id)}>
          {clean(why.id)}
        </button>{' '}
        <span class="kind">
          {why.rank === undefined ? why.stage.replace(/_/g, ' ') : `rank ${why.rank}`}
        </span>
      </p>
      <p>{clean(why.reason)}</p>
      <p class="words">
        {why.words.map(({ word, in_document: has }) => (
          <span key={word} class={has ? 'has' : 'has-not'}>
            {`${has ? '✓' : '✗'} ${clean(word)}`}
          </span>
        ))}
      </p>
      <p class="hint">{clean(why.advice)}</p>
    </section>
  )
}
