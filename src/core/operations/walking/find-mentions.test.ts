import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { turnsDuring } from '../../../../test/support/turns-during.ts'
import { readDocuments } from '../reading/read-document.ts'
import { reportMentions } from '../reporting/report-mentions.ts'
import { viewFor } from '../view/view.ts'
import { asLink, mentionsIn } from './find-mentions.ts'
import { getNeighbors } from './get-neighbors.ts'

const NOTES = {
  'Kestrel.md': '---\naliases: [kestrel-api]\n---\n# Kestrel\n\nPrices a basket for Bluefin.\n',
  'Bluefin.md': '# Bluefin\n\nShops ask [[Kestrel]] for prices.\n',
  'Plan.md':
    '# Plan\n\nShip soon. The team waits for Kestrel, and so does Mara. `Bluefin` is code.\n',
  'people/Mara Lind.md': '---\ntype: person\n---\n# Mara Lind\n\nMakes the plan.\n',
  'log.md': '# Log\n\nTalked to Lind about the kestrel-api and Bluefin, and Bluefin again.\n',
}

async function mentionsFrom(path: string, files: Readonly<Record<string, string>> = NOTES) {
  const { kb } = await openSmallBase(files)
  const record = await kb.store.findByPath('notes', path)
  const [live] = await readDocuments(kb, [record!.no])
  const found = await mentionsIn(kb, live!)
  const targets = await kb.store.documents(found.map(({ to }) => to))
  return found.map((each, at) => ({ ...each, path: targets[at]!.path, text: live!.text }))
}

it('finds the names that prose says, with their sentence and line', async () => {
  const found = await mentionsFrom('Plan.md')
  expect(found.map(({ path, line, sentence }) => [path, line, sentence])).toEqual([
    ['Kestrel.md', 3, 'The team waits for Kestrel, and so does Mara.'],
    ['people/Mara Lind.md', 3, 'The team waits for Kestrel, and so does Mara.'],
  ])
})

it('leaves out what is linked, and words that anybody says', async () => {
  expect(await mentionsFrom('Bluefin.md')).toEqual([])
  expect(await mentionsFrom('people/Mara Lind.md')).toEqual([])
})

it('is a kind of edge for whoever asks for it', async () => {
  const { kb } = await openSmallBase(NOTES)
  const around = async (id: string, direction: 'in' | 'out' | 'both') => {
    const found = await getNeighbors(kb, id, { types: ['MENTIONS'], direction })
    expect(found.total).toBe(found.neighbors.length)
    return found.neighbors.map((each) => `${each.direction} ${each.id} ${each.line}`)
  }
  expect(await around('notes/Kestrel.md', 'in')).toEqual([
    'in notes/Plan.md 3',
    'in notes/log.md 3',
  ])
  expect(await around('notes/Kestrel.md', 'out')).toEqual(['out notes/Bluefin.md 6'])
  expect(await around('notes/people/Mara Lind.md', 'both')).toEqual([
    'in notes/Plan.md 3',
    'in notes/log.md 3',
  ])
  const plain = await getNeighbors(kb, 'notes/Kestrel.md', {})
  expect(plain.neighbors.map(({ id }) => id)).toEqual(['notes/Bluefin.md'])
})

it('pages through links and mentions as one list', async () => {
  const { kb } = await openSmallBase(NOTES)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const types = ['LINKS_TO', 'MENTIONS']
    const page = await getNeighbors(kb, 'notes/Kestrel.md', { types, limit: 1, cursor })
    seen.push(...page.neighbors.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor)
  expect(seen).toEqual(['notes/Bluefin.md', 'notes/Plan.md', 'notes/log.md'])
})

it('reports all of them with an edit that links each, once in its text', async () => {
  const { kb } = await openSmallBase(NOTES)
  const { items, read, documents } = await reportMentions(kb)
  expect([read, documents]).toEqual([5, 5])
  expect(items.map(({ from, to }) => `${from} ${to}`)).toEqual([
    'notes/Kestrel.md notes/Bluefin.md',
    'notes/Plan.md notes/Kestrel.md',
    'notes/Plan.md notes/people/Mara Lind.md',
    'notes/log.md notes/people/Mara Lind.md',
    'notes/log.md notes/Kestrel.md',
    'notes/log.md notes/Bluefin.md',
  ])
  let text = NOTES['log.md']
  for (const { find, replace } of items.filter(({ from }) => from === 'notes/log.md')) {
    expect(text.split(find)).toHaveLength(2)
    text = text.replace(find, replace)
  }
  expect(text).toContain(
    '[[Mara Lind|Lind]] about the [[Kestrel|kestrel-api]] and [[Bluefin]], and',
  )
})

