/** Opens the sources a configuration names. */
import type { Source } from '../domain/source.ts'
import type { Warning } from '../domain/warning.ts'
import { openFolderSource } from '../sources/folder/open-folder-source.ts'
import type { Config } from './config.ts'

export function openSources(
  config: Pick<Config, 'sources' | 'maxFileBytes'>,
  onWarning?: (warning: Warning) => void,
): ReadonlyMap<string, Source> {
  return new Map(
    config.sources.map(({ name, path, include, exclude, hidden, heedsIgnoreFiles = true }) => [
      name,
      openFolderSource({
        name,
        root: path,
        ...(include.length > 0 && { include }),
        ...(exclude.length > 0 && { exclude }),
        hidden,
        heedsIgnoreFiles,
        maxFileBytes: config.maxFileBytes,
        watching: {
          onWarning: (message: string) => onWarning?.({ kind: 'index', message, ref: name }),
        },
      }),
    ]),
  )
}
