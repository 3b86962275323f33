/** A question that is asked again gets the answer that it would get if nobody had asked before. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openKnowledge } from '../../../serve/parts/open-knowledge.ts'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import type { Knowledge } from '../view/knowledge.ts'
import { createView, wholeView } from '../view/view.ts'
import { rankDocuments } from './rank-documents.ts'
import { searchDocuments } from './search-documents.ts'
import { createShownBefore } from './shown-before.ts'

const FILES = {
  'tea.md': '# Tea\n\nGreen leaves, and water from a kettle.\n',
  'kettle.md': '# Kettle\n\nBoils water for tea.\n',
  'secret/hoard.md': '# Hoard\n\nA kettle of gold.\n',
}

it('finds within one view and one selection', async () => {
  const { base, kb } = await openSmallBase(FILES)
  const found = async (view = kb, options = {}) =>
    (await searchDocuments(view, 'kettle', options)).hits
  expect(await found()).toHaveLength(3)
  expect(await found(kb, { path: 'tea.md' })).toHaveLength(1)
  const part = createView(base, { sees: ({ path }) => !path.startsWith('secret/') })
  expect(await found(part)).toHaveLength(2)
  expect(await found()).toHaveLength(3)
})

it('takes up what was indexed since', async () => {
  const { folder, kb, sync } = await openSmallBase(FILES)
  const ids = async () => (await searchDocuments(kb, 'kettle')).hits.map(({ id }) => id).toSorted()
  const before = await ids()
  writeFileSync(join(folder, 'pot.md'), '# Pot\n\nNo kettle.\n')
  await sync()
  expect(await ids()).toEqual([...before, 'notes/pot.md'].toSorted())
})

it('shows a file as it is now, also where the index does not know yet', async () => {
  const { folder, kb } = await openSmallBase(FILES)
  const look = async () => {
    const evidence = () => ({ tokens: 500 })
    const answer = await searchDocuments(kb, 'kettle', { evidence })
    return JSON.stringify([answer.hits.map((hit) => hit.snippet), answer.evidence])
  }
  expect(await look()).toBe(await look())
  writeFileSync(join(folder, 'kettle.md'), '# Kettle\n\nWhistles when the kettle boils.\n')
  expect(await look()).toContain('Whistles when')
  expect(await look()).not.toContain('Boils water for tea')
})

it.each(['scan', 'index', 'learn', 'embed'] as const)(
  'ranks by meaning and links in a process that has just started (%s)',
  async (phase) => {
    const { store, base } = await openSmallBase(
      {
        'brew.md': '# Brewing\n\nPour boiling water on green leaves and wait. See [[pot]].\n',
        'pot.md': '# Pot\n\nHolds the water and the leaves; see [[brew]].\n',
        'bread.md': '# Bread\n\nWater, flour and leaves of rosemary, and wait an hour.\n',
        'garden.md': '# Garden\n\nLeaves fall. Water the green ones, and do not wait.\n',
      },
      { learns: true },
    )
    const http = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
    const { sources } = base
    const question = 'how long to wait after pouring hot water on the green leaves of a plant'
    const askedFirst = async (catchingUp: Knowledge['catchingUp']) => {
      const started = openKnowledge({ config: { http }, store, sources, catchingUp })
      const { hits, mode } = await rankDocuments(wholeView(started), question, { limit: 11 })
      return { mode, hits: hits.map(({ doc, score }) => ({ doc, score })) }
    }
    const first = await askedFirst(() => ({ phase, done: 0, total: 1, wasComplete: true }))
    expect(first).toEqual(await askedFirst(() => undefined))
    expect(first.mode).toBe('hybrid')
  },
)

it('packs for every connection what it has not seen', async () => {
  const { kb } = await openSmallBase(FILES)
  const ask = async (seen = createShownBefore()) => {
    const shown = seen.about('water from a kettle')
    const evidence = () => ({ tokens: 500, seen: shown })
    const answer = await searchDocuments(kb, 'water from a kettle', { evidence })
    shown.told()
    return answer.evidence
  }
  const mine = createShownBefore()
  const first = await ask(mine)
  expect(first.some(({ text }) => text.includes('Green leaves'))).toBe(true)
  const again = await ask(mine)
  expect([again.every(({ text }) => text === ''), again.some(({ saved }) => saved > 0)]).toEqual([
    true,
    true,
  ])
  expect(await ask()).toEqual(first)
  expect(await ask(mine)).toEqual(again)
})