it('goes on where a page ended', async () => {
  const { kb } = await openSmallBase(NOTES)
  const first = await reportMentions(kb, { limit: 1 })
  const rest = await reportMentions(kb, { limit: 100, cursor: first.nextCursor! })
  const all = await reportMentions(kb, { limit: 100 })
  expect([...first.items, ...rest.items]).toEqual(all.items)
})

it('tells a caller nothing of notes that it does not see', async () => {
  const { base } = await openSmallBase(NOTES)
  const without = Object.fromEntries(
    Object.entries(NOTES).filter(([path]) => !path.startsWith('people/') && path !== 'log.md'),
  )
  const other = await openSmallBase(without)
  const sees = ({ path }: { readonly path: string }): boolean =>
    !path.startsWith('people/') && path !== 'log.md'
  const part = viewFor(base, { principal: 'reader', may: ['read'], sees })
  expect(await reportMentions(part)).toEqual(await reportMentions(other.kb))
  const asked = { types: ['MENTIONS'] }
  expect(await getNeighbors(part, 'notes/Kestrel.md', asked)).toEqual(
    await getNeighbors(other.kb, 'notes/Kestrel.md', asked),
  )
})

it('links by the name of the file, with its folders where two have it', async () => {
  const { kb } = await openSmallBase({
    'kestrel-api.md': '# Kestrel\n',
    'one/bluefin.md': '# Bluefin\n',
    'two/bluefin.md': '# Harrier\n',
    'a#b.md': '# Osprey\n',
    'a.md.md': '# Quokka\n',
    'log.md': '# Log\n\nAsk Kestrel, Harrier, Osprey and Quokka about it.\n',
  })
  const { items } = await reportMentions(kb)
  expect(items.map(({ replace }) => replace.match(/\[\[.*?\]\]/)![0])).toEqual([
    '[[kestrel-api|Kestrel]]',
    '[[two/bluefin|Harrier]]',
    '[[Osprey]]',
    '[[Quokka]]',
  ])
})

it('leaves the cells of a table as many as they are', async () => {
  const table = (name: string) => `| who | since |\n| --- | --- |\n| the ${name} | May |\n`
  const { kb } = await openSmallBase({
    'kestrel-api.md': '# Kestrel\n',
    'log.md': `# Log\n\n${table('Kestrel')}`,
    'linked.md': table('[[kestrel-api\\|Kestrel]]'),
  })
  const { items } = await reportMentions(kb)
  expect(items.map(({ replace }) => replace)).toEqual(['[[kestrel-api\\|Kestrel]]'])
  const linked = await kb.store.findByPath('notes', 'linked.md')
  expect((await kb.store.linksFrom(linked!.no)).map(({ target }) => target)).toEqual([
    'kestrel-api',
  ])
})

it('needs no other words where the name is what stands there', () => {
  expect(asLink('on Kite.', { start: 3, end: 7 }, 'kite')).toEqual({
    find: 'Kite',
    replace: '[[Kite]]',
  })
})

it('reads a note of ten thousand names once each', async () => {
  const names = Array.from(
    { length: 300 },
    (_, no) => `Zorblatt${String.fromCodePoint(97 + (no % 26))}${no}`,
  )
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n`]))
  const said = Array.from({ length: 10_000 }, (_, no) => names[no % 300]).join(' and ')
  const found = await mentionsFrom('all.md', { ...files, 'all.md': `# All\n\nWe say ${said}.\n` })
  expect(found).toHaveLength(300)
})

it('tells of very many names in one line page by page, with edits that stay short', async () => {
  const names = Array.from({ length: 150 }, (_, no) => `Zorblatt${no}`)
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n`]))
  const line = Array.from({ length: 3_000 }, (_, no) => names[no % 150]).join(' ')
  const { kb } = await openSmallBase({ ...files, 'all.md': `# All\n\n${line}\n` })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await reportMentions(kb, { limit: 40, cursor })
    expect(page.items.length).toBeLessThanOrEqual(40)
    for (const { find, replace, to } of page.items) {
      expect(find.length + replace.length).toBeLessThan(1_000)
      seen.push(to)
    }
    cursor = page.nextCursor
  } while (cursor)
  expect(new Set(seen).size).toBe(150)
  expect(seen).toHaveLength(150)
})

it('lets others have their turn while it reads a note of very many names', async () => {
  const names = Array.from({ length: 2_000 }, (_, no) => `Zorblatt${no}`)
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n`]))
  const said = Array.from({ length: 16_000 }, (_, no) => names[no % 2_000]).join(' ')
  const text = `# All\n\n${said}\n`.slice(0, 199_000)
  const { kb } = await openSmallBase({ ...files, 'all.md': text })
  const record = await kb.store.findByPath('notes', 'all.md')
  const [live] = await readDocuments(kb, [record!.no])
  const turns = await turnsDuring(async () => {
    expect(await mentionsIn(kb, live!)).toHaveLength(2_000)
  })
  expect(turns).toBeGreaterThan(10)
})
