/** Two notes about one thing become one: as a preview, as one operation, and undone. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'

const FILES = {
  'people/ada.md': [
    '---',
    'aliases: [Countess]',
    'tags: [maths]',
    'role: engineer',
    'knows: ["[[babbage]]"]',
    'born: 1815',
    '---',
    '# Ada Lovelace',
    '',
    '- [fact] Wrote the first program.',
    '- works_with [[babbage]]',
    '',
    '## Letters',
    '',
    'See [the engine](../engine.md) and [[ada]].',
    '',
  ].join('\n'),
  'people/countess-lovelace.md': [
    '---',
    'tags: [people]',
    'role: writer',
    'knows: ["[[engine]]"]',
    '---',
    '# A. A. King',
    '',
    'Translated Menabrea.',
    '',
  ].join('\n'),
  'people/babbage.md':
    '# Babbage\n\nKnew [[ada]], [Ada](ada.md#letters) and [[Ada Lovelace|her]].\n',
  'engine.md':
    '---\nby: "[[ada]]"\n---\n# Engine\n\nOf the [[Countess]]; see [her](people/ada.md).\n',
}

const MERGE = { action: 'move', id: 'people/ada', to: 'people/countess-lovelace.md', merge: true }

function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    files
      .filter((each) => each.isFile() && each.name.endsWith('.md'))
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )
}

it('shows what would happen, does it as one operation, and takes it back', async () => {
  const { call, folder } = await openTestBase(FILES)
  const dry = await call('write', { ...MERGE, dry_run: true })
  expect(dry['diff']).toContain('Wrote the first program')
  expect(dry['links_rewritten']).toBeGreaterThan(3)
  expect(contents(folder)).toEqual(FILES)
  const done = await call('write', { ...MERGE, if_plan: dry['plan'] })
  expect(done['id']).toBe('notes/people/countess-lovelace.md')
  expect(done['warnings']).toEqual([expect.stringContaining('keeps its own role')])
  expect(done['broken_links']).toBeUndefined()
  const after = contents(folder)
  expect(after['people/ada.md']).toBeUndefined()
  const merged = after['people/countess-lovelace.md']!
  expect(merged).toContain('role: writer')
  expect(merged).toContain('born: 1815')
  expect(merged).toMatch(/Translated Menabrea\.\n\n## Ada Lovelace\n\n- \[fact\] Wrote the first/)
  expect(merged).toContain('See [the engine](../engine.md) and [[countess-lovelace]].')
  expect(after['people/babbage.md']).toBe(
    '# Babbage\n\nKnew [[countess-lovelace]], [Ada](countess-lovelace.md#letters) and [[Ada Lovelace|her]].\n',
  )
  expect(after['engine.md']).toContain('by: "[[countess-lovelace]]"')
  expect(after['engine.md']).toContain('see [her](people/countess-lovelace.md)')
  // Its names lead to the other one from now on, and so do its relations.
  for (const name of ['Ada Lovelace', 'Countess', 'ada']) {
    expect((await call('fetch', { id: name }))['id']).toBe('notes/people/countess-lovelace.md')
  }
  const { metadata } = await call('fetch', { id: 'people/countess-lovelace.md' })
  expect(metadata.tags.toSorted()).toEqual(['maths', 'people'])
  const { neighbors } = await call('neighbors', { id: 'countess-lovelace', types: ['RELATES'] })
  expect(neighbors.map(({ id, types }: any) => [id, types.join()])).toContainEqual([
    'notes/people/babbage.md',
    'LINKS_TO,RELATES:knows,RELATES:works_with',
  ])
  const undone = await call('history', { action: 'undo', id: done['operation'] })
  expect(undone['error']).toBeUndefined()
  expect(contents(folder)).toEqual(FILES)
})

it('refuses what cannot be one, and changes nothing', async () => {
  const files = { ...FILES, 'list.csv': 'a,b\n1,2\n' }
  const { call, folder } = await openTestBase(files)
  const refused = async (args: object) => {
    const { error } = await call('write', { ...MERGE, ...args })
    return `${error.code} ${error.message} ${error.hint}`
  }
  expect(await refused({ to: 'people/ada.md' })).toContain('merged into itself')
  expect(await refused({ to: 'people/nobody.md' })).toContain('not_found')
  expect(await refused({ if_digest: 'f'.repeat(64) })).toContain('conflict')
  expect(await refused({ merge: undefined })).toContain('merge: true')
  expect(await refused({ action: 'append', content: 'x', to: undefined })).toContain('goes with')
  const { error } = await call('write', { edits: [MERGE] })
  expect(error.message).toContain('by themselves')
  expect(contents(folder)).toEqual(FILES)
})

const PAIR = { action: 'move', id: 'old', to: 'new.md', merge: true }

it('leaves what was over of the one out of the other', async () => {
  const { call, folder } = await openTestBase({
    'old.md':
      '---\nstatus: deprecated\nsuperseded_by: "[[new]]"\nvalid_until: 2024-01-01\nowner: Mara\n---\n# Old\n\nWas so.\n',
    'new.md': '# New\n\nIs so.\n',
    'other.md': '# Other\n\nSee [[old]].\n',
  })
  const done = await call('write', PAIR)
  expect(done['rewritten_in']).toEqual(['notes/other.md'])
  const merged = contents(folder)['new.md']!
  expect(merged).toContain('owner: Mara')
  expect(merged).not.toMatch(/deprecated|superseded_by|valid_until/)
})

it.each([
  ['a block of code that nobody closed', 'Old words.', '# New\n\n```\ncode\n', /ends within/],
  [
    'one label for two places',
    '[a][1]\n\n[1]: https://a.example',
    '# New\n\n[1]: /b',
    /both define \[1\]/,
  ],
])('is refused, and changes nothing: %s', async (_, old, stays, message) => {
  const files = { 'old.md': `# Old\n\n${old}\n`, 'new.md': `${stays}\n` }
  const { call, folder } = await openTestBase(files)
  expect((await call('write', PAIR))['error'].message).toMatch(message)
  const unlinked = await call('write', { ...PAIR, update_links: false })
  expect(unlinked['error'].message).toMatch(/Links follow/)
  expect(contents(folder)).toEqual(files)
})

it('says which links find another section of the same name', async () => {
  const { call, folder } = await openTestBase({
    'old.md': '---\ntitle: Dee\n---\n# Intro\n\nText.\n\n## Work\n\nOne.\n',
    'new.md': '# New\n\n## Work\n\nTwo.\n',
  })
  const { warnings } = await call('write', PAIR)
  expect(warnings).toEqual([expect.stringContaining('bear the same names: Work.')])
  expect(contents(folder)['new.md']).toContain('## Dee\n\n# Intro')
})

it('gives blocks other names where both have them, and links follow', async () => {
  const files = {
    'a.md': '# A\n\nSaid by A. ^fact\n\nAlone. ^own\n\nSee [[#^fact]] and [[b#^fact]].\n',
    'b.md': '# B\n\nSaid by B. ^fact\n\nSee [[a#^fact]] and [[#^fact]].\n',
    'c.md':
      '---\nfrom: "[[a#^fact]]"\n---\n![[a#^fact]], [[A#^fact|that]], [it](a.md#^fact), [[a#^own]], [[b#^fact]]\n',
  }
  const { call, folder } = await openTestBase(files)
  const merge = { action: 'move', id: 'a', to: 'b.md', merge: true }
  const dry = await call('write', { ...merge, dry_run: true })
  expect(dry['diff']).toContain('Said by A. ^fact-2')
  expect(dry['warnings']).toEqual([expect.stringContaining('^fact is ^fact-2')])
  expect(contents(folder)).toEqual(files)
  await call('write', { ...merge, if_plan: dry['plan'] })
  const after = contents(folder)
  expect(after['b.md']).toContain('Said by A. ^fact-2\n\nAlone. ^own')
  expect(after['b.md']).toContain('See [[#^fact-2]] and [[b#^fact]].')
  expect(after['b.md']).toContain('See [[b#^fact-2]] and [[#^fact]].')
  expect(after['c.md']).toBe(
    '---\nfrom: "[[b#^fact-2]]"\n---\n![[b#^fact-2]], [[b#^fact-2|that]], [it](b.md#^fact-2), [[b#^own]], [[b#^fact]]\n',
  )
  await call('history', { action: 'undo' })
  expect(contents(folder)).toEqual(files)
})
