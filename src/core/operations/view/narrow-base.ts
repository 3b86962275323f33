/**
 * The base as it is for someone who sees and may change a part of it. What is not seen is not there:
 * its files cannot be read, its history does not tell of it, its source has no name. Whatever is
 * opened on such a base, an operation or a whole surface, keeps to it without knowing.
 */
import type { Caller } from '../../domain/caller.ts'
import { documentId, parsePlace } from '../../domain/document.ts'
import type { Place } from '../../domain/document.ts'
import { entityPath } from '../../domain/entity-document.ts'
import type { EntityGraph } from '../../domain/entity-graph.ts'
import { forbidden, quoted } from '../../domain/error.ts'
import type { Scan, Source, SourceWriter } from '../../domain/source.ts'
import type { Progress } from '../../indexing/indexer.ts'
import { isNotePath } from '../../kit/paths.ts'
import type { WorkTree } from '../../sources/work-tree.ts'
import type { Changes } from '../../store/store.ts'
import { derived } from './derived.ts'
import type { Knowledge } from './knowledge.ts'
import { narrowIndex } from './open-index.ts'
import { partMeaning } from './part-meaning.ts'
import { relinkedAmong } from './relinked.ts'
import { visibleHistory } from './visible-history.ts'
import { visiblePlaces } from './visible-places.ts'

type Sees = (place: Place) => boolean

/** One narrow base for one set of rules. */
export function narrowBase(base: Knowledge, caller: Caller | undefined): Knowledge {
  const { sees, knows, writes } = caller ?? {}
  if (!sees && !writes) return base
  const bySight = inside(narrowed, base, () => new WeakMap<Sees, WeakMap<Sees, Knowledge>>())
  const byHand = inside(bySight, sees ?? EVERYTHING, () => new WeakMap<Sees, Knowledge>())
  return inside(byHand, writes ?? EVERYTHING, () => {
    const seen = sees ? onlyVisible(base, sees, knows) : base
    const narrow = { ...seen, trunk: trunkOf(base) }
    return writes ? withProtected(narrow, writes) : narrow
  })
}

/** The base itself, for what nobody does in his own name: settling, locking, indexing. */
export function trunkOf(base: Knowledge): Knowledge {
  return base.trunk ?? base
}

/** The same base, of which only some places may be changed. */
export function withProtected(base: Knowledge, writes: Sees): Knowledge {
  const sources = [...base.sources].map(([name, source]): [string, Source] => {
    const { graph } = source
    if (!graph || writes({ source: name, path: entityPath('') })) return [name, source]
    return [name, { ...source, graph: () => readOnlyGraph(graph()) }]
  })
  return { ...base, sources: new Map(sources), writes: both(base.writes, writes) }
}

/** Refuses what would change a place that may only be read. Says nothing of what is there. */
export function refuseToWrite({ writes, sees }: Pick<Knowledge, 'writes' | 'sees'>, place: Place) {
  if ((sees?.(place) ?? true) && (writes?.(place) ?? true)) return
  throw forbidden(
    `${quoted(documentId(place))} may not be changed here.`,
    'Write where you may, or ask whoever runs this server which folders those are.',
  )
}

const EVERYTHING: Sees = () => true

const narrowed = new WeakMap<Knowledge, WeakMap<Sees, WeakMap<Sees, Knowledge>>>()

