/** What Logseq writes into Markdown besides: properties of a page, ids of blocks, references to them. */
import type { Link, Properties } from '../../domain/text.ts'

const PROPERTY = /^([A-Za-z][\w-]{0,63})::[ \t]+(\S[^\r\n]*)\r?\n?/
const BLOCK_ID = /^[ \t]*id::[ \t]+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[ \t]*$/gim
const REFERENCE = /\(\(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)\)/gi

/** More than this at the top of a page is its text. */
const MOST_PROPERTIES = 50

/** Values that are several: `alias:: The Engine, Difference Engine 2`. */
const LISTS = new Set(['alias', 'aliases', 'tags', 'tag'])

/** The lines `key:: value` with which a page begins. */
export function pageProperties(text: string, from: number): Properties {
  const found: Record<string, string | string[]> = {}
  let at = from
  for (let count = 0; count < MOST_PROPERTIES; count++) {
    const match = PROPERTY.exec(text.slice(at, at + 2_000))
    if (!match) break
    const [line, key = '', value = ''] = match
    found[key.toLowerCase()] = LISTS.has(key.toLowerCase()) ? parts(value) : value.trim()
    at += line.length
  }
  return found
}

/** Names by which blocks of this page are referred to from others. */
export function blockIds(text: string): string[] {
  // Double colons are rare, and found faster than what begins with a letter.
  return text.includes(':: ') ? [...text.matchAll(BLOCK_ID)].map((match) => match[1]!) : []
}

/** `((64f1c2aa-…))` leads to the page that has the block. */
export function blockReferences(text: string, lineAt: (offset: number) => number): Link[] {
  if (!text.includes('((')) return []
  return [...text.matchAll(REFERENCE)].map((match) => ({
    kind: 'wiki' as const,
    target: match[1]!,
    start: match.index,
    end: match.index + match[0].length,
    line: lineAt(match.index),
  }))
}

function parts(value: string): string[] {
  return value
    .split(/,(?![^[]*\]\])/)
    .map((part) =>
      part
        .trim()
        .replace(/^#?\[\[(.*)\]\]$/, '$1')
        .replace(/^#/, ''),
    )
    .filter((part) => part !== '')
}
