/** How a verified quote is lit in its note, looked at by who did not light it. */
import { showNote } from '../../src/explorer/operations/show-note.ts'
import type { View } from '../../src/core/operations/view/view.ts'
import { readableText } from '../../src/explorer/rendering/readable-text.ts'

export interface Cited {
  readonly id: string
  readonly quote: string
  readonly lines: readonly [number, number]
}

/**
 * `words`: exactly its words. `block`: the block it stands in. `unconfirmed`: words that the simple
 * reading here cannot tell to be its own, as in tables of raw HTML. `lost`: nothing of it is lit.
 */
export type Lit = 'words' | 'block' | 'unconfirmed' | 'lost'

export async function litQuote(kb: View, { id, quote, lines }: Cited): Promise<Lit> {
  const { html, quotes } = await showNote(kb, id, { quotes: [{ text: quote, lines }] })
  if (quotes[0] === 'block') return blockIsLit(html, lines) ? 'block' : 'lost'
  const marks = [...html.matchAll(/<mark class="quote quote-0">([^<]*)<\/mark>/g)]
  const lit = letters(decoded(marks.map(([, text]) => text).join('')))
  if (quotes[0] !== 'words' || lit === '') return 'lost'
  return saysTheSame(lit, quote) ? 'words' : 'unconfirmed'
}

/**
 * What one reads of Markdown is told by other, simpler functions than the one that lit it. Nothing
 * is lit that does not stand in the quote, and nothing is missing that is certainly read.
 */
function saysTheSame(lit: string, quote: string): boolean {
  const source = decoded(quote)
  if (lit === letters(readableText(source, []).text)) return true
  return isWithin(lit, letters(source)) && isWithin(plainest(source), lit)
}

const PERHAPS_UNREAD =
  /^[^<>]*>|<[^>]*>?|!?\[[^\]]*\]+(?:\([^)]*\)?)?|(`+)[^`]*\1?|\$[^$]*\$?|\{\{[^}]*\}*|^[^{}]*\}\}|^\s*\d+[.)]\s|\S*[/=]\S*/gm

/** Only what is certainly read: no tag, link, code, formula or address. */
function plainest(markdown: string): string {
  return letters(markdown.replace(PERHAPS_UNREAD, ' '))
}

/** The same letters in their order; what is an address in the quote may be left out. */
function isWithin(lit: string, quote: string): boolean {
  let at = 0
  for (const letter of quote) if (letter === lit[at]) at++
  return at === lit.length
}

function blockIsLit(html: string, [first, last]: Cited['lines']): boolean {
  const found = / class="quoted quote-0[^>]*? data-line="(\d+)" data-end="(\d+)"/.exec(html)
  return found !== null && Number(found[1]) <= last && Number(found[2]) >= first
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function decoded(text: string): string {
  return text.replace(/&(?:[a-zA-Z]+|#\d+|#x[\da-fA-F]+);/g, ' ')
}
