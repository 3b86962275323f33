import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_CHUNK } from './chunk.ts'
import { lineAt, lineStartsOf } from './lines.ts'
import { parseMarkdown } from './markdown/parse-markdown.ts'
import { parsePlainText } from './text/parse-text.ts'

const words = (count: number, word = 'word') => `${word} `.repeat(count).trim()
const sentence = (length: number) => `${words(length / 5)}.`

/** One line per passage: heading path, then how it begins and ends. */
function check(name: string, text: string, ...expected: string[]): void {
  it(name, () => {
    const { chunks } = parseMarkdown(text, 'a.md').document
    const shown = chunks.map(({ start, end, headingPath }) => {
      const passage = text.slice(start, end)
      const ends = passage.length > 24 ? `${passage.slice(0, 12)}…${passage.slice(-8)}` : passage
      return `${headingPath.join('/')}: ${ends.replaceAll('\n', '¶')}`
    })
    expect(shown).toEqual(expected)
  })
}

describe('sections', () => {
  check('nothing', '')
  check('only blank space', '  \n\n ')
  check('a short note', 'Hello.', ': Hello.')
  check('front matter is no passage', '---\na: b\n---\n\nHello.\n', ': Hello.')
  check('one heading', '# A\n\nHello.', 'A: # A¶¶Hello.')
  it('a paragraph taken for a heading is not copied into every passage', () => {
    const { chunks } = parseMarkdown(`# ${words(20_000)}\n\n${sentence(20_000)}`, 'a.md').document
    const lengths = chunks.map(({ headingPath }) => headingPath.join('').length)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(200)
  })
  check(
    'sections of some size stay apart',
    `# A\n${words(50)}\n## B\n${words(50)}\n# C\n${words(50)}`,
    'A: # A¶word wor…ord word',
    'A/B: ## B¶word wo…ord word',
    'C: # C¶word wor…ord word',
  )
  check(
    'a bare heading joins the section below it',
    `# A\n\n## B\n${words(60)}`,
    'A/B: # A¶¶## B¶wo…ord word',
  )
  check(
    'tiny siblings join under their parent',
    `# A\n${words(60)}\n## B\nb\n## C\nc\n## D\nd`,
    'A: # A¶word wor…d¶## D¶d'.replace('…d¶', '…c¶'),
  )
  check('tiny sections at the top stay apart', '# A\na\n# B\nb', 'A: # A¶a', 'B: # B¶b')
  check(
    'a tiny section joins a larger neighbour',
    `## A\n${words(100)}\n## B\nb`,
    'A: ## A¶word wo…d¶## B¶b',
  )
  check(
    'a tiny section joins no neighbour that is long enough',
    `# A\n${words(60)}\n## B\n${words(250)}\n## C\nc`,
    'A: # A¶word wor…ord word',
    'A/B: ## B¶word wo…ord word',
    'A/C: ## C¶c',
  )
  check(
    'cousins stay apart',
    `# A\n${words(100)}\n## B\n${words(100)}\n### C\n${words(100)}\n## D\n### E\ne`,
    'A: # A¶word wor…ord word',
    'A/B: ## B¶word wo…ord word',
    'A/B/C: ### C¶word w…ord word',
    'A/D/E: ## D¶### E¶e',
  )
  check(
    'words before the first heading introduce it',
    `Intro.\n\n# A\n${words(60)}`,
    'A: Intro.¶¶# A¶…ord word',
  )
  check(
    'headings in quotes do not divide',
    `# A\n${words(50)}\n> # B\n> ${words(50)}`,
    'A: # A¶word wor…ord word',
  )
})

describe('long sections', () => {
  check(
    'cut between paragraphs',
    `${sentence(900)}\n\nB${sentence(900)}\n\nC${sentence(900)}`,
    ': word word wo…rd word.',
    ': Bword word w…rd word.',
    ': Cword word w…rd word.',
  )
  check(
    'cut between sentences',
    `${sentence(1000)} B${sentence(1000)} C${sentence(1000)}`,
    ': word word wo…rd word.',
    ': Bword word w…rd word.',
    ': Cword word w…rd word.',
  )
  check('cut between words', words(500), ': word word wo…ord word', ': word word wo…ord word')
  check(
    'cut between sentences without spaces',
    `${'字'.repeat(1100)}。${'文'.repeat(1100)}。`,
    `: ${'字'.repeat(12)}…${'字'.repeat(7)}。`,
    `: ${'文'.repeat(12)}…${'文'.repeat(7)}。`,
  )
  check(
    'keep a fenced block whole',
    `${sentence(700)}\n\n\`\`\`\n${'a\n\nb\n'.repeat(200)}\`\`\`\n\n${sentence(400)}`,
    ': word word wo…rd word.',
    ': ```¶a¶¶b¶a¶¶…rd word.',
  )
})

it('never cuts a surrogate pair', () => {
  const text = `a${'😀'.repeat(3000)}`
  for (const { start, end } of parsePlainText(text, 'a.txt').document.chunks) {
    expect(text.slice(start, end).isWellFormed()).toBe(true)
  }
})

const paragraph = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.integer({ min: 1, max: 700 }).map((count) => words(count)),
  fc.integer({ min: 1, max: 3000 }).map((count) => '語'.repeat(count)),
  fc.integer({ min: 1, max: 3000 }).map((count) => '😀'.repeat(count)),
  fc.integer({ min: 1, max: 300 }).map((count) => `\`\`\`\n${'code\n\n'.repeat(count)}\`\`\``),
  fc.constantFrom(
    '# A',
    '## B',
    '### C',
    'D\n===',
    '> # E',
    '- f\n\n  ## G',
    '   ',
    '\u00A0',
    '\t',
  ),
)
const text = fc
  .tuple(
    fc.array(paragraph, { maxLength: 12 }),
    fc.constantFrom('\n', '\n\n', '\r\n', '\n \n\n'),
    fc.constantFrom('', '---\na: b\n---\n', '\uFEFF'),
  )
  .map(([paragraphs, gap, front]) => front + paragraphs.join(gap))

it.each([parseMarkdown, parsePlainText])('tiles the body (%o)', (parse) => {
  fc.assert(
    fc.property(text, (text) => {
      const { bodyStart, chunks } = parse(text, 'a').document
      const starts = lineStartsOf(text)
      let at = bodyStart
      for (const { start, end, lineStart, lineEnd } of chunks) {
        expect(start).toBeGreaterThanOrEqual(at)
        expect(text.slice(at, start).trim()).toBe('')
        expect(end - start).toBeGreaterThan(0)
        expect(end - start).toBeLessThanOrEqual(LONGEST_CHUNK)
        expect(text.slice(start, end).trim()).toBe(text.slice(start, end))
        expect(lineStart).toBe(lineAt(starts, start))
        expect(lineEnd).toBe(lineAt(starts, end - 1))
        at = end
      }
      expect(text.slice(at).trim()).toBe('')
    }),
    { numRuns: 400 },
  )
})
