/** Who changed what and when, with the way back. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import type { DoorError } from '../door.ts'
import { Diff } from '../parts/diff.tsx'
import { clean, plural, Problem, Time, Waiting } from '../parts/text.tsx'
import {
  canWrite,
  door,
  errorOf,
  facts,
  openNote,
  reconnected,
  route,
  say,
  go,
} from '../state/app.ts'
import { anyChanged } from '../state/changes.ts'
import type { Operation } from '../../wire/wire.ts'

interface Page {
  readonly operations: readonly Operation[]
  readonly next_cursor?: string
}

/** What would be undone, before it is. */
interface Plan {
  readonly what: string
  readonly args: object
  readonly undone: readonly string[]
  readonly diff: string
  /** The server's name for exactly this. */
  readonly plan: string
  readonly documents: readonly string[]
  readonly more?: number
  /** What stays, because a later change would be lost. */
  readonly conflicts?: readonly { readonly operation: string; readonly reason: string }[]
}

/** A person, and with what; one of both where only that is known. */
function whoDid({ client, principal }: Pick<Operation, 'client' | 'principal'>): string {
  const person = principal?.replace(/^token:/, '')
  return [person, client].filter((each) => each !== undefined).join(' · ') || 'unknown'
}

const LIMIT = 50
/** The server shows no more of a difference at once. */
const DIFF_CHARS = 4_000

export function History() {
  const { more } = route.value
  const by = more['by'] ?? ''
  /** Of one document only. */
  const of = more['of'] ?? ''
  const [pages, setPages] = useState<readonly Page[]>([])
  const [error, setError] = useState<DoorError | undefined>()
  const [plan, setPlan] = useState<Plan | undefined>()
  const [since, setSince] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLUListElement>(null)

  const load = async (cursor?: string): Promise<void> => {
    try {
      const page = await door.call<Page>('history', {
        action: 'list',
        limit: LIMIT,
        ...(by && { by }),
        ...(of && { id: of }),
        ...(cursor && { cursor }),
      })
      setPages((before) => (cursor ? [...before, page] : [page]))
      setError(undefined)
    } catch (problem) {
      setError(errorOf(problem))
    }
  }
  const offered = facts.value?.tools.includes('history') === true
  useEffect(() => {
    if (offered) void load()
  }, [by, of, offered, reconnected.value])
  // What others do meanwhile is seen, but for whoever reads further back or is about to undo.
  useEffect(() => {
    if (offered && anyChanged.value > 0 && pages.length <= 1 && !plan) void load()
  }, [anyChanged.value])

  const operations = pages.flatMap((page) => page.operations)
  const clients = [...new Set(operations.flatMap(({ client }) => (client ? [client] : [])))]

  /** More than one change is never taken back unseen. */
  const prepare = async (what: string, args: object): Promise<void> => {
    try {
      const planned = await door.call<Omit<Plan, 'what' | 'args'>>('history', {
        action: 'undo',
        ...args,
        dry_run: true,
      })
      setPlan({ ...planned, what, args })
      setError(undefined)
    } catch (problem) {
      setPlan(undefined)
      setError(errorOf(problem))
    }
  }
  const carryOut = async (): Promise<void> => {
    if (!plan) return
    try {
      const { undone } = await door.call<{ undone: readonly string[] }>('history', {
        action: 'undo',
        ...plan.args,
        if_plan: plan.plan,
      })
      say(`${plural(undone.length, 'change')} undone`)
      setPlan(undefined)
      await load()
    } catch (problem) {
      // What was shown is not what would happen any more: the list is read anew, and says why.
      setPlan(undefined)
      await load()
      setError(errorOf(problem))
    }
  }

  // Before the list is seen, so that no key meets the one that stood here before.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement
      if (/^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || event.ctrlKey || event.metaKey)
        return
      const move =
        event.key === 'ArrowDown' || event.key === 'j'
          ? 1
          : event.key === 'ArrowUp' || event.key === 'k'
            ? -1
            : 0
      if (move !== 0) {
        setChosen((at) => Math.max(0, Math.min(operations.length - 1, at + move)))
        event.preventDefault()
      }
      if (event.key === 'u' && canWrite.value) {
        const operation = operations[chosen]
        if (operation && !operation.undone_by) void prepare(nameOf(operation), { id: operation.id })
        event.preventDefault()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [pages, chosen])

  if (facts.value && !offered) {
    return (
      <div class="empty">
        <h1>History</h1>
        <p>This server may only be read, and shows no history.</p>
      </div>
    )
  }
  return (
    <div class="scroll">
      <div class="page wide">
        <h1>History</h1>
        {of !== '' && (
          <p class="lead">
            of <span class="path">{clean(of)}</span>{' '}
            <button type="button" class="plain" onClick={() => go({ more: { ...more, of: '' } })}>
              of everything
            </button>
          </p>
        )}
        <div class="narrow">
          <label>
            <span>By</span>
            <select
              value={by}
              onChange={(event) => go({ more: { ...more, by: event.currentTarget.value } })}
            >
              <option value="">everyone</option>
              {by !== '' && !clients.includes(by) && <option value={by}>{clean(by)}</option>}
              {clients.map((client) => (
                <option key={client} value={client}>
                  {clean(client)}
                </option>
              ))}
            </select>
          </label>
          {/* What would be undone is everybody's, not this document's. */}
          {canWrite.value && !IN_CHAT && of === '' && (
            <>
              <label>
                <span>Since</span>
                <input
                  type="datetime-local"
                  value={since}
                  onInput={(event) => setSince(event.currentTarget.value)}
                />
              </label>
              <button
                type="button"
                disabled={since === '' && by === ''}
                onClick={() => {
                  const moment = since === '' ? undefined : new Date(since)
                  if (moment && Number.isNaN(moment.getTime())) return
                  const who = by === '' ? 'everything' : `everything that ${by} did`
                  void prepare(moment ? `${who} since ${moment.toLocaleString()}` : who, {
                    ...(moment && { since: moment.toISOString() }),
                    ...(by && { by }),
                  })
                }}
              >
                {undoText(by, since)}
              </button>
            </>
          )}
        </div>
        {error && <Problem error={error} />}
        {plan && (
          <Confirm plan={plan} onYes={() => void carryOut()} onNo={() => setPlan(undefined)} />
        )}
        {pages.length === 0 && !error && <Waiting />}
        {pages.length > 0 && operations.length === 0 && (
          <p class="nothing">
            Nothing was changed yet. What agents and people write here can be undone here.
          </p>
        )}
        <ul class="changes" ref={list}>
          {operations.map((operation, index) => (
            <Change
              key={operation.id}
              operation={operation}
              chosen={index === chosen}
              onChoose={() => setChosen(index)}
              onUndo={() => void prepare(nameOf(operation), { id: operation.id })}
              onRedo={(id) => void prepare(`the undo of ${nameOf(operation)}`, { id })}
            />
          ))}
        </ul>
        {pages.at(-1)?.next_cursor && (
          <button type="button" onClick={() => void load(pages.at(-1)?.next_cursor)}>
            Older changes
          </button>
        )}
      </div>
    </div>
  )
}

