/** Calls that are made up from the tables: a text in every place where a text goes. */
import { z } from 'zod'
import type { ToolDescription } from '../../src/serve/door/tool.ts'

/** Every tool with a probe in every place where a text goes, and every choice it has. */
export function* callsOf(
  row: ToolDescription,
  probe: string,
  withOptions: boolean,
): Iterable<Record<string, unknown>> {
  const parameter = (row as { parameter?: { name: string } }).parameter
  if (parameter) yield { [parameter.name]: probe }
  const { properties = {}, required = [] } = z.toJSONSchema(row.input, { io: 'input' }) as any
  const names = Object.keys(properties)
  const base = Object.fromEntries(
    names
      .filter((name) => required.includes(name))
      .map((name) => [name, valueFor(properties[name], probe)]),
  )
  yield base
  // What may be left out is tried with some of the probes.
  for (const name of withOptions ? names : []) {
    for (const value of choices(properties[name], probe)) yield { ...base, [name]: value }
  }
}

function choices(schema: any, probe: string): unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum
  return [valueFor(schema, probe)]
}

function valueFor(schema: any, probe: string): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const type = schema.type ?? schema.anyOf?.[0]?.type
  if (type === 'array') return [valueFor(schema.items ?? { type: 'string' }, probe)]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'object') return fieldsOf(schema, probe)
  return probe
}

/** Of an object every field that takes a text, or a list of them. */
function fieldsOf({ properties = {} }: any, probe: string): Record<string, unknown> {
  const isText = ({ type, items }: any): boolean => type === 'string' || items?.type === 'string'
  const texts = Object.entries(properties).filter(([, schema]) => isText(schema))
  return Object.fromEntries(texts.map(([name, schema]) => [name, valueFor(schema, probe)]))
}
