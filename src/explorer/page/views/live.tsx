/** Every call of every agent as it happens. */
import { useState } from 'preact/hooks'
import { clean, plural, Time } from '../parts/text.tsx'
import { facts, go, openNote, show } from '../state/app.ts'
import type { LiveCall } from '../../../core/domain/live.ts'
import { calls, following } from '../state/events.ts'

const SHOWN = 200

export function Live() {
  const [paused, setPaused] = useState<readonly LiveCall[] | undefined>()
  const [client, setClient] = useState('')
  const [tool, setTool] = useState('')
  const all = paused ?? calls.value
  const clients = [...new Set(all.map((call) => call.client))].toSorted()
  const tools = [...new Set(all.map((call) => call.tool))].toSorted()
  const fitting = all.filter(
    (call) => (client === '' || call.client === client) && (tool === '' || call.tool === tool),
  )
  const lastMinute = fitting.filter(({ at }) => at > Date.now() - 60_000).length
  const times = fitting.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return (
    <div class="scroll">
      <div class="page wide">
        <h1>Live</h1>
        <p class="lead" role="status">
          {following.value ? 'Following every process on this base.' : 'Connecting…'}
          {facts.value?.follows === false && ' Calls are not shown to you here.'}
          {fitting.length > 0 &&
            ` ${plural(lastMinute, 'call')} in the last minute, 95 of 100 within ${Math.round(times[Math.floor(0.95 * (times.length - 1))] ?? 0)} ms.`}
        </p>
        <div class="narrow">
          <Choice label="Client" value={client} values={clients} onChange={setClient} />
          <Choice label="Tool" value={tool} values={tools} onChange={setTool} />
          <button
            type="button"
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused ? undefined : calls.value)}
          >
            {paused ? 'Go on' : 'Pause'}
          </button>
        </div>
        {fitting.length === 0 && facts.value?.follows !== false && (
          <p class="nothing">
            Nothing yet. When an agent searches, reads or writes while this page is open, it
            appears, whichever process serves it.
          </p>
        )}
        <ul class="changes calls">
          {fitting.slice(0, SHOWN).map((call) => (
            <Call key={call.key} call={call} />
          ))}
        </ul>
      </div>
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly values: readonly string[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, values, onChange }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">all</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {clean(each)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Call({ call }: { readonly call: LiveCall }) {
  const question = questionIn(call.args)
  return (
    <li>
      <details>
        <summary class="call">
          <Time at={call.at} only="clock" />
          <span class={call.outcome === 'ok' ? 'good' : 'bad'}>
            {call.outcome === 'ok' ? '●' : '▲ failed'}
          </span>
          <span class="who">{clean([call.client, call.who].filter(Boolean).join(' · '))}</span>
          <span class="kind">
            {clean(call.surface === 'native' ? call.tool : `${call.surface} ${call.tool}`)}
          </span>
          <span class="what">{clean(question || call.args)}</span>
          <span class="number">
            {call.documents.length > 0 && `${plural(call.documents.length, 'note')} · `}
            {`${Math.round(call.ms)} ms`}
          </span>
        </summary>
        {call.args === '' ? (
          <p class="nothing">What was asked for is not recorded (liveArguments).</p>
        ) : (
          <pre class="diff" tabIndex={0} role="region" aria-label="Arguments">
            <span>{call.args}</span>
          </pre>
        )}
        <p class="row-of-buttons">
          {question !== '' && facts.value && (
            <button
              type="button"
              onClick={() => go({ view: 'inspect', q: question, more: {}, filters: {} })}
            >
              Run again in Inspect
            </button>
          )}
          {call.documents[0] !== undefined && (
            <button
              type="button"
              onClick={() => show('graph', { notes: JSON.stringify(call.documents) })}
            >
              Show on the map
            </button>
          )}
        </p>
        <p class="row-of-buttons">
          {call.documents.map((id) => (
            <button key={id} type="button" class="plain opens" onClick={() => openNote(id)}>
              {clean(id)}
            </button>
          ))}
        </p>
      </details>
    </li>
  )
}

/** What was asked for, where the arguments say it. */
function questionIn(args: string): string {
  const found = /"(?:query|question)":"((?:[^"\\]|\\.)*)/.exec(args)?.[1]
  if (found === undefined) return ''
  try {
    return JSON.parse(`"${found}"`) as string
  } catch {
    return found
  }
}
