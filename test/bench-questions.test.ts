import { describe, expect, it } from 'vitest'
import { drawQuestions, misspell } from '../bench/questions.ts'
import {
  changeWords,
  countPassages,
  growNotes,
  memorySource,
  parseNote,
  type Note,
} from '../bench/vault.ts'

const SENTENCE =
  'Every kettle needs water before anybody can think about brewing another decent pot of green tea'

function notes(count: number): Note[] {
  return Array.from({ length: count }, (_, n) =>
    parseNote({
      path: `drinks/hot/note-${n}.md`,
      text: `---\ntitle: Note ${n}\ntags: [tea]\n---\n# Note ${n}\n\n${SENTENCE}.\n`,
    }),
  )
}

describe('notes for benchmarks', () => {
  it('are cut by the real parser', () => {
    const [note] = notes(1)
    expect(note).toMatchObject({ title: 'Note 0', tags: ['tea'] })
    expect(note!.passages.join('')).toContain(SENTENCE)
  })

  it('change some words of a copy, each copy in another way, and always the same', () => {
    const text = `${SENTENCE} [a link](other-note.md) and \`getUserById\``
    const first = changeWords(text, 1)
    expect(first).not.toBe(text)
    expect(changeWords(text, 1)).toBe(first)
    expect(changeWords(text, 2)).not.toBe(first)
    expect(first.split(' ')).toHaveLength(text.split(' ').length)
    expect(first).toContain('other-note.md')
    expect(first).toContain('getUserById')
  })

  it('grow to a size, and a smaller size is the beginning of a larger', () => {
    const all = notes(5)
    const small = growNotes(all, 3)
    const large = growNotes(all, 12)
    expect(countPassages(small)).toBe(3)
    expect(countPassages(large)).toBe(12)
    expect(large.slice(0, 3)).toEqual(small)
    expect(new Set(large.map(({ path }) => path)).size).toBe(large.length)
    expect(growNotes([], 5)).toEqual([])
  })

  it('can be read as a source', async () => {
    const source = memorySource('docs', notes(2))
    const { files } = await source.scan()
    expect(files.map(({ path }) => path)).toEqual(['drinks/hot/note-0.md', 'drinks/hot/note-1.md'])
    const contents = await source.read([files[0]!.path, 'missing.md'])
    expect(contents.map(({ kind }) => kind)).toEqual(['text', 'gone'])
  })
})

describe('questions for benchmarks', () => {
  it('are the same for the same notes, and have the words they should', () => {
    const all = notes(20)
    const classes = drawQuestions(all, 6, [{ text: 'how to brew' }])
    expect(drawQuestions(all, 6, [{ text: 'how to brew' }])).toEqual(classes)
    const wordCounts = Object.fromEntries(
      classes.map(({ key, questions }) => [key, questions[0]!.text.split(' ').length]),
    )
    expect(wordCounts).toMatchObject({ one: 1, three: 3, ten: 10, telling: 10, typo: 3, own: 3 })
    for (const { questions } of classes) expect([1, 6]).toContain(questions.length)
  })

  it('filter by a folder or a tag', () => {
    const filtered = drawQuestions(notes(20), 12, []).find(({ key }) => key === 'filtered')!
    const filters = filtered.questions.map(({ path, tag }) => path ?? `#${tag}`)
    expect(new Set(filters)).toEqual(new Set(['drinks/', '#tea']))
  })

  it.each([0, 0.3, 0.6, 0.9])('misspell a word by one edit (%d)', (kind) => {
    const draws = [0.5, kind]
    const wrong = misspell('kettle', () => draws.shift()!)
    expect(wrong).not.toBe('kettle')
    expect(wrong[0]).toBe('k')
    expect(Math.abs(wrong.length - 6)).toBeLessThanOrEqual(1)
  })

  it('give up on notes without sentences', () => {
    expect(drawQuestions([], 3, []).every(({ questions }) => questions.length === 0)).toBe(true)
  })
})
