/** What is in the base, and what in it needs care; each row with what mends it. */
import { useEffect, useState } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import type { DoorError } from '../door.ts'
import { clean, Path, plural, Problem, Time, Waiting } from '../parts/text.tsx'
import { door, errorOf, go, openNote, route, say, show } from '../state/app.ts'
import { begin } from '../state/acting.ts'
import { anyChanged } from '../state/changes.ts'
import { mayWrite, sayDone, write } from '../state/writing.ts'
import type { Report, Row } from '../../wire/wire.ts'

interface Kind {
  readonly name: string
  readonly title: string
  readonly about: string
}

const KINDS: readonly Kind[] = [
  { name: 'overview', title: 'Overview', about: 'What is here, and what changed last.' },
  { name: 'hubs', title: 'Hubs', about: 'The notes that most others lead to.' },
  {
    name: 'orphans',
    title: 'Orphans',
    about: 'Notes that nothing links to and that link to nothing. Open one and link it.',
  },
  {
    name: 'broken_links',
    title: 'Broken links',
    about:
      'Links to something that is not there. Open the note at the link, or search for what was meant.',
  },
  {
    name: 'stale',
    title: 'Stale',
    about: 'What is over, superseded or left behind, and why; then the oldest.',
  },
  {
    name: 'contradictions',
    title: 'Contradictions',
    about:
      'Two notes say the same of the same thing, but for one value. Both may be true, one may be old.',
  },
  {
    name: 'duplicates',
    title: 'Duplicates',
    about: 'Files with the same content. Keep one and delete the others.',
  },
  {
    name: 'coverage',
    title: 'Coverage',
    about: 'Which files were read, and which were left out and why.',
  },
  { name: 'tags', title: 'Tags', about: 'How notes are labelled.' },
]

export function Reports() {
  const current = route.value.more['report'] ?? 'overview'
  const kind = KINDS.find(({ name }) => name === current) ?? KINDS[0]!
  return (
    <div class="two-columns">
      <nav class="side" aria-label="Reports">
        {KINDS.map(({ name, title }) => (
          <a
            key={name}
            href={`/reports/${name}`}
            aria-current={name === kind.name ? 'page' : undefined}
            onClick={(event) => {
              event.preventDefault()
              show('reports', { report: name })
            }}
          >
            {title}
          </a>
        ))}
      </nav>
      <Shown key={kind.name} kind={kind} />
    </div>
  )
}

function Shown({ kind }: { readonly kind: Kind }) {
  const [pages, setPages] = useState<readonly Report[]>([])
  const [error, setError] = useState<DoorError | undefined>()
  const [state, setState] = useState('')
  const cursor = pages.at(-1)?.next_cursor
  const load = async (from: string | undefined, wanted: string): Promise<void> => {
    try {
      const args = {
        report: kind.name,
        limit: 50,
        ...(from && { cursor: from }),
        ...(wanted && { state: wanted }),
      }
      const page = await door.call<Report>('insights', args)
      setPages((before) => (from ? [...before, page] : [page]))
    } catch (problem) {
      setError(errorOf(problem))
    }
  }
  // What was mended is no longer there.
  const turn = ['broken_links', 'contradictions'].includes(kind.name) ? anyChanged.value : 0
  useEffect(() => void load(undefined, state), [kind.name, state, turn])
  const items = pages.flatMap((page) => page.items)
  const summary = pages[0]?.summary
  const total = pages[0]?.total
  return (
    <div class="scroll">
      <div class="page">
        <h1>
          {kind.title}{' '}
          {total !== undefined && <span class="count">{total.toLocaleString('en')}</span>}
        </h1>
        <p class="lead">{kind.about}</p>
        {error && <Problem error={error} />}
        {pages.length === 0 && !error && <Waiting />}
        {summary && <Figures summary={summary} />}
        {kind.name === 'coverage' && (
          <label class="narrow">
            <span>Show</span>
            <select value={state} onChange={(event) => setState(event.currentTarget.value)}>
              <option value="">everything</option>
              <option value="skipped">left out</option>
              <option value="failed">failed</option>
              <option value="indexed">indexed</option>
            </select>
          </label>
        )}
        {items.length > 0 && (
          <ul class="rows">
            {items.map((item, index) => (
              <li key={index}>
                <ReportRow kind={kind.name} item={item} />
              </li>
            ))}
          </ul>
        )}
        {pages.length > 0 && items.length === 0 && (
          <p class="nothing">Nothing. All is well here.</p>
        )}
        {cursor && (
          <button type="button" onClick={() => void load(cursor, state)}>
            More
          </button>
        )}
      </div>
    </div>
  )
}

