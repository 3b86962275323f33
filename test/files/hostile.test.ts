/**
 * Files that somebody made to do harm, or that are broken: each is named with its reason or read as
 * far as it goes, in bounded time and memory, and the next file is read as if nothing had been.
 */
import { deflateSync } from 'node:zlib'
import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, vi } from 'vitest'
import type { Caller } from '../../src/core/domain/caller.ts'
import type { FileKind } from '../../src/core/domain/conversion.ts'
import { askQuestion } from '../../src/core/operations/answering/ask-question.ts'
import { fetchDocument } from '../../src/core/operations/reading/fetch-document.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { viewFor, withSecrets } from '../../src/core/operations/view/view.ts'
import { openConverter } from '../../src/core/parsing/convert/open-converter.ts'
import { openFolderSource } from '../../src/core/sources/folder/open-folder-source.ts'
import { makePdf, pdfLines } from '../support/make-pdf.ts'
import { makeZip } from '../support/make-zip.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KINDS: Readonly<Record<string, FileKind>> = {
  adoc: 'asciidoc',
  canvas: 'canvas',
  csv: 'table',
  docx: 'docx',
  eml: 'mail',
  epub: 'epub',
  html: 'html',
  ipynb: 'notebook',
  mbox: 'mail',
  odt: 'odt',
  ods: 'ods',
  org: 'org',
  pdf: 'pdf',
  xlsx: 'xlsx',
}

function kindOf(path: string) {
  const kind = KINDS[/\.(\w+)$/.exec(path)?.[1] ?? '']
  return kind && { kind, version: 1 }
}

async function read(path: string, bytes: string | Uint8Array): Promise<string> {
  const made = await openConverter({ kindOf }).convert(path, Buffer.from(bytes), path)
  return made.kind === 'text' ? made.text : `unreadable: ${made.reason}`
}

const word = (body: string): string => `<w:document><w:body>${body}</w:body></w:document>`
const WORDS = '<w:p><w:r><w:t>Tea.</w:t></w:r></w:p>'
const docx = (body: string, more: Readonly<Record<string, string>> = {}): Buffer =>
  makeZip({ ...more, 'word/document.xml': body })

/** Objects of a PDF as they are written. */
function rawPdf(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}

