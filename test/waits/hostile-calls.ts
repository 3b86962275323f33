/**
 * Calls of a tool with a hostile text in one of its arguments, made from its schema: a tool that is
 * new, or has one more argument, is called without anyone adding it here.
 */
import { HOSTILE_IDS } from './hostile-base.ts'
import type { HostileText } from './hostile-texts.ts'

export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly additionalProperties?: Schema | boolean
}

export interface Tool {
  readonly name: string
  readonly inputSchema: Schema
  readonly annotations?: { readonly readOnlyHint?: boolean }
}

export interface HostileCall {
  /** Tool, argument and text, for whoever looks at what took long. */
  readonly name: string
  readonly args: Record<string, unknown>
}

/** What an argument of this name is when it is not the one in question. */
const USUAL: Readonly<Record<string, unknown>> = {
  id: 'notes/plain.md',
  ids: ['notes/plain.md'],
  slug: 'plain',
  from: 'notes/plain.md',
  to: 'notes/tea.md',
  source: 'notes/plain.md',
  target: 'notes/tea.md',
  query: 'tea',
  question: 'What is tea?',
  content: 'Some text.',
  section: 'Part',
  find: 'Text',
  replace: 'text',
  tags: ['tea'],
  title: 'Plain',
  lines: '1-3',
  uri: 'kb://notes/plain.md',
}

/**
 * Every string argument, with every text; every other argument with a text that it does not take;
 * one that there is not; and every note that is worth asking for.
 */
export function hostileCalls(
  { name, inputSchema, annotations }: Tool,
  texts: readonly HostileText[],
): readonly HostileCall[] {
  const { properties = {}, required = [] } = inputSchema
  const needed = Object.fromEntries(required.map((key) => [key, usual(key, properties[key])]))
  const writes = annotations?.readOnlyHint === false
  const refused = texts.flatMap((text) => [
    { name: `${name}(no such argument) ${text.name}`, args: { ...needed, [text.text]: 1 } },
    ...Object.entries(properties)
      .filter(([, schema]) => placesIn(schema, text.text).length === 0)
      .map(([key]) => ({
        name: `${name}(${key}) not ${text.name}`,
        args: { ...needed, [key]: text.text },
      })),
  ])
  const taken = Object.entries(properties).flatMap(([key, schema]) =>
    choices(properties, key).flatMap((chosen) => {
      const called = `${name}(${[...Object.values(chosen), key].join(' ')})`
      const companions = { ...needed, ...companionsOf(chosen, properties, key), ...chosen }
      const rehearsed = writes && properties['dry_run'] ? { dry_run: true } : {}
      return [
        ...texts.flatMap((text) =>
          placesIn(schema, text.text).map((value) => ({
            name: `${called} ${text.name}`,
            args: { ...companions, [key]: value },
          })),
        ),
        // Changed for good, the next one who asks would find another note.
        ...(writes && !properties['dry_run'] ? [] : HOSTILE_IDS).flatMap((id) =>
          placesIn(schema, id).map((value) => ({
            name: `${called} ${id}`,
            args: { ...companions, ...rehearsed, [key]: value },
          })),
        ),
      ]
    }),
  )
  return [...refused, ...taken]
}

/** A tool that does several things is asked for each of them. */
function choices(
  properties: Readonly<Record<string, Schema>>,
  key: string,
): readonly Record<string, unknown>[] {
  const switches = ['action', 'in', 'as', 'strategy', 'mode', 'report'].filter(
    (each) => each !== key && properties[each]?.enum,
  )
  const first = switches[0]
  if (first === undefined) return [{}]
  return [{}, ...properties[first]!.enum!.map((value) => ({ [first]: value }))]
}

/** What an action cannot do without; arguments it has no use for are refused. */
function companionsOf(
  { action }: Record<string, unknown>,
  properties: Readonly<Record<string, Schema>>,
  key: string,
): Record<string, unknown> {
  const needs: Readonly<Record<string, readonly string[]>> = {
    create: ['content'],
    replace: ['content'],
    append: ['content'],
    prepend: ['content'],
    edit_section: ['section', 'content'],
    find_replace: ['find', 'replace'],
    set_metadata: key === 'tags' ? [] : ['metadata'],
    move: ['to'],
    entity: ['id', 'category', 'type', 'name', 'desc', 'tags'],
    relation: ['src', 'rel', 'dst', 'context'],
  }
  const names = typeof action === 'string' ? (needs[action] ?? []) : []
  return Object.fromEntries(
    names
      .filter((name) => name !== key && properties[name])
      .map((name) => [name, usual(name, properties[name])]),
  )
}

function usual(name: string, schema: Schema | undefined): unknown {
  if (schema?.default !== undefined) return schema.default
  if (schema?.const !== undefined) return schema.const
  if (schema?.enum) return schema.enum[0]
  if (name in USUAL) return USUAL[name]
  const kind = schema?.anyOf?.[0]?.type ?? schema?.type
  if (kind === 'array') return []
  if (kind === 'object') return {}
  if (kind === 'boolean') return false
  if (kind === 'integer' || kind === 'number') return schema?.minimum ?? 1
  return 'plain'
}

const PARTS = 1_000

/** The text wherever the schema takes one: whole, as an item, as many items, as value and as key. */
function placesIn(schema: Schema, text: string): unknown[] {
  const { type, anyOf, items, properties, additionalProperties } = schema
  if (anyOf) return anyOf.flatMap((each) => placesIn(each, text))
  if (schema.enum || schema.const !== undefined) return []
  const types = typeof type === 'string' ? [type] : (type ?? [])
  const found: unknown[] = []
  if (types.includes('string')) found.push(text)
  if (types.includes('array') && items && placesIn(items, text).length > 0) {
    const length = Math.max(1, Math.ceil(text.length / PARTS))
    found.push(
      ...placesIn(items, text).map((each) => [each]),
      Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
        text.slice(index * length, (index + 1) * length),
      ),
    )
  }
  if (types.includes('object')) {
    for (const [key, each] of Object.entries(properties ?? {})) {
      found.push(...placesIn(each, text).map((value) => ({ [key]: value })))
    }
    if (!properties || additionalProperties) found.push({ key: text }, { [text]: 1 })
  }
  return found
}
