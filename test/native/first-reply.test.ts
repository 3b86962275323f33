/** The first reply after a start: current where that is known in a moment, and honest where not. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Progress } from '../../src/core/indexing/indexer.ts'
import { firstLook } from '../../src/core/operations/view/await-index.ts'
import { tool } from '../../src/serve/door/tool.ts'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { openTestBase } from '../support/open-test-base.ts'

const CALL = { signal: new AbortController().signal, progress: () => {} }
const SCAN: Progress = { phase: 'scan', done: 0, total: 0, wasComplete: true }

/** A base whose files are looked through until so many have asked. */
async function started(looks: number, files: Record<string, string>, after?: Progress) {
  const { base } = await openTestBase(files)
  let left = looks
  const looking = { ...base, catchingUp: () => (left-- > 0 ? SCAN : after) }
  const surface = openNativeSurface(looking, { version: '0', log: () => {} })
  return {
    surface,
    reply: async () => (await surface.call('list', {}, CALL)).structured,
    looksLeft: () => left,
  }
}

it('waits for the look at the files, and claims nothing when nothing changed', async () => {
  const { reply, looksLeft } = await started(2, { 'a.md': 'x\n' })
  expect(await reply()).not.toHaveProperty('indexing')
  expect(looksLeft()).toBeLessThanOrEqual(0)
})

it('says what is behind when something did', async () => {
  const after: Progress = { phase: 'index', done: 1, total: 3, wasComplete: true }
  const { reply } = await started(2, { 'a.md': 'x\n' }, after)
  expect((await reply())!['indexing']).toContain('1 of 3 changed files')
})

it('answers at once where nothing was ever indexed', async () => {
  const { reply } = await started(1_000_000, {})
  expect((await reply())!['indexing']).toContain('last look')
})

it('says that files were missing when it was asked, though they are there by now', async () => {
  const { base } = await openTestBase({ 'a.md': 'x\n' })
  let progress: Progress | undefined = { phase: 'index', done: 0, total: 1 }
  const finds = tool({
    name: 'finds',
    title: 'Finds',
    description: 'Looks while the last file is put into the index.',
    access: 'read',
    input: z.strictObject({}),
    output: z.looseObject({}),
    run: async () => ((progress = undefined), { found: 0 }),
    present: (answer) => answer,
  })
  const built = { ...base, catchingUp: () => progress }
  const surface = openNativeSurface(built, { version: '0', log: () => {}, further: () => [finds] })
  const reply = async () => (await surface.call('finds', {}, CALL)).structured
  expect((await reply())!['indexing']).toContain('being read for the first time')
  expect(await reply()).not.toHaveProperty('indexing')
})

it('waits once, and not without end', async () => {
  const { base } = await openTestBase({ 'a.md': 'x\n' })
  let asked = 0
  const endless = { ...base, catchingUp: () => (asked++, SCAN) }
  const look = firstLook(endless, 50)
  await look()
  const first = asked
  await look()
  expect([first > 1, asked]).toEqual([true, first])
})

it('waits for the look at a base of some thousand notes too', async () => {
  const { base } = await openTestBase({ 'a.md': 'x\n' })
  let looks = 3
  const store = { ...base.store, pathOrder: async () => new Uint32Array(6_571) }
  await firstLook({ ...base, store, catchingUp: () => (looks-- > 0 ? SCAN : undefined) })()
  expect(looks).toBeLessThan(0)
})

it('loads what answers are made of while it waits', async () => {
  const { base } = await openTestBase({ 'a.md': 'x\n' })
  let loaded = false
  const index: typeof base.index = {
    ...base.index,
    look: async () => {
      const moment = await base.index.look()
      return { ...moment, meaning: async () => ((loaded = true), moment.meaning()) }
    },
  }
  await firstLook({ ...base, index, catchingUp: () => (loaded ? undefined : SCAN) })()
  expect(loaded).toBe(true)
})

it('loads what answers are made of behind the first call on a very large base', async () => {
  const asked: string[] = []
  const part = (name: string) => async () => void asked.push(name)
  const look = async () => ({
    lexical: part('lexical'),
    links: part('links'),
    meaning: part('meaning'),
  })
  const kb = {
    catchingUp: () => SCAN,
    store: { pathOrder: async () => new Uint32Array(1_000_000) },
    index: { look },
  } as unknown as Parameters<typeof firstLook>[0]
  await firstLook(kb)()
  await expect.poll(() => asked).toEqual(['lexical', 'links', 'meaning'])
})
