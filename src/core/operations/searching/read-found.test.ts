import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { SOON } from '../../../../test/support/soon.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { findPassages } from './find-passages.ts'

/** Made of parts, so that this file holds none. */
const KEY = `ghp_${'aZ3xK9bQ'.repeat(4)}wwww`

async function openWatched(files: Readonly<Record<string, string>>, kind?: 'both') {
  const small = await openSmallBase(files, { kind })
  const source = small.kb.sources.get('notes')!
  const plain = source.read
  const read = vi.spyOn(source, 'read')
  return {
    ...small,
    /** Holds who reads next until it is let go. */
    holdNext() {
      const { promise, resolve: letGo } = Promise.withResolvers<void>()
      const held = new Promise<void>((resolve) => {
        read.mockImplementationOnce(async (...asked) => {
          const contents = await plain(...asked)
          resolve()
          await promise
          return contents
        })
      })
      return { held, letGo }
    },
    /** What is found, and how many files were read for it. */
    async find(query: string) {
      read.mockClear()
      const { passages } = await findPassages(small.kb, query, { selection: {}, limit: 9 })
      return {
        texts: passages.map(({ live, chunk }) => live.text.slice(chunk!.start, chunk!.end)),
        titles: passages.map(({ live }) => live.record.title),
        read: read.mock.calls.reduce((sum, [paths]) => sum + paths.length, 0),
      }
    },
  }
}

/** Files that were just written may be written again in the same tick of the clock. */
async function untilKept(find: (query: string) => Promise<{ readonly read: number }>) {
  await expect.poll(async () => (await find('kettle')).read, SOON).toBe(0)
}

it('reads what was found before only where its file is another', async () => {
  const { find, folder } = await openWatched({
    'tea.md': '# Tea\n\nA kettle boils.\n',
    'pot.md': '# Pot\n\nNo kettle here.\n',
  })
  expect((await find('kettle')).read).toBe(2)
  await untilKept(find)
  expect((await find('boils')).read).toBe(0)
  writeFileSync(join(folder, 'tea.md'), '# Tea\n\nA kettle sings.\n')
  const { texts, read } = await find('kettle')
  expect(texts.join()).toContain('A kettle sings.')
  expect(texts.join()).not.toContain('boils')
  expect(read).toBeGreaterThan(0)
  rmSync(join(folder, 'tea.md'))
  expect((await find('kettle')).titles).toEqual(['Pot'])
})

it('keeps notes of a folder that holds a graph as well, and none of its entities', async () => {
  const pot = { id: 'pot', type: 'concept', name: 'Samovar' }
  const files = {
    'tea.md': '# Tea\n\nA kettle boils.\n',
    'knowledge/entities/concepts.jsonl': `${JSON.stringify(pot)}\n`,
  }
  const { find } = await openWatched(files, 'both')
  await untilKept(find)
  for (let turn = 0; turn < 3; turn++) {
    const { titles, read } = await find('samovar')
    expect([titles, read]).toEqual([['Samovar'], 1])
  }
})

it('forgets what was found when the index is another', async () => {
  const { find, folder, sync } = await openWatched({ 'tea.md': '# Tea\n\nA kettle boils.\n' })
  await untilKept(find)
  writeFileSync(join(folder, 'new.md'), '# New\n\nNothing.\n')
  await sync()
  expect((await find('kettle')).read).toBe(1)
})

it('reads only the file that is another, until it is indexed', async () => {
  const { find, folder } = await openWatched({
    'tea.md': '# Tea\n\nA kettle boils.\n',
    'pot.md': '# Pot\n\nNo kettle here.\n',
  })
  await untilKept(find)
  writeFileSync(join(folder, 'tea.md'), '# Tea\n\nA kettle sings.\n')
  expect((await find('kettle')).read).toBe(2)
  expect((await find('kettle')).read).toBe(1)
})

it('keeps nothing that was read for the index before', async () => {
  const { find, folder, sync, holdNext } = await openWatched({
    'tea.md': '# Tea\n\nA kettle boils.\n',
  })
  await untilKept(find)
  writeFileSync(join(folder, 'new.md'), '# New\n\nNothing.\n')
  await sync()
  const { held, letGo } = holdNext()
  const late = find('kettle')
  await held
  writeFileSync(join(folder, 'newer.md'), '# Newer\n\nNothing.\n')
  await sync()
  expect((await find('nothing')).titles).toHaveLength(2)
  letGo()
  await late
  expect((await find('kettle')).read).toBe(1)
})

it('never keeps a document that holds a secret', async () => {
  const { find } = await openWatched({
    'key.md': `# Key\n\nA kettle: ${KEY}\n`,
    'tea.md': '# Tea\n\nA kettle boils.\n',
  })
  await expect.poll(async () => (await find('kettle')).read, SOON).toBe(1)
  expect((await find('kettle')).texts.join()).not.toContain(KEY)
})

it('does not show what has come to lie behind a link that leads out', async () => {
  const { find, folder } = await openWatched({ 'in/tea.md': '# Tea\n\nA kettle boils.\n' })
  await untilKept(find)
  const outside = join(temporaryFolder({}), 'outside')
  mkdirSync(outside)
  renameSync(join(folder, 'in'), join(outside, 'in'))
  symlinkSync(join(outside, 'in'), join(folder, 'in'))
  expect((await find('kettle')).texts).toEqual([])
})
