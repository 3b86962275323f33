/**
 * A note as a window over its text: long ones come in parts of 48 KB, of which only those around the
 * place one reads are loaded. Whoever scrolls gets the next one; those far away are given up again.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import type { DoorError } from '../door.ts'
import { arrival, door, errorOf, learnTitle, lost, route, say } from '../state/app.ts'
import { noteVersion } from '../state/changes.ts'
import { takePreviewed } from '../state/previewed.ts'
import { withBreaks } from '../state/line-breaks.ts'
import { formatRoute } from '../state/route.ts'
import { spotAt, spotIn } from '../state/scrolls.ts'
import type { Quote, ShownNote } from '../../wire/wire.ts'
import { blockAt, elementCalled, flash, hideTitle } from './blocks.ts'

/** Where to go in a note. */
interface Place {
  readonly line?: number
  readonly fragment?: string
  readonly quote?: Quote
  /** So many pixels below the beginning of the line, as one left it: nothing lights up. */
  readonly offset?: number
  /** Where there is no line to go by. */
  readonly top?: number
}

export interface OpenNote {
  /** What is known of it as a whole, from the part that came first. */
  readonly note: ShownNote | undefined
  /** One after the other, without a gap. */
  readonly parts: readonly ShownNote[]
  readonly error: DoorError | undefined
  readonly version: number
  readonly body: { readonly current: HTMLElement | null }
  earlier(): void
  later(): void
  /**
   * All of it at once, as paper wants it; gives back how to show what was shown before. Nothing where
   * the note changed while it was loaded: what is shown then is another one.
   */
  whole(): Promise<(() => void) | undefined>
  /** To a place of the text that is shown. */
  follow(fragment: string, from: Element): void
}

const PARTS_KEPT = 6

/** Digests that quotes were taken from: the server says when a note has changed since. */
export const quotedDigests = new Map<string, string>()

export function useNote(id: string, reading: boolean, source: boolean): OpenNote {
  const { lines, quote, fragment } = reading ? route.value : NOTHING
  const { turn } = arrival.value
  const version = noteVersion(id)
  const [note, setNote] = useState<ShownNote | undefined>()
  const [parts, setParts] = useState<readonly ShownNote[]>([])
  const [error, setError] = useState<DoorError | undefined>()
  const body = useRef<HTMLElement>(null)
  const loaded = useRef({ key: '', version: -1, turn: -1 })
  const aim = useRef<Place | undefined>(undefined)
  const held = useRef<{ readonly element: Element; readonly top: number } | undefined>(undefined)
  const busy = useRef(false)
  const again = error?.code === 'unreachable' && !lost.value

  useEffect(() => {
    const key = `${quote}\n${quote === '' ? '' : lines}`
    const before = loaded.current
    const isKnown = note !== undefined && before.key === key && before.version === version
    const place =
      note !== undefined && before.turn === turn && before.key === key && before.version !== version
        ? hereIn(body.current)
        : placeOf({ id, lines, quote, fragment, reading })
    loaded.current = { key, version, turn }
    if (isKnown && isWithin(place, parts)) {
      if (place && body.current && !source) show(body.current, place, parts)
      return undefined
    }
    const gone = new AbortController()
    const { line, fragment: named, quote: asked } = place ?? {}
    const digest = quotedDigests.get(`${id}\n${quote}`)
    const request = {
      id,
      ...withBreaks(),
      ...((line ?? named) !== undefined && {
        at: line === undefined ? { fragment: named } : { line },
      }),
      ...(asked && { quotes: [asked], ...(digest !== undefined && { digest }) }),
    }
    const arrived = (found: ShownNote): void => {
      learnTitle(id, found.title)
      aim.current = place && { ...place, ...(found.place !== undefined && { line: found.place }) }
      if (named !== undefined && found.place === undefined) {
        say(`This note has no section ${named.replace(/^h-/, '')}`)
      }
      setNote(found)
      setParts([found])
      setError(undefined)
    }
    const known = IN_CHAT ? undefined : takePreviewed(request)
    if (known) {
      arrived(known)
      return undefined
    }
    door.read<ShownNote>('note', request, gone.signal).then(arrived, (problem: unknown) => {
      if (gone.signal.aborted) return
      const said = errorOf(problem)
      setError(said)
      // What is gone is not shown as if it were there; what cannot be asked for just now is.
      if (said.code !== 'unreachable') {
        setNote(undefined)
        setParts([])
      }
    })
    return () => gone.abort()
  }, [id, lines, quote, fragment, turn, version, again])

  // Before it is seen: what one reads stays where it is, or is brought there.
  useLayoutEffect(() => {
    const { current: element } = body
    if (!note || !element || source) return
    hideTitle(element, note.title)
    if (held.current) {
      const { element: kept, top } = held.current
      held.current = undefined
      element.scrollTop += kept.getBoundingClientRect().top - top
    }
    const place = aim.current
    aim.current = undefined
    if (place) show(element, place, parts)
    else if (parts.length === 1 && parts[0] === note) element.scrollTop = 0
  }, [note, parts, source])

  const load = async (part: number): Promise<void> => {
    if (busy.current || !note || part < 0 || part >= note.parts) return
    busy.current = true
    try {
      const next = await door.read<ShownNote>('note', { id, part, ...withBreaks() })
      // Another version of it, or another place meanwhile: this one belongs to nothing.
      const [first, last] = [parts[0]!, parts.at(-1)!]
      const fits = next.part === first.part - 1 || next.part === last.part + 1
      if (next.digest !== note.digest || !fits) return
      const isLater = next.part > last.part
      const kept = isLater
        ? [...parts, next].slice(-PARTS_KEPT)
        : [next, ...parts].slice(0, PARTS_KEPT)
      const stays = isLater ? last : first
      const element = body.current?.querySelector(`[data-part="${stays.part}"]`)
      setParts((now) => {
        if (now !== parts) return now
        if (element) held.current = { element, top: element.getBoundingClientRect().top }
        return kept
      })
    } catch (problem) {
      say(errorOf(problem).message)
    } finally {
      busy.current = false
    }
  }
  const whole = async (): Promise<(() => void) | undefined> => {
    const all = [...parts]
    busy.current = true
    try {
      const { parts: count = 0, digest } = note ?? {}
      for (let part = 0; part < count; part++) {
        if (all[part]?.part === part) continue
        const next = await door.read<ShownNote>('note', { id, part, ...withBreaks() })
        if (next.digest !== digest) return undefined
        all.splice(part, 0, next)
      }
    } finally {
      busy.current = false
    }
    let isShown = false
    setParts((now) => {
      isShown = now === parts
      return isShown ? all : now
    })
    if (!isShown) return undefined
    return () => setParts((now) => (now === all ? parts : now))
  }
  const earlier = (): void => void load((parts[0]?.part ?? 0) - 1)
  const later = (): void => void load((parts.at(-1)?.part ?? 0) + 1)

  // What comes into sight soon is asked for now.
  useEffect(() => {
    const { current: element } = body
    if (!note || !element || source || note.parts === 1) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting) continue
          if ((target as HTMLElement).dataset['more'] === 'later') later()
          else earlier()
        }
      },
      { root: element, rootMargin: '1000px 0px' },
    )
    for (const edge of element.querySelectorAll('[data-more]')) observer.observe(edge)
    return () => observer.disconnect()
  }, [note, parts, source])

  return {
    note,
    parts,
    error,
    version,
    body,
    earlier,
    later,
    whole,
    follow(wanted, from) {
      const { current: element } = body
      // Footnotes are numbered anew in every part.
      const within = /^fn(?:ref)?-/.test(wanted) ? from.closest('.prose') : element
      const isHere = within !== element || note?.parts === 1
      const found = isHere && within ? elementCalled(within, wanted) : undefined
      if (!found) return
      found.scrollIntoView({ block: 'start' })
      flash(found)
    },
  }
}

