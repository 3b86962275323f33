/** Which name is whose? Every document a scope sees, by number and by the name it has there. */
import { isDeepStrictEqual } from 'node:util'
import { compareIds, documentId, parsePlace } from '../../domain/document.ts'
import type { DocNo, DocumentRecord, Place } from '../../domain/document.ts'
import { foldName } from '../../kit/fold-name.ts'
import { atOnce, eachInSteps, inSlices, sortInSteps, stepsInSlices } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import type { Stamps } from '../../store/store.ts'
import type { DerivedOptions } from './derived.ts'
import type { ReadableStore } from './masked-store.ts'
import type { NameRules } from './scope.ts'

export interface Named<Detail = unknown> extends Place {
  readonly name: string
  readonly doc: DocNo
  readonly detail: Detail
}

/** A document without a name in this scope: it wants none, or somebody else has it. */
export interface Unnamed<Detail = unknown> extends Omit<Named<Detail>, 'name'> {
  readonly by: Named<Detail> | undefined
}

export interface NameTable<Detail = unknown> {
  /** By name, so that "first" means "alphabetically first name". */
  readonly all: readonly Named<Detail>[]
  /** Who has exactly this name. */
  find(name: string): Named<Detail> | undefined
  /** Who is meant by a text: a name, a spelling of one, or what else the scope knows them by. */
  meant(text: string): Named<Detail> | undefined
  ofDocument(doc: DocNo): Named<Detail> | undefined
  /** `<source>/<path>`. */
  ofId(id: string): Named<Detail> | undefined
  readonly unnamed: readonly Unnamed<Detail>[]
}

/** How the table of a scope is loaded and kept up to date, for `derived`. */
export function nameTable<Detail>(
  store: ReadableStore,
  rules: NameRules<Detail>,
): DerivedOptions<NameTable<Detail>> {
  return rules.by === 'place' ? namesOfPlaces(store, rules) : namesOfRecords(store, rules)
}

type ByPlace<Detail> = Extract<NameRules<Detail>, { by: 'place' }>
type ByRecord<Detail> = Extract<NameRules<Detail>, { by: 'record' }>

/** What a table is made of; `name` is what a document would be called if it were alone. */
interface Entry<Detail> extends Place {
  readonly doc: DocNo
  readonly name: string | undefined
  readonly claim?: number
  readonly detail: Detail
}

function namesOfPlaces<Detail>(
  store: ReadableStore,
  rules: ByPlace<Detail>,
): DerivedOptions<NameTable<Detail>> {
  return {
    on: ['graph'],
    async load() {
      const docs = [...(await store.pathOrder())]
      const places = await store.paths(docs)
      const entries = await inSlices(docs.entries(), ([index, doc]): Entry<Detail> => {
        const { source, path } = places[index]!
        const name = rules.nameOf({ source, path })
        return { doc, source, path, name, detail: undefined as Detail }
      })
      return stepsInSlices(tabling(rules, entries))
    },
  }
}

/** Kept document by document, as the index moves on: reading everything again would take seconds. */
function namesOfRecords<Detail>(
  store: ReadableStore,
  rules: ByRecord<Detail>,
): DerivedOptions<NameTable<Detail>> {
  const entriesOf = new WeakMap<NameTable<Detail>, Map<string, Entry<Detail>>>()
  const remember = (
    table: NameTable<Detail>,
    entries: Map<string, Entry<Detail>>,
  ): NameTable<Detail> => {
    entriesOf.set(table, entries)
    return table
  }
  return {
    on: ['generation'],
    async load() {
      // Of a list all would be put in order at once, and who is not seen be left out one by one.
      const documents = (await store.documents([...(await store.pathOrder())])).filter(isThere)
      const entries = await describe(rules, documents)
      return remember(await stepsInSlices(tabling(rules, [...entries.values()])), entries)
    },
    async follow(before: NameTable<Detail>, { generation }: Stamps) {
      const changes = await store.changesSince(generation)
      if (changes.unnamed) return undefined
      const found = await Promise.all(changes.put.map((id) => findRecord(store, id)))
      const put = await describe(rules, found.filter(isThere))
      // Handed on from table to table: a copy of all for every note would take its time.
      const known = entriesOf.get(before)!
      const size = known.size
      const grown = [...put.keys()].some((id) => !known.has(id))
      const sameWishes = [...put].every(([id, entry]) =>
        isDeepStrictEqual(wish(entry), wish(known.get(id))),
      )
      for (const [id, entry] of put) known.set(id, entry)
      for (const id of changes.removed) if (!put.has(id)) known.delete(id)
      // Where nobody assigns names, the first in the order of paths has one: so they stay in order.
      const entries = grown && !rules.assign ? inPathOrder(known) : known
      const sameNames = entries.size === size && sameWishes
      const steps = sameNames ? renewing(before, put, rules) : tabling(rules, [...entries.values()])
      return remember(await stepsInSlices(steps), entries)
    },
  }
}

