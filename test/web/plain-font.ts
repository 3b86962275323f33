/**
 * A font for pictures that are the same on every machine: each letter is the same bar, as wide and
 * about as dark as letters are, in a TrueType file that is written here.
 */
import type { Page } from 'playwright-core'

const EM = 1000
const ASCENT = 800
const DESCENT = -200
const SPACE = { advance: 280 }
const BAR = { advance: 530, left: 30, right: 500, low: 110, high: 390 }
/** Latin, Greek, Cyrillic, punctuation, arrows, signs and box drawing: all that the page writes. */
const LAST_CHARACTER = 0x2fff

/** Loads a page again, with every text drawn with it, those on its map too. */
export async function usePlainFont(page: Page): Promise<void> {
  await page.addInitScript((base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    document.fonts.add(new FontFace('Plain', bytes))
    const sheet = new CSSStyleSheet()
    // Hinting rounds widths on some machines.
    sheet.replaceSync(`:root { --sans: Plain; --serif: Plain; --mono: Plain }
      * { text-rendering: geometricPrecision !important }`)
    document.adoptedStyleSheets.push(sheet)
    const { prototype } = CanvasRenderingContext2D
    const { get, set } = Object.getOwnPropertyDescriptor(prototype, 'font')!
    Object.defineProperty(prototype, 'font', {
      get,
      set(this: CanvasRenderingContext2D, font: string) {
        set!.call(this, font.replace(/px .*/, 'px Plain'))
        this.textRendering = 'geometricPrecision'
      },
    })
  }, plainFont().toString('base64'))
  await page.reload()
}

function plainFont(): Buffer {
  // 0 stands for what is missing, 1 for a space, 2 for everything else.
  const glyph = bar()
  const tables: Readonly<Record<string, Buffer>> = {
    'OS/2': os2(),
    cmap: characterMap(),
    glyf: glyph,
    head: head(),
    hhea: horizontalHeader(),
    hmtx: int16s([BAR.advance, BAR.left, SPACE.advance, 0, BAR.advance, BAR.left]),
    // Offsets are halved: the bar serves as glyph 0 and 2, which must follow each other.
    loca: int16s([0, glyph.length / 4, glyph.length / 4, glyph.length / 2]),
    maxp: Buffer.concat([int32(0x00010000), int16s([3, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])]),
    name: names(),
    post: Buffer.concat([int32(0x00030000), Buffer.alloc(28)]),
  }
  const entries = Object.entries(tables)
  const largest = 2 ** Math.floor(Math.log2(entries.length))
  const header = Buffer.concat([
    int32(0x00010000),
    int16s([entries.length, largest * 16, Math.log2(largest), (entries.length - largest) * 16]),
  ])
  let offset = header.length + entries.length * 16
  const records = entries.map(([tag, { length }]) => {
    const record = Buffer.concat([Buffer.from(tag), int32(0), int32(offset), int32(length)])
    offset += length + padding(length)
    return record
  })
  const bodies = entries.flatMap(([, table]) => [table, Buffer.alloc(padding(table.length))])
  return Buffer.concat([header, ...records, ...bodies])
}

const padding = (length: number): number => (4 - (length % 4)) % 4

/** One rectangle, twice. */
function bar(): Buffer {
  const { left, right, low, high } = BAR
  const outline = int16s([1, left, low, right, high, 3, 0])
  const onCurve = Buffer.from([1, 1, 1, 1])
  const across = int16s([left, 0, right - left, 0])
  const up = int16s([low, high - low, 0, low - high])
  const once = Buffer.concat([outline, onCurve, across, up])
  const padded = Buffer.concat([once, Buffer.alloc(padding(once.length))])
  return Buffer.concat([padded, padded])
}

/** Format 4: a space, and a range whose every character is named in a list. */
function characterMap(): Buffer {
  const first = 0x21
  const count = LAST_CHARACTER - first + 1
  const [ends, starts] = [
    [0x20, LAST_CHARACTER, 0xffff],
    [0x20, first, 0xffff],
  ]
  const deltas = [1 - 0x20, 0, 1]
  // From where the offset stands to the list behind the offsets.
  const offsets = [0, 4, 0]
  const segments = int16s([...ends!, 0, ...starts!, ...deltas, ...offsets])
  const list = int16s(Array.from({ length: count }, () => 2))
  const length = 14 + segments.length + list.length
  const table = Buffer.concat([int16s([4, length, 0, 6, 4, 1, 2]), segments, list])
  return Buffer.concat([int16s([0, 1, 3, 1]), int32(12), table])
}

function head(): Buffer {
  return Buffer.concat([
    int32(0x00010000),
    int32(0x00010000),
    int32(0),
    int32(0x5f0f3cf5),
    int16s([0, EM]),
    Buffer.alloc(16),
    int16s([0, DESCENT, EM, ASCENT, 0, 8, 2, 0, 0]),
  ])
}

function horizontalHeader(): Buffer {
  const extents = [BAR.advance, 0, 0, BAR.right]
  return Buffer.concat([
    int32(0x00010000),
    int16s([ASCENT, DESCENT, 0, ...extents, 1, 0, 0, 0, 0, 0, 0, 0, 3]),
  ])
}

function os2(): Buffer {
  return Buffer.concat([
    int16s([4, BAR.advance, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0]),
    Buffer.alloc(10 + 16),
    Buffer.from('none'),
    int16s([0x40, 0x20, LAST_CHARACTER, ASCENT, DESCENT, 0, ASCENT, -DESCENT]),
    Buffer.alloc(8),
    int16s([BAR.high, 700, 0, 0x20, 1]),
  ])
}

function names(): Buffer {
  const kinds = [1, 2, 4, 6]
  const text = Buffer.from('Plain', 'utf16le').swap16()
  const records = kinds.map((kind) => int16s([3, 1, 0x409, kind, text.length, 0]))
  return Buffer.concat([int16s([0, kinds.length, 6 + kinds.length * 12]), ...records, text])
}

function int16s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
