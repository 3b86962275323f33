/** What a text that is being written will look like: drawn by the server, as it is when one reads it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { blockAt, letScroll } from '../parts/blocks.ts'
import { Html } from '../parts/html.tsx'
import { door } from '../state/app.ts'
import { latest, type Latest } from '../state/latest.ts'
import { withBreaks } from '../state/line-breaks.ts'
import { windowOf, type Shown, type Window } from './preview-window.ts'

interface Props {
  readonly id: string
  readonly title: string
  readonly shown: Shown
  /** Line of the note that the text begins at. */
  readonly first: number
  readonly onClick: (event: MouseEvent) => void
}

const PAUSE_MS = 120
export function Preview({ id, title, shown, first, onClick }: Props) {
  const [html, setHtml] = useState('')
  const body = useRef<HTMLDivElement>(null)
  const asking = useRef<Latest<Window>>(undefined)
  const timer = useRef<number>(undefined)
  const { text, line } = windowOf(shown, first)
  const wasEmpty = useRef(true)

  useEffect(() => {
    asking.current = latest<Window, { readonly html: string }>(
      (window, signal) => door.read('preview', { id, ...window, ...withBreaks() }, signal),
      (found) => setHtml(found.html),
      // It is asked again with the next letter.
      () => {},
    )
    return () => asking.current?.stop()
  }, [])

  useEffect(() => {
    const pause = wasEmpty.current ? 0 : PAUSE_MS
    wasEmpty.current = false
    timer.current = setTimeout(
      () => asking.current?.ask({ text, line }),
      pause,
    ) as unknown as number
    return () => clearTimeout(timer.current)
  }, [text, line])

  // Before it is seen: what one writes is in sight.
  useLayoutEffect(() => {
    const { current } = body
    if (!current) return
    letScroll(current)
    const block = blockAt(current, first - 1 + shown.line)
    if (!block) return
    const [own, edge] = [block.getBoundingClientRect(), current.getBoundingClientRect()]
    if (own.top < edge.top || own.bottom > edge.bottom) {
      current.scrollTop += own.top - edge.top - edge.height / 4
    }
  }, [html, shown.line])

  return (
    <div ref={body} class="looks" tabIndex={0} role="region" aria-label={`Preview of ${title}`}>
      <Html class="prose" html={html} onClick={onClick} />
    </div>
  )
}
