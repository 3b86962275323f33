/**
 * A note that shares no word with any other changes no top ten: not what stands in it, nor the
 * order, nor a single score. Ranking measures with the number of notes and their average lengths in
 * coarse steps, and learning leaves words of a single note out.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rankDocuments } from '../../src/core/operations/searching/rank-documents.ts'
import type { SearchMode } from '../../src/core/operations/searching/rank-documents.ts'
import { contentTerms } from '../../src/core/search/analysis/content-terms.ts'
import { randomNumbers } from '../search/random.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import type { SmallBase } from '../support/open-small-base.ts'
import { writeFiles } from '../support/temporary-folder.ts'

const HANDBOOK = join(import.meta.dirname, '../../examples/handbook')
const BASES = 4
const NOTES = 80
const QUERIES = 25

const UNRELATED = `# Zyxomma quiblitz\n\nVlorp snerq gwimble thraxos. Pliskin orvandel ybbrig zzamwit.`

interface Hit {
  readonly path: string
  readonly score: number
}

const CASES = [
  { what: 'words', mode: 'lexical', links: false },
  { what: 'words and links', mode: 'lexical', links: true },
  { what: 'words and meaning', mode: 'hybrid', links: false },
  { what: 'all of them', mode: 'hybrid', links: true },
] as const

it.for(CASES)('an unrelated note changes nothing, by $what', async ({ mode, links }) => {
  for (let seed = 1; seed <= BASES; seed++) {
    const { notes, queries } = generate(seed)
    const base = await openSmallBase(notes, { learns: mode === 'hybrid' })
    const before = await topTens(base, queries, { mode, links })
    writeFiles(base.folder, { 'zyxomma.md': UNRELATED })
    await base.sync()
    expect(await topTens(base, queries, { mode, links })).toEqual(before)
  }
})

/** In plain English, and yet without a word that the handbook has. */
const FOREIGN_TO_HANDBOOK = `# Ptarmigans\n\nPtarmigans moult thrice. Lichens encrust basalt cliffs; glaciers grind granite boulders.`

const PARAPHRASES = [
  'how do I revert to the previous version after a bad upgrade',
  'somebody published a password by accident',
  'what happens when a sensor stops talking',
  'getting a new colleague started',
  'who is woken at night',
  'keeping copies in case a disk dies',
  'postgres',
  'why did we choose this database',
  'planning the next two weeks',
  'turn a feature on for some customers only',
]

it('an unrelated note changes nothing where words are known by what they mean in general', async () => {
  const base = await openSmallBase(readNotes(HANDBOOK), { learns: true })
  const asked = { mode: 'semantic', links: true } as const
  const before = await topTens(base, PARAPHRASES, asked)
  const terms = new Set(Object.values(readNotes(HANDBOOK)).flatMap(contentTerms))
  expect(contentTerms(FOREIGN_TO_HANDBOOK).filter((term) => terms.has(term))).toEqual([])
  writeFiles(base.folder, { 'ptarmigans.md': FOREIGN_TO_HANDBOOK })
  await base.sync()
  const [first] = await topTens(base, ['birds of the mountains'], asked)
  expect(first?.[0]?.path).toBe('ptarmigans.md')
  expect(await topTens(base, PARAPHRASES, asked)).toEqual(before)
})

it('is found by its own words', async () => {
  const base = await openSmallBase({ ...generate(1).notes, 'zyxomma.md': UNRELATED })
  const [answer] = await topTens(base, ['gwimble'], { mode: 'auto', links: true })
  expect(answer?.map(({ path }) => path)).toEqual(['zyxomma.md'])
})

function readNotes(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const notes = paths.filter((path) => path.endsWith('.md'))
  return Object.fromEntries(notes.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

async function topTens(
  { kb, store }: SmallBase,
  queries: readonly string[],
  options: { readonly mode: SearchMode; readonly links: boolean },
): Promise<Hit[][]> {
  const answers: Hit[][] = []
  for (const query of queries) {
    const { hits } = await rankDocuments(kb, query, { limit: 10, ...options })
    const places = await store.paths(hits.map(({ doc }) => doc))
    answers.push(hits.map(({ score }, index) => ({ path: places[index]!.path, score })))
  }
  return answers
}

/** Notes in words that are as unevenly spread as words are. */
function generate(seed: number): { notes: Record<string, string>; queries: string[] } {
  const random = randomNumbers(seed)
  const word = (): string => `w${Math.floor(400 * random() ** 2.5)}x`
  const text = (length: number): string => Array.from({ length }, word).join(' ')
  const notes: Record<string, string> = {}
  for (let i = 0; i < NOTES; i++) {
    const sections = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () => `## ${text(2)}\n\n${text(10 + Math.floor(random() * 90))}`,
    )
    const link = `[[note-${Math.floor(random() * NOTES)}]]`
    notes[`note-${i}.md`] =
      `# ${text(1 + Math.floor(random() * 4))}\n\n${sections.join('\n\n')}\n\n${link}`
  }
  return {
    notes,
    queries: Array.from({ length: QUERIES }, () => text(1 + Math.floor(random() * 9))),
  }
}
