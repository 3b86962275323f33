/** This project as it is used: files or notes through the real parser into the real store. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatOf } from '../../src/serve/parts/formats.ts'
import { compileLast } from '../../src/serve/lifecycle/last-compiler.ts'
import { openKnowledge } from '../../src/serve/parts/open-knowledge.ts'
import { openStore } from '../../src/serve/parts/stores.ts'
import type { Source } from '../../src/core/domain/source.ts'
import { sync } from '../../src/core/indexing/indexer.ts'
import { learnMeaning } from '../../src/core/indexing/learn-meaning.ts'
import { wholeView } from '../../src/core/operations/view/view.ts'
import type { View } from '../../src/core/operations/view/view.ts'
import { rankDocuments } from '../../src/core/operations/searching/rank-documents.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { selectDocuments } from '../../src/core/operations/reading/select-documents.ts'
import { openFolderSource } from '../../src/core/sources/folder/open-folder-source.ts'
import type { Manner, Question } from '../questions.ts'
import { memorySource, type NoteFile } from '../vault.ts'
import { LIMIT, startClocks, withWord } from './engine.ts'
import type { BuildFigures, Corpus, Engine, UpdateFigures } from './engine.ts'
import { readableExtensions } from '../../src/serve/parts/formats.ts'

const OWNER = 'bench'
const HOUR_MS = 3_600_000
const HTTP = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }

/** Words only, as the other engines rank: no vectors, no links. */
const WORDS = { limit: LIMIT, mode: 'lexical', links: false } as const

export async function openCairn(state: string): Promise<Engine> {
  const { store } = await openStore({ state, sources: [] })
  let docs: string | undefined
  let sources: ReadonlyMap<string, Source> = new Map()
  let kb: View
  const parts = async () => {
    const lease = await store.acquireLease(OWNER, HOUR_MS)
    if (!lease) throw new Error('The store is in use.')
    return { store, sources: [...sources.values()], formatOf, lease }
  }

  const rank = async (text: string, options: Parameters<typeof rankDocuments>[2]) =>
    (await rankDocuments(kb, text, options)).hits.length

  const manners: Record<Manner, (question: Question) => Promise<number>> = {
    words: ({ text }) => rank(text, WORDS),
    phrase: ({ text }) => rank(`"${text}"`, WORDS),
    // Misspelt words are found without asking for it.
    typo: ({ text }) => rank(text, WORDS),
    filtered: async ({ text, path, tag }) => {
      const selection = tag === undefined ? { path } : { tags: [tag] }
      return rank(text, { ...WORDS, filter: await selectDocuments(kb, selection) })
    },
    semantic: ({ text }) => rank(text, { limit: LIMIT, mode: 'semantic', links: false }),
    ranking: ({ text }) => rank(text, { limit: LIMIT }),
    answer: async ({ text }) => (await searchDocuments(kb, text, { limit: LIMIT })).hits.length,
  }

  return {
    async build(corpus: Corpus): Promise<BuildFigures> {
      docs = corpus.docs
      const source =
        docs === undefined
          ? memorySource('docs', corpus.notes)
          : openFolderSource({ name: 'docs', extensions: readableExtensions(), root: docs })
      sources = new Map([[source.name, source]])
      const clocks = startClocks()
      // As where it indexes for people.
      compileLast('late')
      await sync(await parts())
      compileLast('usual')
      const words = clocks()
      if (!corpus.wordsOnly) await learnMeaning({ store, sources })
      const everything = corpus.wordsOnly ? undefined : clocks()
      kb = wholeView(openKnowledge({ config: { http: HTTP }, store, sources }))
      return {
        wordsMs: words.ms,
        everythingMs: everything?.ms,
        wordsCpuMs: words.cpuMs,
        everythingCpuMs: everything?.cpuMs,
      }
    },
    search: (manner) => manners[manner],
    async update(note: NoteFile, word: string): Promise<UpdateFigures> {
      if (docs === undefined) throw new Error('Notes in memory are not edited.')
      const file = join(docs, note.path)
      writeFileSync(file, withWord(note, word).text)
      const begin = performance.now()
      await sync(await parts(), { only: { source: 'docs', paths: [note.path] } })
      const committedMs = performance.now() - begin
      if ((await rank(word, WORDS)) !== 1) throw new Error(`An edit was not found: ${note.path}`)
      const searchableMs = performance.now() - begin
      await manners.answer({ text: word })
      const answeredMs = performance.now() - begin
      writeFileSync(file, note.text)
      return { committedMs, searchableMs, answeredMs }
    },
    close: () => store.close(),
  }
}
