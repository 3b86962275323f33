/** Which graph takes what is brought in from a memory server? */
import { statSync } from 'node:fs'
import {
  type KnowledgeError,
  forbidden,
  invalid,
  notFound,
  quoted,
} from '../../core/domain/error.ts'
import { importMemory } from '../operations/import-memory.ts'
import type { ImportOptions, ImportReport } from '../operations/import-memory.ts'
import { readMemoryFile } from '../../core/sources/jsonl/read-memory-file.ts'
import type { Config, SourceConfig } from '../../serve/config/config.ts'
import { openGraph } from '../../serve/parts/open-graph.ts'

export interface ImportRequest extends ImportOptions {
  /** The source; needed when it is not clear. */
  readonly into?: string
  /** Makes `knowledge/` in a folder that has none. */
  readonly create?: boolean
}

export interface MemoryImport extends ImportReport {
  readonly source: string
  /** The folder that has `knowledge/` in it. */
  readonly folder: string
}

export async function importMemoryFile(
  config: Pick<Config, 'sources' | 'readOnly'>,
  file: string,
  { dryRun, ...request }: ImportRequest,
): Promise<MemoryImport> {
  if (config.readOnly && !dryRun) throw readOnlyBase()
  const { name, path } = chooseSource(config.sources, request)
  const memory = readMemoryFile(file)
  if (memory.entities.length + memory.relations.length === 0) throw nothingToImport(file)
  const graph = openGraph(path, { readOnly: dryRun })
  try {
    return { source: name, folder: path, ...(await importMemory(graph, memory, { dryRun })) }
  } finally {
    await graph.close()
  }
}

function chooseSource(
  sources: readonly SourceConfig[],
  { into, create = false }: Pick<ImportRequest, 'into' | 'create'>,
): SourceConfig {
  if (into !== undefined) {
    const named = sources.find(({ name }) => name === into)
    if (!named) throw noSuchSource(into, sources)
    if (!hasGraph(named) && !create) throw noGraph(`The source ${quoted(into)}`)
    if (isFile(named)) throw onlyRead(into)
    return named
  }
  const graphs = sources.filter((each) => hasGraph(each) && !isFile(each))
  const choice = graphs.length === 0 && create ? sources : graphs
  if (choice.length === 0) throw noGraph('This base')
  if (choice.length > 1) throw whichSource(choice)
  return choice[0]!
}

function hasGraph({ kind }: SourceConfig): boolean {
  return kind === 'graph' || kind === 'both'
}

function isFile({ path }: SourceConfig): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function onlyRead(name: string): KnowledgeError {
  return forbidden(
    `The source ${quoted(name)} is a single file, which is only read.`,
    'Import into a folder.',
  )
}

function readOnlyBase(): KnowledgeError {
  return forbidden(
    'This base is for reading only.',
    'Nothing was imported. Leave out --read-only, or look at --dry-run.',
  )
}

function noSuchSource(into: string, sources: readonly SourceConfig[]): KnowledgeError {
  return notFound(
    `There is no source ${quoted(into)}.`,
    `The sources are: ${sources.map(({ name }) => name).join(', ')}.`,
  )
}

function noGraph(what: string): KnowledgeError {
  return invalid(
    `${what} has no graph of entities.`,
    'Nothing was imported. Add --create to make the folder "knowledge" in it.',
  )
}

function whichSource(choice: readonly SourceConfig[]): KnowledgeError {
  return invalid(
    'It is not clear which source to import into.',
    `Say which with --into: ${choice.map(({ name }) => name).join(', ')}.`,
  )
}

function nothingToImport(file: string): KnowledgeError {
  return invalid(
    `${quoted(file)} holds no entity and no relation.`,
    'Name the file that the memory server keeps, such as memory.jsonl.',
  )
}
