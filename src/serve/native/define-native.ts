/**
 * What clients are told of a native tool. The list is read by every model in every conversation, so
 * nothing is said that the protocol takes for granted.
 */
import type { ObjectSchema, ToolDefinition } from '../door/surface.ts'
import { callOf, schemaOf } from '../door/tool.ts'
import type { ToolDescription } from '../door/tool.ts'

/** Tools whose replies programs read; the others name their fields themselves. */
const READ_BY_PROGRAMS = ['search', 'fetch']

export function defineNative(row: ToolDescription): ToolDefinition {
  const { annotations, title, inputSchema, ...definition } = callOf(row)
  const { readOnlyHint, destructiveHint, ...others } = annotations
  const described = READ_BY_PROGRAMS.includes(row.name)
  return {
    ...definition,
    // A client shows the name where there is no title.
    ...(title?.toLowerCase() !== row.name && { title }),
    inputSchema: announced(inputSchema, row.rare ?? []),
    outputSchema: described ? plainRows(schemaOf(row.output)) : { type: 'object' },
    annotations: { ...(readOnlyHint ? { readOnlyHint } : { destructiveHint }), ...others },
  }
}

/**
 * Arguments for programs and rare cases stand in docs/reference.md, defaults and bounds in the
 * errors of those who go beyond them.
 */
function announced(schema: ObjectSchema, rare: readonly string[]): ObjectSchema {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, object>)
  return {
    ...schema,
    properties: Object.fromEntries(
      properties
        .filter(([name]) => !rare.includes(name))
        .map(([name, property]) => [name, withoutBounds(property)]),
    ),
  }
}

const UNSAID = ['default', 'minimum', 'maximum', 'maxItems']

function withoutBounds(property: object): object {
  return Object.fromEntries(Object.entries(property).filter(([key]) => !UNSAID.includes(key)))
}

/** What is in a reply; that the rows of a list are objects says nothing about them. */
function plainRows(schema: ObjectSchema): ObjectSchema {
  const properties = Object.entries(schema['properties'] ?? {})
  return {
    type: 'object',
    properties: Object.fromEntries(
      properties.map(([name, each]) => [name, isRows(each) ? { type: 'array' } : each]),
    ),
  }
}

function isRows(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"array","items":{"type":"object"}}'
}
