/** What may become a line. Everything here is decided before a lock is taken or a file touched. */
import { ENTITY_CATEGORIES, ENTITY_ID_LIMIT } from './entity.ts'
import { isEntityCategory, isNewEntityId } from './entity.ts'
import type { Extra } from './entity.ts'
import { GraphError } from './entity-graph.ts'
import type { AddEntityOptions, EntityDraft, RelationDraft } from './entity-graph.ts'
import { quoted } from './error.ts'
import { ENTITY_KEYS, RELATION_KEYS } from './stored-entity.ts'

/** Ids that come from elsewhere are names, and some names are sentences. */
const FOREIGN_ID_LIMIT = 512
const CATEGORY_LIMIT = 128
const TYPE_LIMIT = 128
const NAME_LIMIT = 512
const PREDICATE_LIMIT = 64
/** Those who let a model name a relation have whole phrases. */
const FOREIGN_PREDICATE_LIMIT = 512
const TAG_LIMIT = 128
const TAGS_LIMIT = 100
/** A description is short; the longest that anybody was seen to write is a hundredth of this. */
const TEXT_LIMIT = 100_000
/** What somebody has observed over years is longer. */
const FOREIGN_TEXT_LIMIT = 1_000_000
const STAMP_LIMIT = 64
const EXTRA_LIMIT = 1024 * 1024
/** Observations are kept one by one besides, and JSON makes some characters longer. */
const FOREIGN_EXTRA_LIMIT = 4 * EXTRA_LIMIT

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

export interface CheckedEntity extends EntityDraft {
  readonly tags: readonly string[]
}

export function checkEntity(
  draft: EntityDraft,
  { anyId = false, anyCategory = false }: AddEntityOptions,
): CheckedEntity {
  const category = anyCategory ? draft.category.replace(/\.jsonl$/, '') : draft.category
  const { id, type, name, desc, updatedAt, extra } = draft
  if (!(anyId ? isForeignId(id) : isNewEntityId(id))) throw badId(id, anyId)
  if (!(anyCategory ? isFileStem(category) : isEntityCategory(category))) {
    throw badCategory(draft.category, anyCategory)
  }
  requireLine('type', type, TYPE_LIMIT)
  requireLine('name', name, NAME_LIMIT)
  requireText('desc', desc, anyId ? FOREIGN_TEXT_LIMIT : TEXT_LIMIT)
  if (desc.trim() === '') throw badField('desc', 'is blank')
  if (updatedAt !== undefined && updatedAt !== '') requireLine('updatedAt', updatedAt, STAMP_LIMIT)
  requireExtra(extra, ENTITY_KEYS, anyId ? FOREIGN_EXTRA_LIMIT : EXTRA_LIMIT)
  return { ...draft, category, tags: tidyTags(draft.tags ?? []) }
}

export function checkRelation(draft: RelationDraft, anyRel: boolean): RelationDraft {
  const { src, rel, dst, context = '', createdAt, extra } = draft
  // Ends are any stored id, of which nothing is known but that it is not blank.
  if (src.trim() === '') throw badField('src', 'is blank')
  if (dst.trim() === '') throw badField('dst', 'is blank')
  requireLine('rel', rel, anyRel ? FOREIGN_PREDICATE_LIMIT : PREDICATE_LIMIT)
  requireText('context', context, TEXT_LIMIT)
  if (createdAt !== undefined && createdAt !== '') requireLine('createdAt', createdAt, STAMP_LIMIT)
  requireExtra(extra, RELATION_KEYS, EXTRA_LIMIT)
  return draft
}

/** Trimmed, without blanks and repeats. */
function tidyTags(tags: readonly string[]): readonly string[] {
  // Looked at before anything is done with them: there may be a million.
  if (tags.length > TAGS_LIMIT) throw badField('tags', `are more than ${TAGS_LIMIT}`)
  const tidy = new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))
  for (const tag of tidy) requireLine('tags', tag, TAG_LIMIT)
  return [...tidy]
}

/** `people`, or `tech_stack/ai`: names of files and folders that lead nowhere else. */
function isFileStem(category: string): boolean {
  const parts = category.split('/')
  return (
    category.length <= CATEGORY_LIMIT &&
    parts.every(
      (part) => /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_. -]*$/u.test(part) && !/[. ]$/.test(part),
    )
  )
}

function isForeignId(id: string): boolean {
  return id.length <= FOREIGN_ID_LIMIT && id.trim() !== '' && !CONTROL.test(id)
}

function requireLine(field: string, text: string, limit: number): void {
  if (text.trim() === '') throw badField(field, 'is blank')
  if (text.length > limit) throw badField(field, `is longer than ${limit} characters`)
  if (CONTROL.test(text)) throw badField(field, 'has more than one line or control characters')
}

function requireText(field: string, text: string, limit: number): void {
  if (text.length > limit) throw badField(field, `is longer than ${limit} characters`)
}

function requireExtra(extra: Extra | undefined, usual: readonly string[], limit: number): void {
  if (!extra) return
  const taken = Object.keys(extra).find((key) => usual.includes(key))
  if (taken !== undefined) throw badField(taken, 'cannot be given twice')
  if (JSON.stringify(extra).length > limit) {
    throw badField('extra', `is longer than ${limit / EXTRA_LIMIT} MB`)
  }
}

function badId(id: string, anyId: boolean): GraphError {
  return new GraphError(
    'id',
    'invalid',
    `The id ${quoted(id)} is not allowed.`,
    anyId
      ? `Use a text of one line with at most ${FOREIGN_ID_LIMIT} characters.`
      : `Use lower-case letters, digits and hyphens, at most ${ENTITY_ID_LIMIT}: "graph-db".`,
  )
}

function badCategory(category: string, anyCategory: boolean): GraphError {
  return new GraphError(
    'category',
    'invalid',
    `The category ${quoted(category)} is not allowed.`,
    anyCategory
      ? 'Use the name of a file without its ending: letters, digits, _ and -, such as "concepts".'
      : `Use one of ${ENTITY_CATEGORIES.join(', ')}.`,
  )
}

function badField(field: string, problem: string): GraphError {
  return new GraphError(
    'field',
    'invalid',
    `The field ${field} ${problem}.`,
    'Nothing was added. Correct the field and try again.',
  )
}
