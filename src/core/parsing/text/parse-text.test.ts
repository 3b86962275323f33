import { expect, it } from 'vitest'
import type { Chunk } from '../../domain/text.ts'
import { parsePlainText } from './parse-text.ts'

function check(text: string, chunks: readonly Chunk[]): void {
  it(JSON.stringify(text.slice(0, 40)), () => {
    const { document, warnings } = parsePlainText(text, 'a.txt')
    expect(document.chunks).toEqual(chunks)
    expect(document).toMatchObject({ title: undefined, links: [], headings: [], inlineTags: [] })
    expect(warnings).toEqual([])
  })
}

const passage = (start: number, end: number, lineStart: number, lineEnd: number): Chunk => ({
  start,
  end,
  lineStart,
  lineEnd,
  headingPath: [],
})

check('', [])
check('# no heading [[no link]] #no-tag', [passage(0, 32, 1, 1)])
check('\uFEFF\n a\nb \n', [passage(3, 6, 2, 3)])
check(`${'x'.repeat(1500)}\n\n${'y'.repeat(1500)}`, [
  passage(0, 1500, 1, 1),
  passage(1502, 3002, 3, 3),
])