function inPathOrder<Detail>(
  entries: ReadonlyMap<string, Entry<Detail>>,
): Map<string, Entry<Detail>> {
  return new Map(
    [...entries].toSorted(
      ([, a], [, b]) => compareIds(a.source, b.source) || compareIds(a.path, b.path),
    ),
  )
}

function findRecord(store: ReadableStore, id: string): Promise<DocumentRecord | undefined> {
  const { source, path } = parsePlace(id)
  return store.findByPath(source, path)
}

async function describe<Detail>(
  rules: ByRecord<Detail>,
  records: readonly DocumentRecord[],
): Promise<Map<string, Entry<Detail>>> {
  const described = await rules.describe(records)
  const entries = new Map<string, Entry<Detail>>()
  const naming = eachInSteps(records.entries(), ([index, { no, source, path }]) => {
    entries.set(`${source}/${path}`, { doc: no, source, path, ...described[index]! })
  })
  await stepsInSlices(naming)
  return entries
}

/** What decides about names: as long as it stays the same, so do they. */
function wish<Detail>(entry: Entry<Detail> | undefined): unknown {
  return entry && [entry.name, entry.claim, entry.doc]
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined
}

type Names<Detail> = readonly [all: readonly Named<Detail>[], unnamed: readonly Unnamed<Detail>[]]

function* tabling<Detail>(
  rules: NameRules<Detail>,
  entries: readonly Entry<Detail>[],
): Steps<NameTable<Detail>> {
  const assign = rules.by === 'record' ? rules.assign : undefined
  return yield* tableOf(rules, ...(yield* naming(entries, assign)))
}

function* naming<Detail>(
  entries: readonly Entry<Detail>[],
  assign: ByRecord<Detail>['assign'],
): Steps<Names<Detail>> {
  const wanting = entries.filter(
    (entry): entry is Entry<Detail> & { name: string } => entry.name !== undefined,
  )
  yield
  const names = assign ? yield* assign(wanting) : wanting.map(({ name }) => name)
  const first = new Map<string, Named<Detail>>()
  const unnamed: Unnamed<Detail>[] = entries
    .filter(({ name }) => name === undefined)
    .map((entry) => ({ ...entry, by: undefined }))
  yield* eachInSteps(wanting.entries(), ([index, entry]) => {
    const name = names[index]!
    const by = first.get(name)
    if (by) unnamed.push({ ...entry, by })
    else first.set(name, { ...entry, name })
  })
  const all = yield* sortInSteps([...first.values()], (a, b) => compareIds(a.name, b.name))
  return [all, unnamed]
}

/** The same documents under the same names, some with new content: nothing is named again. */
function* renewing<Detail>(
  { all, unnamed }: NameTable<Detail>,
  put: ReadonlyMap<string, Entry<Detail>>,
  rules: ByRecord<Detail>,
): Steps<NameTable<Detail>> {
  const renew = <Each extends Place & { readonly detail: Detail }>(each: Each): Each => {
    const entry = put.get(`${each.source}/${each.path}`)
    return entry ? { ...each, detail: entry.detail } : each
  }
  const renewed: Named<Detail>[] = []
  yield* eachInSteps(all, (each) => renewed.push(renew(each)))
  return yield* tableOf(rules, renewed, unnamed.map(renew))
}

function* tableOf<Detail>(
  rules: NameRules<Detail>,
  all: readonly Named<Detail>[],
  unnamed: readonly Unnamed<Detail>[],
): Steps<NameTable<Detail>> {
  const byName = new Map<string, Named<Detail>>()
  const byDocument = new Map<DocNo, Named<Detail>>()
  yield* eachInSteps(all, (each) => {
    byName.set(each.name, each)
    byDocument.set(each.doc, each)
  })
  const byId = lazy(() => new Map(all.map((each) => [documentId(each), each])))
  const alsoKnown = rules.by === 'record' ? rules.alsoKnown : undefined
  const others = (): Steps<Map<string, Named<Detail>>> => otherNames(all, alsoKnown)
  const early = alsoKnown && all.length > VERY_MANY ? yield* others() : undefined
  const byOther = lazy(() => early ?? atOnce(others()))
  return {
    all,
    find: (name) => byName.get(name),
    meant(text) {
      for (const name of rules.spellings(text)) {
        const found = byName.get(name)
        if (found) return found
      }
      return alsoKnown && byOther().get(fold(text))
    },
    ofDocument: (doc) => byDocument.get(doc),
    ofId: (id) => byId().get(id),
    unnamed,
  }
}

/** Of so many, what else they are known by is worked out before anybody asks, in slices. */
const VERY_MANY = 20_000

/** Of several who are known by the same, the first in the order of names is meant. */
function* otherNames<Detail>(
  all: readonly Named<Detail>[],
  alsoKnown: ByRecord<Detail>['alsoKnown'],
): Steps<Map<string, Named<Detail>>> {
  const found = new Map<string, Named<Detail>>()
  yield* eachInSteps(all, (each) => {
    const name = fold(alsoKnown?.(each.detail) ?? '')
    if (!found.has(name)) found.set(name, each)
  })
  return found
}

function lazy<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

function fold(text: string): string {
  return foldName(text.trim())
}
