/** Looks through all files now, and puts into the index what nobody has put there yet. */
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { awaitIndex } from '../../core/operations/view/await-index.ts'
import type { View } from '../../core/operations/view/view.ts'
import { putIntoIndex } from '../../core/operations/writing/put-into-index.ts'

export interface LookedAgain {
  readonly files: number
  readonly changed: number
  readonly gone: number
}

const BATCH = 500

export async function lookAgain(kb: View, signal: AbortSignal): Promise<LookedAgain> {
  await awaitIndex(kb)
  const report = { files: 0, changed: 0, gone: 0 }
  for (const [source, place] of kb.sources) {
    const { files, skipped } = await place.scan()
    const own = files.filter(({ path }) => !isEntityPath(path))
    const known = new Map((await kb.base.store.files(source)).map((file) => [file.path, file]))
    const changed = own.filter(({ path, size, modifiedAt }) => {
      const record = known.get(path)
      return record?.size !== size || record.modifiedAt !== modifiedAt
    })
    const present = new Set([...files, ...skipped].map(({ path }) => path))
    const gone = [...known.values()].filter(
      ({ path, doc }) => doc !== undefined && !present.has(path),
    )
    const places = [...changed, ...gone].map(({ path }) => ({ source, path }))
    for (let at = 0; at < places.length; at += BATCH) {
      signal.throwIfAborted()
      await putIntoIndex(kb, places.slice(at, at + BATCH))
    }
    report.files += own.length
    report.changed += changed.length
    report.gone += gone.length
  }
  return report
}
