/** Where headers and pairs stand in a TOML text that is known to be well-formed. */
import { orElse } from '../../core/kit/or-else.ts'

/** `[a.b]`, or `a.b = value` with the path of the table it stands in. */
export interface TomlStatement {
  readonly kind: 'header' | 'pair'
  /** From the root; of a pair, the table's path and its own key. */
  readonly path: readonly string[]
  /** From the first character to behind the last, without a remark that follows. */
  readonly start: number
  readonly end: number
}

export function tomlStatements(text: string): readonly TomlStatement[] {
  const statements: TomlStatement[] = []
  let table: readonly string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    at = skipBlank(text, at)
    if (at >= text.length) return statements
    const start = at
    if (text.charAt(at) === '[') {
      const isList = text.startsWith('[[', at)
      const key = readKey(text, at + (isList ? 2 : 1))
      at = text.indexOf(']', key.end) + (isList ? 2 : 1)
      table = key.path
      statements.push({ kind: 'header', path: table, start, end: at })
    } else {
      const key = readKey(text, at)
      at = valueEnd(text, text.indexOf('=', key.end) + 1)
      statements.push({ kind: 'pair', path: [...table, ...key.path], start, end: at })
    }
    const lineEnd = text.indexOf('\n', at)
    at = lineEnd < 0 ? text.length : lineEnd + 1
  }
}

function skipBlank(text: string, from: number): number {
  const match = /^(?:\s+|#[^\n]*)+/.exec(text.slice(from))
  return from + (match?.[0].length ?? 0)
}

function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = []
  let at = from
  for (;;) {
    at += /^[ \t]*/.exec(text.slice(at))![0].length
    const part = /^(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)/.exec(text.slice(at))![0]
    path.push(part.startsWith('"') ? unescaped(part) : part.replace(/^'|'$/g, ''))
    at += part.length
    const dot = /^[ \t]*\./.exec(text.slice(at))
    if (!dot) return { path, end: at }
    at += dot[0].length
  }
}

function unescaped(quoted: string): string {
  // An escape that JSON does not have: such a key is nobody we look for.
  return orElse(() => JSON.parse(quoted) as string, quoted)
}

/** Behind the value: lists and multi-line texts may take several lines. */
function valueEnd(text: string, from: number): number {
  let at = from
  let depth = 0
  let end = from
  while (at < text.length) {
    const piece =
      /^(?:"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/.exec(
        text.slice(at),
      )?.[0]
    const character = text.charAt(at)
    if (piece !== undefined) at += piece.length
    else if (character === '#') {
      if (depth === 0) return end
      const lineEnd = text.indexOf('\n', at)
      at = lineEnd < 0 ? text.length : lineEnd
      continue
    } else {
      if (character === '\n' && depth === 0) return end
      if (character === '[' || character === '{') depth++
      if (character === ']' || character === '}') depth--
      at++
    }
    if (piece !== undefined || /\S/.test(character)) end = at
  }
  return end
}