function inside<Key extends object, Value>(
  map: WeakMap<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

function both(one: Sees | undefined, other: Sees | undefined): Sees | undefined {
  if (!one || !other) return one ?? other
  return (place) => one(place) && other(place)
}

function onlyVisible(
  base: Knowledge,
  sees: Sees,
  knows: (source: string) => boolean = () => true,
): Knowledge {
  const known = [...base.sources].filter(([name]) => knows(name))
  const seen = derived(base.store, visiblePlaces(base.store, sees))
  const sources = new Map(known.map(([name, source]) => [name, narrowSource(source, sees)]))
  const { writing, workTreeOf, trouble, catchingUp, subscribe, similar } = base
  const meaning = partMeaning({ ...base, sources, embeds: similar !== undefined }, seen)
  const relinked = derived(base.store, relinkedAmong(base, seen))
  const part: Knowledge = {
    ...base,
    sees: both(base.sees, sees),
    relinked,
    index: narrowIndex(base.index, base.store, { seen, meaning, relinked }),
    sources,
    writing: writing && { ...writing, history: visibleHistory(writing.history, () => sees) },
    ...(workTreeOf && { workTreeOf: (source) => withoutCatalogue(workTreeOf(source)) }),
    fileHistoryOf: undefined,
    // How much there is to index, and what could not be read, is about everything.
    catchingUp: () => withoutNumbers(catchingUp()),
    trouble: () => (trouble() === undefined ? undefined : 'some files cannot be read'),
    subscribe: (listener) => subscribe(onlySeen(sees, listener)),
  }
  return similar ? { ...part, similar: similar.of(part) } : part
}

function narrowSource(source: Source, sees: Sees): Source {
  const isSeen = ({ path }: { readonly path: string }): boolean =>
    sees({ source: source.name, path })
  const only = ({ files, skipped, leftOut }: Scan): Scan => {
    const pictures = leftOut?.pictures?.filter((path) => isSeen({ path })) ?? []
    return {
      files: files.filter(isSeen),
      skipped: skipped.filter(isSeen),
      // How much of what else is left out is about everything.
      ...(pictures.length > 0 && { leftOut: { types: {}, rules: {}, pictures } }),
    }
  }
  const { writer, graph, holdsCode, converts, inDatabase, beside } = source
  const showsGraph = graph && isSeen({ path: entityPath('') })
  return {
    name: source.name,
    root: source.root,
    scan: async () => only(await source.scan()),
    rescan: async (paths) => only(await source.rescan(paths)),
    async read(paths, indexed) {
      const seen = paths.filter((path) => isSeen({ path }))
      const contents = await source.read(seen, indexed)
      const found = contents[Symbol.iterator]()
      return paths.map((path) =>
        isSeen({ path }) ? found.next().value! : { kind: 'gone' as const, path },
      )
    },
    bornAt: (paths) => source.bornAt(paths),
    watch: (onChange, recent) => source.watch(onChange, recent),
    ...(inDatabase !== undefined && { inDatabase }),
    ...(holdsCode !== undefined && { holdsCode }),
    ...(converts && { converts }),
    ...(writer && { writer: narrowWriter(source.name, writer, sees) }),
    ...(beside && {
      beside: {
        // Settings are no notes: whoever goes by them looks whether a place they name is seen.
        text: (path) => (isNotePath(path) && !isSeen({ path }) ? undefined : beside.text(path)),
        notes: (folder) => beside.notes(folder).filter((path) => isSeen({ path })),
      },
    }),
    ...(showsGraph && { graph }),
  }
}

/** Nobody has a file of this name; who has gets nothing either. */
const NOTHING_THERE = 'nothing-is-called-like-this.md'

function narrowWriter(source: string, writer: SourceWriter, sees: Sees): SourceWriter {
  return {
    async place(path, options) {
      // Before anybody looks whether something is there.
      refuseToWrite({ sees }, { source, path })
      const place = await writer.place(path, options)
      refuseToWrite({ sees }, { source, path: place })
      return place
    },
    async load(path) {
      if (sees({ source, path })) return writer.load(path)
      // As long as it takes to find nothing.
      await writer.load(NOTHING_THERE)
      return undefined
    },
    ...(writer.loadPart && {
      async loadPart(path, from, length) {
        if (sees({ source, path })) return writer.loadPart!(path, from, length)
        await writer.loadPart!(NOTHING_THERE, 0, 0)
        return undefined
      },
    }),
    stirred: async (path) => sees({ source, path }) && writer.stirred(path),
    async apply(changes, operation, options) {
      for (const { path } of changes) refuseToWrite({ sees }, { source, path })
      return writer.apply(changes, operation, options)
    },
    replaced: () => writer.replaced(),
    nameless: (beside) => writer.nameless(beside),
    strays: (beside) => writer.strays(beside),
    sweep: (beside) => writer.sweep(beside),
    disarm: () => writer.disarm(),
    missingFolders: (path) => writer.missingFolders(path),
  }
}

function withoutNumbers(progress: Progress | undefined): Progress | undefined {
  if (!progress) return undefined
  const phase = progress.phase === 'index' ? 'scan' : progress.phase
  const { wasComplete } = progress
  return { phase, done: 0, total: 0, ...(wasComplete && { wasComplete }) }
}

/** A catalogue names parts of a program whether they are seen or not. */
function withoutCatalogue(tree: WorkTree | undefined): WorkTree | undefined {
  return (
    tree && {
      stamp: (files) => tree.stamp(files),
      readFirst: () => undefined,
      history: (paths) => tree.history(paths),
    }
  )
}

/** What happened to documents that are not seen is nobody's business here. */
export function onlySeen(
  sees: Sees,
  listener: (changes: Changes) => void,
): (changes: Changes) => void {
  const isSeen = (id: string): boolean => sees(parsePlace(id))
  return (changes) => {
    const [put, removed] = [changes.put.filter(isSeen), changes.removed.filter(isSeen)]
    if (put.length + removed.length > 0 || changes.unnamed) listener({ ...changes, put, removed })
  }
}

/** The same graph for someone who may not add to it. */
function readOnlyGraph(graph: EntityGraph): EntityGraph {
  return Object.create(graph, { writer: { value: undefined } }) as EntityGraph
}
