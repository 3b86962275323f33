/** `ask` without a language model: sentences of the documents, word for word. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'
import { citationsOf, falseCitations } from './verbatim.ts'

const KITCHEN = {
  'tea.md': `---
title: How to make tea
tags: [drink]
---

# Tea

Boil the water in a kettle. It must bubble before you pour it
over the leaves.

## Milk

Milk goes in last. Who pours it first, curdles it?

## What you need

For a pot of green tea you need:

- a kettle
- two spoons of leaves
- patience

<!-- The secret password for tea is hunter2. -->
`,
  'coffee.md': `# Coffee\r\n\r\nGrind the beans\r\nvery finely. The grinder makes noise.\r\n`,
  'table.md': `# Temperatures\n\n| drink | degrees |\n|---|---|\n| oolong | 90 degrees |\n| espresso | 93 degrees |\n`,
  'deploy.md': `# Deploying\n\nTo deploy the kitchen server run:\n\n\`\`\`sh\nmake deploy KITCHEN=1\n\`\`\`\n\nThen wait.\n`,
  'quote.md': `# Sayings\n\n> A watched samovar never boils,\n> said the grandmother. Nobody believed her.\n`,
  'zh.md': '# 乌龙茶\n\n乌龙茶要用九十度的水冲泡。第一泡只要三十秒！好喝吗？\n',
  'ja.md': '# 緑茶\n\n緑茶は八十度のお湯で淹れます。熱湯は苦味を出します。\n',
  'de.md': '# Schwarztee\n\nSchwarzer Tee zieht drei Minuten. Danach wird er bitter.\n',
  'plain.txt': 'The samovar stands in the attic.\nNobody uses it.\n',
  'sub/deep.md': '# Scones\n\nBake the scones for twelve minutes. #baking\n',
}

async function openKitchen() {
  const base = await openTestBase(KITCHEN)
  const ask = async (question: string, more = {}) => {
    const answer = await base.call('ask', { question, ...more })
    expect(falseCitations(citationsOf(answer), { notes: base.folder })).toEqual([])
    return answer
  }
  return { ...base, ask }
}

describe('an answer', () => {
  it('is a sentence with its heading, lines and digest', async () => {
    const { ask, call } = await openKitchen()
    const answer = await ask('When does the milk go in?')
    expect(answer).toMatchObject({ mode: 'extractive', relevant: true })
    expect(answer.answer).toMatch(/^Milk goes in last\. \[1\]/)
    const { digest } = await call('fetch', { id: 'notes/tea.md' })
    expect(answer.claims[0]).toEqual({
      text: 'Milk goes in last.',
      citations: [
        {
          id: 'notes/tea.md',
          title: 'How to make tea',
          heading: 'Tea > Milk',
          lines: '13-13',
          quote: 'Milk goes in last.',
          digest,
        },
      ],
    })
    expect(answer.sources[0]).toEqual({
      id: 'notes/tea.md',
      title: 'How to make tea',
      url: 'kb://notes/tea.md',
    })
  })

  it.each([
    ['over a line break', 'how fine to grind the beans', 'Grind the beans\r\nvery finely.'],
    ['from a table', 'how hot for oolong', '| oolong | 90 degrees |'],
    [
      'from a quotation',
      'which samovar never boils',
      'A watched samovar never boils,\n> said the grandmother.',
    ],
    ['from plain text', 'where does the samovar stand', 'The samovar stands in the attic.'],
    ['in Chinese', '乌龙茶用多少度的水', '乌龙茶要用九十度的水冲泡。'],
    ['in Japanese', '緑茶は何度で淹れますか', '緑茶は八十度のお湯で淹れます。'],
    ['in German', 'Wie lange zieht schwarzer Tee?', 'Schwarzer Tee zieht drei Minuten.'],
  ])('is verbatim %s', async (_name, question, quote) => {
    const { ask } = await openKitchen()
    const [first] = citationsOf(await ask(question))
    expect(first?.quote).toBe(quote)
  })

  it('brings the list or the code that a sentence announces', async () => {
    const { ask } = await openKitchen()
    const [list] = citationsOf(await ask('what do I need for a pot of green tea'))
    expect(list?.quote).toBe(
      'For a pot of green tea you need:\n\n- a kettle\n- two spoons of leaves\n- patience',
    )
    const [code] = citationsOf(await ask('how to deploy the kitchen server'))
    expect(code?.quote).toContain('make deploy KITCHEN=1')
  })

  it('brings what a sentence leans on', async () => {
    const { ask } = await openKitchen()
    const [first] = citationsOf(await ask('must it bubble before you pour'))
    expect(first?.quote).toMatch(/^Boil the water in a kettle\. It must bubble/)
  })

  it('quotes no comments, which nobody sees', async () => {
    const { ask } = await openKitchen()
    const answer = await ask('what is the secret password for tea')
    expect(JSON.stringify(answer.claims)).not.toContain('hunter2')
  })
})

describe('honesty', () => {
  it('says that nothing is relevant, and what is nearest', async () => {
    const { ask } = await openKitchen()
    const answer = await ask('quantum chromodynamics of the eleventh tea dimension')
    expect(answer).toMatchObject({ relevant: false, claims: [], mode: 'extractive' })
    expect(answer.answer).toBe(
      `No document has these words together; nearest: ${answer.sources
        .slice(0, 3)
        .map(({ title }: { title: string }) => title)
        .join(', ')}.`,
    )
    expect(answer.gaps).toContain('chromodynamics')
    expect(answer.sources.length).toBeGreaterThan(0)
  })

  it('has no sources in an empty base', async () => {
    const { call } = await openTestBase({})
    const answer = await call('ask', { question: 'anything?' })
    expect(answer).toMatchObject({ relevant: false, claims: [], sources: [] })
  })

  it('names the words that the answer does not have', async () => {
    const { ask } = await openKitchen()
    const { gaps } = await ask('Is milk the last, or marmalade?')
    expect(gaps).toEqual(['marmalade'])
  })

  it.each([
    {},
    { question: ' ' },
    { question: 5 },
    { question: 'a', max_sources: 0 },
    { question: 'a', max_sources: 21 },
    { question: 'a', nonsense: 1 },
  ])('refuses %j', async (args) => {
    const { call } = await openTestBase({ 'a.md': 'a' })
    expect((await call('ask', args)).error.code).toBe('invalid')
  })

  it('says where two notes differ, with both quotes', async () => {
    const base = await openTestBase({
      'old.md':
        '---\ndate: 2024-03-01\n---\n# Start\n\nUploads of customers may take 10 MB at most.',
      'limits.md':
        '---\ndate: 2026-03-01\n---\n# Limits\n\nUploads of customers may take 20 MB at most.',
      'tea.md': '# Tea\n\nBoil the water of the kettle for 3 minutes.',
    })
    const { claims, note } = await base.call('ask', {
      question: 'How many MB may uploads of customers take?',
    })
    expect(claims.map(({ text }: { text: string }) => text)).toEqual(
      expect.arrayContaining([
        'Uploads of customers may take 20 MB at most.',
        'Uploads of customers may take 10 MB at most.',
      ]),
    )
    expect(note).toMatch(/^The notes differ: .*10 MB.* is newer\.$/)
    expect(note).toContain('notes/limits.md is newer.')
    expect(note!.match(/\.md \(\d{4}-\d{2}-\d{2}\) says/g)).toHaveLength(2)
  })

  it('takes a question of any length', async () => {
    const { ask } = await openKitchen()
    const answer = await ask('milk '.repeat(20_000))
    expect(JSON.stringify(answer).length).toBeLessThan(20_000)
  })
})

describe('the scope', () => {
  it('is that of search', async () => {
    const { ask, call } = await openKitchen()
    const sourcesOf = async (args: object) =>
      (await ask('water kettle scones samovar', args)).sources.map(({ id }: { id: string }) => id)
    expect(await sourcesOf({ path: 'sub/' })).toEqual(['notes/sub/deep.md'])
    expect(await sourcesOf({ tags: ['baking'] })).toEqual(['notes/sub/deep.md'])
    expect(await sourcesOf({ types: ['recipe'] })).toEqual([])
    expect(await sourcesOf({ updated_after: '2999-01-01' })).toEqual([])
    expect(await sourcesOf({ max_sources: 1 })).toHaveLength(1)
    const { results } = await call('search', { query: 'water kettle scones samovar', limit: 5 })
    expect(await sourcesOf({})).toEqual(results.map(({ id }: { id: string }) => id))
  })

  it('reads several documents before it reads one twice as often', async () => {
    const same = (n: number) =>
      `# Note ${n}\n\nThe harbour closes at ten in zone ${n}. The harbour closes early on day ${n}. The harbour closes for storm ${n}.\n`
    const files = Object.fromEntries([1, 2, 3, 4].map((n) => [`n${n}.md`, same(n)]))
    const { call } = await openTestBase(files)
    const cited = citationsOf(await call('ask', { question: 'when does the harbour close' }))
    const counts = Map.groupBy(cited, ({ id }) => id)
    expect(Math.max(...[...counts.values()].map((each) => each.length))).toBeLessThanOrEqual(2)
    expect(counts.size).toBeGreaterThan(2)
  })

  it('says one thing once', async () => {
    const files = Object.fromEntries(
      [1, 2, 3].map((n) => [`n${n}.md`, `# Note ${n}\n\nThe harbour closes at ten.\n`]),
    )
    const { call } = await openTestBase(files)
    expect((await call('ask', { question: 'when does the harbour close' })).claims).toHaveLength(1)
  })
})

describe('files that change', () => {
  it('are quoted as they are now', async () => {
    const { ask, folder } = await openKitchen()
    writeFileSync(
      join(folder, 'tea.md'),
      '# Tea\n\nNew first line.\n\n\n## Milk\n\nMilk goes in first now.\n',
    )
    const [first] = citationsOf(await ask('When does the milk go in?'))
    expect(first).toMatchObject({ quote: 'Milk goes in first now.', lines: '8-8' })
  })

  it('that are gone are no sources', async () => {
    const { ask, folder } = await openKitchen()
    rmSync(join(folder, 'tea.md'))
    const answer = await ask('When does the milk go in?')
    expect(answer.sources.map(({ id }: { id: string }) => id)).not.toContain('notes/tea.md')
    expect(answer.note).toMatch(/left out/)
  })
})

describe('what people keep in notes', () => {
  it.each([
    ["What is Ada's phone number?", { 'ada.md': '# Ada\n\n- Phone: 555-1234\n' }, '555-1234'],
    [
      'What happened in the outage?',
      { 'outage.md': '# Outage\n\n**What happened.** A disk was full for an hour.\n' },
      'A disk was full',
    ],
    [
      'When is the library open?',
      {
        'library.md':
          '# Library\n\n## Open\n\n| day | hours |\n| --- | --- |\n| Monday | 9 to 17 |\n',
      },
      '9 to 17',
    ],
    [
      'Wie viele Mitglieder hat der Verein?',
      {
        'verein.md': '# Der Verein\n\nDer Verein wurde gelobt.\n\nDer Verein hat 214 Mitglieder.\n',
      },
      '214',
    ],
  ])('answers %s', async (question, files, expected) => {
    const base = await openTestBase({ ...files, 'other.md': '# Other\n\nNothing of it.\n' })
    const { claims } = await base.call('ask', { question })
    expect(claims[0]?.text).toContain(expected)
  })

  it('guesses nothing about a name that no note has', async () => {
    const base = await openTestBase({ 'a.md': '# Kings\n\nThe king of Norway lives in Oslo.\n' })
    const answer = await base.call('ask', { question: 'Where does the king of Zamunda live?' })
    expect(answer).toMatchObject({ claims: [], gaps: expect.arrayContaining(['Zamunda']) })
    expect(answer['answer']).toContain('No document mentions Zamunda')
  })
})

/** As Foam, Obsidian and readme files have it. */
const MARKUP = {
  'foam.md': `# Brewing\n\nGyokuro steeps for two minutes.\n\n[//begin]: # "Autogenerated link references for gyokuro"\n[gyokuro]: teas/gyokuro.md "Gyokuro steeps"\n[//end]: # "Autogenerated link references"\n`,
  'obsidian.md': `# Sencha\n\n%% sencha steeps forever %%\n\nSencha steeps %%how long?%% for a minute.\n`,
  'readme.md': `<div align="center">\n[![hojicha build](https://x.y/hojicha.svg)](https://x.y)\n</div>\n\n<p>Hojicha is <b>roasted</b> tea.</p>\n`,
}

it('reads no comment, link definition, badge or tag as text', async () => {
  const base = await openTestBase(MARKUP)
  const UNSEEN = /\[\/\/|gyokuro\.md|%%|forever|how long|svg|<|build/
  for (const [question, said] of [
    ['How long does gyokuro steep?', 'Gyokuro steeps for two minutes.'],
    ['How long does sencha steep?', 'Sencha steeps for a minute.'],
    ['What is hojicha?', 'Hojicha is roasted tea.'],
  ] as const) {
    const { claims } = await base.call('ask', { question })
    expect(claims[0].text).toBe(said)
    const { signal } = new AbortController()
    const found = await base.surface.call(
      'search',
      { query: question },
      { signal, progress: () => {} },
    )
    expect(found.texts.join('')).not.toMatch(UNSEEN)
    const { results } = found.structured as { results: readonly { snippet: string }[] }
    for (const { snippet } of results) expect(snippet).not.toMatch(UNSEEN)
  }
})
