/**
 * Which documents does a text name? Titles, aliases, file names and headings are looked up where
 * they are terms of the index already (`core/search/names.ts`), and of people their first names and
 * surnames.
 */
import type { DocNo } from '../../domain/document.ts'
import type { DocSet } from '../../search/contract.ts'
import type { BorneName } from '../../search/lexical-index.ts'
import { nameRuns, withArticle } from '../../search/name-runs.ts'
import type { NameRun } from '../../search/name-runs.ts'
import { speaks, speaksInProse } from '../../search/speaking-names.ts'
import { NAME_KINDS, nameOf } from '../../search/names.ts'
import { personNamesOf } from '../view/person-names.ts'
import type { View } from '../view/view.ts'

/** What more documents are called is a kind of thing, not the name of one. */
const MOST_NAMESAKES = 3

/** At most so many runs begin at one word: among the last ones is the one that reaches furthest. */
const MOST_BEGUN = 64

/** A name in a text, and the documents that it means. */
export interface NamedIn {
  readonly start: number
  readonly end: number
  readonly docs: readonly DocNo[]
}

export interface NamedInOptions {
  /** The text is long, and written by someone who writes names as they are. */
  readonly long?: boolean
}

/** In the order of the text; of names inside of each other the longest is meant. */
export async function findNamedIn(
  kb: View,
  text: string,
  { long = false }: NamedInOptions = {},
): Promise<readonly NamedIn[]> {
  const lexical = await (await kb.index.look()).lexical()
  const people = await personNamesOf(kb).now()
  const begins = (term: string): boolean => lexical.beginsName(term) || people.has(nameOf(term))
  const runs = nameRuns(text, long ? begins : undefined)
  const heard = long ? speaksInProse : speaks
  const borne = await lexical.bearers(runs)
  const seen = await kb.documents()
  const byRun = new Map(borne.map((each) => [each.run, seen ? onlySeen(each, seen) : each]))
  const spoken = runs.flatMap((run) => {
    const docs = meant(text, run, byRun.get(run), { people, documents: lexical.documents, heard })
    return docs.length > 0 ? [{ run, docs }] : []
  })
  const isTaken = new Uint8Array(
    1 + Math.max(0, ...runs.slice(-MOST_BEGUN).map(({ last }) => last)),
  )
  const longest = spoken.toSorted((a, b) => lengthOf(b.run) - lengthOf(a.run))
  const taken = longest.filter(({ run: { first, last } }) => {
    if (isTaken.subarray(first, last + 1).includes(1)) return false
    isTaken.fill(1, first, last + 1)
    return true
  })
  return taken
    .toSorted((a, b) => a.run.start - b.run.start)
    .map(({ run: { start, end }, docs }) => ({ start, end, docs }))
}

function onlySeen(borne: BorneName, seen: DocSet): BorneName {
  return { ...borne, bearers: new Map([...borne.bearers].filter(([doc]) => seen.has(doc))) }
}

function lengthOf({ first, last }: NameRun): number {
  return last - first
}

interface Known {
  readonly people: ReadonlyMap<string, DocNo>
  readonly documents: number
  readonly heard: typeof speaks
}

function meant(
  text: string,
  run: NameRun,
  borne: BorneName | undefined,
  { people, documents, heard }: Known,
): readonly DocNo[] {
  const [word = ''] = run.words
  const person = run.words.length === 1 ? people.get(word) : undefined
  const whose = [...(borne?.bearers ?? [])].filter(([, kind]) => kind !== 'heading')
  if (whose.length > 0) {
    // Somebody's first name that is a note of its own: who knows which is meant.
    const docs = whose.map(([doc]) => doc)
    if (docs.length > MOST_NAMESAKES) return []
    const kind = NAME_KINDS.toReversed().find((each) => whose.some(([, own]) => own === each))!
    const as = person !== undefined && docs.includes(person) ? 'person' : kind
    const { spread, term } = borne!
    const isExact = !withArticle(run, term)
    return heard(text, run, { as, isExact, spread, documents }) ? docs : []
  }
  if (person !== undefined) {
    return heard(text, run, { as: 'person', isExact: true, spread: 0, documents }) ? [person] : []
  }
  // A heading names a thing where nothing else is called so.
  if (borne?.bearers.size !== 1) return []
  const [doc] = borne.bearers.keys()
  const { spread } = borne
  return heard(text, run, { as: 'heading', isExact: true, spread, documents }) ? [doc!] : []
}
