import { expect, it } from 'vitest'
import { readPages } from './pdf.ts'
import { linesOfPage } from './pdf-lines.ts'
import { makePdf, pdfLines } from '../../../../test/support/make-pdf.ts'
import type { PdfLine } from '../../../../test/support/make-pdf.ts'
import { readFileBody, readFileText } from '../../../../test/support/read-file-text.ts'

function check(name: string, pages: readonly (readonly PdfLine[])[], markdown: string): void {
  it(name, async () => {
    expect(await readFileBody('pdf', makePdf(pages))).toBe(markdown)
  })
}

const TEXT = 'Words that fill the line from the left to the right, as text does.'

check(
  'joins lines and parted words, and parts paragraphs',
  [
    [
      ...pdfLines(['The pot is made of fire-', 'proof glass and inter-', 'nationally known.']),
      { text: 'Another one.', y: 160 },
    ],
  ],
  '<a id="page=1"></a>\n\nThe pot is made of fireproof glass and internationally known.\n\nAnother one.',
)

check(
  'tells headings by their size',
  [
    [
      { text: 'Tea', y: 50, size: 24 },
      { text: 'Pots', y: 100, size: 16 },
      ...pdfLines([TEXT, TEXT], { y: 130 }),
    ],
  ],
  `<a id="page=1"></a>\n\n# Tea\n\n## Pots\n\n${TEXT} ${TEXT}`,
)

check(
  'reads one column after the other',
  [
    [
      { text: 'A title over both of the columns of this page', y: 40, size: 18 },
      ...pdfLines(
        Array.from({ length: 6 }, (_, line) => `Left ${line} has words enough to fill it.`),
        { x: 60, y: 80, size: 10 },
      ),
      ...pdfLines(
        Array.from({ length: 6 }, (_, line) => `Right ${line} has words enough to fill it.`),
        { x: 330, y: 80, size: 10 },
      ),
    ],
  ],
  `<a id="page=1"></a>\n\n# A title over both of the columns of this page\n\n${[0, 1, 2, 3, 4, 5].map((line) => `Left ${line} has words enough to fill it.`).join(' ')}\n\n${[0, 1, 2, 3, 4, 5].map((line) => `Right ${line} has words enough to fill it.`).join(' ')}`,
)

check(
  'finds the rows and columns of a table',
  [
    [
      ...pdfLines([TEXT], { y: 60 }),
      ...[
        ['Tea', 'Minutes', 'Degrees'],
        ['Green', '2', '70'],
        ['Black tea', '4', '95'],
      ].flatMap((row, line) =>
        row.map((text, column) => ({ text, x: 72 + column * 130, y: 110 + line * 15 })),
      ),
    ],
  ],
  `<a id="page=1"></a>\n\n${TEXT}\n\n| Tea | Minutes | Degrees |\n| --- | --- | --- |\n| Green | 2 | 70 |\n| Black tea | 4 | 95 |`,
)

check(
  'writes lists as lists',
  [pdfLines(['1. First', '2. Second', '\u0095 Bullet'])],
  '<a id="page=1"></a>\n\n1. First\n2. Second\n- Bullet',
)

it('leaves out what stands on every page, and the numbers of pages', async () => {
  const pages = Array.from({ length: 5 }, (_, page) => [
    { text: `The book of tea, page ${page + 1}`, y: 30, size: 9 },
    ...pdfLines([`Page ${page} says something of its own here.`, TEXT], { y: 100 }),
    { text: String(page + 1), x: 300, y: 760, size: 9 },
  ])
  const body = await readFileBody('pdf', makePdf(pages))
  expect(body).not.toContain('book of tea')
  expect(body.split(/\n\n(?=<a id)/)).toEqual(
    pages.map(
      (_, page) =>
        `<a id="page=${page + 1}"></a>\n\nPage ${page} says something of its own here. ${TEXT}`,
    ),
  )
})

it('tells what a file says of itself', async () => {
  const info = {
    Title: 'On tea',
    Author: 'Ada',
    Keywords: 'tea; pot',
    CreationDate: 'D:20240203101010Z',
  }
  expect(await readFileText('pdf', makePdf([pdfLines(['x'])], { info }))).toBe(
    '---\ntype: "pdf"\ntitle: "On tea"\nauthor: "Ada"\nkeywords: ["tea", "pot"]\ncreated: "2024-02-03"\npages: 1\n---\n\n<a id="page=1"></a>\n\nx\n',
  )
})

it('names what nobody can read', async () => {
  const whole = makePdf([pdfLines([TEXT])])
  const said = (bytes: Uint8Array) =>
    readFileText('pdf', bytes).catch(({ message }: Error) => message)
  expect(await said(makePdf([[], []]))).toBe('a scan without text (2 pages)')
  expect(await said(Buffer.from('PK\u0003\u0004 something else'))).toBe(
    'no PDF, whatever its name says',
  )
  expect(await said(whole.subarray(0, 60))).toMatch(/^a damaged PDF|^a scan/)
  const locked = Buffer.from(
    whole
      .toString('latin1')
      .replace(
        '/Root 1 0 R',
        '/Root 1 0 R /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <2055c756c72e1ad702608e8196acad447ad32d17cff583235f6dd15fed7dab67> /U <7150bd1da9d292af3627fca6a8dde1d600000000000000000000000000000000> >> /ID [<00> <00>]',
      ),
    'latin1',
  )
  expect(await said(locked)).toBe('protected by a password')
})

