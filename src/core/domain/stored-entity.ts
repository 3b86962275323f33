/** An entity or a relation as the object of its line, with the keys that the files use. */
import type { Entity, Relation } from './entity.ts'

/** The keys that a line usually has, in this order. */
export const ENTITY_KEYS = ['id', 'type', 'name', 'desc', 'tags', 'updated_at'] as const
export const RELATION_KEYS = ['src', 'rel', 'dst', 'context', 'created_at'] as const

export type StoredObject = Readonly<Record<string, unknown>>

/** Keys in the order they were written; a usual one that the line left out comes at the end. */
export function entityObject(entity: Entity): StoredObject {
  const { id, type, name, desc, tags, updatedAt, extra, keys } = entity
  const usual: StoredObject = { id, type, name, desc, tags, updated_at: updatedAt }
  return ordered(usual, extra, [...(keys ?? []), ...ENTITY_KEYS])
}

/** As stored: a key that the line left out stays out. */
export function relationObject(relation: Relation): StoredObject {
  const { src, rel, dst, context, createdAt, weight, extra, keys } = relation
  const usual: StoredObject = { src, rel, dst, context, created_at: createdAt, weight }
  return ordered(usual, extra, keys ?? RELATION_KEYS)
}

function ordered(usual: StoredObject, extra: StoredObject, keys: readonly string[]): StoredObject {
  const all = new Set([...keys, ...Object.keys(extra)])
  return Object.fromEntries(
    [...all].map((key) => [key, Object.hasOwn(extra, key) ? extra[key] : usual[key]]),
  )
}

/** The object's line: compact, other alphabets as they are, with its end. */
export function lineOf(object: StoredObject): string {
  return `${JSON.stringify(object)}\n`
}
