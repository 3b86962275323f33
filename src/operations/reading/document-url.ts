/** The addresses of a document: `kb://…` always works, a public URL where one is configured. */
import type { DocumentRecord } from '../../domain/document.ts'
import { entityIdOf, isEntityPath } from '../../domain/entity-document.ts'
import type { Knowledge } from '../view/knowledge.ts'

export function documentUri({ source, path }: Pick<DocumentRecord, 'source' | 'path'>): string {
  if (isEntityPath(path)) return `kb://entities/${encodeURIComponent(entityIdOf(path))}`
  return `kb://${encodeURIComponent(source)}/${encodePath(path)}`
}

/** The same from an id. */
export function documentUriOf(id: string): string {
  const slash = id.indexOf('/')
  return documentUri({ source: id.slice(0, slash), path: id.slice(slash + 1) })
}

export function documentUrl(
  kb: Pick<Knowledge, 'publicUrl'>,
  document: Pick<DocumentRecord, 'source' | 'path'>,
): string {
  if (!kb.publicUrl || isEntityPath(document.path)) return documentUri(document)
  const base = kb.publicUrl.endsWith('/') ? kb.publicUrl : `${kb.publicUrl}/`
  return `${base}${encodeURIComponent(document.source)}/${encodePath(document.path)}`
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
