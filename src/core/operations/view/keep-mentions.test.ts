/** Where nobody links, who says whose name is kept beside the index, and search follows it. */
import { expect, it } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import { rankDocuments } from '../searching/rank-documents.ts'
import { keepForNextStart } from './keep-mentions.ts'
import { openIndex } from './open-index.ts'

const FILES = {
  'Zia McCabe.md': '# Zia McCabe\n\nShe plays keyboards in The Dandy Warhols.\n',
  'The Dandy Warhols.md': '# The Dandy Warhols\n\nA band from Portland.\n',
  'Plan.md': '# Plan\n\nThe plan of the team.\n',
  'weather.md': '# weather\n\nRain, says the plan.\n',
}

type Files = Readonly<Record<string, string>>

async function openKept(files: Files = FILES) {
  const base = await openTestBase(files)
  const { store } = base
  await keepForNextStart(store)
  const paths = async (docs: readonly number[]) => (await store.paths(docs)).map(({ path }) => path)
  /** Pairs that a server has which starts now. */
  const started = async () => {
    const index = openIndex(store, async () => undefined, { keepsLinks: true })
    const { mentions } = await (await index.look()).links()
    const names = await paths(mentions?.ends ?? [])
    return names.flatMap((name, at) => (at % 2 === 0 ? [`${name} > ${names[at + 1]}`] : []))
  }
  return { ...base, started, paths }
}

const PAIR = ['Zia McCabe.md > The Dandy Warhols.md']

it('knows who says a title that is written as a name', async () => {
  const { started } = await openKept()
  expect(await started()).toEqual(PAIR)
})

it('keeps nothing where most notes have links', async () => {
  const linked = {
    'a.md': 'To [[b]].',
    'b.md': 'Of Zia McCabe, to [[c]].',
    'c.md': 'To [[a]] and [[d]].',
    'd.md': '',
    'Zia McCabe.md': '',
  }
  const { started, store } = await openKept(linked)
  expect(await started()).toEqual([])
  expect(await store.getMeta('mentions')).toBeUndefined()
})

it('says nothing of a name with two bearers', async () => {
  const { started } = await openKept({
    ...FILES,
    'band.md': '---\naliases: [the dandy warhols]\n---\n# Quartetto\n',
  })
  expect(await started()).toEqual([])
})

it('forgets what was said by a note that has changed', async () => {
  const { started, call } = await openKept()
  await call('write', { action: 'append', id: 'Plan.md', content: 'More.' })
  expect(await started()).toEqual(PAIR)
  await call('write', { action: 'append', id: 'Zia McCabe.md', content: 'More.' })
  expect(await started()).toEqual([])
})

it('follows a change while it is served', async () => {
  const { store, call } = await openKept()
  const index = openIndex(store, async () => undefined, { keepsLinks: true })
  const known = async () => (await (await index.look()).links()).mentions?.ends.length
  expect(await known()).toBe(2)
  await call('delete', { id: 'The Dandy Warhols.md' })
  expect(await known()).toBe(0)
})

it.each(['', 'nonsense', 'AAAA'])('does without what is damaged: %j', async (text) => {
  const { started, store } = await openKept()
  await store.putMeta('mentions', text)
  expect(await started()).toEqual([])
})

it('is followed by a search, and by nobody who sees a part', async () => {
  const { kb, base, paths } = await openKept({
    ...FILES,
    'other.md': '# other\n\nA city and its keyboards, many of them, and a band.\n',
  })
  const question = 'From which city is the band of Zia McCabe who plays keyboards'
  const order = async (links: boolean) =>
    paths((await rankDocuments(kb, question, { limit: 10, links })).hits.map(({ doc }) => doc))
  expect((await order(true)).indexOf('The Dandy Warhols.md')).toBeLessThan(
    (await order(false)).indexOf('The Dandy Warhols.md'),
  )
  const { viewFor } = await import('./view.ts')
  const part = viewFor(base, { principal: 'reader', may: ['read'], sees: () => true })
  expect((await part.links()).mentions).toBeUndefined()
  expect((await kb.links()).mentions).toBeDefined()
})

it('takes no list of very many names for prose', async () => {
  const names = Array.from(
    { length: 300 },
    (_, n) => `Zia McCabe${String.fromCharCode(65 + (n % 26))}${n}`,
  )
  const { started } = await openKept({
    ...Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n`])),
    'few.md': `Of ${names.slice(0, 3).join(', ')}.\n`,
    'list.md': `${names.join(', ')}.\n`,
  })
  const pairs = await started()
  expect(pairs.filter((pair) => pair.startsWith('few.md'))).toHaveLength(3)
  expect(pairs.filter((pair) => pair.startsWith('list.md'))).toEqual([])
})
