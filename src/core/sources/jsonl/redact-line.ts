/**
 * Redaction of a graph where its lines enter: what an entity or a relation says is known without
 * its secrets, so that no search tells of them. Ids stay, since relations go by them.
 */
import { mayHoldSecrets, withoutSecrets } from '../../domain/secrets.ts'
import { parseLine } from './parse-line.ts'
import type { FileRole, ParsedLine } from './parse-line.ts'

export function parseRedacted(text: string, line: number, role: FileRole): ParsedLine {
  const parsed = parseLine(text, line, role)
  if (!mayHoldSecrets(text)) return parsed
  if (parsed.kind === 'entity') {
    const { name, desc, tags, extra } = parsed.entity
    return { ...parsed, entity: { ...parsed.entity, ...redacted({ name, desc, tags, extra }) } }
  }
  if (parsed.kind === 'relation') {
    const { context, extra } = parsed.relation
    return { ...parsed, relation: { ...parsed.relation, ...redacted({ context, extra }) } }
  }
  return parsed
}

function redacted<Value>(value: Value): Value {
  if (typeof value === 'string') return withoutSecrets(value) as Value
  if (Array.isArray(value)) return value.map(redacted) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, redacted(each)]),
  ) as Value
}
