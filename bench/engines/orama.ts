/** Orama: everything in memory. CAIRN_BENCH_ORAMA names a folder with another version of it. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Manner, Question } from '../questions.ts'
import { LIMIT, onlyWords, startClocks } from './engine.ts'
import type { BuildFigures, Corpus, Engine } from './engine.ts'

interface Orama {
  create(options: object): unknown
  insertMultiple(index: unknown, documents: readonly object[], batch?: number): unknown
  search(index: unknown, options: object): Promise<{ readonly hits: readonly unknown[] }>
}

/** Where Orama is, or undefined when it is not here. */
export function findOrama(): string | undefined {
  const home = process.env['CAIRN_BENCH_ORAMA'] ?? join(import.meta.dirname, '..')
  try {
    return createRequire(join(home, 'package.json')).resolve('@orama/orama')
  } catch {
    return undefined
  }
}

export async function openOrama(): Promise<Engine> {
  const place = findOrama()
  if (place === undefined) throw new Error('@orama/orama is not installed.')
  const orama = (await import(pathToFileURL(place).href)) as Orama
  const index = await orama.create({ schema: { title: 'string', text: 'string' } })
  const ask =
    (options: object) =>
    async ({ text }: Question): Promise<number> => {
      const found = await orama.search(index, {
        term: text,
        properties: ['title', 'text'],
        boost: { title: 4 },
        threshold: 1,
        limit: LIMIT,
        ...options,
      })
      return found.hits.length
    }
  const manners: Partial<Record<Manner, (question: Question) => Promise<number>>> = {
    words: ask({}),
    typo: ask({ tolerance: 1 }),
  }
  return {
    async build({ notes }: Corpus): Promise<BuildFigures> {
      const passages = notes.flatMap(({ title, passages }) =>
        passages.map((text) => ({ title, text })),
      )
      const clocks = startClocks()
      await orama.insertMultiple(index, passages, 1000)
      return onlyWords(clocks())
    },
    search: (manner) => manners[manner],
    update: () => {
      throw new Error('Updates of Orama are not measured.')
    },
    close: () => {},
  }
}
