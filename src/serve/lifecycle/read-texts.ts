/** Every document of a base with its text, as the files are now: for commands that look at lines. */
import { documentId } from '../../core/domain/document.ts'
import { findSecrets, named, takeOut } from '../../core/domain/secrets.ts'
import type { Source } from '../../core/domain/source.ts'
import type { DocumentStore } from '../../core/store/document-store.ts'

/** So many files are in memory at once. */
const READ_AT_ONCE = 100

export interface ReadText {
  readonly id: string
  /** With names in place of its secrets, and as many lines. */
  readonly text: string
  readonly secrets: readonly { readonly kind: string; readonly line: number }[]
}

export async function* readTexts(sources: Iterable<Source>): AsyncGenerator<ReadText> {
  for (const source of sources) {
    const { files } = await source.scan()
    const paths = files.map(({ path }) => path).toSorted()
    for (let at = 0; at < paths.length; at += READ_AT_ONCE) {
      for (const content of await source.read(paths.slice(at, at + READ_AT_ONCE))) {
        if (content.kind !== 'text') continue
        const secrets = findSecrets(content.text)
        const id = documentId({ source: source.name, path: content.path })
        yield {
          id,
          text: named(takeOut(content.text, secrets)),
          secrets: secrets.map(({ kind, start }) => ({
            kind,
            line: content.text.slice(0, start).split('\n').length,
          })),
        }
      }
    }
  }
}

/** What the index knows, without a look at the files. */
export async function indexedIds(
  store: Pick<DocumentStore, 'files'>,
  sources: Iterable<Source>,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { name } of sources) {
    for (const { path, doc } of await store.files(name)) {
      if (doc !== undefined) ids.push(documentId({ source: name, path }))
    }
  }
  return ids.toSorted()
}
