/** Which symbols and files does a note name? Only what it sets as code counts: `parseHeader`. */
import { codeLanguageOf } from '../../domain/code.ts'
import type { Link, ParsedDocument } from '../../domain/text.ts'
import { lineAt, lineStartsOf } from '../lines.ts'

/** A note that names more is a list made by a machine. */
const MOST_MENTIONS = 300

const SPAN = /(?<!`)(`{1,2})(?!`)([^`\n]{2,160})\1(?!`)/g

export function findMentions(
  text: string,
  { bodyStart, codeBlocks }: Pick<ParsedDocument, 'bodyStart' | 'codeBlocks'>,
): Link[] {
  if (!text.includes('`')) return []
  const lineStarts = lineStartsOf(text)
  const mentions = new Map<string, Link>()
  for (const match of text.matchAll(SPAN)) {
    const start = match.index
    if (start < bodyStart || codeBlocks.some((each) => each.start <= start && start < each.end)) {
      continue
    }
    const target = namedIn(match[2]!.trim())
    if (target === undefined || mentions.has(target)) continue
    const end = start + match[0].length
    mentions.set(target, { kind: 'mention', target, start, end, line: lineAt(lineStarts, start) })
    if (mentions.size === MOST_MENTIONS) break
  }
  return [...mentions.values()]
}

const PATH = /^(?:\.{0,2}\/)?[\w@.+-]+(?:\/[\w@.+-]+)*$/
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?$/u

/** A plain word in code may be anything; one with capitals inside, `_`, `.` or `()` is a name. */
const LOOKS_LIKE_CODE = /[_.#()]|::|\p{Ll}\p{Lu}|^\p{Lu}[\p{L}\p{N}]*\p{Ll}/u

function namedIn(span: string): string | undefined {
  const path = span.replace(/:\d+(?:-\d+)?$/, '')
  if (PATH.test(path) && (codeLanguageOf(path) || (path.includes('/') && /\.\w+$/.test(path)))) {
    return path.replace(/^\.\//, '')
  }
  if (!NAME.test(span) || !LOOKS_LIKE_CODE.test(span)) return undefined
  return span.replace(/::|#/g, '.')
}
