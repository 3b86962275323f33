/** What a person is given of a file behind its text: bytes that run nowhere, and only what they see. */
import { expect, it } from 'vitest'
import { readFile } from '../../src/explorer/operations/read-file.ts'
import { showNote } from '../../src/explorer/operations/show-note.ts'
import { viewFor, withSecrets } from '../../src/core/operations/view/view.ts'
import { makePdf, pdfLines } from '../support/make-pdf.ts'
import { openSmallBase } from '../support/open-small-base.ts'

const KEY = `AKIA${'IOSFODNN7EXAMPLE'}`
const pdf = makePdf([pdfLines(['Boil water.']), pdfLines(['Pour it.'])])

it('shows the text with the way to each page of the file', async () => {
  const { kb } = await openSmallBase({
    'a b/tea (1).pdf': pdf,
    'x.html': '<p>Tea.',
    'n.md': 'Note',
  })
  const note = await showNote(kb, 'tea (1).pdf', {})
  const file = '/web/file/notes/a%20b/tea%20(1).pdf'
  expect(note.file).toBe(file)
  expect(note.html).toContain(
    `<a href="${file}#page=2" target="_blank" rel="noopener">page 2</a></p>\n<p data-line`,
  )
  expect(note.html).not.toContain('type:')
  expect([...note.html.matchAll(/#page=/g)]).toHaveLength(2)
  const { place } = await showNote(kb, 'tea (1).pdf', { at: { fragment: 'page=2' } })
  expect(note.html).toMatch(new RegExp(`class="place" data-line="${place}"[^>]*><a [^>]*#page=2"`))
  expect((await showNote(kb, 'x.html', {})).file).toBe('/web/file/notes/x.html')
  expect((await showNote(kb, 'n.md', {})).file).toBeUndefined()
})

it('gives a PDF to the viewer of the browser, and everything else to be saved', async () => {
  const { kb } = await openSmallBase({ 'Über "Tee".pdf': pdf, 'x.html': '<script>x()</script>' })
  const shown = await readFile(kb, 'notes', 'Über "Tee".pdf')
  expect(shown).toMatchObject({
    type: 'application/pdf',
    disposition: "inline; filename*=UTF-8''%C3%9Cber%20%22Tee%22.pdf",
  })
  expect(Buffer.from(shown.bytes).equals(pdf)).toBe(true)
  expect(await readFile(kb, 'notes', 'x.html')).toMatchObject({
    type: 'application/octet-stream',
    disposition: "attachment; filename*=UTF-8''x.html",
  })
})

it('gives nothing that is no such file, is hidden, or holds a secret', async () => {
  const { base, kb } = await openSmallBase({
    'open/a.pdf': pdf,
    'secret/a.pdf': pdf,
    'key.pdf': makePdf([pdfLines([`It opens with ${KEY}.`])]),
    'n.md': '# N',
    'left/out.pdf': 'no PDF',
  })
  const guest = viewFor(base, {
    principal: 'guest',
    may: ['read'],
    sees: ({ path }) => !path.startsWith('secret/'),
  })
  const said = (path: string, view = guest) =>
    readFile(view, 'notes', path).catch(({ code, message }) => `${code} ${message}`)
  expect(await said('open/a.pdf')).toMatchObject({ type: 'application/pdf' })
  expect(await said('secret/a.pdf')).toBe(String(await said('secret/z.pdf')).replace('z.', 'a.'))
  for (const path of ['n.md', '../x.pdf', '/etc/passwd', '.cairn/x.pdf', 'left/out.pdf', 'open']) {
    expect(await said(path, kb)).toMatch(/^not_found/)
  }
  expect(await readFile(kb, 'nowhere', 'open/a.pdf').catch(({ code }) => code)).toBe('not_found')
  expect(await said('key.pdf', kb)).toMatch(/^forbidden/)
  expect((await showNote(kb, 'key.pdf', {})).file).toBeUndefined()
  expect(await said('key.pdf', withSecrets(kb))).toMatchObject({ type: 'application/pdf' })
})
