/** MiniSearch: everything in memory, nothing kept on disk. */
import MiniSearch, { type SearchResult } from 'minisearch'
import type { Manner, Question } from '../questions.ts'
import { parseNote, type Note, type NoteFile } from '../vault.ts'
import { LIMIT, onlyWords, startClocks, withWord } from './engine.ts'
import type { BuildFigures, Corpus, Engine, UpdateFigures } from './engine.ts'

interface Passage {
  readonly id: number
  readonly path: string
  readonly tags: readonly string[]
  readonly title: string
  readonly text: string
}

export function openMiniSearch(): Engine {
  const index = new MiniSearch<Passage>({
    fields: ['title', 'text'],
    storeFields: ['path', 'tags'],
    searchOptions: { boost: { title: 4 } },
  })
  let nextId = 1
  const byPath = new Map<string, number[]>()
  const add = (note: Note): void => {
    const { path, title, tags } = note
    const ids: number[] = []
    for (const text of note.passages) {
      const id = nextId++
      ids.push(id)
      index.add({ id, path, tags, title, text })
    }
    byPath.set(path, ids)
  }

  const manners: Partial<Record<Manner, (question: Question) => number>> = {
    words: ({ text }) => index.search(text).slice(0, LIMIT).length,
    typo: ({ text }) => index.search(text, { fuzzy: 1 }).slice(0, LIMIT).length,
    filtered: ({ text, path = '', tag }) => {
      const allowed = (hit: SearchResult): boolean =>
        tag === undefined
          ? (hit['path'] as string).startsWith(path)
          : (hit['tags'] as readonly string[]).includes(tag)
      return index.search(text, { filter: allowed }).slice(0, LIMIT).length
    },
  }

  return {
    build({ notes }: Corpus): BuildFigures {
      const clocks = startClocks()
      for (const note of notes) add(note)
      return onlyWords(clocks())
    },
    search: (manner) => manners[manner],
    update(note: NoteFile, word: string): UpdateFigures {
      const parsed = parseNote(withWord(note, word))
      const begin = performance.now()
      for (const id of byPath.get(note.path) ?? []) index.discard(id)
      add(parsed)
      const committedMs = performance.now() - begin
      if (index.search(word).length !== 1) throw new Error(`An edit was not found: ${note.path}`)
      return { committedMs, searchableMs: performance.now() - begin }
    },
    close: () => {},
  }
}
