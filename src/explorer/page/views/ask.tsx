/** A question, the claims that answer it, and for each the words that prove it. */
import { useEffect, useState } from 'preact/hooks'
import { prepared } from '../chat/start.ts'
import type { DoorError } from '../door.ts'
import { Html } from '../parts/html.tsx'
import { Pane } from '../parts/pane.tsx'
import { quotedDigests } from '../parts/use-note.ts'
import { clean, Problem, Waiting } from '../parts/text.tsx'
import { door, errorOf, go, lost, openNote, route, typing } from '../state/app.ts'
import { parseRoute, TOP, withPane } from '../state/route.ts'
import type { Answer, Citation } from '../../wire/wire.ts'

interface Asked {
  readonly question: string
  readonly answer?: Answer
  readonly error?: DoorError
}

export function Ask() {
  const { q, panes, focus, more } = route.value
  const [asked, setAsked] = useState<Asked | undefined>()
  const question = more['asked'] ?? ''

  useEffect(() => {
    const onEnter = (): void => {
      typing.value = false
      go({ more: { asked: route.peek().q.trim() }, panes: [], focus: 0, ...TOP })
    }
    document.addEventListener('cairn-enter', onEnter)
    // A question that was typed before one came here is asked at once.
    if (question === '' && q.trim() !== '') go({ more: { asked: q.trim() } }, 'replace')
    return () => document.removeEventListener('cairn-enter', onEnter)
  }, [])

  useEffect(() => {
    if (question === '') return undefined
    const gone = new AbortController()
    const given = prepared.value
    if (given?.question === question) {
      setAsked({ question, ...(given.answer && { answer: given.answer }) })
      return undefined
    }
    setAsked({ question })
    door.call<Answer>('ask', { question }, gone.signal).then(
      (answer) => setAsked({ question, answer }),
      (problem: unknown) => {
        if (!gone.signal.aborted) setAsked({ question, error: errorOf(problem) })
      },
    )
    return () => gone.abort()
  }, [question, prepared.value, asked?.error?.code === 'unreachable' && !lost.value])

  const pane = panes[focus]
  return (
    <div class="reading-room">
      <section
        class="answer scroll"
        aria-label="Answer"
        aria-busy={asked !== undefined && !asked.answer && !asked.error}
      >
        <div class="page">
          {!asked && (
            <div class="nothing">
              <h1>Ask</h1>
              <p>
                Type a question above and press Enter. The answer quotes your notes word for word.
              </p>
            </div>
          )}
          {asked && <h1>{clean(asked.question)}</h1>}
          {asked && !asked.answer && !asked.error && <Waiting what="Reading" />}
          {asked?.error && <Problem error={asked.error} />}
          {asked?.answer && <Claims answer={asked.answer} />}
        </div>
      </section>
      {pane && (
        <div class="panes">
          <Pane key={pane.id} pane={pane} index={focus} reading />
        </div>
      )}
    </div>
  )
}

function Claims({ answer }: { readonly answer: Answer }) {
  const gaps = (answer.gaps ?? []).map((gap) =>
    typeof gap === 'string' ? gap : (gap.text ?? gap.question ?? ''),
  )
  return (
    <>
      {!answer.relevant && <p class="remark warn">Nothing here answers this question.</p>}
      {answer.claims.length === 0 && answer.answer !== '' && <p>{clean(answer.answer)}</p>}
      <ol class="claims">
        {answer.claims.map(({ text, citations }, index) => (
          <li key={index}>
            <Claim text={text} from={citations[0]} />
            <ul>
              {citations.map((citation, each) => (
                <li key={each}>
                  <Cite citation={citation} said={text} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {gaps.length > 0 && (
        <section aria-labelledby="gaps">
          <h2 id="gaps">What the notes do not say</h2>
          <ul class="gaps">
            {gaps.map((gap) => (
              <li key={gap}>
                <span>{clean(gap)}</span>
                <button
                  type="button"
                  class="plain"
                  onClick={() =>
                    go({ view: 'search', q: gap.replace(/[."]/g, ''), panes: [], more: {} })
                  }
                >
                  search for this
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {answer.note && <p class="remark">{clean(answer.note)}</p>}
    </>
  )
}

/** What is claimed, as its note shows it: its words until it is rendered, and where it cannot be. */
function Claim({ text, from }: { readonly text: string; readonly from: Citation | undefined }) {
  const [html, setHtml] = useState<string | undefined>()
  const id = from?.id
  const line = Number.parseInt(from?.lines ?? '', 10)
  useEffect(() => {
    setHtml(undefined)
    if (id === undefined) return undefined
    const gone = new AbortController()
    const asked = { id, text, ...(line > 0 && { line }) }
    door.read<{ html: string }>('preview', asked, gone.signal).then(
      (shown) => setHtml(shown.html),
      () => {},
    )
    return () => gone.abort()
  }, [id, text, line])
  if (html === undefined) return <p dir="auto">{clean(text)}</p>
  const onClick = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    const href = link.getAttribute('href') ?? ''
    const target = link.dataset['id'] ?? (href.startsWith('#') ? id : undefined)
    if (link.matches('.tag')) go({ view: 'search', q: parseRoute(href).q, panes: [], more: {} })
    else if (target !== undefined) {
      openNote(target, { fragment: parseRoute(href).fragment, read: true })
    } else return
    event.preventDefault()
  }
  return <Html class="prose" html={html} onClick={onClick} />
}

interface CiteProps {
  readonly citation: Citation
  readonly said: string
}

/** Where the words stand; and which they are, where the claim has others. */
function Cite({ citation, said }: CiteProps) {
  const { id, title, lines, quote, digest } = citation
  const open = (): void => {
    quotedDigests.set(`${id}\n${quote}`, digest)
    const here = route.peek()
    go({ ...withPane({ ...here, panes: [], focus: 0 }, id, undefined), view: 'ask', lines, quote })
  }
  const current = route.value.quote === quote && route.value.panes.some((pane) => pane.id === id)
  return (
    <button type="button" class="cite" aria-pressed={current} onClick={open}>
      {plain(quote) !== plain(said) && <q>{clean(plain(quote))}</q>}
      <span class="where">
        {clean(title)}
        {sectionsOf(citation).map((each) => ` › ${clean(each)}`)}
        <span class="line">:{lines.replace(/^(\d+)-\1$/, '$1')}</span>
      </span>
    </button>
  )
}

/** The way to the words, without the title of their note again. */
function sectionsOf({ title, heading = '' }: Citation): readonly string[] {
  const steps = heading.split(' > ').filter((each) => each !== '')
  return steps[0] === title ? steps.slice(1) : steps
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
