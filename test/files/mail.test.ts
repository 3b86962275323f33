/** Mail: a thread hangs together, and what is attached is found and fetched. */
import { expect, it } from 'vitest'
import { fetchDocument } from '../../src/core/operations/reading/fetch-document.ts'
import { reportBrokenLinks } from '../../src/core/operations/reporting/report-insights.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { makePdf, pdfLines } from '../support/make-pdf.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { readFileBody } from '../support/read-file-text.ts'

interface Attached {
  readonly name: string
  readonly content: string | Uint8Array
}

interface Mail {
  readonly id: string
  readonly inReplyTo?: string
  readonly text?: string
  readonly attached?: readonly Attached[]
}

function mail({ id, inReplyTo, text = 'Yes.', attached = [] }: Mail): string {
  const parts = attached.map(
    ({ name, content }) =>
      `--b\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`,
  )
  return [
    `From: Ada <ada@x.org>\r\nTo: Bo <bo@x.org>\r\nSubject: ${inReplyTo ? 'Re: ' : ''}Samovar\r\n`,
    `Message-ID: <${id}@x.org>\r\n`,
    inReplyTo === undefined ? '' : `In-Reply-To: <${inReplyTo}@x.org>\r\n`,
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n',
    `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`,
    ...parts,
    '--b--\r\n',
  ].join('')
}

const ATTACHED: readonly Attached[] = [
  { name: 'prices.csv', content: 'Item,Price\nTray,35 euros\n' },
  {
    name: 'offer.pdf',
    content: makePdf([pdfLines(['The first page.']), pdfLines(['It is of brass.'])]),
  },
  { name: 'broken.docx', content: 'PK' },
  { name: 'hours.txt', content: 'The trader closes at noon.' },
  { name: 'pot.png', content: 'PNG' },
]

it('reads what is attached as the files that they are, and names what nobody can read', async () => {
  const body = await readFileBody('mail', mail({ id: 'a', attached: ATTACHED }), 'a.eml')
  expect(body).toBe(
    [
      'Ada (ada@x.org) → Bo (bo@x.org)',
      'Yes.',
      '- Attachment: broken.docx (damaged, or not what its name says)\n- Attachment: pot.png',
      '<a id="attachment=prices.csv"></a>',
      '## prices.csv',
      '| Item | Price |\n| --- | --- |\n| Tray | 35 euros |',
      '<a id="attachment=offer.pdf"></a>',
      '## offer.pdf',
      '<a id="attachment=offer.pdf&page=1"></a>',
      'The first page.',
      '<a id="attachment=offer.pdf&page=2"></a>',
      'It is of brass.',
      '<a id="attachment=hours.txt"></a>',
      '## hours.txt',
      'The trader closes at noon.',
    ].join('\n\n'),
  )
})

it('finds what is attached, and leads to its page', async () => {
  const box = `From ada\n${mail({ id: 'a' })}\nFrom ada\n${mail({ id: 'b', attached: ATTACHED })}`
  const { kb } = await openSmallBase({ 'box.mbox': box })
  const { hits } = await searchDocuments(kb, 'made of brass')
  const place = 'mail=2&attachment=offer.pdf&page=2'
  expect(hits[0]?.headingPath.at(-1)).toBe(place)
  expect((await fetchDocument(kb, `box.mbox#${place}`)).text.trim()).toBe(
    `<a id="${place}"></a>\n\nIt is of brass.`,
  )
})

it('links a mail to the one before, in files and in a mailbox, and to none that is elsewhere', async () => {
  const { kb } = await openSmallBase({
    'first.eml': mail({ id: 'first/of=them' }),
    'second.eml': mail({ id: 'second', inReplyTo: 'first/of=them' }),
    'third.eml': mail({ id: 'third', inReplyTo: 'nowhere' }),
    'box.mbox': `From ada\n${mail({ id: 'x' })}\nFrom bo\n${mail({ id: 'y', inReplyTo: 'x', text: '>From here on.' })}`,
  })
  const record = await kb.store.findByPath('notes', 'first.eml')
  const links = await kb.store.linksTo(record!.no)
  const from = await kb.store.documents(links.map((link) => link.from))
  expect(from.map((each) => each?.path)).toEqual(['second.eml'])
  expect((await reportBrokenLinks(kb)).total).toBe(0)
  const { text } = await fetchDocument(kb, 'box.mbox')
  expect(text).toContain('In reply to [Samovar](#mail=1)')
  expect(text).toContain('From here on.')
})

it('puts what comes next under no heading of an attachment', async () => {
  const attached = [
    { name: 'a.md', content: '# One\n\n```sh\n# no heading\n```\n\n## Two' },
    { name: 'b.html', content: '<h1>Three</h1><p>Steep it.' },
  ]
  const box = `From ada\n${mail({ id: 'a', attached })}\nFrom ada\n${mail({ id: 'b', text: 'Brass.' })}`
  expect(await readFileBody('mail', box, 'a.mbox')).toContain(
    '### a.md\n\n#### One\n\n```sh\n# no heading\n```\n\n##### Two',
  )
  const { kb } = await openSmallBase({ 'a.mbox': box })
  const paths = async (query: string) =>
    (await searchDocuments(kb, query)).hits[0]?.headingPath.slice(0, -1)
  expect(await paths('steep it')).toEqual(['Samovar', 'b.html', 'Three'])
  expect(await paths('brass')).toEqual(['Samovar'])
})

it('leads to each attachment, whatever it is called', async () => {
  const long = `${'n'.repeat(300)}.txt`
  const names = ['image.txt', 'image.txt', '../../up.txt', 'C:\\\\in\\\\a..b.txt', long]
  const attached = names.map((name, at) => ({ name, content: `Tea number ${at}.` }))
  const { kb } = await openSmallBase({ 'a.eml': mail({ id: 'a', attached }) })
  const places = ['image.txt', 'image.txt (2)', 'up.txt', 'a.b.txt', `${'n'.repeat(99)}…`]
  for (const [at, place] of places.entries()) {
    const { text } = await fetchDocument(kb, `a.eml#attachment=${place}`)
    expect(text).toContain(`## ${place}\n\nTea number ${at}.`)
  }
})

it('ends the code of an attachment with it, and reads its headings without its metadata', async () => {
  const attached = [
    {
      name: 'a.md',
      content:
        '---\r\ntags: [x]\r\n---\r\nOne\r\n===\r\n\r\nTwo\r\n---\r\n\r\nOr\r\n\r\n---\r\n\r\n~~~sh\r\nFive\r\n---\r\n~~~ open\r\n',
    },
    { name: 'b.txt', content: 'Brass.' },
  ]
  expect(await readFileBody('mail', mail({ id: 'a', attached }), 'a.eml')).toContain(
    '## a.md\n\n### One\n\n#### Two\n\nOr\n\n---\n\n~~~sh\nFive\n---\n~~~ open\n\n~~~\n\n<a id="attachment=b.txt"></a>\n\n## b.txt\n\nBrass.',
  )
})
