/** Sets or removes one key of a mapping in a YAML file, and leaves every other byte alone. */
import { isMap, isScalar, parseDocument, stringify } from 'yaml'
import type { Document, Pair, YAMLMap } from 'yaml'
import { invalid } from '../../core/domain/error.ts'
import { LONGEST_YAML_FILE, MOST_YAML_ALIASES, yamlTrouble } from '../../core/kit/yaml-limits.ts'
import type { Entry } from './client.ts'

export function readYaml(text: string): unknown {
  const document = documentOf(text)
  try {
    return document.toJS({ maxAliasCount: MOST_YAML_ALIASES }) ?? {}
  } catch (error) {
    throw unreadable(yamlTrouble(error))
  }
}

/** `path` is the key of a mapping at the root, and the key of the entry in it. */
export function setInYaml(text: string, path: readonly string[], entry: Entry): string {
  const [container = '', name = ''] = path
  const root = documentOf(text).contents
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  if (root !== null && !isMap(root)) throw notEditable()
  const holder = root && pairOf(root, container)
  if (!holder) {
    const before = text === '' || text.endsWith('\n') ? text : text + eol
    return before + block({ [container]: { [name]: entry } }, '', eol)
  }
  if (!isMap(holder.value) || holder.value.items.length === 0) {
    // `extensions:` and `extensions: {}` have no place for an entry yet.
    const { start, end } = placeOf(text, holder)
    if (isMap(holder.value) || isEmpty(holder.value)) {
      return (
        text.slice(0, start) + block({ [container]: { [name]: entry } }, '', eol) + text.slice(end)
      )
    }
    throw notEditable()
  }
  if (holder.value.flow) throw notEditable()
  const existing = pairOf(holder.value, name)
  const neighbour = existing ?? holder.value.items.at(-1)!
  const { start, end, indent } = placeOf(text, neighbour)
  const lines = block({ [name]: entry }, indent, eol)
  const before = text.slice(0, end)
  const gap = before.endsWith('\n') ? '' : eol
  return existing
    ? text.slice(0, start) + lines + text.slice(end)
    : before + gap + lines + text.slice(end)
}

/** A mapping that would be left empty goes too. */
export function removeFromYaml(text: string, path: readonly string[]): string {
  const [container = '', name = ''] = path
  const root = documentOf(text).contents
  const holder = isMap(root) ? pairOf(root, container) : undefined
  const pair = isMap(holder?.value) ? pairOf(holder.value, name) : undefined
  if (!holder || !pair || !isMap(holder.value)) return text
  if (holder.value.flow) throw notEditable()
  const { start, end } = placeOf(text, holder.value.items.length === 1 ? holder : pair)
  return text.slice(0, start) + text.slice(end)
}

function documentOf(text: string): Document.Parsed {
  if (text.length > LONGEST_YAML_FILE) {
    throw unreadable(`It is longer than ${LONGEST_YAML_FILE} characters`)
  }
  const document = parseDocument(text, { prettyErrors: true })
  const [error] = document.errors
  if (error) throw unreadable(yamlTrouble(error).replace(/:$/, ''))
  return document as Document.Parsed
}

function unreadable(why: string): Error {
  return invalid(`${why}.`, 'Mend the file by hand; it was left as it is.')
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)
}

function isEmpty(value: unknown): boolean {
  return value === null || (isScalar(value) && value.value === null)
}

/** The lines of a pair, from the beginning of the first to the end of the last. */
function placeOf(text: string, pair: Pair): { start: number; end: number; indent: string } {
  const key = (pair.key as { range: [number, number, number] }).range
  const value = (pair.value as { range?: [number, number, number] } | null)?.range
  const start = text.lastIndexOf('\n', key[0] - 1) + 1
  const last = Math.max(value?.[1] ?? key[1], key[1])
  // A block ends where its last line does, and may count that line's end as its own.
  const trimmed = text.slice(0, last).trimEnd().length
  const lineEnd = text.indexOf('\n', Math.max(trimmed, key[1]))
  const end = lineEnd < 0 ? text.length : lineEnd + 1
  return { start, end, indent: text.slice(start, key[0]) }
}

function block(value: Record<string, unknown>, indent: string, eol: string): string {
  return stringify(value, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((line) => indent + line + eol)
    .join('')
}

function notEditable(): Error {
  return invalid(
    'The file is written in a way that Cairn does not edit.',
    'Add the entry by hand; --print shows it.',
  )
}
