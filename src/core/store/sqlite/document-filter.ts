/** A filter of documents as a condition of SQL. */
import { entityPath } from '../../domain/entity-document.ts'
import type { DocumentFilter } from '../document-store.ts'
import { foldPath, foldTag } from '../fold-names.ts'
import { IN_LISTED, listed } from './among.ts'

/** SQLite's default limit of bound values is larger; this keeps statements reusable. */
const IN_LIST = 256

const ENTITIES = entityPath('')

export function whereOf(filter: DocumentFilter): { where: string; values: (string | number)[] } {
  const terms: string[] = []
  const values: (string | number)[] = []
  const oneOf = (column: string, allowed: readonly string[]): void => {
    terms.push(`${column} IN (${allowed.map(() => '?').join(', ')})`)
    values.push(...allowed)
  }
  if (filter.among) {
    terms.push(`no ${IN_LISTED}`)
    values.push(listed(filter.among))
  }
  if (filter.sources) oneOf('source', filter.sources.slice(0, IN_LIST))
  if (filter.types) oneOf('type', filter.types.slice(0, IN_LIST))
  if (filter.kind) {
    // The paths of entities have a beginning that no file's path has.
    terms.push(`substr(path, 1, ${ENTITIES.length}) ${filter.kind === 'entity' ? '=' : '<>'} ?`)
    values.push(ENTITIES)
  }
  if (filter.pathPrefix) {
    const prefix = foldPath(filter.pathPrefix)
    terms.push('path_folded >= ? AND path_folded < ?')
    values.push(prefix, `${prefix}\u{10ffff}`)
  }
  if (filter.tags && filter.tags.length > 0) {
    const tags = [...new Set(filter.tags.map(foldTag))].slice(0, IN_LIST)
    // A tag stands for those nested in it too: what begins with "tag/" comes before "tag0".
    const one = '(tag = ? OR (tag >= ? AND tag < ?))'
    const having = (conditions: string) => `no IN (SELECT doc FROM tags WHERE ${conditions})`
    if (filter.tagMode === 'all') terms.push(...tags.map(() => having(one)))
    else terms.push(having(tags.map(() => one).join(' OR ')))
    values.push(...tags.flatMap((tag) => [tag, `${tag}/`, `${tag}0`]))
  }
  if (filter.updatedAfter !== undefined) {
    terms.push('updated_at >= ?')
    values.push(filter.updatedAfter)
  }
  if (filter.updatedBefore !== undefined) {
    terms.push('updated_at < ?')
    values.push(filter.updatedBefore)
  }
  return { where: terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : '', values }
}
