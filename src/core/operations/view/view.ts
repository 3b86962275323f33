/**
 * The base as one caller sees it: what operations work on. A view is the base and a scope; whatever
 * is asked through it, filters, names, links, counts or suggestions, keeps to the scope.
 */
import type { Caller } from '../../domain/caller.ts'
import type { DocNo, DocumentRecord, Place } from '../../domain/document.ts'
import { onePer } from '../../kit/one-per.ts'
import type { NodeOrder, Scope as GraphScope } from '../../graph/scope.ts'
import type { DocSet } from '../../search/contract.ts'
import { derived } from './derived.ts'
import type { Derived, StampName } from './derived.ts'
import { idNames } from './id-names.ts'
import type { Knowledge } from './knowledge.ts'
import type { LinkGraph } from './link-graph.ts'
import { maskStore } from './masked-store.ts'
import type { ReadableStore } from './masked-store.ts'
import { nameTable } from './name-table.ts'
import { narrowBase, onlySeen } from './narrow-base.ts'
import type { NameTable } from './name-table.ts'
import type { Moment } from './open-index.ts'
import { narrowed } from './scope.ts'
import { visiblePlaces, seenDocuments } from './visible-places.ts'
import type { VisibleDocuments } from './visible-places.ts'
import type { NameRules, Scope } from './scope.ts'

export interface View<Detail = unknown> extends Omit<Knowledge, 'store'> {
  /** The whole of it, for what no caller sees: locks, leases, commits. */
  readonly base: Knowledge
  readonly scope: Pick<Scope, 'linkKinds'>
  readonly store: ReadableStore
  /** Number and name of every document that is seen. */
  readonly names: Derived<NameTable<Detail>>
  nameOf(document: Pick<DocumentRecord, 'no' | 'source' | 'path'>): Promise<string>
  titleOf(record: DocumentRecord): string
  sees(place: Place): boolean
  /** The documents that are seen; undefined where nothing is hidden. */
  documents(): Promise<DocSet | undefined>
  /** As of the look, or of now. */
  links(moment?: Moment): Promise<ScopedLinks>
  /** Texts are shown with what looks like a secret in them: asked for by someone who may. */
  readonly showsSecrets?: true
  /** The base without this scope: links that a change takes along do not end where it does. */
  readonly whole: View
}

/** The one graph of the base, and what of it counts here: every algorithm takes `within`. */
export interface ScopedLinks extends LinkGraph {
  readonly within: GraphScope
  /** Who comes first among equals, where the scope has names of its own. */
  readonly order: NodeOrder | undefined
}

/** Everything, under the base's own names. There is one for every base. */
export const wholeView = onePer((base: Knowledge): View => createView(base, {}))

/** What this caller sees of everything: permission is one condition more on a scope. */
export function viewFor(base: Knowledge, caller: Caller | undefined): View {
  return wholeView(narrowBase(base, caller))
}

export function createView<Detail = unknown>(base: Knowledge, own: Scope<Detail>): View<Detail> {
  const scope = base.sees ? narrowed(own, base.sees) : own
  const { linkKinds, names: rules } = scope
  const masked = scope.sees !== undefined
  const sees = scope.sees ?? (() => true)
  const places = derived(base.store, visiblePlaces(base.store, sees))
  const elsewhere = base.relinked && { relinked: base.relinked.now }
  const mask = { sees, ...elsewhere }
  const visible = masked ? maskStore(base.store, { ...mask, seen: places.now }) : base.store
  const table = nameTable(visible, rules ?? (idNames as NameRules<Detail>))
  const names = derived(base.store, table)
  // Where a scope has names of its own, who has none of them is not there.
  const seen = rules ? derived(base.store, namedDocuments(names, table.on)) : places
  const partial = masked || rules !== undefined
  const links = derived(base.store, {
    on: rules ? table.on.concat('graph') : ['graph'],
    load: async (stamps): Promise<ScopedLinks> => {
      const all = await (await base.index.look()).links()
      const set = partial ? await seen.at(stamps) : undefined
      return scopeLinks(all, set, linkKinds, rules && (await names.at(stamps)))
    },
  })
  return {
    ...base,
    base,
    scope: { linkKinds },
    store: partial ? maskStore(base.store, { ...mask, seen: seen.now }) : base.store,
    names,
    async nameOf(document) {
      if (!rules || rules.by === 'place') return (rules?.nameOf ?? documentName)(document)
      return (await names.now()).ofDocument(document.no)?.name ?? ''
    },
    titleOf: scope.titleOf ?? (({ title }) => title),
    sees,
    documents: async () => (partial ? seen.now() : undefined),
    links: (moment) => (moment ? links.at(moment.stamps) : links.now()),
    get whole() {
      return wholeView(base)
    },
    subscribe: masked ? (listener) => base.subscribe(onlySeen(sees, listener)) : base.subscribe,
  }
}

/** The same view for someone who may see secrets. What is derived of texts is not shared with it. */
export function withSecrets<Seen extends View>(view: Seen): Seen {
  return showing(view) as Seen
}

const showing = onePer((view: View): View => ({ ...view, showsSecrets: true }))

const documentName = idNames.by === 'place' ? idNames.nameOf : () => ''

function namedDocuments(names: Derived<NameTable>, on: readonly StampName[]) {
  return {
    on,
    load: async (stamps: Parameters<typeof names.at>[0]): Promise<VisibleDocuments> => {
      const { all } = await names.at(stamps)
      return seenDocuments(Uint32Array.from(all, ({ doc }) => doc))
    },
  }
}

function scopeLinks(
  links: LinkGraph,
  seen: DocSet | undefined,
  kinds: Scope['linkKinds'],
  names: NameTable | undefined,
): ScopedLinks {
  const { docs, types, nodeOf, mentions, ...rest } = links
  const numbers = types.flatMap(({ kind }, number) => (kinds?.includes(kind) ? [number] : []))
  return {
    ...rest,
    docs,
    types,
    nodeOf,
    // Names were counted among all documents: who sees a part goes by its links.
    ...(mentions && !seen && !kinds && { mentions }),
    within: {
      ...(kinds && { types: numbers }),
      ...(seen && { exclude: Uint8Array.from(docs, (doc) => (seen.has(doc) ? 0 : 1)) }),
    },
    order: names && orderByName(names, docs.length, nodeOf),
  }
}

function orderByName(
  { all }: NameTable,
  nodes: number,
  nodeOf: (doc: DocNo) => number | undefined,
): NodeOrder {
  const order = new Uint32Array(nodes).fill(nodes)
  for (const [place, { doc }] of all.entries()) {
    const node = nodeOf(doc)
    if (node !== undefined) order[node] = place
  }
  return order
}
