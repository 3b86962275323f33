/** Files as changes that are written together leave them, before anything of it is on disk. */
import { documentId } from '../../domain/document.ts'
import { foldName } from '../../kit/fold-name.ts'
import type { FileEdit } from '../../domain/file-edit.ts'
import type { FileBytes, Source } from '../../domain/source.ts'
import type { View } from '../view/view.ts'
import { digestOf } from './written-files.ts'

const NOBODY = { mode: 0, uid: 0, gid: 0, modifiedAt: 0 }

export class PendingFiles {
  readonly #files = new Map<string, FileBytes>()
  /** In one spelling: names that differ in case alone are one file on some disks. */
  readonly #names = new Set<string>()

  /**
   * Adds an edit of one file that stays where it is. False where it was worked out from something
   * else than what is there by then: it has to wait until the others are done.
   */
  take(edit: FileEdit & { readonly after: Uint8Array }): boolean {
    const { path, before, after } = edit
    const id = documentId(edit)
    const known = this.#files.get(id)
    if (known ? before?.digest !== known.digest : this.#names.has(foldName(id))) return false
    this.#names.add(foldName(id))
    this.#files.set(id, {
      ...(before ?? NOBODY),
      path,
      bytes: after,
      size: after.length,
      digest: digestOf(after),
      unrested: false,
    })
    return true
  }

  /** The view with these files as they will be. */
  over(kb: View): View {
    if (this.#files.size === 0) return kb
    const sources = [...kb.sources].map(([name, source]): [string, Source] => {
      const { writer } = source
      if (!writer) return [name, source]
      const load = async (path: string): Promise<FileBytes | undefined> => {
        // Who does not see the file does not see what becomes of it.
        const now = await writer.load(path)
        return now && (this.#files.get(documentId({ source: name, path })) ?? now)
      }
      return [name, { ...source, writer: { ...writer, load } }]
    })
    return { ...kb, sources: new Map(sources) }
  }
}
