/**
 * What the engines are asked: words, phrases and misspellings drawn from the notes themselves, always
 * the same for the same notes, and the questions that came with the set.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomNumbers } from './harness.ts'
import type { Note } from './vault.ts'

export interface Question {
  readonly text: string
  /** Only notes whose path begins like this. */
  readonly path?: string
  /** Only notes with this tag. */
  readonly tag?: string
}

/** How a question is put to an engine. */
export type Manner = 'words' | 'phrase' | 'typo' | 'filtered' | 'semantic' | 'ranking' | 'answer'

export interface QuestionClass {
  readonly key: string
  readonly title: string
  readonly manner: Manner
  readonly questions: readonly Question[]
}

/** Common words that any sentence has; their lists are the longest there are. */
const STOP_WORDS = new Set(
  'about also and any are because been but can does each for from has have how into its just may more most must not one only other over same should some such than that the their them then there these they this those use used uses using was were what when where which while will with would you your'.split(
    ' ',
  ),
)

export function drawQuestions(notes: readonly Note[], count: number, own: readonly Question[]) {
  const ten = drawSentences(notes, count, 10).map(asQuestion)
  return [
    { key: 'one', title: '1 word', manner: 'words', questions: drawWords(notes, count, 1) },
    { key: 'three', title: '3 words', manner: 'words', questions: drawWords(notes, count, 3) },
    { key: 'ten', title: '10 words of a sentence', manner: 'words', questions: ten },
    {
      key: 'telling',
      title: '10 words, no stop words',
      manner: 'words',
      questions: drawWords(notes, count, 10),
    },
    { key: 'phrase', title: 'phrase', manner: 'phrase', questions: drawPhrases(notes, count) },
    {
      key: 'typo',
      title: '3 words, one misspelt',
      manner: 'typo',
      questions: drawTypos(notes, count),
    },
    {
      key: 'filtered',
      title: '3 words, path or tag',
      manner: 'filtered',
      questions: drawFiltered(notes, count),
    },
    { key: 'own', title: "the set's questions, words", manner: 'words', questions: own },
    { key: 'semantic', title: "the set's questions, semantic", manner: 'semantic', questions: own },
    { key: 'hybrid', title: "the set's questions, hybrid", manner: 'ranking', questions: own },
    {
      key: 'answer',
      title: '… whole answers with snippets',
      manner: 'answer',
      questions: own,
    },
    { key: 'answerTen', title: '10 words, whole hybrid answers', manner: 'answer', questions: ten },
  ] as const satisfies readonly QuestionClass[]
}

export type QuestionKey = ReturnType<typeof drawQuestions>[number]['key']

export function readOwnQuestions(set: string, count: number): Question[] {
  const lines = readFileSync(join(set, 'queries.jsonl'), 'utf8').split('\n')
  const questions = lines
    .filter((line) => line.trim() !== '')
    .map((line) => asQuestion((JSON.parse(line) as { text: string }).text.replaceAll('"', ' ')))
  // Sets list their kinds of questions one after the other: take some of each.
  const step = Math.max(1, questions.length / count)
  return Array.from(
    { length: Math.min(count, questions.length) },
    (_, i) => questions[Math.floor(i * step)]!,
  )
}

function asQuestion(text: string): Question {
  return { text }
}

/** Tries note after note until there are enough. */
function draw<Item>(
  notes: readonly Note[],
  count: number,
  seed: number,
  make: (note: Note, random: () => number) => Item | undefined,
): Item[] {
  const random = randomNumbers(seed)
  const made: Item[] = []
  for (let tries = 0; made.length < count && tries < 200 * count; tries++) {
    const note = notes[Math.floor(random() * notes.length)]
    const item = note && make(note, random)
    if (item !== undefined) made.push(item)
  }
  return made
}

function sentenceOf(note: Note, random: () => number, words: number): string[] | undefined {
  const passage = note.passages[Math.floor(random() * note.passages.length)] ?? ''
  const pattern = new RegExp(`[A-Z][a-z]+(?: [a-z]+){${words - 1},}`, 'g')
  const sentences = passage.match(pattern) ?? []
  return sentences[Math.floor(random() * sentences.length)]?.toLowerCase().split(' ')
}

function drawSentences(notes: readonly Note[], count: number, words: number): string[] {
  return draw(notes, count, words, (note, random) =>
    sentenceOf(note, random, words)?.slice(0, words).join(' '),
  )
}

/** Telling words that stand in one passage. */
function drawWords(notes: readonly Note[], count: number, words: number): Question[] {
  return draw(notes, count, 100 + words, (note, random) => {
    const telling = tellingWords(note, random)
    if (telling.length < words) return undefined
    const start = Math.floor(random() * (telling.length - words + 1))
    return asQuestion(telling.slice(start, start + words).join(' '))
  })
}

function tellingWords(note: Note, random: () => number): string[] {
  const passage = note.passages[Math.floor(random() * note.passages.length)] ?? ''
  const words = passage.match(/(?<![\w.-])[A-Za-z][a-z]{3,}(?![\w-])/g) ?? []
  return [...new Set(words.map((word) => word.toLowerCase()))].filter((w) => !STOP_WORDS.has(w))
}

function drawPhrases(notes: readonly Note[], count: number): Question[] {
  return draw(notes, count, 7, (note, random) => {
    const sentence = sentenceOf(note, random, 4)
    if (!sentence) return undefined
    const words = 2 + Math.floor(random() * 2)
    const start = Math.floor(random() * (sentence.length - words))
    const phrase = sentence.slice(start, start + words)
    return phrase.some((word) => word.length > 3 && !STOP_WORDS.has(word))
      ? asQuestion(phrase.join(' '))
      : undefined
  })
}

function drawTypos(notes: readonly Note[], count: number): Question[] {
  const random = randomNumbers(13)
  return drawWords(notes, count, 3).map(({ text }) => {
    const words = text.split(' ')
    const longest = words.reduce(
      (best, word, i) => (word.length > words[best]!.length ? i : best),
      0,
    )
    return asQuestion(words.with(longest, misspell(words[longest]!, random)).join(' '))
  })
}

/** One letter left out, doubled, replaced, or swapped with the next; never the first. */
export function misspell(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * Math.max(1, word.length - 2))
  const [before, letter, after] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)]
  const kind = Math.floor(random() * 4)
  if (kind === 0) return before + after
  if (kind === 1) return before + letter + letter + after
  const swapped = before + after.slice(0, 1) + letter + after.slice(1)
  if (kind === 2 && swapped !== word) return swapped
  return before + (letter === 'q' ? 'x' : 'q') + after
}

function drawFiltered(notes: readonly Note[], count: number): Question[] {
  return draw(notes, count, 17, (note, random) => {
    const telling = tellingWords(note, random)
    if (telling.length < 3) return undefined
    const text = telling.slice(0, 3).join(' ')
    const [tag] = note.tags
    if (tag !== undefined && random() < 0.5) return { text, tag }
    const folders = note.path.split('/').slice(0, -1)
    if (folders.length === 0) return tag === undefined ? undefined : { text, tag }
    return { text, path: `${folders.slice(0, Math.ceil(folders.length / 2)).join('/')}/` }
  })
}
