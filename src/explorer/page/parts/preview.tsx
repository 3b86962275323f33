/** The result that the arrows are on, at the place that was found, before it is opened. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { chosen, go, openNote } from '../state/app.ts'
import { noteVersion } from '../state/changes.ts'
import { withBreaks } from '../state/line-breaks.ts'
import { readForPreview } from '../state/previewed.ts'
import { parseRoute } from '../state/route.ts'
import type { ShownNote } from '../../wire/wire.ts'
import { blockAt, flash, hideTitle, letScroll } from './blocks.ts'
import { Html } from './html.tsx'
import { lightWords } from './light-words.ts'
import { lineOfOption, openChosen, options, wordsFound } from './results.tsx'
import { clean, Path } from './text.tsx'

/** Who goes on typing, or runs through the list, is not waited for. */
const PAUSE_MS = 200

export function Preview() {
  const option = options.value[chosen.value]
  const [note, setNote] = useState<ShownNote | undefined>()
  const body = useRef<HTMLDivElement>(null)
  const id = option?.row.id
  const line = option && lineOfOption(option)
  useEffect(() => {
    if (id === undefined) {
      setNote(undefined)
      return undefined
    }
    const gone = new AbortController()
    const timer = setTimeout(() => {
      const request = { id, ...withBreaks(), ...(line !== undefined && { at: { line } }) }
      readForPreview(request, gone.signal).then(setNote, () => {
        if (!gone.signal.aborted) setNote(undefined)
      })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [id, line, id === undefined ? 0 : noteVersion(id)])

  // Before it is seen: it stands at the place that was found.
  useLayoutEffect(() => {
    const { current } = body
    if (!note || !current) return
    hideTitle(current, note.title)
    letScroll(current)
    current.scrollTop = 0
    const block = line === undefined ? undefined : blockAt(current, line)
    if (!block || (note.part === 0 && line! <= note.first)) return
    const down = block.getBoundingClientRect().top - current.getBoundingClientRect().top
    current.scrollTop = Math.max(0, down - current.clientHeight / 3)
    flash(block)
  }, [note])
  const words = wordsFound.value
  useLayoutEffect(
    () => (note && body.current ? lightWords(body.current, words) : undefined),
    [note, words],
  )

  const onClick = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a')
    if (!link || !note || event.ctrlKey || event.metaKey || event.shiftKey) return
    const href = link.getAttribute('href') ?? ''
    const target = link.dataset['id']
    if (link.matches('.tag')) go({ q: parseRoute(href).q })
    else if (target !== undefined || href.startsWith('#')) {
      const { fragment } = parseRoute(href)
      openNote(target ?? note.id, { fragment, read: true })
    } else return
    event.preventDefault()
  }
  if (!option) return null
  if (!note) {
    return <p class="empty">Choose a result with the arrows, open it with Enter.</p>
  }
  return (
    <section class="pane preview" aria-label="Preview">
      <header class="pane-head">
        <div class="names">
          <h2 dir="auto">{clean(note.title)}</h2>
          <Path id={note.id} />
        </div>
        <button type="button" onClick={() => openChosen(false)}>
          Open <kbd>Enter</kbd>
        </button>
      </header>
      <div
        ref={body}
        class="body"
        tabIndex={0}
        role="region"
        aria-label={`Preview of ${clean(note.title)}`}
      >
        <Html class="prose" html={note.html} onClick={onClick} />
      </div>
    </section>
  )
}
