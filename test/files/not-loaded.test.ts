/** A folder of notes pays nothing for files that are none: no reader is loaded, and no thread for them. */
import { expect, it } from 'vitest'
import { loadedBy } from '../support/loaded-by.ts'

const READERS = /\/parsing\/convert\/|\/node_modules\/(?:unpdf|htmlparser2|postal-mime)\//
/** What tells that a file is to be read, and takes the text that was made of one. */
const KNOWN = /\/(?:open-converter|parse-converted|render-contents)\.ts$/

const readersIn = (urls: readonly string[]): readonly string[] =>
  urls.filter((url) => READERS.test(url) && !KNOWN.test(url))

it('loads a reader with the first file of its kind, and none without', { timeout: 600_000 }, () => {
  const notes = loadedBy(['index'])
  expect(notes.filter((url) => KNOWN.test(url)).length).toBeGreaterThan(0)
  expect(readersIn(notes)).toEqual([])
  const pages = readersIn(loadedBy(['index'], { 'tea.html': '<p>Tea.' }))
  expect(pages.filter((url) => url.endsWith('/converting-thread.ts')).length).toBeGreaterThan(0)
  expect(pages.filter((url) => url.endsWith('/html.ts')).length).toBeGreaterThan(0)
  expect(pages.filter((url) => /unpdf|postal-mime|\/docx\.ts/.test(url))).toEqual([])
})
