/**
 * Which documents does a text name? Titles, aliases, file names and headings are looked up where
 * they are terms of the index already (`core/search/names.ts`), and of people their first names and
 * surnames.
 */
import type { DocNo } from '../../domain/document.ts'
import type { DocSet } from '../../search/contract.ts'
import type { BorneName } from '../../search/lexical-index.ts'
import { Slices } from '../../kit/slices.ts'
import { eachNameRun, withArticle, wordsOfName } from '../../search/name-runs.ts'
import type { NameRun } from '../../search/name-runs.ts'
import { isTitleCase, speaks, speaksInProse } from '../../search/speaking-names.ts'
import { NAME_KINDS, nameOf } from '../../search/names.ts'
import { personNamesOf } from '../view/person-names.ts'
import type { View } from '../view/view.ts'

/** What more documents are called is a kind of thing, not the name of one. */
const MOST_NAMESAKES = 3

/** Runs that are looked up together, between two looks at the clock. */
const AT_ONCE = 500

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
  const seen = await kb.documents()
  const heard = long ? speaksInProse : speaks
  const known = { people, documents: lexical.documents, heard, inTitleCase: isTitleCase(text) }
  const spoken: Spoken[] = []
  const judge = async (runs: readonly NameRun[]): Promise<void> => {
    const borne = await lexical.bearers(runs)
    const byRun = new Map(borne.map((each) => [each.run, seen ? onlySeen(each, seen) : each]))
    for (const run of runs) {
      const docs = meant(text, run, byRun.get(run), known)
      if (docs.length > 0) spoken.push({ run, docs })
    }
  }
  const slices = new Slices()
  let some: NameRun[] = []
  for (const runs of eachNameRun(text, long ? begins : undefined)) {
    some.push(...runs)
    if (some.length < AT_ONCE) continue
    await judge(some)
    some = []
    if (slices.over) await slices.pause()
  }
  await judge(some)
  const furthest = spoken.reduce((most, { run }) => Math.max(most, run.last), 0)
  const isTaken = new Uint8Array(furthest + 1)
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

interface Spoken {
  readonly run: NameRun
  readonly docs: readonly DocNo[]
}

function lengthOf({ first, last }: NameRun): number {
  return last - first
}

interface Known {
  readonly people: ReadonlyMap<string, DocNo>
  readonly documents: number
  readonly heard: typeof speaks
  readonly inTitleCase: boolean
}

function meant(
  text: string,
  run: NameRun,
  borne: BorneName | undefined,
  { people, heard, ...about }: Known,
): readonly DocNo[] {
  const person = run.words.length === 1 ? personNamed(run, people) : undefined
  const whose = [...(borne?.bearers ?? [])].filter(([, kind]) => kind !== 'heading')
  if (whose.length > 0) {
    // Somebody's first name that is a note of its own: who knows which is meant.
    const docs = whose.map(([doc]) => doc)
    if (docs.length > MOST_NAMESAKES) return []
    const kind = NAME_KINDS.toReversed().find((each) => whose.some(([, own]) => own === each))!
    const as = person !== undefined && docs.includes(person) ? 'person' : kind
    const { spread, term } = borne!
    const isExact = !withArticle(run, term)
    return heard(text, asBorne(run, term), { as, isExact, spread, ...about }) ? docs : []
  }
  if (person !== undefined) {
    return heard(text, run, { as: 'person', isExact: true, spread: 0, ...about }) ? [person] : []
  }
  // A heading names a thing where nothing else is called so.
  if (borne?.bearers.size !== 1) return []
  const [doc] = borne.bearers.keys()
  const { spread, term } = borne
  const isHeard = heard(text, asBorne(run, term), {
    as: 'heading',
    isExact: true,
    spread,
    ...about,
  })
  return isHeard ? [doc!] : []
}

function personNamed({ terms }: NameRun, people: Known['people']): DocNo | undefined {
  for (const term of terms) {
    const doc = people.get(nameOf(term))
    if (doc !== undefined) return doc
  }
  return undefined
}

/** Whether a word is one that anybody says is told by its nominative. */
function asBorne(run: NameRun, term: string): NameRun {
  const words = run.isUnspaced ? run.words : wordsOfName(nameOf(term))
  return words.length === run.words.length ? { ...run, words } : run
}
