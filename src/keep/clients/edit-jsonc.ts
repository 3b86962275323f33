/** Sets or removes one entry in a JSON file with comments, and leaves every other byte alone. */
import { invalid } from '../../core/domain/error.ts'
import type { Entry, Plain } from './client.ts'
import { parseJsonc, skipSpace, valueOf } from './parse-jsonc.ts'
import type { JsonMember, JsonNode, JsonObject } from './parse-jsonc.ts'

export function readJsonc(text: string): unknown {
  const root = parseJsonc(text)
  return root === undefined ? {} : valueOf(root)
}

/** `path` leads to the entry; objects on the way that are missing are made. */
export function setInJsonc(text: string, path: readonly string[], entry: Entry): string {
  const style = styleOf(text)
  const root = parseJsonc(text)
  if (root === undefined) {
    const gap = text === '' || text.endsWith('\n') ? '' : style.eol
    return `${text}${gap}${renderJson(nested(path, entry), '', style)}${style.eol}`
  }
  let object = asObject(root, path[0]!)
  for (const [depth, key] of path.entries()) {
    const member = memberOf(object, key)
    if (!member) return insertMember(text, object, key, nested(path.slice(depth + 1), entry), style)
    if (depth === path.length - 1) {
      const indent = indentAt(text, member.start)
      const { start, end } = member.value
      return text.slice(0, start) + renderJson(entry, indent, style) + text.slice(end)
    }
    object = asObject(member.value, key)
  }
  return text
}

/** Objects on the way that would be left empty go too. */
export function removeFromJsonc(text: string, path: readonly string[]): string {
  const root = parseJsonc(text)
  const way: { readonly object: JsonObject; readonly member: JsonMember }[] = []
  let node: JsonNode | undefined = root
  for (const key of path) {
    const member: JsonMember | undefined = node?.kind === 'object' ? memberOf(node, key) : undefined
    if (node?.kind !== 'object' || !member) return text
    way.push({ object: node, member })
    node = member.value
  }
  const outermost = way.findIndex((_, at) =>
    way.slice(at + 1).every(({ object }) => object.members.length === 1),
  )
  const target = way[outermost]
  return target ? removeMember(text, target.object, target.member) : text
}

export interface FileStyle {
  readonly unit: string
  readonly eol: string
}

/** Indentation is that of the first indented line. */
export function styleOf(text: string): FileStyle {
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  return { unit: unit.length > 8 ? '  ' : unit, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}

function nested(path: readonly string[], entry: Entry): Entry {
  return path.reduceRight<Entry>((inner, key) => ({ [key]: inner }), entry)
}

function asObject(node: JsonNode, key: string): JsonObject {
  if (node.kind === 'object') return node
  throw invalid(
    `What should hold ${JSON.stringify(key)} is no object.`,
    'Mend the file by hand; it was left as it is.',
  )
}

/** The last of several with one name is the one that counts. */
function memberOf(object: JsonObject, key: string): JsonMember | undefined {
  return object.members.findLast((member) => member.key === key)
}

function insertMember(
  text: string,
  object: JsonObject,
  key: string,
  value: Entry,
  style: FileStyle,
): string {
  const last = object.members.at(-1)
  const inner = text.slice(object.start + 1, object.end - 1)
  const outer = indentAt(text, object.start)
  if (!last) {
    const indent = outer + style.unit
    const kept = inner.trimEnd()
    const member = `${style.eol}${indent}${JSON.stringify(key)}: ${renderJson(value, indent, style)}`
    const body = kept + member + style.eol + outer
    return text.slice(0, object.start + 1) + body + text.slice(object.end - 1)
  }
  if (!inner.includes('\n')) {
    const member = `, ${JSON.stringify(key)}: ${renderInLine(value)}`
    return text.slice(0, last.end) + member + text.slice(last.end)
  }
  const indent = indentAt(text, last.start)
  const comma = commaAfter(text, last.end)
  const member = `${style.eol}${indent}${JSON.stringify(key)}: ${renderJson(value, indent, style)}`
  // A remark behind the last member stays behind it.
  const place = endOfLineParts(text, comma ?? last.end)
  return [
    text.slice(0, last.end),
    comma === undefined ? ',' : '',
    text.slice(last.end, place),
    member,
    comma === undefined ? '' : ',',
    text.slice(place),
  ].join('')
}

function removeMember(text: string, object: JsonObject, member: JsonMember): string {
  const index = object.members.indexOf(member)
  const before = object.members[index - 1]
  const after = object.members[index + 1]
  const comma = commaAfter(text, member.end)
  if (!before && !after) {
    const inner =
      text.slice(object.start + 1, member.start) + text.slice(comma ?? member.end, object.end - 1)
    const kept = inner.trim() === '' ? '' : inner
    return text.slice(0, object.start + 1) + kept + text.slice(object.end - 1)
  }
  if (after) {
    const end = skipToNext(text, comma ?? member.end, after.start)
    return text.slice(0, member.start) + text.slice(end)
  }
  // The last one: the comma of the one before goes, unless the file ends its lists with one.
  const start = text.slice(0, member.start).trimEnd().length
  const earlier = commaAfter(text, before!.end)
  const head =
    comma === undefined && earlier !== undefined
      ? text.slice(0, earlier - 1) + text.slice(earlier, start)
      : text.slice(0, start)
  return head + text.slice(comma ?? member.end)
}

/** To the next member, or to the remarks that stand above it. */
function skipToNext(text: string, from: number, next: number): number {
  const lineEnd = endOfLineParts(text, from)
  const rest = text.slice(lineEnd, next)
  return lineEnd + (rest.length - rest.trimStart().length)
}

/** The place behind a comma that follows, if one does. */
export function commaAfter(text: string, from: number): number | undefined {
  const at = skipSpace(text, from)
  return text.charAt(at) === ',' ? at + 1 : undefined
}

/** Behind blanks and remarks on the same line. */
export function endOfLineParts(text: string, from: number): number {
  const match = /^(?:[ \t]*\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(
    text.slice(from),
  )
  return from + (match?.[0].length ?? 0)
}

export function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ''
}

/** Lists of plain values stay on one line while they fit. */
export function renderJson(value: Plain, indent: string, style: FileStyle): string {
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = indent + style.unit
  const line = renderInLine(value)
  if (Array.isArray(value) && inner.length + line.length <= 100) return line
  const parts = Array.isArray(value)
    ? value.map((item) => renderJson(item as Plain, inner, style))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}: ${renderJson(item as Plain, inner, style)}`,
      )
  if (parts.length === 0) return line
  const body = parts.map((part) => inner + part).join(`,${style.eol}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}${style.eol}${body}${style.eol}${indent}${close}`
}

function renderInLine(value: Plain): string {
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value))
    return `[${value.map((item) => renderInLine(item as Plain)).join(', ')}]`
  const parts = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${renderInLine(item as Plain)}`,
  )
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
