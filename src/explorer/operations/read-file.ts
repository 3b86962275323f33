/**
 * The file behind a text that was made from it, for a person who wants to see it as it is. Only files
 * that are in the index and that the caller sees; and only in a form that runs nowhere: a PDF is
 * shown by the browser's own viewer, everything else is saved.
 */
import type { DocumentRecord } from '../../core/domain/document.ts'
import { conflict, forbidden, notFound, quoted } from '../../core/domain/error.ts'
import { extensionOf, lastSegment } from '../../core/kit/paths.ts'
import type { View } from '../../core/operations/view/view.ts'

export interface ShownFile {
  readonly bytes: Uint8Array
  readonly type: string
  /** `Content-Disposition`. */
  readonly disposition: string
  readonly digest: string
}

export async function readFile(kb: View, source: string, path: string): Promise<ShownFile> {
  const record = await kb.store.findByPath(source, path)
  const { converts, writer } = kb.sources.get(source) ?? {}
  if (!record || !converts?.(path)) throw noFile(path)
  if (!isShown(kb, record)) throw holdsSecret(path)
  const file = await writer?.load(path)
  if (!file) throw noFile(path)
  // Nobody has looked for secrets in what it is now.
  if (file.digest !== record.digest && !kb.showsSecrets) throw hasChanged(path)
  const { bytes, digest } = file
  const isPdf = extensionOf(path) === 'pdf'
  const name = encodeURIComponent(lastSegment(path)).replaceAll(/['()*]/g, percent)
  return {
    bytes,
    digest,
    type: isPdf ? 'application/pdf' : 'application/octet-stream',
    disposition: `${isPdf ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
  }
}

/** Where the page gets it; undefined for a document without a file of its own, and for whom it is not. */
export function fileUrl(kb: View, record: DocumentRecord): string | undefined {
  const { source, path } = record
  if (!kb.sources.get(source)?.converts?.(path) || !isShown(kb, record)) return undefined
  return `/web/file/${[source, ...path.split('/')].map(encodeURIComponent).join('/')}`
}

/** In bytes nothing can be masked. */
function isShown(kb: View, { secrets }: DocumentRecord): boolean {
  return kb.showsSecrets === true || (secrets ?? []).length === 0
}

const percent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

function noFile(path: string) {
  return notFound(
    `There is no picture ${quoted(path)}.`,
    'Pictures are shown from inside of a source only; look at the link in the note.',
  )
}

function holdsSecret(path: string) {
  return forbidden(
    `${quoted(path)} holds what looks like a secret.`,
    'Read its text, in which that is masked, or ask whoever looks after this server.',
  )
}

function hasChanged(path: string) {
  return conflict(`${quoted(path)} has just changed.`, 'Try again in a moment.')
}
