import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LINE_LIMIT, LineFile } from './line-file.ts'

const ROLE = { kind: 'entities', file: 'e.jsonl', category: 'concepts' } as const

/** What a file says when its bytes arrive in these pieces, looked at after each of them. */
function read(pieces: readonly Buffer[]): LineFile {
  let lines = new LineFile(ROLE)
  const seen: Buffer[] = []
  for (const piece of pieces) {
    if (lines.canFollow(piece)) {
      lines.add(piece)
    } else {
      lines = new LineFile(ROLE)
      lines.add(Buffer.concat([...seen, piece]))
    }
    seen.push(piece)
    lines.finish()
  }
  return lines
}

function told(lines: LineFile) {
  const { entities, relations, warnings, isOpen } = lines
  return { entities, relations, warnings, isOpen }
}

const anyLine = fc.oneof(
  fc.constantFrom('{"id":"a"}', '{"id":"é协"}', '', ' ', '{"id":', 'x', '\uFEFF{"id":"b"}'),
  fc.constant('{"type":"relation","from":"a","to":"b","relationType":"r"}'),
)
const anyBytes = fc
  .array(fc.tuple(anyLine, fc.constantFrom('\n', '\r\n', '\n\n', '')), { maxLength: 8 })
  .map((lines) => Buffer.from(lines.flat().join('')))

it('says the same in whichever pieces the bytes arrive', () => {
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat(400), { maxLength: 6 }), (bytes, cuts) => {
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length]
      const sorted = places.toSorted((a, b) => a - b)
      const pieces = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
      expect(told(read(pieces))).toEqual(told(read([bytes])))
    }),
    { numRuns: 500 },
  )
})

it('counts lines from 1, whatever they hold', () => {
  const lines = read([Buffer.from('\uFEFF{"id":"a"}\r\n\r\nbad\r\n{"id":"b"}\r\n{"id":"c"')])
  expect(lines.entities.map(({ id, origin }) => [id, origin.line])).toEqual([
    ['a', 1],
    ['b', 4],
  ])
  expect(lines.warnings.map(({ message }) => message)).toEqual([
    'e.jsonl:3: not JSON',
    'e.jsonl:5: not JSON, and it has no end yet',
  ])
  expect(lines.isOpen).toBe(true)
})

it('leaves out what is not UTF-8, and nothing beside it', () => {
  const broken = Buffer.from([0x7b, 0xff, 0x7d])
  const bytes = [Buffer.from('{"id":"a"}\n{"id":"b"}\n'), broken, Buffer.from('\n{"id":"c"}\n')]
  const lines = read([Buffer.concat(bytes)])
  expect(lines.entities.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(lines.warnings.map(({ message }) => message)).toEqual(['e.jsonl:3: not UTF-8 text'])
})

it('reads a line of a megabyte, and reports one beyond the limit without keeping it', () => {
  const long = `{"id":"long","desc":"${'x'.repeat(1024 * 1024)}"}\n`
  const endless = Buffer.from(`{"id":"endless","desc":"${'y'.repeat(LINE_LIMIT)}"}\n{"id":"z"}\n`)
  const half = endless.length >> 1
  const lines = read([Buffer.from(long), endless.subarray(0, half), endless.subarray(half)])
  expect(lines.entities.map(({ id }) => id)).toEqual(['long', 'z'])
  expect(lines.warnings.map(({ message }) => message)).toEqual(['e.jsonl:2: longer than 16 MB'])
})

it('names the first bad lines and counts the others', () => {
  const { warnings } = read([Buffer.from('bad\n'.repeat(250))])
  expect(warnings).toHaveLength(101)
  expect(warnings.at(-1)!.message).toBe('e.jsonl: 150 more lines were left out')
})