function undoText(by: string, since: string): string {
  if (by === '') return 'Undo everything since…'
  return since === ''
    ? `Undo everything that ${clean(by)} did`
    : `Undo what ${clean(by)} did since…`
}

function nameOf({ action, documents, at }: Operation): string {
  return `${action} ${documents[0] ?? ''} of ${new Date(at).toLocaleTimeString()}`
}

function Confirm({
  plan,
  onYes,
  onNo,
}: {
  readonly plan: Plan
  readonly onYes: () => void
  readonly onNo: () => void
}) {
  const box = useRef<HTMLElement>(null)
  // Before it is seen: the next key is meant for it.
  useLayoutEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
    box.current?.querySelector('button')?.focus()
  }, [plan])
  return (
    <section class="confirm" ref={box} role="group" aria-label="What would be undone">
      <p>
        {`Undo ${clean(plan.what)}? `}
        {plan.undone.length > 1 && <strong>{plural(plan.undone.length, 'change')}</strong>} This is
        what would happen; it can itself be undone.
      </p>
      {plan.documents.length > 1 && (
        <p class="hint">
          {`In ${plan.documents.map(clean).join(', ')}`}
          {plan.more !== undefined && ` and ${plan.more} more`}
        </p>
      )}
      {plan.conflicts && (
        <div class="remark warn">
          <p>{`${plural(plan.conflicts.length, 'change stays', 'changes stay')}, because later edits would be lost:`}</p>
          <ul>
            {plan.conflicts.map(({ operation, reason }) => (
              <li key={operation}>{clean(reason)}</li>
            ))}
          </ul>
        </div>
      )}
      <p class="row-of-buttons">
        <button type="button" onClick={onNo}>
          Keep it
        </button>
        <button type="button" class="danger" onClick={onYes}>
          {plan.undone.length > 1 ? `Undo ${plural(plan.undone.length, 'change')}` : 'Undo'}
        </button>
      </p>
      <Diff text={plan.diff} cut={plan.diff.length >= DIFF_CHARS} />
    </section>
  )
}

interface ChangeProps {
  readonly operation: Operation
  readonly chosen: boolean
  readonly onChoose: () => void
  readonly onUndo: () => void
  readonly onRedo: (id: string) => void
}

function Change({ operation, chosen, onChoose, onUndo, onRedo }: ChangeProps) {
  const {
    id,
    at,
    action,
    client,
    principal,
    documents,
    more,
    undone_by: undoneBy,
    state,
  } = operation
  const [diff, setDiff] = useState<string | undefined>()
  const [error, setError] = useState<DoorError | undefined>()
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (chosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const toggle = async (): Promise<void> => {
    if (diff !== undefined) {
      setDiff(undefined)
      return
    }
    try {
      setDiff((await door.call<{ diff: string }>('history', { action: 'diff', id })).diff)
    } catch (problem) {
      setError(errorOf(problem))
    }
  }
  return (
    <li
      ref={row}
      class={`${chosen ? 'chosen ' : ''}${undoneBy ? 'undone' : ''}`}
      onPointerDown={onChoose}
    >
      <div class="change">
        <Time at={at} />
        <span class="who">{clean(whoDid({ client, principal }))}</span>
        <span class="kind">{action}</span>
        <span class="what">
          {documents.slice(0, 3).map((each) => (
            <button key={each} type="button" class="plain opens" onClick={() => openNote(each)}>
              {clean(each)}
            </button>
          ))}
          {documents.length + (more ?? 0) > 3 && (
            <span class="hint">{`and ${documents.length + (more ?? 0) - 3} more`}</span>
          )}
          {state && <span class="warn-text">{state}</span>}
          {undoneBy && <span class="hint">undone</span>}
        </span>
        <span class="row-of-buttons">
          <button type="button" aria-expanded={diff !== undefined} onClick={() => void toggle()}>
            Diff
          </button>
          {canWrite.value && !undoneBy && !state && (
            <button type="button" onClick={onUndo}>
              {action === 'undo' ? 'Redo' : 'Undo'}
            </button>
          )}
          {canWrite.value && undoneBy && (
            <button type="button" onClick={() => onRedo(undoneBy)}>
              Redo
            </button>
          )}
        </span>
      </div>
      {error && <Problem error={error} />}
      {diff !== undefined && <Diff text={diff} />}
    </li>
  )
}
