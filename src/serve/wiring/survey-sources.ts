/** A dry run of what an index would read: the files of each source, and what is passed by. */
import { resolveSources } from '../config/sources.ts'
import type { LeftOut } from '../../core/domain/source.ts'
import { DEFAULT_MAX_FILE_BYTES } from '../../core/sources/folder/open-folder-source.ts'
import { openSources } from '../parts/sources.ts'

export interface SurveyedSource {
  readonly path: string
  readonly documents: number
  /** Files that could be read and are not, such as those that are too large. */
  readonly skipped: number
  readonly leftOut: LeftOut
}

export async function surveySources(
  asked: readonly { readonly path: string; readonly exclude: readonly string[] }[],
): Promise<readonly SurveyedSource[]> {
  const sources = resolveSources(
    asked.map(({ path, exclude }) => ({ path, exclude, include: [], hidden: false })),
  )
  const opened = openSources({ sources, maxFileBytes: DEFAULT_MAX_FILE_BYTES, readOnly: true })
  const surveyed: SurveyedSource[] = []
  try {
    for (const { name, path, kind } of sources) {
      const scan = await opened.get(name)!.scan()
      surveyed.push({
        path,
        // A memory is one file, however many things it remembers.
        documents: kind === 'graph' ? Math.min(1, scan.files.length) : scan.files.length,
        skipped: scan.skipped.length,
        leftOut: scan.leftOut ?? { types: {}, rules: {} },
      })
    }
    return surveyed
  } finally {
    for (const source of opened.values()) await source.close?.()
  }
}
