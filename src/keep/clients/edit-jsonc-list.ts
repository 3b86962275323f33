/** Adds an item to a list in a JSON file with comments, or takes it out; every other byte stays. */
import { invalid } from '../../core/domain/error.ts'
import type { Entry } from './client.ts'
import {
  commaAfter,
  endOfLineParts,
  indentAt,
  removeFromJsonc,
  renderJson,
  setInJsonc,
  styleOf,
} from './edit-jsonc.ts'
import { parseJsonc, skipSpace, valueOf } from './parse-jsonc.ts'
import type { JsonNode } from './parse-jsonc.ts'

type JsonList = Extract<JsonNode, { readonly kind: 'array' }>

/** At the end of the list that `path` leads to; what is missing on the way is made. */
export function addToList(text: string, path: readonly string[], item: Entry): string {
  const list = listAt(text, path)
  if (!list) return setInJsonc(text, path, [item] as unknown as Entry)
  const style = styleOf(text)
  const outer = indentAt(text, list.start)
  const last = list.items.at(-1)
  if (!last) {
    const inner = text.slice(list.start + 1, list.end - 1).trimEnd()
    const indent = outer + style.unit
    const body = `${inner}${style.eol}${indent}${renderJson(item, indent, style)}${style.eol}${outer}`
    return text.slice(0, list.start + 1) + body + text.slice(list.end - 1)
  }
  const isInLine = !text.slice(list.start, list.end).includes('\n')
  if (isInLine) return `${text.slice(0, last.end)}, ${JSON.stringify(item)}${text.slice(last.end)}`
  const indent = indentAt(text, last.start)
  const comma = commaAfter(text, last.end)
  const place = endOfLineParts(text, comma ?? last.end)
  return [
    text.slice(0, last.end),
    comma === undefined ? ',' : '',
    text.slice(last.end, place),
    `${style.eol}${indent}${renderJson(item, indent, style)}`,
    comma === undefined ? '' : ',',
    text.slice(place),
  ].join('')
}

/** Takes out the items that `isOurs` knows; a list that would be left empty goes too. */
export function removeFromList(
  text: string,
  path: readonly string[],
  isOurs: (item: unknown) => boolean,
): string {
  const list = listAt(text, path)
  const ours = list?.items.filter((item) => isOurs(valueOf(item))) ?? []
  if (!list || ours.length === 0) return text
  if (ours.length === list.items.length) return removeFromJsonc(text, path)
  return removeFromList(withoutItem(text, list, ours[0]!), path, isOurs)
}

function withoutItem(text: string, list: JsonList, item: JsonNode): string {
  const index = list.items.indexOf(item)
  const before = list.items[index - 1]
  const comma = commaAfter(text, item.end)
  if (!before) return text.slice(0, item.start) + text.slice(skipSpace(text, comma ?? item.end))
  const start = text.slice(0, item.start).trimEnd().length
  if (comma !== undefined) return text.slice(0, start) + text.slice(comma)
  // The last one: the comma of the one before goes, and a remark behind that stays.
  const earlier = commaAfter(text, before.end) ?? before.end
  return text.slice(0, earlier - 1) + text.slice(earlier, start) + text.slice(item.end)
}

export function itemsAt(text: string, path: readonly string[]): readonly unknown[] {
  return listAt(text, path)?.items.map(valueOf) ?? []
}

function listAt(text: string, path: readonly string[]): JsonList | undefined {
  let node = parseJsonc(text)
  for (const key of path) {
    if (node === undefined) return undefined
    if (node.kind !== 'object') throw notThat(key)
    node = node.members.findLast((member) => member.key === key)?.value
  }
  if (node === undefined) return undefined
  if (node.kind !== 'array') throw notThat(path.at(-1) ?? '')
  return node
}

function notThat(key: string) {
  return invalid(
    `What should hold ${JSON.stringify(key)} has another shape.`,
    'Mend the file by hand; it was left as it is.',
  )
}
