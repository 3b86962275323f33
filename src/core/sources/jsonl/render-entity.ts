/**
 * How does an entity read as a document? What it is stands in front, one value of JSON per line;
 * then its name, its description and what it is related to. `parsing/entity/` reads it again.
 */
import type { Entity, Relation } from '../../domain/entity.ts'
import { cutText } from '../../kit/cut-text.ts'
import { parseStoredTime } from '../../domain/stored-time.ts'

/** A context says why a relation is there; whoever wants all of it asks for the relation. */
const CONTEXT_LIMIT = 500

export function renderEntity(
  entity: Entity,
  outgoing: readonly Relation[],
  aliases: readonly string[] = [],
): string {
  const { observations: _, ...extra } = entity.extra
  const facts: Record<string, unknown> = {
    id: entity.id,
    name: entity.name,
    type: entity.type,
    category: entity.category,
    tags: entity.tags,
    ...(aliases.length > 0 && { aliases }),
    updated_at: instantOf(entity.updatedAt),
    relations: outgoing.length,
    ...(Object.keys(extra).length > 0 && { extra }),
  }
  const lines = Object.entries(facts).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const body = [`# ${oneLine(entity.name)}`, entity.desc.trim()].filter((part) => part !== '')
  const related = outgoing.length > 0 ? ['## Relations', outgoing.map(lineOf).join('\n')] : []
  return `---\n${lines.join('\n')}\n---\n\n${[...body, ...related].join('\n\n')}\n`
}

/** `- uses → graph-db — for the index` */
function lineOf({ rel, dst, context }: Relation): string {
  const why = cutText(oneLine(context), CONTEXT_LIMIT)
  return `- ${token(rel)} → ${token(dst)}${why === '' ? '' : ` — ${why}`}`
}

/** As it is where that can be read back, else quoted. */
function token(text: string): string {
  const plain = /^[^\s"](?:[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*\S)?$/.test(text)
  return plain && !/ [→—]|[→—] /.test(text) ? text : JSON.stringify(text)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** With its zone, so that everyone reads the same instant; what is no time stays as it is. */
function instantOf(stored: string): string {
  const at = parseStoredTime(stored)
  return at === undefined ? stored : new Date(at).toISOString()
}