it('keeps the pages that were read when there is no more time', async () => {
  const pages = Array.from({ length: 9 }, (_, n) => pdfLines([TEXT.repeat(n + 1)], { y: 300 }))
  const { blocks } = await readPages(new Uint8Array(makePdf(pages)), { mostMs: -1 })
  expect(blocks.map(({ text }) => text)).toEqual([TEXT, '(8 pages more were not read.)'])
})

it('reads the first pages of a long file where they are enough', async () => {
  const page = (n: number) => pdfLines([`${TEXT} ${n + 1}`], { y: 300 })
  const long = Array.from({ length: 1_150 }, (_, n) => page(n))
  const first = await readPages(new Uint8Array(makePdf(long)), { isFirst: true })
  expect(first).toMatchObject({ isPart: true, metadata: { read_so_far: 'pages 1–40 of 1,150' } })
  expect(first.blocks.length).toBe(41)
  expect(first.blocks.at(-1)).toEqual({ text: '(1110 pages more are being read.)' })
  // Pictures of a cover and of a preface say nothing.
  const scanned = makePdf(long.slice(0, 160).map((lines, n) => (n < 50 ? [] : lines)))
  const later = await readPages(new Uint8Array(scanned), { isFirst: true })
  expect(later.metadata?.['read_so_far']).toBe('pages 1–51 of 160')
  const short = await readPages(new Uint8Array(makePdf(long.slice(0, 100))), { isFirst: true })
  expect(short.isPart).toBe(false)
  expect(short.blocks.length).toBe(100)
})

const RUN = Array.from({ length: 21 }, (_, n) => [
  `mov r${n}, ebx`,
  `what step ${n} does to the machine is told here at some length`,
])
const COLUMNS = ['On the left', 'On the right'].map((side) =>
  Array.from({ length: 9 }, (_, n) => `${side} there are words that fill line ${n}`),
)

check(
  'reads columns one after the other below a table over the whole page',
  [
    [
      ...RUN.flatMap((row, line) =>
        row.map((text, column) => ({ text, x: 60 + column * 160, y: 100 + line * 13, size: 10 })),
      ),
      ...COLUMNS.flatMap((lines, column) => pdfLines(lines, { x: 60 + column * 260, y: 460 })),
    ],
  ],
  [
    '<a id="page=1"></a>',
    RUN.map((row) => `| ${row.join(' | ')} |`)
      .toSpliced(1, 0, '| --- | --- |')
      .join('\n'),
    ...COLUMNS.map((lines) => lines.join(' ')),
  ].join('\n\n'),
)

const SIDES = ['left', 'right'].map((side) =>
  Array.from({ length: 12 }, (_, n) => `On the ${side} there are words that fill line ${n + 10}`),
)
const LABELS = Array.from({ length: 30 }, (_, n) => `${n}%`)

it('reads columns one after the other where one of them has a chart in it', async () => {
  const body = await readFileBody(
    'pdf',
    makePdf([
      [
        ...pdfLines(SIDES[0]!, { x: 60, y: 300 }),
        ...pdfLines(SIDES[1]!, { x: 330, y: 300 }),
        // Bars and scales.
        ...LABELS.map((text, n) => ({ text, x: 330 + (n % 6) * 30, y: 60 + n * 7, size: 7 })),
        ...pdfLines(SIDES[0]!.slice(0, 10), { x: 60, y: 100 }),
      ],
    ]),
  )
  for (const side of SIDES) expect(body).toContain(side.join(' '))
})

it('reads text and a figure at its side one after the other, and a table at its side as rows', async () => {
  const beside = (y: (n: number) => number) =>
    readFileBody(
      'pdf',
      makePdf([
        [
          ...pdfLines(SIDES[0]!, { x: 60, y: 100 }),
          ...LABELS.slice(0, 10).map((text, n) => ({ text, x: 400, y: y(n), size: 9 })),
        ],
      ]),
    )
  expect(await beside((n) => 107 + n * 15.3)).toContain(SIDES[0]!.join(' '))
  const { y: first } = pdfLines(SIDES[0]!, { x: 60, y: 100 })[0]!
  const { y: second } = pdfLines(SIDES[0]!, { x: 60, y: 100 })[1]!
  const rows = await beside((n) => first + n * (second - first))
  expect(rows).toContain(`| ${SIDES[0]![3]} | 3% |`)
})

it('parts two lines that stand so close that they look like one', async () => {
  const long = SIDES[0]!.map((text, n) => (n === 5 ? `${text} and more` : text))
  const right = SIDES[1]!.map((text) => ({ text, x: 0, y: 0, size: 11 }))
  const lines = pdfLines(long, { x: 60, y: 100 })
  const body = await readFileBody(
    'pdf',
    makePdf([[...lines, ...right.map((line, n) => ({ ...line, x: 323, y: lines[n]!.y }))]]),
  )
  expect(body).toContain(long.join(' '))
  expect(body).toContain(SIDES[1]!.join(' '))
})

it('reads a line of very many pieces in time that grows with their number', () => {
  const items = Array.from({ length: 100_000 }, (_, n) => {
    return { text: 'a', x: n * 20, y: 100, width: 9, size: 10 }
  })
  const [line, ...more] = linesOfPage(items, { width: 2_000_000, height: 800 })
  expect(more).toEqual([])
  expect(line?.text.length).toBe(199_999)
})
