/** A repository as artifacts and subsystems: what is known of each file, put together. */
import type { CodeLanguage, CodeSymbol } from '../../domain/code.ts'
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import type { ArtifactType } from './artifact-type.ts'
import type { CatalogueEntry } from './catalogue.ts'

/** What a text says by itself, whatever it is called and whoever committed it. */
export interface TextFacts {
  /** Length in characters, and how many chunks that makes; none for a blank text. */
  readonly length: number
  readonly chunks: number
  readonly lines: number
  /** Words such as `OrderMessage`, and `TelemetryLatency`. */
  readonly messages: readonly string[]
  readonly telemetry: readonly string[]
}

export interface Artifact extends TextFacts {
  readonly doc: DocNo
  readonly path: string
  readonly type: ArtifactType
  readonly subsystem: string | undefined
  readonly criticality: string | number | undefined
  readonly namespace: string
  /** Of every chunk of it: messages, telemetry, its own, those of the subsystem. Sorted. */
  readonly tags: readonly string[]
  /** sha256 of the file's bytes, in hex. */
  readonly digest: string
  readonly secrets: DocumentRecord['secrets']
  readonly language: CodeLanguage | undefined
  /** One of them is the file itself, as a module. */
  readonly symbols: readonly CodeSymbol[]
  readonly commit: string | undefined
  /** Seconds since the epoch. */
  readonly committedAt: number | undefined
}

export interface Subsystem extends Omit<CatalogueEntry, 'paths'> {
  /** Whether the catalogue has it; others were inferred, or are only depended upon. */
  readonly listed: boolean
}

export interface RepositoryModel {
  readonly artifacts: readonly Artifact[]
  readonly byPath: ReadonlyMap<string, Artifact>
  readonly byDoc: ReadonlyMap<DocNo, Artifact>
  readonly subsystems: ReadonlyMap<string, Subsystem>
  /** The commit that is checked out. */
  readonly head: string | undefined
  readonly warnings: readonly string[]
}

/** 1 where there is something to find, 0 where nothing was. */
export function coverageRatio({ chunks }: Pick<Artifact, 'chunks'>): number {
  return chunks > 0 ? 1 : 0
}

export function chunkId(path: string, number: number): string {
  return `${path}::${number}`
}

export function symbolId(path: string, { qualifiedName }: CodeSymbol): string {
  return `${path}::${qualifiedName}`
}

/** Those of the catalogue, those that files belong to, and those that others depend on. */
export function subsystemsOf(
  entries: readonly CatalogueEntry[],
  artifacts: readonly Pick<Artifact, 'subsystem'>[],
): ReadonlyMap<string, Subsystem> {
  const found = new Map<string, Subsystem>()
  for (const { paths: _paths, ...entry } of entries) {
    found.set(entry.name, { ...entry, listed: true })
  }
  const names = [
    ...artifacts.flatMap(({ subsystem }) => subsystem ?? []),
    ...entries.flatMap(({ dependencies }) => dependencies),
  ]
  for (const name of names) if (!found.has(name)) found.set(name, unlisted(name))
  return found
}

function unlisted(name: string): Subsystem {
  return {
    name,
    description: undefined,
    criticality: undefined,
    owner: undefined,
    domain: undefined,
    tags: [],
    labels: [],
    dependencies: [],
    listed: false,
  }
}