const NOTHING = { lines: '', quote: '', fragment: '' } as const

interface Wanted {
  readonly id: string
  readonly lines: string
  readonly quote: string
  readonly fragment: string
  readonly reading: boolean
}

function placeOf({ id, lines, quote, fragment, reading }: Wanted): Place | undefined {
  const spot = arrival.peek().back ? spotAt(formatRoute(route.peek()), `note ${id}`) : undefined
  const asked = quote === '' ? {} : { quote: quoteOf(quote, lines) }
  if (spot) return { ...asked, ...spot, offset: spot.offset ?? 0 }
  if (!reading) return undefined
  const line = Number(lines.split('-')[0])
  if (line > 0) return { line, ...asked }
  if (fragment !== '') return { fragment }
  return quote === '' ? undefined : asked
}

/** `12-14` and words, as the server wants them. */
export function quoteOf(text: string, lines: string): Quote {
  const [from = 1, to = from] = lines.split('-').map(Number)
  return { text, lines: [Math.max(1, from || 1), Math.max(1, to || from || 1)] }
}

/** Where one reads just now. */
function hereIn(body: HTMLElement | null): Place | undefined {
  const spot = body ? spotIn(body) : undefined
  return spot && { ...spot, offset: spot.offset ?? 0 }
}

function isWithin(place: Place | undefined, parts: readonly ShownNote[]): boolean {
  const [first, last] = [parts[0], parts.at(-1)]
  if (!place || !first || !last) return true
  if (place.line !== undefined) return first.first <= place.line && place.line <= last.last
  if (place.offset !== undefined) return first.part === 0
  // Names are looked up by the server where it alone has the whole text.
  if (place.fragment !== undefined) return first.parts === 1 && !/^\^|[#>]/.test(place.fragment)
  return true
}

function show(body: HTMLElement, place: Place, parts: readonly ShownNote[]): void {
  const { line, fragment, quote, offset, top } = place
  if (offset !== undefined) {
    const block = line === undefined ? undefined : blockAt(body, line)
    if (!block) body.scrollTop = top ?? 0
    else {
      const edge = body.getBoundingClientRect().top
      body.scrollTop += block.getBoundingClientRect().top - edge + offset
    }
    return
  }
  const lit = quote && body.querySelector('mark.quote, .quoted')
  if (lit) {
    lit.scrollIntoView({ block: 'center' })
    return
  }
  const named =
    fragment !== undefined && line === undefined ? elementCalled(body, fragment) : undefined
  const found = named ?? (line === undefined ? undefined : blockAt(body, line))
  if (!found) return
  const isTop = line !== undefined && line <= (parts[0]?.first ?? 1) && parts[0]?.part === 0
  if (isTop) body.scrollTop = 0
  else found.scrollIntoView({ block: /^H[1-6]$/.test(found.tagName) ? 'start' : 'center' })
  flash(found)
}
