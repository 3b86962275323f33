/** The addresses of a document: `kb://…` always works, a public URL where one is configured. */
import { parsePlace } from '../../domain/document.ts'
import type { Place } from '../../domain/document.ts'
import { entityIdOf, isEntityPath } from '../../domain/entity-document.ts'
import type { View } from '../view/view.ts'

export function documentUri({ source, path }: Place): string {
  if (isEntityPath(path)) return `kb://entities/${encodeURIComponent(entityIdOf(path))}`
  return `kb://${encodeURIComponent(source)}/${encodePath(path)}`
}

/** The same from an id. */
export function documentUriOf(id: string): string {
  return documentUri(parsePlace(id))
}

export function documentUrl(kb: Pick<View, 'publicUrl'>, document: Place): string {
  if (!kb.publicUrl || isEntityPath(document.path)) return documentUri(document)
  const base = kb.publicUrl.endsWith('/') ? kb.publicUrl : `${kb.publicUrl}/`
  return `${base}${encodeURIComponent(document.source)}/${encodePath(document.path)}`
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
