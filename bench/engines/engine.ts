/** What a benchmark wants of a search engine. */
import type { Manner, Question } from '../questions.ts'
import type { Note, NoteFile } from '../vault.ts'

export interface Corpus {
  /** A folder of files; when undefined, the engine gets the notes themselves and nothing else. */
  readonly docs: string | undefined
  /** Empty where the engine reads the files itself. */
  readonly notes: readonly Note[]
  /** Stop when words can be searched. */
  readonly wordsOnly: boolean
}

export interface BuildFigures {
  /** Until words can be searched, from passages in memory; from files for an engine that reads them. */
  readonly wordsMs: number
  /** Until everything can be searched that the engine can do; undefined when only words were built. */
  readonly everythingMs: number | undefined
  /** The processor's time for the same: on a busy machine it says more than the clock. */
  readonly wordsCpuMs: number
  readonly everythingCpuMs: number | undefined
}

export interface UpdateFigures {
  /** Until the change is safe. */
  readonly committedMs: number
  /** Until a search has found it. */
  readonly searchableMs: number
  /** Until a search of the default kind has been answered. */
  readonly answeredMs?: number
}

export interface Engine {
  build(corpus: Corpus): Promise<BuildFigures> | BuildFigures
  /** How it answers such questions; undefined for what it cannot do. */
  search(manner: Manner): ((question: Question) => Promise<number> | number) | undefined
  /** Replaces a note by one that has the word. */
  update(note: NoteFile, word: string): Promise<UpdateFigures> | UpdateFigures
  close(): Promise<void> | void
}

export const LIMIT = 10

/** Begins two clocks: the one on the wall and the processor's. */
export function startClocks(): () => { ms: number; cpuMs: number } {
  const begin = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { ms: performance.now() - begin, cpuMs: (user + system) / 1000 }
  }
}

/** An engine that has words and nothing else is done when words are. */
export function onlyWords({ ms, cpuMs }: { ms: number; cpuMs: number }): BuildFigures {
  return { wordsMs: ms, everythingMs: ms, wordsCpuMs: cpuMs, everythingCpuMs: cpuMs }
}

/** The words of a question as engines without a query language want them. */
export function wordsOf({ text }: Question): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}

export function withWord({ path, text }: NoteFile, word: string): NoteFile {
  return { path, text: `${text}\n\nNow it also speaks of ${word}.\n` }
}
