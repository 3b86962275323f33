/**
 * What a base's own text teaches: a question in other words than the note's. Seven topics of twelve
 * notes each; the notes of a topic share a vocabulary, and each leaves most of it out.
 */
import { describe, expect, it } from 'vitest'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { randomNumbers } from '../search/random.ts'
import { judge, sharedBase } from './judge.ts'
import type { Notes } from './judge.ts'

const TOPICS: Readonly<Record<string, string>> = {
  databases: `database postgres query index vacuum transaction replica schema migration table row
    lock deadlock isolation`,
  bread: `bread flour yeast dough oven knead crust sourdough starter rise loaf proof bake crumb`,
  bicycles: `bicycle wheel spoke chain derailleur tyre puncture brake saddle pedal frame hub gear
    pump`,
  astronomy: `telescope star galaxy orbit comet nebula lens mirror planet moon eclipse spectrum
    observatory sky`,
  payroll: `salary payslip tax pension overtime bonus employee holiday contract deduction payroll
    wage insurance month`,
  gardening: `garden soil seed compost prune rose tomato watering mulch weed greenhouse bulb
    fertiliser hedge`,
  networking: `router packet firewall subnet gateway latency switch cable vlan dns port bandwidth
    proxy tunnel`,
}

/** Notes of eight words of their topic each, in sentences that say nothing else. */
function topicNotes(): Notes {
  const random = randomNumbers(5)
  const frames = [
    (a: string, b: string) => `Remember that the ${a} depends on the ${b}.`,
    (a: string, b: string) => `Before you touch the ${a}, look at the ${b}.`,
    (a: string, b: string) => `Most trouble with a ${a} comes from the ${b}.`,
    (a: string, b: string) => `The ${a} and the ${b} were checked again.`,
  ]
  const notes: Record<string, string> = {}
  for (const [topic, text] of Object.entries(TOPICS)) {
    const words = text.split(/\s+/)
    for (let i = 0; i < 12; i++) {
      const picked = words.toSorted(() => random() - 0.5).slice(0, 8)
      const lines = frames.map((frame, f) => frame(picked[2 * f]!, picked[2 * f + 1]!))
      notes[`${topic}/${String(i).padStart(2, '0')}`] =
        `# Entry ${topic.length}${i}\n\n${lines.join(' ')}`
    }
  }
  return notes
}

/** The notes asked for: none of the words of the questions below. */
const ASKED: Notes = {
  'asked/slow-reports': `# Slow reports\n\nThe vacuum had not run for weeks, a replica lagged behind, and one
transaction held its lock all night until a deadlock ended it.`,
  'asked/flat-loaf': `# Why it came out flat\n\nThe starter was old, the proof too short, and the crumb stayed dense under
a pale crust.`,
  'asked/grinding': `# That grinding noise\n\nThe derailleur was bent and the hub dry; a new spoke and a clean gear, and it was
quiet.`,
  'asked/cold-night': `# A cold night\n\nThrough the mirror we saw a nebula, then the comet; the spectrum came out well at the
observatory.`,
  'asked/unreachable': `# Unreachable on Monday\n\nThe gateway dropped every packet for one vlan, and latency rose until the
tunnel was closed.`,
}

const QUESTIONS: readonly (readonly [query: string, name: string, because: string])[] = [
  [
    'postgres database query problems',
    'asked/slow-reports',
    'databases are where locks and replicas are',
  ],
  [
    'sourdough bread from the oven, dough and yeast',
    'asked/flat-loaf',
    'starter, proof and crumb are of bread',
  ],
  ['bicycle chain and brake repair', 'asked/grinding', 'a derailleur and a hub are of a bicycle'],
  ['watching stars and planets with a telescope', 'asked/cold-night', 'a nebula is in the sky'],
  ['firewall and router configuration', 'asked/unreachable', 'packets and tunnels are of networks'],
]

describe('a question in other words', () => {
  const base = sharedBase({ ...topicNotes(), ...ASKED })

  it.for(QUESTIONS)('%s → %s: %s', async ([query, name]) => {
    const asked = async (mode: 'lexical' | 'hybrid' | 'semantic') =>
      (await searchDocuments(base().kb, query, { mode, path: 'asked/' })).hits.map(
        ({ document }) => document.path,
      )
    expect((await asked('semantic'))[0]).toBe(`${name}.md`)
    expect((await asked('hybrid'))[0]).toBe(`${name}.md`)
    // Words cannot know: that is what makes it a question of meaning.
    expect(await asked('lexical')).not.toContain(`${name}.md`)
  })

  it.for(QUESTIONS)('%s ranks its topic before the others', async ([query, name]) => {
    const { hits } = await searchDocuments(base().kb, query, { mode: 'hybrid', limit: 12 })
    const folders = hits.map(({ document }) => document.path.split('/')[0])
    const topic = Object.keys(TOPICS)[[0, 1, 2, 3, 6][ASKED_NAMES.indexOf(name)]!]
    const own = folders.filter((folder) => folder === topic || folder === 'asked')
    expect(own.length).toBe(folders.length)
  })

  it('says when the base knows nothing about it', async () => {
    for (const query of [
      'how do I renew my passport at the embassy',
      'symphony orchestra concert tickets for children',
      'quantum chromodynamics lattice simulation',
    ]) {
      expect([query, (await searchDocuments(base().kb, query)).relevant]).toEqual([query, false])
    }
  })

  it('says so for its own words as well only when they are its own', async () => {
    for (const [query] of QUESTIONS) {
      expect([query, (await searchDocuments(base().kb, query)).relevant]).toEqual([query, true])
    }
  })
})

const ASKED_NAMES = Object.keys(ASKED)

judge('meaning does not overrule names', { ...topicNotes(), ...ASKED }, [
  {
    query: 'slow reports',
    first: ['asked/slow-reports'],
    because: 'two words name a note, and words know names best',
  },
  {
    query: 'that grinding noise',
    first: ['asked/grinding'],
    because: 'a title in full',
  },
  {
    query: 'gateway dropped every packet on Monday',
    first: ['asked/unreachable'],
    because: 'the note that has all the words comes before notes about the same things',
  },
  {
    query: '"bent and the hub dry"',
    only: ['asked/grinding'],
    because: 'a phrase is a condition for meaning as well',
  },
  {
    query: 'how do I mend a bicycle wheel when the gear is "bent and the hub dry"',
    first: ['asked/grinding'],
    because: 'what has the phrase comes first; within a question, others may follow',
  },
])

describe('exclusion binds meaning', () => {
  const base = sharedBase({ ...topicNotes(), ...ASKED })

  it('never returns a note with an excluded word', async () => {
    const { hits } = await searchDocuments(
      base().kb,
      'comet nebula mirror planet telescope observatory orbit moon -spectrum',
      { limit: 100 },
    )
    expect(hits.length).toBeGreaterThan(5)
    const texts = { ...topicNotes(), ...ASKED }
    const wrong = hits.filter(({ document }) =>
      texts[document.path.replace(/\.md$/, '')]!.includes('spectrum'),
    )
    expect(wrong).toEqual([])
  })
})
