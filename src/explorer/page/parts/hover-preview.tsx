/**
 * Hover card: a link that one points at shows where it leads, before anybody goes there. It waits a
 * moment, stays while one points at it, and goes with Escape. By keyboard, Enter shows the same.
 */
import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import style from '../hover.css'
import { door, openNote } from '../state/app.ts'
import { withBreaks } from '../state/line-breaks.ts'
import { parseRoute } from '../state/route.ts'
import type { ShownNote } from '../../wire/wire.ts'
import { addStyle } from './add-style.ts'
import { blockAt, hideTitle } from './blocks.ts'
import { Html } from './html.tsx'
import { clean, Path } from './text.tsx'

/** Links to notes, in a text and around one. */
const LINKS = '.prose a[data-id], .around a[data-id]'
const WAIT_MS = 350
const LEAVE_MS = 250
const WIDTH = 420
const HEIGHT = 280
const GAP = 6

interface Shown {
  readonly link: Element
  readonly gone: AbortController
}

let shown: Shown | undefined
let coming: { readonly link: Element; readonly timer: number } | undefined
let leaving = 0

/** Called once, when one first points at a link. */
export function followPointer(first: PointerEvent): void {
  addStyle(style)
  document.addEventListener('pointerover', pointAt)
  pointAt(first)
  document.addEventListener('pointerdown', (event) => {
    forget()
    if (!(event.target as Element).closest('.hover-card')) close()
  })
  document.addEventListener('click', close)
  document.addEventListener(
    'scroll',
    ({ target }) => {
      if (!(target instanceof Element && target.closest('.hover-card'))) close()
    },
    { capture: true, passive: true },
  )
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !shown) return
      close()
      event.stopPropagation()
      event.preventDefault()
    },
    { capture: true },
  )
}

function pointAt({ pointerType, target, buttons }: PointerEvent): void {
  if (pointerType !== 'mouse') return
  const over = target as Element
  if (over.closest('.hover-card')) return stay()
  const link = over.closest(LINKS)
  if (link && link === shown?.link) return stay()
  if (link !== coming?.link) forget()
  if (!link) return leave()
  if (coming || buttons !== 0) return
  const timer = setTimeout(() => {
    coming = undefined
    void open(link)
  }, WAIT_MS) as unknown as number
  coming = { link, timer }
}

function stay(): void {
  clearTimeout(leaving)
  leaving = 0
}

function leave(): void {
  if (shown && leaving === 0) leaving = setTimeout(close, LEAVE_MS) as unknown as number
}

function forget(): void {
  clearTimeout(coming?.timer)
  coming = undefined
}

function close(): void {
  stay()
  shown?.gone.abort()
  shown = undefined
  card()?.remove()
}

function card(): HTMLElement | undefined {
  return document.querySelector<HTMLElement>('.hover-card') ?? undefined
}

async function open(link: Element): Promise<void> {
  close()
  const gone = new AbortController()
  const mine = { link, gone }
  shown = mine
  const id = link.getAttribute('data-id') ?? ''
  const { fragment } = parseRoute(link.getAttribute('href') ?? '')
  const request = { id, ...withBreaks(), ...(fragment !== '' && { at: { fragment } }) }
  const note = await door.read<ShownNote>('note', request, gone.signal).catch(() => undefined)
  // Whoever went on meanwhile, or a note that was put in place of the one with the link.
  if (shown !== mine) return
  if (!note || !link.isConnected) return close()
  const box = document.createElement('aside')
  box.className = 'hover-card'
  box.ariaLabel = 'Where the link leads'
  place(box, link.getBoundingClientRect())
  document.body.append(box)
  render(<Card note={note} />, box)
}

/** Below the link where there is room, else above it. */
function place(box: HTMLElement, at: DOMRect): void {
  const left = Math.max(8, Math.min(at.left, innerWidth - WIDTH - 8))
  const isBelow = at.bottom + HEIGHT + GAP < innerHeight || at.top < HEIGHT + GAP
  box.style.left = `${left}px`
  if (isBelow) box.style.top = `${at.bottom + GAP}px`
  else box.style.bottom = `${innerHeight - at.top + GAP}px`
}

function Card({ note }: { readonly note: ShownNote }) {
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = body
    if (!current) return
    hideTitle(current, note.title)
    const block = note.place === undefined ? undefined : blockAt(current, note.place)
    if (!block) return
    current.scrollTop = block.getBoundingClientRect().top - current.getBoundingClientRect().top
  }, [note])
  const onClick = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a')
    const href = link?.getAttribute('href') ?? ''
    const target = link?.dataset['id']
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (target === undefined && !href.startsWith('#')) return
    event.preventDefault()
    openNote(target ?? note.id, { fragment: parseRoute(href).fragment, read: true })
  }
  return (
    <>
      <p class="name" dir="auto">
        {clean(note.title)} <Path id={note.id} />
      </p>
      <div ref={body} class="body">
        <Html class="prose" html={note.html} onClick={onClick} />
      </div>
    </>
  )
}
