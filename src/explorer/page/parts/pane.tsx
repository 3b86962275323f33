/** One note that is open: its text, its outline, its source, and who links to it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import { sendToChat } from '../chat/start.ts'
import type { DoorError } from '../door.ts'
import { canWrite, closePane, door, errorOf, go, openNote, route, say, show } from '../state/app.ts'
import { place } from '../state/place.ts'
import type { Pane as PaneState } from '../state/route.ts'
import type { Backlink, Mention, ShownNote, Quote } from '../../wire/wire.ts'
import { Html } from './html.tsx'
import { Icon } from './icons.tsx'
import { clean, Marked, Path, plural, Problem, Time, Waiting } from './text.tsx'
import { noteVersion } from '../state/changes.ts'

interface Props {
  readonly pane: PaneState
  readonly index: number
  readonly reading: boolean
}

/** A pane that went under: its name along the edge. */
export function Spine({ pane, index }: Omit<Props, 'reading'>) {
  return (
    <button
      type="button"
      class="spine"
      onClick={() => go({ focus: index, lines: '', quote: '' }, 'replace')}
    >
      <span>{clean(titles.get(pane.id) ?? pane.id.split('/').at(-1) ?? pane.id)}</span>
    </button>
  )
}

/** Names of notes that were open, for their spines. */
const titles = new Map<string, string>()

/** Digests that quotes were taken from: the server says when a note has changed since. */
export const quotedDigests = new Map<string, string>()

