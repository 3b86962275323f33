/**
 * What does one line say? An entity or a relation in this graph's own keys, or one of the
 * reference memory server, whose lines carry `"type":"entity"` or `"type":"relation"`. Never
 * throws: what cannot be understood is a reason, said to a person.
 */
import { ENTITY_KEYS, RELATION_KEYS } from '../../domain/stored-entity.ts'
import type { Entity, Extra, Relation } from '../../domain/entity.ts'

/** What a file's lines are by default, and what its path says about them. */
export interface FileRole {
  readonly kind: 'entities' | 'relations'
  /** Below the root, with forward slashes. */
  readonly file: string
  readonly category: string
}

export type ParsedLine =
  | { readonly kind: 'entity'; readonly entity: Entity }
  | { readonly kind: 'relation'; readonly relation: Relation }
  | { readonly kind: 'blank' }
  | { readonly kind: 'bad'; readonly reason: string }

const NOTHING: Extra = Object.freeze({})
const NO_TAGS: readonly string[] = Object.freeze([])
const BLANK: ParsedLine = { kind: 'blank' }
/** Deeper than anybody nests. What is much deeper can be read, but not written out again. */
const DEPTH_LIMIT = 500

export function parseLine(text: string, line: number, role: FileRole): ParsedLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text.trim() === '' ? BLANK : bad('not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return bad('not a JSON object')
  }
  const object = value as Record<string, unknown>
  // Every level takes two brackets, so that nearly all lines are too short to be asked.
  if (text.length > 2 * DEPTH_LIMIT && isDeeper(object, DEPTH_LIMIT)) {
    return bad(`nested more than ${DEPTH_LIMIT} levels deep`)
  }
  if (object['type'] === 'entity' && object['id'] === undefined && 'entityType' in object) {
    return memoryEntity(object, line, role)
  }
  if (object['type'] === 'relation' && 'relationType' in object) {
    return memoryRelation(object, line, role)
  }
  return role.kind === 'entities'
    ? ownEntity(object, line, role)
    : ownRelation(object, line, role.file)
}

function ownEntity(
  object: Record<string, unknown>,
  line: number,
  { file, category }: FileRole,
): ParsedLine {
  const { id, type, name, desc, tags, updated_at: updatedAt } = object
  if (typeof id !== 'string' || id.trim() === '') return bad('an entity needs an id')
  if (!isText(type)) return notText('type')
  if (!isText(name)) return notText('name')
  if (!isText(desc)) return notText('desc')
  if (!isText(updatedAt)) return notText('updated_at')
  if (!isTags(tags)) return bad('tags is not a list of texts')
  const keys = Object.keys(object)
  const usual = isUsual(keys, ENTITY_KEYS)
  const entity: Entity = {
    id,
    type: type ?? '',
    category,
    name: name ?? id,
    desc: desc ?? '',
    tags: !tags || tags.length === 0 ? NO_TAGS : tags,
    updatedAt: updatedAt ?? '',
    extra: usual ? NOTHING : extraOf(object, keys, ENTITY_KEYS),
    keys: usual ? undefined : keys,
    origin: { file, line },
  }
  return { kind: 'entity', entity }
}

function ownRelation(object: Record<string, unknown>, line: number, file: string): ParsedLine {
  const { src, rel, dst, context, created_at: createdAt, weight } = object
  if (!isName(src) || !isName(rel) || !isName(dst)) {
    return bad('a relation needs src, rel and dst')
  }
  if (!isText(context)) return notText('context')
  if (!isText(createdAt)) return notText('created_at')
  const keys = Object.keys(object)
  const usual = isUsual(keys, RELATION_KEYS)
  const weighted = typeof weight === 'number'
  const relation: Relation = {
    src,
    rel,
    dst,
    context: context ?? '',
    createdAt: createdAt ?? '',
    weight: weighted ? weight : undefined,
    extra: usual
      ? NOTHING
      : extraOf(object, keys, weighted ? [...RELATION_KEYS, 'weight'] : RELATION_KEYS),
    keys: usual ? undefined : keys,
    origin: { file, line },
  }
  return { kind: 'relation', relation }
}

/**
 * In the memory server's files the name is the identity, and relations refer to it. It is kept as
 * the id, letter for letter: a slug would make `A_B` and `a b` one entity, or depend on what else
 * the file holds, and then on the order of its lines.
 */
function memoryEntity(
  object: Record<string, unknown>,
  line: number,
  { file, category }: FileRole,
): ParsedLine {
  const { name, entityType, observations, tags, updated_at: updatedAt } = object
  if (!isName(name)) return bad('an entity of the memory server needs a name')
  if (!isText(entityType)) return notText('entityType')
  if (!isTags(observations)) return bad('observations is not a list of texts')
  // Some keep more than the original does, under the same names as here.
  if (!isTags(tags)) return bad('tags is not a list of texts')
  if (!isText(updatedAt)) return notText('updated_at')
  const known = ['type', 'name', 'entityType', 'observations', 'tags', 'updated_at']
  const rest = extraOf(object, Object.keys(object), known)
  const entity: Entity = {
    id: name,
    type: entityType ?? '',
    category,
    name,
    desc: (observations ?? []).join('\n'),
    tags: tags ?? NO_TAGS,
    updatedAt: updatedAt ?? '',
    extra: { observations: observations ?? [], ...rest },
    keys: undefined,
    origin: { file, line },
  }
  return { kind: 'entity', entity }
}

function memoryRelation(
  object: Record<string, unknown>,
  line: number,
  { file }: FileRole,
): ParsedLine {
  const { from, to, relationType } = object
  if (!isName(from) || !isName(to) || !isName(relationType)) {
    return bad('a relation of the memory server needs from, to and relationType')
  }
  const known = ['type', 'from', 'to', 'relationType']
  const relation: Relation = {
    src: from,
    rel: relationType,
    dst: to,
    context: '',
    createdAt: '',
    weight: undefined,
    extra: extraOf(object, Object.keys(object), known),
    keys: undefined,
    origin: { file, line },
  }
  return { kind: 'relation', relation }
}

function bad(reason: string): ParsedLine {
  return { kind: 'bad', reason }
}

function notText(key: string): ParsedLine {
  return bad(`${key} is not a text`)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** `null` is what other languages write for a value that is not there. */
function isText(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string'
}

function isTags(value: unknown): value is string[] | null | undefined {
  if (value === undefined || value === null) return true
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

/** Whether there is something within something, and so on, more than `levels` times. */
function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'object' && inner !== null && isDeeper(inner, levels - 1)) return true
  }
  return false
}

function isUsual(keys: readonly string[], usual: readonly string[]): boolean {
  return keys.length === usual.length && keys.every((key, index) => key === usual[index])
}

/** `fromEntries` makes an own key even of `__proto__`, where an assignment would not. */
function extraOf(
  object: Record<string, unknown>,
  keys: readonly string[],
  known: readonly string[],
): Extra {
  const unknown = keys.filter((key) => !known.includes(key))
  return unknown.length === 0
    ? NOTHING
    : Object.fromEntries(unknown.map((key) => [key, object[key]]))
}
