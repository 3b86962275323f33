/** The plain builder is the oracle: whatever the text, the compiled one makes the same bytes. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PACKAGE_FOLDER } from '../../kit/package-folder.ts'
import type { IndexableDocument } from '../contract.ts'
import { compiledBuilders } from './compiled-builder.ts'
import { SegmentBuilder } from './segment-builder.ts'

const open = compiledBuilders(readFileSync(new URL('assets/inverting-core.wasm', PACKAGE_FOLDER)))!

function documentOf(doc: number, text: string, more: Partial<IndexableDocument> = {}) {
  return {
    doc,
    title: `Note ${doc}`,
    aliases: [],
    tags: [],
    path: `notes/n${doc}.md`,
    text,
    bodyStart: 0,
    headings: [],
    chunkStarts: [0],
    ...more,
  } satisfies IndexableDocument
}

/** As the thread is given it. */
function sent(document: IndexableDocument): IndexableDocument {
  const text = String(document.text)
  const isPlain = Buffer.byteLength(text) === text.length
  const buffer = new ArrayBuffer(isPlain ? text.length : 2 * text.length)
  Buffer.from(buffer).write(text, isPlain ? 'latin1' : 'utf16le')
  return { ...document, text: isPlain ? new Uint8Array(buffer) : new Uint16Array(buffer) }
}

function expectTheSame(batches: readonly (readonly IndexableDocument[])[]): void {
  const [asStrings, asSent] = [open(), open()]
  for (const batch of batches) {
    const plain = new SegmentBuilder()
    for (const document of batch) {
      plain.add(document)
      asStrings.add(document)
      asSent.add(sent(document))
    }
    const wanted = plain.finish()
    expect(asStrings.finish()).toEqual(wanted)
    expect(asSent.finish()).toEqual(wanted)
  }
}

const PIECES = [
  // Marks that join nothing: such a span means one term by itself.
  '\u200d_\u200d',
  '\u00ad-\u00ad',
  '\u0300_\u0300',
  ..." |\n|, |. |-|_|.|,|'|’|‐|‑|\u00ad|\u200d|1|22|٣|A|AB|API|s|es|ing|y|Y|ies|\u0000|\u0080|\u2028".split(
    '|',
  ),
  ...'skis|settings|inning|proceeds|general|communities|arsenal|nationally|hopefulness|agreed'.split(
    '|',
  ),
  ...'tying|Hopping|hoping|fizzed|sky|ally|ologi|geology|singly|abilities|creative|rational'.split(
    '|',
  ),
  ..."getUserById|HTTPServer2|APIs|p53|mp3|utf8|1.2.3|1,000|don't|_private|__init__|a-b-c-d-e-f-g-h-i".split(
    '|',
  ),
  ...'東京都|한국어|ไทย|茶|ー|Wässern|été|Чай|чая|ﬁsh|café|İ|ß|😀|𝒜𝓑|\ud800|\udc00|😀tea'.split(
    '|',
  ),
  ...'der die das und ist nicht |the and of to in |le la les des un |el la los las una '.split('|'),
  'x'.repeat(85),
  'word-'.repeat(20),
  'AbCdEfGhIj'.repeat(9),
]

const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 60,
  })
  .map((pieces) => pieces.join(''))

const document = fc
  .record({
    text,
    title: text,
    aliases: fc.array(text, { maxLength: 2 }),
    tags: fc.array(text, { maxLength: 2 }),
    path: text,
    cuts: fc.array(fc.nat(), { maxLength: 8 }),
    headingTimes: fc.constantFrom(undefined, 1, 3),
  })
  .map(({ cuts, text: body, ...names }) => {
    // Nothing is cut within a letter; halves of one are no term that could be found.
    const places = cuts
      .map((cut) => cut % (body.length + 1))
      .filter(
        (at) =>
          !/[\ud800-\udbff]$/.test(body.slice(0, at)) || !/^[\udc00-\udfff]/.test(body.slice(at)),
      )
      .toSorted((a, b) => a - b)
    const headings = places.slice(1, 4).map((start, at) => {
      const end = places.slice(1)[at + 1] ?? body.length
      return { start, end, text: body.slice(start, end).toWellFormed() }
    })
    return {
      ...names,
      title: names.title.toWellFormed(),
      aliases: names.aliases.map((alias) => alias.toWellFormed()),
      path: names.path.toWellFormed(),
      text: body,
      bodyStart: places[0] ?? 0,
      headings: headings.filter(({ start, end }) => start < end),
      chunkStarts: [...new Set(places)],
    }
  })

describe('makes what the plain builder makes, byte for byte', () => {
  it('of any text', () => {
    fc.assert(
      fc.property(fc.array(fc.array(document, { maxLength: 4 }), { maxLength: 3 }), (batches) => {
        let doc = 0
        expectTheSame(batches.map((batch) => batch.map((each) => ({ ...each, doc: doc++ }))))
      }),
      { numRuns: 60 },
    )
  })

  it('of every text that comes with the package', () => {
    const folder = new URL('docs/', PACKAGE_FOLDER)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .toSorted()
    const texts = files.map((path) => readFileSync(new URL(path, folder), 'utf8'))
    expect(texts.length).toBeGreaterThan(50)
    const documents = texts.map((each, doc) => documentOf(doc, each))
    // The second batch meets the words of the first.
    expectTheSame([documents, documents.toReversed()])
  })

  it('of a word in more documents than a block has, and of more words than the first tables', () => {
    const documents = Array.from({ length: 700 }, (_, doc) => {
      const own = Array.from({ length: 150 }, (__, n) => `w${doc * 150 + n}${n % 7 ? '' : 'ings'}`)
      return documentOf(doc, `the kettle ${own.join(' ')} ${'tea '.repeat(doc % 300)}`)
    })
    expectTheSame([documents, documents.slice(0, 300)])
  })

  it('where a document fails in the middle', () => {
    const [compiled, plain] = [open(), new SegmentBuilder()]
    const bad = { ...documentOf(2, 'a lost word'), path: undefined as unknown as string }
    for (const builder of [compiled, plain]) {
      builder.add(documentOf(1, 'one kettle'))
      expect(() => builder.add(bad)).toThrow(TypeError)
      builder.add(documentOf(3, 'two kettles'))
    }
    // Words of what was lost stay known, and nothing has them.
    expect(compiled.finish()).toEqual(plain.finish())
  })
})

it('is not opened from what cannot be compiled', () => {
  expect(compiledBuilders(Buffer.from('no module'))).toBeUndefined()
})

it('is the module that its sources make', () => {
  const digest = createHash('sha256').update('-O3 --runtime minimal --enable simd --noAssert')
  const folder = new URL('assembly/', PACKAGE_FOLDER)
  for (const file of readdirSync(folder).toSorted()) {
    if (file.endsWith('.ts')) digest.update(readFileSync(new URL(file, folder)))
  }
  const module = readFileSync(new URL('assets/inverting-core.wasm', PACKAGE_FOLDER))
  // `npm run core` writes it.
  expect(module.includes(digest.digest('hex'))).toBe(true)
})
