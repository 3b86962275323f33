/** What an edit looks at, besides the file that it changes. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import type { View } from '../view/view.ts'
import { appendToDocument, prependToDocument } from '../../../../test/support/edit-documents.ts'

const by = {}

/** The view, and how often somebody scanned for a path or parsed a document through it. */
async function openCounted() {
  const { kb, folder } = await openSmallBase({ 'tea.md': '# Tea\n', '.gitignore': 'own.md\n' })
  const counts = { scans: 0, parses: 0 }
  const [[name, source]] = [...kb.sources] as [
    [string, NonNullable<ReturnType<typeof kb.sources.get>>],
  ]
  const rescan: typeof source.rescan = (paths) => (counts.scans++, source.rescan(paths))
  const formatOf: View['formatOf'] = (path) => {
    const format = kb.formatOf(path)
    return { ...format, parse: (...given) => (counts.parses++, format.parse(...given)) }
  }
  const view: View = { ...kb, formatOf, sources: new Map([[name, { ...source, rescan }]]) }
  return { view, counts, folder }
}

it('goes by the index where that has the file as it is, and by the rules for the folder where not', async () => {
  const { view, counts, folder } = await openCounted()
  await appendToDocument(view, 'notes/tea.md', 'Green.', { by })
  expect(counts.scans).toBe(0)
  writeFileSync(join(folder, 'cup.md'), '# Cup\n')
  await appendToDocument(view, 'notes/cup.md', 'Blue.', { by })
  expect(counts.scans).toBeGreaterThan(0)
  writeFileSync(join(folder, 'own.md'), 'Mine.\n')
  const refused = appendToDocument(view, 'notes/own.md', 'Yours.', { by })
  await expect(refused).rejects.toMatchObject({ code: 'not_found' })
  expect(readFileSync(join(folder, 'own.md'), 'utf8')).toBe('Mine.\n')
})

it('parses a document only for an edit that goes by its structure', async () => {
  const { view, counts } = await openCounted()
  const dryRun = true
  await appendToDocument(view, 'notes/tea.md', 'Green.', { by, dryRun })
  expect(counts.parses).toBe(0)
  const section = 'Tea'
  await appendToDocument(view, 'notes/tea.md', 'Green.', { by, dryRun, section })
  await prependToDocument(view, 'notes/tea.md', 'Green.', { by, dryRun })
  expect(counts.parses).toBe(2)
})
