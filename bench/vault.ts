/**
 * The notes of an evaluation set as the real parser reads them, so that every engine is given the
 * same passages; and the same notes several times over, with changed words, to see how time grows.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileContent, Scan, Source } from '../src/core/domain/source.ts'
import { parseMarkdown } from '../src/core/parsing/markdown/parse-markdown.ts'
import { titleFromPath } from '../src/core/parsing/names.ts'
import { randomNumbers } from './harness.ts'

export interface NoteFile {
  readonly path: string
  readonly text: string
}

export interface Note extends NoteFile {
  readonly title: string
  readonly tags: readonly string[]
  readonly passages: readonly string[]
}

/** All Markdown files of a set in the order of their paths. */
export function readFiles(docs: string): NoteFile[] {
  return readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(docs, path), 'utf8') }))
}

export function parseNote({ path, text }: NoteFile): Note {
  const { document } = parseMarkdown(text, path)
  return {
    path,
    text,
    title: document.title ?? titleFromPath(path),
    tags: [...document.tags, ...document.inlineTags],
    passages: document.chunks.map(({ start, end }) => text.slice(start, end)),
  }
}

export function countPassages(notes: readonly Note[]): number {
  return notes.reduce((sum, { passages }) => sum + passages.length, 0)
}

/**
 * Notes with about so many passages: some of the vault, or all of it and copies in which words were
 * changed. A smaller vault is the beginning of a larger one, so that one set of questions fits all.
 */
export function growNotes(notes: readonly Note[], passages: number): Note[] {
  const order = shuffle(notes)
  const grown: Note[] = []
  let count = 0
  for (let copy = 0; count < passages && notes.length > 0; copy++) {
    for (const note of order) {
      if (count >= passages) break
      grown.push(copy === 0 ? note : parseNote(changedNote(note, copy)))
      count += grown.at(-1)!.passages.length
    }
  }
  return grown
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  const random = randomNumbers(11)
  const shuffled = [...items]
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!]
  }
  return shuffled
}

/** Of the words, this part is another word in every copy: vocabularies grow with a corpus. */
const CHANGED_OF_8 = 3

function changedNote({ path, text }: NoteFile, copy: number): NoteFile {
  return { path: `copy-${copy}/${path}`, text: changeWords(text, copy) }
}

/** Turns some words of five and more lower-case letters into others, each always the same way. */
export function changeWords(text: string, copy: number): string {
  return text.replaceAll(/(?<![\w-])[a-z]{5,}(?![\w-])/g, (word) =>
    hashOf(word) % 8 < CHANGED_OF_8 ? shiftLetters(word, copy) : word,
  )
}

function hashOf(word: string): number {
  let hash = 2166136261
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 16777619)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** Vowels stay vowels and the last letters stay, so that endings are still endings. */
function shiftLetters(word: string, by: number): string {
  const shifted = Array.from(word.slice(0, -3), (letter) => {
    for (const row of ['aeiou', 'bcdfghjklmnpqrstvwxyz']) {
      const at = row.indexOf(letter)
      if (at >= 0) return row[(at + by) % row.length]
    }
    return letter
  })
  return shifted.join('') + word.slice(-3)
}

/** A source that has its files in memory: growing needs no hundreds of thousands of real ones. */
export function memorySource(name: string, files: readonly NoteFile[]): Source {
  const modifiedAt = Date.parse('2026-01-01T00:00:00Z')
  const contents = new Map(files.map(({ path, text }) => [path, text]))
  const entry = (path: string) => ({
    path,
    size: Buffer.byteLength(contents.get(path) ?? ''),
    modifiedAt,
  })
  const scan = (paths: readonly string[]): Promise<Scan> =>
    Promise.resolve({
      files: paths.filter((path) => contents.has(path)).map(entry),
      skipped: [],
    })
  return {
    name,
    root: name,
    scan: () => scan([...contents.keys()].toSorted()),
    rescan: scan,
    read: (paths) =>
      Promise.resolve(
        paths.map((path): FileContent => {
          const text = contents.get(path)
          if (text === undefined) return { kind: 'gone', path }
          const digest = createHash('sha256').update(text).digest('hex')
          return { kind: 'text', ...entry(path), text, digest }
        }),
      ),
    bornAt: (paths) => Promise.resolve(paths.map(() => undefined)),
    watch: () => Promise.resolve({ close: () => {} }),
  }
}