function onePage(page: string, more: readonly string[]): Buffer {
  const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
  const own = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] ${page} >>`
  return rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', pages, own, ...more])
}

const stream = (content: string, rest = ''): string =>
  `<< /Length ${content.length} ${rest} >>\nstream\n${content}\nendstream`

const HOSTILE: readonly (readonly [string, string, () => string | Uint8Array, string | RegExp])[] =
  [
    [
      'a part that unpacks to more than anybody has',
      'a.docx',
      () => docx('a'.repeat(80_000_000)),
      'unreadable: it unpacks to more than 64 MiB',
    ],
    [
      'one chapter of a book again and again',
      'a.epub',
      () =>
        makeZip({
          'META-INF/container.xml': '<container><rootfile full-path="c.opf"/></container>',
          'c.opf': `<package><item id="a" href="a.html"/>${'<itemref idref="a"/>'.repeat(5_000)}</package>`,
          'a.html': `<!--${' '.repeat(1_000_000)}-->Tea.`,
        }),
      'unreadable: it unpacks to more than 64 MiB',
    ],
    [
      'a list of hidden files that never ends',
      'a.epub',
      () => makeZip({ 'META-INF/encryption.xml': 'CipherReference'.repeat(60_000) }),
      'unreadable: no EPUB, whatever its name says',
    ],
    [
      'archives in archives',
      'a.docx',
      () => makeZip({ 'word/document.xml': makeZip({ 'word/document.xml': word(WORDS) }) }),
      /^unreadable: no Word file/,
    ],
    [
      'tens of thousands of entries',
      'a.docx',
      () =>
        docx(
          word(WORDS),
          Object.fromEntries(Array.from({ length: 21_000 }, (_, n) => [`f${n}`, ''])),
        ),
      /^unreadable: no Word file/,
    ],
    [
      'names that lead out of an archive',
      'a.docx',
      () => docx(word(WORDS), { '../../evil.txt': 'x', '/etc/evil': 'x' }),
      /\nTea\.\n$/,
    ],
    [
      'entities that would grow without end, and one of another file',
      'a.docx',
      () =>
        docx(
          `<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>${word('<w:p><w:r><w:t>&b;&x;</w:t></w:r></w:p>')}`,
        ),
      /\n&b;&x;\n$/,
    ],
    [
      'tables in tables without end',
      'a.docx',
      () => docx(word('<w:tbl><w:tr><w:tc>'.repeat(5_000))),
      'unreadable: elements nested without end',
    ],
    [
      'a cell over a billion columns',
      'a.docx',
      () =>
        docx(
          word(
            `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr>${WORDS}</w:tc></w:tr></w:tbl>`,
          ),
        ),
      /\| Tea\. \|/,
    ],
    [
      'a row that is there a million times',
      'a.ods',
      () =>
        makeZip({
          'content.xml':
            '<office:body><office:spreadsheet><table:table table:name="S"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>',
        }),
      /\| x \| x \|/,
    ],
    ['a million elements in each other', 'a.html', () => '<div>'.repeat(1_000_000), /nested/],
    ['half a million blanks', 'a.html', () => `<pre>a${' '.repeat(500_000)}b</pre>`, /a {500000}b/],
    ['half a million line ends', 'a.html', () => `<a href=b>${'<br>'.repeat(500_000)}b</a>`, /b/],
    [
      'parts in parts of a mail',
      'a.eml',
      () =>
        `From: a@b.c\r\nSubject: x\r\n${Array.from({ length: 500 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')}`,
      /^unreadable: .*nesting/,
    ],
    [
      'a mailbox with one mail like that',
      'a.mbox',
      () =>
        `From a b\nFrom: a@b.c\nSubject: One\n${Array.from({ length: 99 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join('')}\nFrom a b\nFrom: a@b.c\nSubject: Two\n\nTea.\n`,
      /mails: 2\n[^]*## Two[^]*Tea\./,
    ],
    ['lists in lists of a notebook', 'a.ipynb', () => `{"cells":${'['.repeat(1e6)}`, /^unreadable/],
    [
      'a canvas of many cards and more arrows',
      'a.canvas',
      () =>
        JSON.stringify({
          nodes: Array.from({ length: 30_000 }, (_, n) => ({
            id: `${n}`,
            type: 'text',
            text: `${n}.`,
          })),
          edges: Array.from({ length: 60_000 }, (_, n) => ({
            fromNode: `${n % 30_000}`,
            toNode: '7',
          })),
        }),
      /→ 7\./,
    ],
    ['a table with a million columns', 'a.csv', () => 'a,'.repeat(1_000_000), /\| a \| a \|/],
    ['a line of a million brackets', 'a.org', () => '[['.repeat(1_000_000), /\[\[/],
    ['a line of a million dots', 'a.adoc', () => 'a.b'.repeat(1_000_000), /a\.b/],
    [
      'pages that lead to themselves',
      'a.pdf',
      () =>
        rawPdf([
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>',
        ]),
      /^unreadable: a (?:scan|damaged)/,
    ],
    [
      'a drawing that draws itself',
      'a.pdf',
      () =>
        onePage('/Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >>', [
          stream('/X Do'),
          stream(
            '/X Do /X Do',
            '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>',
          ),
        ]),
      /^unreadable: a scan/,
    ],
    [
      'a picture larger than any memory',
      'a.pdf',
      () =>
        onePage('/Contents 4 0 R /Resources << /XObject << /X 5 0 R >> /Font << /F 6 0 R >> >>', [
          stream('/X Do BT /F 9 Tf 1 0 0 1 9 9 Tm (Tea.) Tj ET'),
          stream(
            'abc',
            '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode',
          ),
          '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        ]),
      /\nTea\.\n$/,
    ],
    [
      'a page that unpacks to more than anybody has',
      'a.pdf',
      () =>
        onePage('/Contents 4 0 R', [
          stream(
            deflateSync(Buffer.alloc(700_000_000, ' '), { level: 9 }).toString('latin1'),
            '/Filter /FlateDecode',
          ),
        ]),
      /^unreadable: (?:it takes too much memory|a scan)/,
    ],
    ['a PDF that is called a Word file', 'a.docx', () => makePdf([pdfLines(['x'])]), /not what/],
    ['a Word file that is called a PDF', 'a.pdf', () => docx(word(WORDS)), /no PDF, whatever/],
    ['text that is called a PDF', 'a.pdf', () => 'Tea.', /no PDF, whatever/],
    ['half an archive', 'a.docx', () => docx(word(WORDS)).subarray(0, 60), /damaged/],
    ['nothing', 'a.xlsx', () => '', /damaged/],
  ]

it.each(HOSTILE)('%s', { timeout: 60_000 }, async (_, path, make, result) => {
  const text = await read(path, make())
  if (typeof result === 'string') expect(text).toBe(result)
  else expect(text).toMatch(result)
  expect(await read('next.html', '<p>Next.')).toContain('Next.')
})

it('reads a mail without an attachment that takes too much', async () => {
  const large = docx(word(WORDS.repeat(400_000))).toString('base64')
  const mail = `From: a@b.c\nSubject: Tea\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSteep it.\n--b\nContent-Disposition: attachment; filename="a.docx"\nContent-Transfer-Encoding: base64\n\n${large}\n--b--\n`
  const made = await openConverter({ kindOf, limits: { memoryBytes: 200 * 1024 * 1024 } }).convert(
    'a.eml',
    Buffer.from(mail),
    '1',
  )
  expect(made).toMatchObject({
    text: expect.stringMatching(/Steep it\.\n\n- Attachment: a\.docx \(not read\)\n$/) as string,
  })
})

it('reads the first 2,000 pages of a PDF, and counts the others', async () => {
  const pages = Array.from({ length: 10_000 }, (_, n) => [{ text: `Page ${n} of tea.`, y: 100 }])
  const text = await read('a.pdf', makePdf(pages))
  expect(text).toContain('Page 1999 of tea.')
  expect(text).not.toContain('Page 2000 of tea.')
  expect(text).toContain('(8000 pages more were not read.)')
})

it('reads the beginning of a text that is too long', async () => {
  const text = await read('a.html', '<p>A line of tea.</p>'.repeat(600_000))
  expect(text).toContain('A line of tea.\n\nA line of tea.')
  expect(text).toMatch(/\(The file goes on\.\)\n$/)
  expect(text.length).toBeLessThan(9_000_000)
})

it('goes on when its thread dies while there is nothing to do, and while there is', async () => {
  expect(await read('a.html', '<p>One.')).toContain('One.')
  const ended = vi.spyOn(Worker.prototype, 'postMessage')
  const reading = read('a.html', `<p>${'Two '.repeat(500_000)}`)
  await vi.waitFor(() => expect(ended).toHaveBeenCalled())
  const worker = ended.mock.contexts[0] as Worker
  ended.mockRestore()
  await worker.terminate()
  expect(await reading).toMatch(/^unreadable: damaged: its reader came to an end|Two/)
  // Let go of while it was idle.
  expect(await read('a.html', '<p>Three.')).toContain('Three.')
  const again = vi.spyOn(Worker.prototype, 'postMessage')
  expect(await read('a.html', '<p>Four.')).toContain('Four.')
  const idle = again.mock.contexts[0] as Worker
  again.mockRestore()
  await idle.terminate()
  expect(await read('a.html', '<p>Five.')).toContain('Five.')
})

it('makes a text anew when what was kept is gone or empty, for two servers at once', async () => {
  const folder = temporaryFolder({ 'a.html': '<p>Tea.' })
  const texts = join(temporaryFolder({}), 'texts')
  const open = () => {
    const conversion = openConverter({ kindOf, folder: texts })
    return openFolderSource({ name: 'notes', root: folder, extensions: ['html'], conversion })
  }
  const sources = [open(), open(), open()]
  const readAll = async () => {
    const all = await Promise.all(sources.map(async (source) => (await source.read(['a.html']))[0]))
    for (const each of all) expect(each).toMatchObject({ kind: 'text' })
    expect(new Set(all.map((each) => each?.kind === 'text' && each.text))).toEqual(
      new Set(['---\ntype: "html"\n---\n\nTea.\n']),
    )
    expect(readdirSync(texts)).toHaveLength(1)
  }
  await readAll()
  rmSync(texts, { recursive: true })
  await readAll()
  const [kept] = readdirSync(texts)
  truncateSync(join(texts, kept!))
  await readAll()
  expect(statSync(join(texts, kept!)).size).toBeGreaterThan(0)
})

it('keeps to what is there when a file changes, again and again, while it is read', async () => {
  const { kb, sync, folder } = await openSmallBase({ 'a.html': '<p>Tea 0.' })
  for (let turn = 1; turn <= 5; turn++) {
    const indexing = sync()
    writeFileSync(join(folder, 'a.html'), `<p>Tea ${turn}.`)
    await indexing
    await sync()
    expect((await fetchDocument(kb, 'a.html')).text).toContain(`Tea ${turn}.`)
  }
})

const KEY = `AKIA${'IOSFODNN7EXAMPLE'}`

it('masks a secret in a file as it does in a note', async () => {
  const pdf = makePdf([pdfLines(['Boil water.']), pdfLines([`The kettle opens with ${KEY}.`])])
  const { kb } = await openSmallBase({
    'a.pdf': pdf,
    'a.docx': docx(word(WORDS.replace('Tea', KEY))),
  })
  for (const id of ['a.pdf', 'a.pdf#page=2', 'a.docx']) {
    expect((await fetchDocument(kb, id)).text).not.toContain(KEY)
    expect((await fetchDocument(withSecrets(kb), id)).text.includes(KEY)).toBe(true)
  }
  const found = await searchDocuments(kb, 'kettle opens')
  expect(found.hits[0]?.id).toBe('notes/a.pdf')
  expect(JSON.stringify(found)).not.toContain(KEY)
  expect(
    JSON.stringify(await askQuestion(kb, 'What does the kettle open with?', {})),
  ).not.toContain(KEY)
})

it('tells nobody of a file that is hidden from them, by its page or otherwise', async () => {
  const pdf = makePdf([pdfLines(['Covert tea.'])])
  const { base } = await openSmallBase({ 'secret/a.pdf': pdf, 'open/b.pdf': pdf })
  const guest: Caller = {
    principal: 'guest',
    may: ['read'],
    sees: ({ path }) => !path.startsWith('secret/'),
  }
  const kb = viewFor(base, guest)
  const said = (id: string) => fetchDocument(kb, id).catch(({ message }: Error) => message)
  expect(await said('notes/secret/a.pdf#page=1')).toBe(
    String(await said('notes/secret/z.pdf#page=1')).replace('z.pdf', 'a.pdf'),
  )
  expect(await said('a.pdf#page=1')).toBe(
    String(await said('z.pdf#page=1')).replace('z.pdf', 'a.pdf'),
  )
  expect(await said('notes/open/b.pdf#page=1')).toMatchObject({ id: 'notes/open/b.pdf' })
  const { hits } = await searchDocuments(kb, 'covert tea')
  expect(hits.map(({ id }) => id)).toEqual(['notes/open/b.pdf'])
})
