/**
 * A graph of entities as a source: every entity is a document, made when it is read. Whatever can
 * be done with documents can then be done with entities.
 */
import { hash } from 'node:crypto'
import { compareIds } from '../../domain/document.ts'
import { entityIdOf, entityPath, isEntityPath } from '../../domain/entity-document.ts'
import type { EntityGraph } from '../../domain/entity-graph.ts'
import { KnowledgeError, unavailable } from '../../domain/error.ts'
import type {
  FileContent,
  SkippedFile,
  Source,
  SourceChange,
  Watching,
} from '../../domain/source.ts'
import { EntityEntries, entryOf, isOffered } from './entity-entries.ts'

export interface GraphSourceOptions {
  readonly name: string
  readonly root: string
  /** Called once, when the first entity is wanted. */
  readonly openGraph: () => EntityGraph
  /** How long a watcher waits between two looks. */
  readonly watchMs?: number
}

/**
 * Looking at the files takes a tenth of a millisecond, so a look now and then needs no events of
 * the system and misses nothing on a network drive.
 */
const WATCH_MS = 400
/** A look takes at most this share of the time. */
const WATCH_SHARE = 50
/** So many changes are not named one by one. */
const NAMED_CHANGES = 1_000

export function openGraphSource({
  name,
  root,
  openGraph,
  watchMs = WATCH_MS,
}: GraphSourceOptions): Source {
  let opened: { readonly graph: EntityGraph; readonly entries: EntityEntries } | undefined
  const open = () => {
    if (!opened) {
      const graph = openOrSay(openGraph)
      opened = { graph, entries: new EntityEntries(graph) }
    }
    return opened
  }
  return {
    name,
    root,
    graph: () => open().graph,
    async scan() {
      const { graph, entries } = open()
      const files = [...entries.follow().values()]
      return {
        files: files.toSorted((a, b) => compareIds(a.path, b.path)),
        skipped: leftOut(graph),
      }
    },
    async rescan(paths) {
      const { graph, entries } = open()
      const known = entries.follow()
      if (paths.includes('')) return this.scan()
      const ids = [...new Set(paths)].filter(isEntityPath)
      return {
        files: ids.map((path) => known.get(path)).filter((entry) => entry !== undefined),
        skipped: ids
          .filter((path) => !known.has(path) && graph.outgoing(entityIdOf(path)).length > 0)
          .map((path) => withoutEntity(entityIdOf(path))),
      }
    },
    async read(paths) {
      try {
        const { graph } = open()
        graph.refresh()
        return paths.map((path) => contentOf(graph, path))
      } catch (error) {
        if (!(error instanceof KnowledgeError)) throw error
        const reason = error.message
        return paths.map((path) => ({ kind: 'failed', path, reason }))
      }
    },
    // A line says when an entity was updated, and nothing of when it came to be.
    bornAt: async (paths) => paths.map(() => undefined),
    watch: async (onChange) => watchEntries(open().entries, onChange, watchMs),
    async close() {
      await opened?.graph.close()
    },
  }
}

/** A root that is gone is out of reach for now, and no reason to forget what was in it. */
function openOrSay(openGraph: () => EntityGraph): EntityGraph {
  try {
    return openGraph()
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    throw unavailable(error.message, error.hint)
  }
}

function contentOf(graph: EntityGraph, path: string): FileContent {
  const entity = isEntityPath(path) ? graph.findEntity(entityIdOf(path)) : undefined
  if (!entity || !isOffered(entity.id)) return { kind: 'gone', path }
  if (graph.survivorOf(entity.id) !== entity.id) return { kind: 'gone', path }
  const text = graph.textOf(entity)
  return { kind: 'text', ...entryOf(entity, text), path, text, digest: hash('sha256', text, 'hex') }
}

/** What the files hold and the base cannot show: lines, ids, and relations that nobody has. */
function leftOut(graph: EntityGraph): SkippedFile[] {
  const skipped = new Map<string, SkippedFile>()
  for (const { message, ref, line } of graph.warnings()) {
    const path = `${ref ?? 'knowledge'}${line === undefined ? '' : `:${line}`}`
    const reason = message.slice(message.indexOf(': ') + 2)
    skipped.set(path, { path, size: 0, modifiedAt: 0, reason })
  }
  for (const { id, origin } of graph.entities()) {
    if (isOffered(id)) continue
    const path = `${origin.file}:${origin.line}`
    skipped.set(path, { path, size: 0, modifiedAt: 0, reason: 'an id that is too long or no text' })
  }
  for (const { src } of graph.relations()) {
    if (graph.findEntity(src) || !isOffered(src) || skipped.has(entityPath(src))) continue
    const each = withoutEntity(src)
    skipped.set(each.path, each)
  }
  return [...skipped.values()]
}

function withoutEntity(id: string): SkippedFile {
  const reason = 'relations lead from it, and there is no such entity'
  return { path: entityPath(id), size: 0, modifiedAt: 0, reason }
}

function watchEntries(
  entries: EntityEntries,
  onChange: (change: SourceChange) => void,
  watchMs: number,
): Watching {
  let timer: NodeJS.Timeout
  const look = (): void => {
    const began = performance.now()
    try {
      entries.follow()
      const news = entries.takeNews()
      if (news.length > 0) onChange({ paths: news.length > NAMED_CHANGES ? undefined : news })
    } catch {
      // The folder is out of reach; the next look tells.
    }
    schedule(Math.max(watchMs, (performance.now() - began) * WATCH_SHARE))
  }
  const schedule = (ms: number): void => {
    timer = setTimeout(look, ms)
    timer.unref()
  }
  // What is there now is what the first scan finds.
  entries.follow()
  entries.takeNews()
  schedule(watchMs)
  return { close: () => clearTimeout(timer) }
}
