/** Opens the sources a configuration names. */
import { join } from 'node:path'
import type { Contents } from '../../core/domain/contents.ts'
import { quoted, unsupported } from '../../core/domain/error.ts'
import type { Source } from '../../core/domain/source.ts'
import type { Warning } from '../../core/domain/warning.ts'
import { openDatabaseSource } from '../../team/database/open-database-source.ts'
import { isRepository } from '../../core/sources/folder/is-repository.ts'
import { openFolderSource } from '../../core/sources/folder/open-folder-source.ts'
import { openGraphSource } from '../../core/sources/jsonl/open-graph-source.ts'
import { withoutPrivateNotes } from '../../core/sources/private-notes.ts'
import { withEntities } from '../../core/sources/with-entities.ts'
import type { Config, SourceConfig } from '../config/config.ts'
import { shelfOf } from '../config/sources.ts'
import { conversionFor, decoderFor, readableExtensions } from './formats.ts'
import { openGraph } from './open-graph.ts'

export type SourcesConfig = Pick<Config, 'sources' | 'maxFileBytes'> &
  Partial<Pick<Config, 'readOnly' | 'reading' | 'state'>>

export interface SourceParts {
  readonly onWarning?: (warning: Warning) => void
  /** What the store brings for documents that have no file. Asked when the first is read. */
  readonly contents?: () => Contents | undefined
}

export function openSources(
  config: SourcesConfig,
  parts: SourceParts = {},
): ReadonlyMap<string, Source> {
  return new Map(config.sources.map((source) => [source.name, openSource(source, config, parts)]))
}

function openSource(
  source: SourceConfig,
  config: SourcesConfig,
  { onWarning, contents }: SourceParts,
): Source {
  switch (source.kind) {
    case 'graph':
      return openEntities(source, config)
    case 'both':
      return withEntities(openFiles(source, config, onWarning), openEntities(source, config))
    case 'database':
      return openShelf(source, config, contents)
    case 'notes':
    case undefined:
      return openFiles(source, config, onWarning)
    default:
      return source.kind satisfies never
  }
}

function openEntities({ name, path }: SourceConfig, { readOnly }: SourcesConfig): Source {
  return openGraphSource({ name, root: path, openGraph: () => openGraph(path, { readOnly }) })
}

function openShelf(
  { name, path, readsAnyNote }: SourceConfig,
  { maxFileBytes, reading }: SourcesConfig,
  contents: SourceParts['contents'],
): Source {
  return withoutPrivateNotes(
    openDatabaseSource({
      name,
      shelf: shelfOf(path),
      contents() {
        const kept = contents?.()
        if (kept) return kept
        throw unsupported(
          `The source ${quoted(name)} is kept in a database, which this command does not open.`,
          'Export its documents with "cairn export DIR", and use these.',
        )
      },
      extensions: readableExtensions(reading),
      decode: decoderFor(reading, readsAnyNote),
      maxFileBytes,
    }),
  )
}

/** Settings that may hold passwords, among them our own, and lists that only machines read. */
const NOT_FOR_READERS: readonly string[] = [
  '**/{cairn,roux,nexus.config,mcp-metadata}.{yaml,yml}',
  '**/*{secret,credential,password,private-key}*.{json,yaml,yml,toml,ini,cfg,properties,conf,xml,tf}',
  '**/{package-lock,npm-shrinkwrap,composer.lock}.json',
  '**/pnpm-lock.yaml',
]

function openFiles(
  {
    name,
    path,
    include,
    exclude,
    hidden,
    heedsIgnoreFiles = true,
    readsAnyNote,
    isProgram,
  }: SourceConfig,
  { maxFileBytes, reading, state }: SourcesConfig,
  onWarning?: (warning: Warning) => void,
): Source {
  const holdsCode = isProgram ?? isRepository(path)
  return withoutPrivateNotes(
    openFolderSource({
      name,
      root: path,
      extensions: readableExtensions(reading, { settings: holdsCode, files: true }),
      holdsCode,
      conversion: conversionFor(reading, {
        settings: holdsCode,
        ...(state !== undefined && { folder: join(state, 'texts') }),
      }),
      decode: decoderFor(reading, readsAnyNote),
      ...(include.length > 0 && { include }),
      exclude: holdsCode ? [...exclude, ...NOT_FOR_READERS] : exclude,
      hidden,
      heedsIgnoreFiles,
      maxFileBytes,
      watching: {
        onWarning: (message: string) => onWarning?.({ kind: 'index', message, ref: name }),
      },
    }),
  )
}
