/** reStructuredText in a base: known by its headings and labels, linked, and edited as it stands. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { askQuestion } from '../../src/core/operations/answering/ask-question.ts'
import { fetchDocument } from '../../src/core/operations/reading/fetch-document.ts'
import { reportBrokenLinks } from '../../src/core/operations/reporting/report-insights.ts'
import { moveDocument } from '../../src/core/operations/writing/move-document.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { appendToDocument } from '../support/edit-documents.ts'
import { openSmallBase } from '../support/open-small-base.ts'

const by = { by: { client: 'test/1' } }
const FILES = {
  'index.rst':
    'Tea house\n=========\n\nCare is in :ref:`iron-care`, see `gone <gone.html>`_.\n\n.. toctree::\n\n   pots/iron\n',
  'pots/iron.rst':
    'Iron pots\n=========\n\n.. _iron-care:\n\nCare\n----\n\nDry an iron pot over a low flame. Back to :doc:`/index`.\n\nStorage\n-------\n\nKeep the lid off.\n',
  'notes.md': '# Notes\n\nRead [iron pots](pots/iron.rst).\n',
}

it('finds, quotes and fetches a section', async () => {
  const { kb } = await openSmallBase(FILES)
  const { hits } = await searchDocuments(kb, 'dry over a low flame')
  expect(hits[0]).toMatchObject({ id: 'notes/pots/iron.rst', headingPath: ['Iron pots', 'Care'] })
  const { claims } = await askQuestion(kb, 'How do I dry an iron pot?', {})
  expect(claims[0]?.citations[0]).toMatchObject({ headingPath: ['Iron pots', 'Care'] })
  expect((await fetchDocument(kb, 'pots/iron.rst#Storage')).text).toBe(
    'Storage\n-------\n\nKeep the lid off.\n',
  )
})

it('leads from file to file, by label too', async () => {
  const { kb } = await openSmallBase(FILES)
  const ends = async (path: string) => {
    const record = await kb.store.findByPath('notes', path)
    const links = await kb.store.linksFrom(record!.no)
    const to = await kb.store.paths(links.flatMap((link) => link.to ?? []))
    return to.map((place) => place.path)
  }
  expect(await ends('index.rst')).toEqual(['pots/iron.rst', 'pots/iron.rst'])
  expect(await ends('pots/iron.rst')).toEqual(['index.rst'])
  expect(await ends('notes.md')).toEqual(['pots/iron.rst'])
  expect((await reportBrokenLinks(kb)).items).toEqual([])
})

it('is edited as it stands, and moved with the links of notes', async () => {
  const { kb, folder } = await openSmallBase(FILES)
  await appendToDocument(kb, 'pots/iron.rst', 'Oil it once a year.', by)
  const text = readFileSync(join(folder, 'pots/iron.rst'), 'utf8')
  expect(text).toMatch(/lid off\.\n+Oil it once a year\.\n?$/)
  const moved = await moveDocument(kb, 'pots/iron.rst', 'iron.rst', by)
  expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toContain('[iron pots](iron.rst)')
  // Its own ways to other files are told, and left to the author.
  expect(moved.brokenLinks?.map(({ id }) => id)).toContain('notes/index.rst')
})
