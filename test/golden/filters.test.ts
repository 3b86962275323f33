/** Filters hold in every mode: what they leave out is not found by words, meaning or links. */
import { describe, expect, it } from 'vitest'
import type { SearchMode } from '../../src/core/operations/searching/rank-documents.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import type { SearchOptions } from '../../src/core/operations/searching/search-documents.ts'
import { namesOf, sharedBase } from './judge.ts'

const note = (front: string, title: string, text: string): string =>
  `---\n${front}\n---\n# ${title}\n\n${text}`

const NOTES = {
  'work/deploy': note(
    'tags: [ops, howto]\nupdated: 2026-03-01',
    'Deploying',
    'Ship the release, see [[Rollback]].',
  ),
  'work/rollback': note(
    'tags: [ops]\nupdated: 2026-01-10',
    'Rollback',
    'Take the release back when shipping fails.',
  ),
  'work/planning': note(
    'tags: [meeting]\nupdated: 2025-11-03',
    'Planning',
    'When is the next release shipped?',
  ),
  'work/retro': note(
    'tags: [meeting, ops]\nupdated: 2025-06-03',
    'Retro',
    'Shipping the release took too long.',
  ),
  'home/boat': note(
    'tags: [howto]\nupdated: 2026-02-02',
    'The boat',
    'How to ship a boat, and to release the rope.',
  ),
  'home/music': note(
    'type: list\nupdated: 2025-01-01',
    'Music',
    'Records: every release by the band, shipped by mail.',
  ),
  'home/garden': note(
    'tags: [howto/outside]\nupdated: 2025-04-01',
    'Garden',
    'Release the bees, ship the honey.',
  ),
  'archive/old-deploy': note(
    'tags: [ops]\nupdated: 2019-01-01',
    'Deploying, the old way',
    'Ship the release by hand.',
  ),
  'archive/older': note(
    'tags: [ops]\nupdated: 2018-01-01',
    'Releases of 2018',
    'Four releases were shipped.',
  ),
}

/** Words that every note has teach nothing; these have others. */
const OTHERS = Object.fromEntries(
  ['bread', 'paint', 'tennis', 'opera', 'winter', 'coffee', 'chess', 'clouds', 'horses', 'bridges']
    .flatMap((topic) => [1, 2].map((part) => [topic, part] as const))
    .map(([topic, part]) => [
      `other/${topic}-${part}`,
      note('updated: 2024-05-05', `Of ${topic}`, `Part ${part} about ${topic}.`),
    ]),
)

const CASES: readonly (readonly [
  what: string,
  options: SearchOptions,
  names: readonly string[],
])[] = [
  ['a folder', { path: 'work/' }, ['work/deploy', 'work/planning', 'work/retro', 'work/rollback']],
  ['a pattern', { path: '**/*deploy.md' }, ['archive/old-deploy', 'work/deploy']],
  ['a tag', { tags: ['meeting'] }, ['work/planning', 'work/retro']],
  [
    'one of two tags',
    { tags: ['meeting', 'howto'] },
    // A nested tag (howto/outside) is found by its parent too.
    ['home/boat', 'home/garden', 'work/deploy', 'work/planning', 'work/retro'],
  ],
  ['both tags', { tags: ['ops', 'howto'], tagMode: 'all' }, ['work/deploy']],
  ['a type', { types: ['list'] }, ['home/music']],
  ['a date', { updatedAfter: '2026-02-01' }, ['home/boat', 'work/deploy']],
  ['an earlier date', { updatedBefore: '2019-12-31' }, ['archive/older', 'archive/old-deploy']],
  ['two at once', { tags: ['ops'], path: 'archive/' }, ['archive/old-deploy', 'archive/older']],
]

describe('filters', () => {
  const base = sharedBase({ ...NOTES, ...OTHERS })
  const rows = (['lexical', 'semantic', 'hybrid', 'auto'] satisfies SearchMode[]).flatMap((mode) =>
    CASES.map(([what, options, names]) => ({ what, mode, options, names })),
  )

  it.for(rows)('$what, $mode', async ({ mode, options, names }) => {
    const answer = await searchDocuments(base().kb, 'how do we ship the release', {
      ...options,
      mode,
    })
    expect(namesOf(answer).toSorted()).toEqual(names.toSorted())
    // Words and meaning judge a note by itself, so the order within is the order without.
    if (mode === 'hybrid' || mode === 'auto') return
    const rank = (within: SearchOptions) =>
      searchDocuments(base().kb, 'how do we ship the release', { ...within, mode, links: false })
    const all = namesOf(await rank({ limit: 50 }))
    expect(namesOf(await rank(options))).toEqual(all.filter((name) => names.includes(name)))
  })

  it('a word that only others have is nothing relevant here', async () => {
    const answer = await searchDocuments(base().kb, 'honey bees', { path: 'work/' })
    expect(answer.relevant).toBe(false)
  })
})