export function Pane({ pane, index, reading }: Props) {
  const { id } = pane
  const { lines, quote } = reading ? route.value : { lines: '', quote: '' }
  const [note, setNote] = useState<ShownNote | undefined>()
  const [parts, setParts] = useState<readonly ShownNote[]>([])
  const [error, setError] = useState<DoorError | undefined>()
  const [source, setSource] = useState(false)
  const [outline, setOutline] = useState(false)
  const element = useRef<HTMLElement>(null)
  const version = noteVersion(id)

  useEffect(() => {
    const gone = new AbortController()
    const asked = quote === '' ? undefined : quoteOf(quote, lines)
    door
      .read<ShownNote>(
        'note',
        { id, ...(asked && { quotes: [asked], digest: quotedDigests.get(`${id}\n${quote}`) }) },
        gone.signal,
      )
      .then((found) => {
        titles.set(id, found.title)
        setNote(found)
        setParts([])
        setError(undefined)
      })
      .catch((problem: unknown) => {
        if (!gone.signal.aborted) setError(errorOf(problem))
      })
    return () => gone.abort()
  }, [id, quote, version])

  useEffect(() => {
    if (reading) element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [reading])

  // A line, a quote or a section is brought into view once the text is there.
  useEffect(() => {
    const body = element.current?.querySelector('.body')
    if (!note || !body || source) return
    hideTitle(body, note.title)
    const lit =
      body.querySelector('mark.quote, .quoted') ?? blockAt(body, Number(lines.split('-')[0]))
    if (lit) {
      lit.scrollIntoView({ block: 'center' })
      if (!lit.matches('mark, .quoted')) flash(lit)
    } else if (reading && place.hash() !== '') jumpTo(body, decodeURIComponent(place.hash()))
  }, [note, lines, quote, source])

  // A block that was narrow enough is no longer when a note opens beside it, or the window shrinks.
  useEffect(() => {
    const body = element.current?.querySelector('.body')
    if (!note || !body || source) return undefined
    const observer = new ResizeObserver(() => letScroll(body))
    observer.observe(body)
    return () => observer.disconnect()
  }, [note, source])

  // Before it is seen to be read: the next key is meant for it.
  useLayoutEffect(() => {
    if (!reading) return undefined
    const onKey = (event: Event): void => {
      const key = (event as CustomEvent<string>).detail
      if (key === 's') setSource((on) => !on)
      if (key === 'o') setOutline((on) => !on)
      if (key === 'b')
        element.current?.querySelector('.backlinks')?.scrollIntoView({ block: 'start' })
    }
    document.addEventListener('cairn-pane', onKey)
    return () => document.removeEventListener('cairn-pane', onKey)
  }, [reading])

  const onClick = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    const target = link.dataset['id']
    const hash = link.getAttribute('href')?.split('#')[1]
    const body = element.current?.querySelector('.body')
    if (target !== undefined) {
      event.preventDefault()
      openNote(target, { from: index })
      if (hash) place.setHash(hash)
    } else if (hash && body && link.getAttribute('href')?.startsWith('#')) {
      event.preventDefault()
      jumpTo(body, decodeURIComponent(hash))
    }
  }

  const readOn = async (): Promise<void> => {
    const last = parts.at(-1)?.part ?? note?.part ?? 0
    try {
      const next = await door.read<ShownNote>('note', { id, part: last + 1 })
      setParts((before) => [...before, next])
    } catch (problem) {
      setError(errorOf(problem))
    }
  }

  const title = clean(note?.title ?? titles.get(id) ?? id)
  const Name = reading ? 'h1' : 'h2'
  const shown = note ? (parts.at(-1)?.part ?? note.part) + 1 : 0
  return (
    <article
      ref={element}
      class={`pane${reading ? ' reading' : ''}`}
      aria-label={title}
      onPointerDown={() => {
        if (!reading) go({ focus: index, lines: '', quote: '' }, 'replace')
      }}
    >
      <header class="pane-head">
        <button
          type="button"
          class="only-phone quiet"
          aria-label="Back to the results"
          onClick={() => go({ panes: [], focus: 0 })}
        >
          <Icon name="back" />
        </button>
        <div class="names">
          <Name>{title}</Name>
          <Path id={note?.id ?? id} />
        </div>
        <div class="tools">
          <Tool
            label="Source with line numbers (s)"
            icon="code"
            pressed={source}
            onClick={() => setSource(!source)}
          />
          <Tool
            label="Graph around this note (g)"
            icon="graph"
            onClick={() => show('graph', { node: note?.id ?? id, depth: '1' })}
          />
          <Tool
            label={pane.pinned ? 'Unpin (p)' : 'Pin (p)'}
            icon="pin"
            pressed={pane.pinned}
            onClick={() =>
              go(
                {
                  panes: route.value.panes.map((each, at) =>
                    at === index ? { ...each, pinned: !each.pinned } : each,
                  ),
                },
                'replace',
              )
            }
          />
          {IN_CHAT && (
            <Tool
              label="Send to the chat"
              icon="ask"
              onClick={() =>
                void sendToChat(`Please look at "${title}" (${note?.id ?? id}).`).then(
                  () => say('Sent to the chat'),
                  () => say('The chat did not take it'),
                )
              }
            />
          )}
          <Tool label="Close (x)" icon="close" onClick={() => closePane(index)} />
        </div>
      </header>
      <div class="body" tabIndex={0} role="region" aria-label={`Text of ${title}`}>
        {error && <NoteProblem error={error} id={id} index={index} />}
        {!note && !error && <Waiting what="Opening" />}
        {note && source && <Source id={id} lines={lines} />}
        {note && !source && (
          <>
            {quote !== '' && <QuoteState note={note} />}
            <About note={note} />
            {(outline || note.headings.length > 12) && (
              <Outline note={note} open={outline} body={element} index={index} />
            )}
            {note.part > 0 && (
              <p class="remark">{`Part ${note.part + 1} of ${note.parts}: this is a long note.`}</p>
            )}
            <Html class="prose" html={note.html} onClick={onClick} />
            {parts.map((each) => (
              <Html key={each.part} class="prose" html={each.html} onClick={onClick} />
            ))}
            {shown < note.parts && (
              <p>
                <button
                  type="button"
                  onClick={() => void readOn()}
                >{`Read on (part ${shown + 1} of ${note.parts})`}</button>
              </p>
            )}
            <Backlinks id={note.id} index={index} version={version} />
          </>
        )}
      </div>
    </article>
  )
}

interface ToolProps {
  readonly label: string
  readonly icon: Parameters<typeof Icon>[0]['name']
  readonly pressed?: boolean
  readonly onClick: () => void
}

