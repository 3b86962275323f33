/** Who types exactly a name gets what bears it, however well something else matches. */
import { expect, it } from 'vitest'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { judge, namesOf } from './judge.ts'

judge(
  'notes whose names are words of other notes',
  {
    // The names: little text, and every word of it elsewhere.
    'tools/Kafka': '# Message broker\n\nWe run three of them. See [[Franz Kafka]].',
    templater: '# Templater\n\nA plug-in.',
    tabs: '# tabs\n\nTabs, and tabs.get is one of its functions: tabs.get, tabs.get again.',
    'tabs/get': '# tabs.get\n\nA function.',
    cpp: '# C++\n\nA language.',
    c: '# C\n\nA language, older.',
    minus: '# the -f flag\n\nForce.',
    'the-who': '# The Who\n\nA band.',
    'people/ada': `---\naliases: [Countess of Lovelace]\n---\n# Ada\n\nShe wrote notes.`,
    café: '# Café\n\nWhere we meet.',
    '2026-11-14': '# A day\n\nNothing happened.',
    guide: `# Guide\n\n## Before you start\n\nNothing.\n\n## Cutting a release\n\nTag it.`,
    // What matches the words better.
    'people/franz-kafka': `# Franz Kafka\n\nKafka wrote at night. Kafka's diaries, Kafka's letters, and what
Kafka's friends said of Kafka. Templates of Kafka's prose. See [[Message broker]] and [[Letters]].`,
    letters: '# Letters\n\nFrom Kafka to Milena; Kafka to his father. [[Franz Kafka]]',
    templates: `# Templates\n\nTemplates for notes: a template for meetings, a template for people, templates
that call templates. The template folder holds templates.`,
    'template-ideas':
      '# More templates\n\nA template of templates. Templates, templates. [[Templates]]',
    'c-style': '# C and C++ style\n\nC here, C++ there. C headers in C++ code. C, C, C.',
    flags:
      '# Flags of commands\n\nThe -f flag forces. Every command knows the -f flag; the flag -f.',
    bands: '# Bands\n\nWho were the who: The Who, and who else? Who knows.',
    lovelace: '# Lovelace\n\nThe countess of Lovelace, the countess, Lovelace of the countess.',
    coffee: '# Coffee\n\nA cafe, another cafe, cafes everywhere. Café au lait.',
    days: '# Days\n\n2026-11-14 was one, 2026 had many, 11 and 14.',
    releases: '# Releases\n\nCutting releases, cutting a release early, a release that was cut.',
  },
  [
    { query: 'Kafka', first: ['tools/Kafka'], because: 'a file name, though its title is another' },
    { query: 'kafka.md', first: ['tools/Kafka'], because: 'with its extension, in any case' },
    {
      query: 'templater',
      first: ['templater'],
      because: 'templates share its stem and not its name',
    },
    { query: 'templates', first: ['templates'], because: 'and the other way round' },
    { query: 'tabs.get', first: ['tabs/get'], because: 'a dot in a name begins no extension' },
    { query: 'C++', first: ['cpp'], because: 'signs are part of a name' },
    { query: 'C', first: ['c'], because: 'and their absence too' },
    { query: 'the -f flag', first: ['minus'], because: 'a sign in a name excludes nothing' },
    {
      query: 'the who',
      first: ['the-who'],
      because: 'small words alone are a name where one is so called',
    },
    { query: 'Countess of Lovelace', first: ['people/ada'], because: 'an alias is a name' },
    { query: '"Message broker"', first: ['tools/Kafka'], because: 'a title in quotes' },
    { query: 'cafe', first: ['café'], because: 'accents do not matter' },
    { query: '2026-11-14', first: ['2026-11-14'], because: 'a file named after its day' },
    { query: 'cutting a release', first: ['guide'], because: 'a heading is a name too' },
    {
      query: 'franz_kafka',
      first: ['people/franz-kafka'],
      because: 'however its words are joined',
    },
  ],
)

judge(
  'words as they are spelt',
  {
    one: '# One\n\nThe runner came late, and the rest is about something else entirely.',
    two: '# Two\n\nRunning is fun. Running helps. We love running, running and running.',
    three: '# Three\n\nOrganized by nobody. The organization of organizations, organized.',
    four: '# Four\n\nA run of luck.',
    five: '# Five\n\nThe gardeners met the universe.',
    six: '# Six\n\nThe gardener left the university.',
  },
  [
    {
      query: '"run"',
      only: ['four'],
      because: 'words in quotes mean the letters',
      modes: ['lexical'],
    },
    {
      query: '"running"',
      only: ['two'],
      because: 'a form in quotes is that form',
      modes: ['lexical'],
    },
    {
      query: '"organized by"',
      only: ['three'],
      because: 'the same in a phrase',
      modes: ['lexical'],
    },
    {
      query: '"the universe"',
      only: ['five'],
      because: 'university has its stem',
      modes: ['lexical'],
    },
    {
      query: 'universe',
      first: ['five', 'six'],
      because: 'the exact form counts more than its stem',
    },
    { query: 'university', first: ['six', 'five'], because: 'whichever it is' },
    { query: 'gardeners', first: ['five', 'six'], because: 'also where one is as frequent' },
  ],
)

it('says that nobody wrote a quoted word, and searches it as a word', async () => {
  const { kb } = await openSmallBase({ 'a.md': '# A\n\nThe gardener left.' })
  const { hits, notes } = await searchDocuments(kb, '"gardeners"')
  expect(hits.map(({ id }) => id)).toEqual(['notes/a.md'])
  expect(notes.join(' ')).toContain('No document has the phrase')
})

it('keeps to filters, also for what is named so', async () => {
  const { kb } = await openSmallBase({
    'a/tea.md': '# Tea\n\nHot.',
    'b/other.md': '# Other\n\nTea is mentioned here.',
  })
  const answer = await searchDocuments(kb, 'tea', { path: 'b/' })
  expect(namesOf(answer)).toEqual(['b/other'])
})
