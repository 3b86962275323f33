/**
 * Bookmarks: addresses of this page that somebody keeps at hand, notes and searches alike. They are
 * kept by the browser, for each base apart, and are the same in all of its tabs.
 */
import { computed, signal } from '@preact/signals'
import { IN_CHAT } from '../chat/in-chat.ts'
import { facts } from './app.ts'

export interface Bookmark {
  readonly url: string
  readonly name: string
}

/** More would be a second tree. */
const MOST = 100

/** Which base this is; nothing is known of it before the server has said where it reads. */
export const base = /* @__PURE__ */ computed(() =>
  facts.value?.sources.map(({ name, root }) => `${name}=${root}`).join(' '),
)
const key = /* @__PURE__ */ computed(() =>
  base.value === undefined ? undefined : `cairn-bookmarks ${base.value}`,
)
const turn = /* @__PURE__ */ signal(0)

export const bookmarks = /* @__PURE__ */ computed<readonly Bookmark[]>(() => {
  void turn.value
  return key.value === undefined ? [] : stored(key.value)
})

function stored(name: string): readonly Bookmark[] {
  if (IN_CHAT) return []
  try {
    return parseBookmarks(localStorage.getItem(name) ?? '[]')
  } catch {
    return []
  }
}

/** What is no bookmark is left out: anybody may write there. */
export function parseBookmarks(text: string): readonly Bookmark[] {
  const found: unknown = JSON.parse(text)
  if (!Array.isArray(found)) return []
  return found
    .filter(
      (each): each is Bookmark =>
        typeof each?.url === 'string' &&
        typeof each.name === 'string' &&
        // A place of this page, never of another one.
        /^\/(?!\/)/.test(each.url),
    )
    .map(({ url, name }) => ({ url, name }))
    .slice(0, MOST)
}

export function isKept(url: string): boolean {
  return bookmarks.value.some((each) => each.url === url)
}

/** Keeps it, or lets it go; false where the browser keeps nothing, or there are too many. */
export function toggleBookmark({ url, name }: Bookmark): boolean {
  const others = bookmarks.peek().filter((each) => each.url !== url)
  const isNew = others.length === bookmarks.peek().length
  if (key.peek() === undefined || others.length >= MOST) return false
  try {
    const next = isNew ? [...others, { url, name }] : others
    localStorage.setItem(key.peek()!, JSON.stringify(next))
  } catch {
    return false
  }
  turn.value++
  return true
}

/** Called once: what is kept in another tab is kept here. */
export function followBookmarks(): void {
  addEventListener('storage', ({ key: changed }) => {
    if (changed === null || changed === key.peek()) turn.value++
  })
}