function Tool({ label, icon, pressed, onClick }: ToolProps) {
  return (
    <button
      type="button"
      class="quiet"
      title={label}
      aria-label={label}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

/** `12-14` and words, as the server wants them. */
export function quoteOf(text: string, lines: string): Quote {
  const [from = 1, to = from] = lines.split('-').map(Number)
  return { text, lines: [Math.max(1, from || 1), Math.max(1, to || from || 1)] }
}

function NoteProblem({
  error,
  id,
  index,
}: {
  readonly error: DoorError
  readonly id: string
  readonly index: number
}) {
  return (
    <>
      <Problem error={error} />
      <p class="row-of-buttons">
        <button
          type="button"
          onClick={() =>
            go({
              q:
                id
                  .split('/')
                  .at(-1)
                  ?.replace(/\.\w+$/, '') ?? id,
            })
          }
        >
          Search for it
        </button>
        <button type="button" onClick={() => closePane(index)}>
          Close
        </button>
      </p>
    </>
  )
}

function QuoteState({ note }: { readonly note: ShownNote }) {
  const [found] = note.quotes
  if (note.changed) return <p class="remark warn">The note has changed since it was quoted.</p>
  if (found === 'block') return <p class="remark">The quoted passage is marked at its edge.</p>
  if (found === 'nothing')
    return <p class="remark warn">The quoted words are no longer in the note.</p>
  return null
}

function About({ note }: { readonly note: ShownNote }) {
  const properties = Object.entries(note.properties).filter(
    ([key]) => !['title', 'tags', 'tag'].includes(key),
  )
  return (
    <div class="about">
      <p>
        {note.updatedAt !== undefined && <Time at={note.updatedAt} only="day" />}
        {note.links.broken > 0 && (
          <span class="warn-text">{plural(note.links.broken, 'broken link')}</span>
        )}
        {note.tags.map((tag) => (
          <button
            key={tag}
            type="button"
            class="tag"
            onClick={() => go({ q: `tag:${tag}`, view: 'search' })}
          >
            {`#${clean(tag)}`}
          </button>
        ))}
      </p>
      {properties.length > 0 && (
        <details class="properties">
          <summary>{plural(properties.length, 'property', 'properties')}</summary>
          <table>
            <tbody>
              {properties.map(([key, value]) => (
                <tr key={key}>
                  <th scope="row">{clean(key)}</th>
                  <td>{clean(typeof value === 'string' ? value : JSON.stringify(value))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </div>
  )
}

interface OutlineProps {
  readonly note: ShownNote
  readonly open: boolean
  readonly body: { readonly current: HTMLElement | null }
  readonly index: number
}

const HEADINGS_SHOWN = 200

function Outline({ note, open, body, index }: OutlineProps) {
  return (
    <details class="outline" open={open}>
      <summary>{plural(note.headings.length, 'section')}</summary>
      <ul>
        {note.headings.slice(0, HEADINGS_SHOWN).map(({ level, text, anchor, line }) => (
          <li key={line} class={`level-${level}`}>
            <button
              type="button"
              class="plain"
              onClick={() => {
                const inside = body.current?.querySelector('.body')
                if (anchor !== '' && inside) jumpTo(inside, anchor)
                else openNote(note.id, { from: index, lines: String(line) })
              }}
            >
              {clean(text)}
            </button>
          </li>
        ))}
      </ul>
      {note.headings.length > HEADINGS_SHOWN && (
        <p class="hint">{`The first ${HEADINGS_SHOWN} are listed.`}</p>
      )}
    </details>
  )
}

const LINES_SHOWN = 5_000

function Source({ id, lines }: { readonly id: string; readonly lines: string }) {
  const [text, setText] = useState<{ text: string; cut: boolean } | undefined>()
  const [error, setError] = useState<DoorError | undefined>()
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    door
      .read<{ text: string; cut: boolean }>('source', { id })
      .then(setText, (problem: unknown) => setError(errorOf(problem)))
  }, [id])
  const wanted = Number(lines.split('-')[0])
  useEffect(() => {
    list.current?.children[wanted - 1]?.scrollIntoView({ block: 'center' })
  }, [text])
  if (error) return <Problem error={error} />
  if (!text) return <Waiting />
  const all = text.text.split('\n')
  return (
    <>
      <ol class="source" ref={list}>
        {all.slice(0, LINES_SHOWN).map((line, index) => (
          <li key={index} class={index + 1 === wanted ? 'here' : ''}>
            <code>{line.slice(0, 5_000)}</code>
          </li>
        ))}
      </ol>
      {(text.cut || all.length > LINES_SHOWN) && (
        <p class="hint">The rest of this long file is not shown here.</p>
      )}
    </>
  )
}

const BACKLINKS = 20

function Backlinks({
  id,
  index,
  version,
}: {
  readonly id: string
  readonly index: number
  readonly version: number
}) {
  const [page, setPage] = useState<{ items: readonly Backlink[]; total: number } | undefined>()
  const [mentions, setMentions] = useState<readonly Mention[] | undefined>()
  useEffect(() => {
    let current = true
    door
      .read<{ items: readonly Backlink[]; total: number }>('backlinks', { id, limit: BACKLINKS })
      .then(
        (found) => {
          if (current) setPage(found)
        },
        () => undefined,
      )
    setMentions(undefined)
    return () => {
      current = false
    }
  }, [id, version])
  const more = async (): Promise<void> => {
    if (!page) return
    const next = await door.read<{ items: readonly Backlink[]; total: number }>('backlinks', {
      id,
      offset: page.items.length,
      limit: 100,
    })
    setPage({ ...next, items: [...page.items, ...next.items] })
  }
  const find = async (): Promise<void> => {
    const { items } = await door.read<{ items: readonly Mention[] }>('mentions', { id })
    setMentions(items)
    say(plural(items.length, 'mention'))
  }
  const link = async (mention: Mention): Promise<void> => {
    try {
      await door.call('write', {
        action: 'find_replace',
        id: mention.id,
        find: mention.find,
        replace: mention.replace,
        if_digest: mention.digest,
      })
      setMentions((before) => before?.filter((each) => each !== mention))
      say(`Linked in ${mention.title}`)
    } catch (problem) {
      say(errorOf(problem).message)
    }
  }
  if (!page) return null
  return (
    <section class="backlinks" aria-label="Backlinks">
      <h3>{page.total === 0 ? 'Nothing links here' : plural(page.total, 'backlink')}</h3>
      <ul>
        {page.items.map((item) => (
          <li key={item.id}>
            <InContext item={item} from={index} />
          </li>
        ))}
      </ul>
      {page.items.length < page.total && (
        <button
          type="button"
          onClick={() => void more()}
        >{`${page.total - page.items.length} more`}</button>
      )}
      {mentions === undefined ? (
        <button type="button" class="plain" onClick={() => void find()}>
          Look for mentions without a link
        </button>
      ) : (
        <>
          <h3>
            {mentions.length === 0
              ? 'No other mentions'
              : `${plural(mentions.length, 'mention')} without a link`}
          </h3>
          <ul>
            {mentions.map((item) => (
              <li key={item.id} class="mention">
                <InContext item={item} from={index} />
                {canWrite.value && (
                  <button type="button" onClick={() => void link(item)}>
                    Link
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** A place that links here or speaks of it, with the words around. */
function InContext({ item, from }: { item: Backlink | Mention; from: number }) {
  return (
    <button
      type="button"
      class="context"
      onClick={() => openNote(item.id, { from, lines: String(item.line) })}
    >
      <span class="name">
        {clean(item.title)}
        <span class="line">:{item.line}</span>
        {'relation' in item && item.relation && <span class="kind">{clean(item.relation)}</span>}
      </span>
      <span class="snippet">
        <Marked text={item.text} marks={item.marks} />
      </span>
    </button>
  )
}

/** The heading that only repeats what stands above the text. */
function hideTitle(body: Element, title: string): void {
  const heading = body.querySelector<HTMLElement>('.prose > h1:first-child')
  if (heading) heading.hidden = heading.textContent === title
}

/** What is wider than the text can be scrolled by keyboard, too. */
function letScroll(body: Element): void {
  for (const block of body.querySelectorAll<HTMLElement>('.prose pre, .prose table')) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0
    else block.removeAttribute('tabindex')
  }
}

function blockAt(body: Element, line: number): Element | undefined {
  if (!(line > 0)) return undefined
  let best: Element | undefined
  for (const block of body.querySelectorAll<HTMLElement>('[data-line]')) {
    if (block.hidden) continue
    if (Number(block.dataset['line']) <= line && Number(block.dataset['end']) >= line) best = block
  }
  return best
}

function jumpTo(body: Element, anchor: string): void {
  const found = [...body.querySelectorAll('[id]')].find((each) => each.id === anchor)
  found?.scrollIntoView({ block: 'start' })
  if (found) flash(found)
}

function flash(element: Element): void {
  element.classList.add('flash')
  setTimeout(() => element.classList.remove('flash'), 1_600)
}
