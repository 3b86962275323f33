/** Files of Word, OpenDocument, PowerPoint, Excel and books, as small as programs could write them. */
import { expect, it } from 'vitest'
import { makeZip } from '../../../../test/support/make-zip.ts'
import { readFileBody, readFileText } from '../../../../test/support/read-file-text.ts'

const RELATIONS = (...rows: readonly string[]) => `<Relationships>${rows.join('')}</Relationships>`
const CORE =
  '<cp:coreProperties><dc:title>On tea</dc:title><dc:creator>Ada</dc:creator><dcterms:created>2024-02-03T10:00:00Z</dcterms:created></cp:coreProperties>'

const word = (body: string, more: Record<string, string> = {}): Buffer =>
  makeZip({
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    'word/styles.xml':
      '<w:styles><w:style w:styleId="Kop1"><w:name w:val="heading 1"/></w:style></w:styles>',
    'word/numbering.xml':
      '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl><w:numFmt w:val="decimal"/></w:lvl><w:lvl><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
    ...more,
  })
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
const item = (text: string, depth: number) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(text)}</w:p>`

it('reads headings, lists, tables, links, notes and comments of Word', async () => {
  const cell = (text: string) => `<w:tc><w:p>${run(text)}</w:p></w:tc>`
  const body = `<w:p><w:pPr><w:pStyle w:val="Kop1"/></w:pPr>${run('Tea')}</w:p>
    <w:p>${run('Green ')}<w:del><w:r><w:delText>old</w:delText></w:r></w:del>${run('tea')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>
    <w:p><w:hyperlink r:id="r1">${run('pots')}</w:hyperlink><w:r><w:commentReference w:id="0"/></w:r></w:p>
    ${item('One', 0)}${item('Two', 0)}${item('Under', 1)}
    <w:tbl><w:tr>${cell('Tea')}${cell('Time')}</w:tr><w:tr>${cell('Green')}${cell('2')}</w:tr></w:tbl>`
  const file = word(body, {
    'word/_rels/document.xml.rels': RELATIONS(
      '<Relationship Id="r1" Type="x/hyperlink" Target="https://x.org/a b" TargetMode="External"/>',
    ),
    'word/footnotes.xml': `<w:footnotes><w:footnote w:id="2"><w:p>${run('A note.')}</w:p></w:footnote></w:footnotes>`,
    'word/comments.xml': `<w:comments><w:comment w:id="0" w:author="Bo"><w:p>${run('Which?')}</w:p></w:comment></w:comments>`,
    'docProps/core.xml': CORE,
  })
  expect(await readFileText('docx', file)).toBe(
    `---\ntype: "docx"\ntitle: "On tea"\nauthor: "Ada"\ncreated: "2024-02-03"\n---\n\n# Tea\n\nGreen tea[^2]\n\n[pots](https://x.org/a%20b)[^comment-0]\n\n1. One\n2. Two\n  - Under\n\n| Tea | Time |\n| --- | --- |\n| Green | 2 |\n\n[^2]: A note.\n\n[^comment-0]: Bo: Which?\n`,
  )
})

