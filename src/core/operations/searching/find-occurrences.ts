/** Every line of the base that has a text or matches a pattern, as the files are now. */
import { documentId } from '../../domain/document.ts'
import { Slices } from '../../kit/slices.ts'
import { linearPattern, literalPattern } from '../../search/linear-pattern.ts'
import type { LinearPattern, PatternOptions } from '../../search/linear-pattern.ts'
import { readDocuments } from '../reading/read-document.ts'
import { makeCursor, parseCursor } from '../reading/cursor.ts'
import { selectDocuments } from '../reading/select-documents.ts'
import type { Selection } from '../reading/select-documents.ts'
import type { View } from '../view/view.ts'

export interface Occurrence {
  readonly id: string
  readonly title: string
  readonly line: number
  readonly text: string
}

export interface OccurrenceOptions extends Selection {
  readonly match: 'text' | 'regex'
  readonly limit?: number
  readonly cursor?: string
  readonly fit?: (occurrences: readonly Occurrence[]) => number
  readonly signal?: AbortSignal
}

export interface Occurrences {
  readonly occurrences: readonly Occurrence[]
  readonly total: number
  readonly documents: number
  /** Whether all files were looked at. */
  readonly complete: boolean
  readonly nextCursor: string | undefined
}

const DEFAULT_LIMIT = 50
/** So many files are in memory at once. */
const READ_AT_ONCE = 50
/** Nobody reads more; what is beyond is not counted. */
const MOST = 10_000
/** Of a line, so much is looked at: longer ones are data. */
const LONGEST_LINE = 100_000
/** Characters of text that one call looks at. */
const MOST_TEXT = 400_000_000

/** The pattern of `text`, as it stands or as a regular expression. Throws `invalid`. */
export function patternOf(
  text: string,
  match: OccurrenceOptions['match'],
  options: PatternOptions = {},
): LinearPattern {
  return match === 'text' ? literalPattern(text, options) : linearPattern(text, options)
}

export async function findOccurrences(
  kb: View,
  text: string,
  { match, limit = DEFAULT_LIMIT, cursor, fit, signal, ...selection }: OccurrenceOptions,
): Promise<Occurrences> {
  const pattern = patternOf(text, match)
  const question = ['occurrences', text, match, selection]
  const offset = parseCursor(question, cursor)
  const chosen = await selectDocuments(kb, selection)
  const order = await kb.store.pathOrder()
  const docs = chosen ? order.filter((doc) => chosen.has(doc)) : order
  const found: Occurrence[] = []
  const holding = new Set<string>()
  const slices = new Slices()
  let read = 0
  let at = 0
  for (; at < docs.length && found.length < MOST && read < MOST_TEXT; at += READ_AT_ONCE) {
    signal?.throwIfAborted()
    for (const live of await readDocuments(kb, [...docs.subarray(at, at + READ_AT_ONCE)])) {
      read += live.text.length
      if (!live.text.includes(pattern.needs)) continue
      const id = documentId(live.record)
      for (const [index, line] of live.text.split('\n').entries()) {
        if (slices.over) await slices.pause()
        if (!pattern.test(line.slice(0, LONGEST_LINE).replace(/\r$/, ''))) continue
        holding.add(id)
        found.push({ id, title: live.record.title, line: index + 1, text: line.trim() })
      }
    }
  }
  const page = found.slice(offset, offset + limit)
  const occurrences = fit ? page.slice(0, fit(page)) : page
  const end = offset + occurrences.length
  return {
    occurrences,
    total: found.length,
    documents: holding.size,
    complete: at >= docs.length,
    nextCursor:
      end < found.length && occurrences.length > 0 ? makeCursor(question, end) : undefined,
  }
}
