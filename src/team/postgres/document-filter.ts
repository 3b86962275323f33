/** A filter of documents as a condition of SQL. */
import { entityPath } from '../../core/domain/entity-document.ts'
import type { DocumentFilter } from '../../core/store/document-store.ts'
import { foldPath, foldTag } from '../../core/store/fold-names.ts'
import type { Value } from './database.ts'
import { isKey } from './keys.ts'
import { KEY_CHARACTERS } from './schema.ts'
import { endOf, kept, numberArray, textArray } from './values.ts'

const ENTITIES = entityPath('')

/** `$1` is the base; what `values` holds begins with `$2`. */
export function whereOf(filter: DocumentFilter): { where: string; values: Value[] } {
  const terms = ['base = $1']
  const values: Value[] = []
  const bound = (value: Value): string => `$${values.push(value) + 1}`
  if (filter.among) terms.push(`no = ANY (${bound(numberArray(filter.among))}::integer[])`)
  if (filter.sources) terms.push(`source = ANY (${bound(textArray(filter.sources))}::text[])`)
  if (filter.types) terms.push(`type = ANY (${bound(textArray(filter.types))}::text[])`)
  if (filter.kind) {
    // The paths of entities have a beginning that no file's path has.
    const isOne = `left(path, ${ENTITIES.length}) = ${bound(ENTITIES)}`
    terms.push(filter.kind === 'entity' ? isOne : `NOT ${isOne}`)
  }
  if (filter.pathPrefix) {
    const prefix = kept(foldPath(filter.pathPrefix))
    terms.push(between('path_folded', bound(prefix), bound(endOf(prefix))))
  }
  if (filter.tags && filter.tags.length > 0) {
    const tags = [...new Set(filter.tags.map(foldTag))]
    // A tag stands for those nested in it too: what begins with "tag/" comes before "tag0".
    const one = (tag: string): string => {
      const key = isKey('key', `${bound(kept(tag))}::text`, kept(tag))
      return `(${key} OR (${between('key', bound(`${kept(tag)}/`), bound(`${kept(tag)}0`))}))`
    }
    const having = (condition: string): string =>
      `no IN (SELECT doc FROM cairn.tags WHERE base = $1 AND ${condition})`
    if (filter.tagMode === 'all') terms.push(...tags.map((tag) => having(one(tag))))
    else terms.push(having(`(${tags.map(one).join(' OR ')})`))
  }
  if (filter.updatedAfter !== undefined) {
    terms.push(`updated_at >= ${bound(filter.updatedAfter)}`)
  }
  if (filter.updatedBefore !== undefined) {
    terms.push(`updated_at < ${bound(filter.updatedBefore)}`)
  }
  return { where: `WHERE ${terms.join(' AND ')}`, values }
}

/** From the first to before the second, with the help of the index on how texts begin. */
export function between(column: string, from: string, to: string): string {
  const begin = (text: string): string => `left(${text}, ${KEY_CHARACTERS})`
  return `${begin(column)} >= ${begin(from)} AND ${begin(column)} <= ${begin(to)}
    AND ${column} >= ${from} AND ${column} < ${to}`
}