it('reads texts, slides and sheets of OpenDocument', async () => {
  const odf = (kind: string, body: string) =>
    makeZip({
      'content.xml': `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    })
  const text =
    '<text:h text:outline-level="2">Tea</text:h><text:p>Green<text:s text:c="1"/>tea<text:note><text:note-body><text:p>A note.</text:p></text:note-body></text:note></text:p><text:list><text:list-item><text:p>One</text:p></text:list-item></text:list>'
  expect(await readFileBody('odt', odf('text', text))).toBe(
    '## Tea\n\nGreen tea[^1]\n\n- One\n\n[^1]: A note.',
  )
  const slide =
    '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Pots</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>Hold tea.</text:p></draw:text-box></draw:frame><presentation:notes><text:p>Say more.</text:p></presentation:notes></draw:page>'
  expect(await readFileBody('odp', odf('presentation', slide))).toBe(
    '<a id="slide=1"></a>\n\n## Pots\n\nHold tea.\n\nSay more.',
  )
  const cell = (value: string) => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`
  const sheet = `<table:table table:name="Teas"><table:table-row>${cell('Tea')}${cell('Time')}<table:table-cell table:number-columns-repeated="16382"/></table:table-row><table:table-row>${cell('Green')}${cell('2')}</table:table-row></table:table>`
  expect(await readFileBody('ods', odf('spreadsheet', sheet))).toBe(
    '<a id="sheet=Teas"></a>\n\n## Teas\n\n| Tea | Time |\n| --- | --- |\n| Green | 2 |',
  )
})

it('reads slides of PowerPoint in their order, with their notes', async () => {
  const shape = (text: string, type: string) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${text
      .split('|')
      .map((each) => `<a:p><a:r><a:t>${each}</a:t></a:r></a:p>`)
      .join('')}</p:txBody></p:sp>`
  const file = makeZip({
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId r:id="b"/><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': RELATIONS(
      '<Relationship Id="a" Target="slides/slide1.xml"/>',
      '<Relationship Id="b" Target="slides/slide2.xml"/>',
    ),
    'ppt/slides/slide1.xml': `<p:sld>${shape('The end', 'title')}${shape('7', 'sldNum')}</p:sld>`,
    'ppt/slides/slide2.xml': `<p:sld>${shape('Tea', 'title')}${shape('Green|Black', 'body')}</p:sld>`,
    'ppt/slides/_rels/slide2.xml.rels': RELATIONS(
      '<Relationship Id="n" Type="x/notesSlide" Target="../notesSlides/n.xml"/>',
    ),
    'ppt/notesSlides/n.xml': `<p:notes>${shape('Say more.', 'body')}</p:notes>`,
  })
  expect(await readFileBody('pptx', file)).toBe(
    '<a id="slide=1"></a>\n\n## Tea\n\n- Green\n- Black\n\n> Say more.\n\n<a id="slide=2"></a>\n\n## The end',
  )
})

const excel = (rows: string): Buffer =>
  makeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Teas" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': RELATIONS(
      '<Relationship Id="a" Target="worksheets/sheet1.xml"/>',
    ),
    'xl/sharedStrings.xml':
      '<sst><si><t>Tea</t></si><si><r><t>Gr</t></r><r><t>een</t></r></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })

it('reads cells of Excel at their places: texts, numbers, dates', async () => {
  const rows =
    '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>When</t></is></c></row><row><c r="A2" t="s"><v>1</v></c><c r="B2"><v>0.30000000000000004</v></c><c r="C2" s="1"><v>45324</v></c></row>'
  expect(await readFileBody('xlsx', excel(rows))).toBe(
    '<a id="sheet=Teas"></a>\n\n## Teas\n\n| Tea |  | When |\n| --- | --- | --- |\n| Green | 0.3 | 2024-02-02 |',
  )
})

it('shows a thousand rows, each few of them under their head, and counts the rest', async () => {
  const rows = Array.from(
    { length: 1_500 },
    (_, row) => `<row><c r="A${row + 1}"><v>${row}</v></c><c r="B${row + 1}"><v>7</v></c></row>`,
  )
  const body = await readFileBody('xlsx', excel(rows.join('')))
  expect(body).toContain('| 1000 | 7 |')
  expect(body).not.toContain('| 1001 | 7 |')
  expect(body).toMatch(/\(499 more rows\.\)$/)
  expect(body.match(/^\| 0 \| 7 \|$/gm)).toHaveLength(50)
})

const book = (chapter: string, more: Record<string, string> = {}): Buffer =>
  makeZip({
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf':
      '<package><metadata><dc:title>On tea</dc:title><dc:creator>Ada</dc:creator></metadata><manifest><item id="n" href="nav.xhtml" properties="nav"/><item id="a" href="text/a%20b.xhtml"/><item id="x" href="../../etc/passwd"/></manifest><spine><itemref idref="n"/><itemref idref="x"/><itemref idref="a"/></spine></package>',
    'OEBPS/text/a b.xhtml': chapter,
    ...more,
  })

it('reads chapters of a book in the order of reading', async () => {
  const chapter =
    '<html><body><h1>Tea</h1><p>Green. <a href="b.xhtml">Next</a> <a href="https://x.org">x</a></p></body></html>'
  expect(await readFileBody('epub', book(chapter, { '../../etc/passwd': '<p>secret' }))).toBe(
    '<a id="chapter=1"></a>\n\n# Tea\n\nGreen. Next [x](https://x.org)',
  )
})

it('names what nobody should unpack, and expands nothing', async () => {
  const said = (bytes: Uint8Array) =>
    readFileText('docx', bytes).catch(({ message }: Error) => message)
  expect(await said(Buffer.from('no archive'))).toBe('damaged, or not what its name says')
  expect(await said(makeZip({ 'a.txt': 'x' }))).toBe('no Word file, whatever its name says')
  const whole = word(`<w:p>${run('x')}</w:p>`)
  expect(await said(whole.subarray(0, whole.length / 2))).toBe('damaged, or not what its name says')
  expect(await said(makeZip({ 'word/document.xml': Buffer.alloc(70 * 2 ** 20) }))).toBe(
    'it unpacks to more than 64 MiB',
  )
  const locked = Buffer.from(whole)
  locked.writeUInt16LE(1, whole.indexOf('PK\u0001\u0002') + 8)
  expect(await said(locked)).toBe('protected by a password')
  const compound = (stream: string) =>
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from(stream, 'utf16le'),
    ])
  expect(await said(compound('EncryptedPackage'))).toBe('protected by a password')
  expect(await said(compound('WordDocument'))).toBe('an old Office file under a new name')
  const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><w:document><w:body><w:p>${run('&b;&c;')}</w:p></w:body></w:document>`
  expect(await readFileBody('docx', makeZip({ 'word/document.xml': entities }))).toBe('&b;&c;')
})

it('says that a text or a book is protected', async () => {
  const said = (kind: 'odt' | 'epub', bytes: Uint8Array) =>
    readFileText(kind, bytes).catch(({ message }: Error) => message)
  const manifest =
    '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>'
  const odt = makeZip({ 'META-INF/manifest.xml': manifest, 'content.xml': 'QkJ0' })
  expect(await said('odt', odt)).toBe('protected by a password')
  const cipher = (file: string) => ({
    'META-INF/encryption.xml': `<enc:CipherReference URI="OEBPS/${file}"/>`,
  })
  expect(await said('epub', book('x', cipher('text/a b.xhtml')))).toBe(
    'protected against being copied',
  )
  expect(await said('epub', book('<p>Tea.', cipher('font.ttf')))).toContain('Tea.')
})

it('takes a title and a heading of OpenDocument by their style, also through one of the text', async () => {
  const content = `<office:document-content><office:automatic-styles><style:style style:name="P1" style:parent-style-name="Title"/></office:automatic-styles><office:body><office:text><text:p text:style-name="P1">Tea</text:p><text:p text:style-name="Heading_20_2">Pots</text:p><text:p text:style-name="Text_20_body">Of glass.</text:p></office:text></office:body></office:document-content>`
  expect(await readFileBody('odt', makeZip({ 'content.xml': content }))).toBe(
    '# Tea\n\n## Pots\n\nOf glass.',
  )
})