function Figures({ summary }: { readonly summary: Row }) {
  const figures = Object.entries(summary).filter(([, value]) => typeof value === 'number')
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{words(name)}</dt>
          <dd>{Number(value).toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What the index calls otherwise than whoever reads the notes. */
const CALLED: Readonly<Record<string, string>> = {
  documents: 'notes',
  chunks: 'passages',
  orphans: 'without links',
  components: 'separate groups',
  largest_component: 'in the largest group',
  segments: 'parts of the index',
}

/** `brokenLinks` and `broken_links` as people write them. */
function words(name: string): string {
  const known = CALLED[name]
  if (known !== undefined) return known
  return name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function ReportRow({ kind, item }: { readonly kind: string; readonly item: Row }) {
  switch (kind) {
    case 'broken_links': {
      const from = text(item['id'] ?? item['from'])
      const target = text(item['target'])
      return (
        <>
          <Opens id={from} title={text(item['title']) || from} lines={text(item['line'])} />
          <span class="warn-text">{`→ ${clean(target)}`}</span>
          {!IN_CHAT && mayWrite.value && Number(item['line']) > 0 && (
            <button
              type="button"
              class="plain"
              onClick={() =>
                begin({
                  kind: 'missing',
                  link: { id: from, target, line: Number(item['line']) },
                })
              }
            >
              mend it
            </button>
          )}
          <button
            type="button"
            class="plain"
            onClick={() => go({ view: 'search', q: target.split('/').at(-1) ?? target, more: {} })}
          >
            search for it
          </button>
        </>
      )
    }
    case 'duplicates': {
      const ids = (item['ids'] ?? item['documents'] ?? []) as readonly unknown[]
      return (
        <div class="group-of">
          {ids.map((each) => {
            const id = typeof each === 'string' ? each : text((each as Row)['id'])
            return <Opens key={id} id={id} title={id} />
          })}
        </div>
      )
    }
    case 'contradictions':
      return <Differing item={item} />
    case 'coverage':
      return (
        <>
          {item['state'] === 'indexed' ? (
            <Opens id={text(item['file'])} title={text(item['file'])} />
          ) : (
            <Path id={text(item['file'])} />
          )}
          <span class="kind">{text(item['state'])}</span>
          <span class="hint">{clean(text(item['reason']))}</span>
        </>
      )
    case 'tags':
      return (
        <>
          <button
            type="button"
            class="tag"
            onClick={() =>
              go({ view: 'search', q: `tag:${text(item['tag'])} `, panes: [], more: {} })
            }
          >
            {`#${clean(text(item['tag']))}`}
          </button>
          <span>{plural(Number(item['documents'] ?? 0), 'note')}</span>
        </>
      )
    default:
      return (
        <>
          <Opens id={text(item['id'])} title={text(item['title'])} />
          <Path id={text(item['id'])} />
          {item['score'] !== undefined && (
            <span class="count">
              {Number(item['score']).toLocaleString('en', { maximumSignificantDigits: 4 })}
            </span>
          )}
          {item['updated'] !== undefined && <Time at={text(item['updated'])} only="day" />}
        </>
      )
  }
}

const TICKS = [
  ['both_true', 'Both true'],
  ['old', 'Old'],
  ['merge', 'Say the same'],
] as const

function Differing({ item }: { readonly item: Row }) {
  const sides = (item['sides'] ?? []) as readonly Row[]
  return (
    <div class="group-of">
      {sides.map((side) => (
        <div key={text(side['id'])}>
          <Opens id={text(side['id'])} title={text(side['title'])} lines={text(side['line'])} />
          {side['said'] !== undefined && <Time at={text(side['said'])} only="day" />}
          {item['newer'] === side['id'] && <span class="kind">newer</span>}
          <p dir="auto">{clean(text(side['quote']))}</p>
        </div>
      ))}
      {!IN_CHAT && mayWrite.value && <Ticks item={item} sides={sides} />}
    </div>
  )
}

/** What one may do about a pair; where nobody knows which is newer, one says so oneself. */
function Ticks({ item, sides }: { readonly item: Row; readonly sides: readonly Row[] }) {
  const tick = async (edit: object, label: string): Promise<void> => {
    try {
      const { id, operation } = await write(edit)
      sayDone(`${label}: ${id}`, operation)
    } catch (problem) {
      say(errorOf(problem).message)
    }
  }
  return TICKS.flatMap(([key, label]) =>
    ([item[key] ?? []].flat() as unknown as readonly Row[]).map((edit, at, all) => {
      const named = all.length > 1 ? `${label}: ${text(sides[at]?.['title'])}` : label
      return (
        <button key={named} type="button" onClick={() => void tick(edit, named)}>
          {clean(named)}
        </button>
      )
    }),
  )
}

function Opens({
  id,
  title,
  lines = '',
}: {
  readonly id: string
  readonly title: string
  readonly lines?: string
}) {
  return (
    <button type="button" class="plain opens" onClick={() => openNote(id, { lines })}>
      {clean(title || id)}
      {lines !== '' && <span class="line">:{lines}</span>}
    </button>
  )
}
