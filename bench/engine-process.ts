/**
 * One engine in a process of its own, driven by messages: memory and warm-up of one engine do not
 * colour another, and yet they take turns class by class, so that noise falls on all of them.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { openCairn } from './engines/cairn.ts'
import { startClocks } from './engines/engine.ts'
import type { BuildFigures, Engine, UpdateFigures } from './engines/engine.ts'
import { openFts5 } from './engines/fts5.ts'
import { openMiniSearch } from './engines/minisearch.ts'
import { openOrama } from './engines/orama.ts'
import { benchOptions, folderBytes, settledMemory } from './harness.ts'
import type { Manner, Question } from './questions.ts'
import { countPassages, growNotes, parseNote, readFiles } from './vault.ts'
import type { NoteFile } from './vault.ts'

export const ENGINES = {
  cairn: { title: 'Cairn', open: (place: string) => openCairn(join(place, 'state')) },
  fts5: { title: 'FTS5', open: (place: string) => openFts5(join(place, 'fts5.db')) },
  bareFts5: { title: 'FTS5 bare', open: () => openFts5(':memory:') },
  minisearch: { title: 'MiniSearch', open: () => openMiniSearch() },
  orama: { title: 'Orama', open: () => openOrama() },
} as const satisfies Record<
  string,
  { title: string; open: (place: string) => Engine | Promise<Engine> }
>

export type EngineName = keyof typeof ENGINES

export interface EngineOptions {
  /** The folder of notes. */
  readonly docs: string
  /** An empty folder for what the engine keeps. */
  readonly place: string
  /** Grow or shrink the notes to so many passages. */
  readonly passages?: number
  readonly wordsOnly?: boolean
}

export interface Built extends BuildFigures {
  readonly engine: EngineName
  /** Reading and parsing, where the engine was given passages. */
  readonly parseMs: number
  readonly parseCpuMs: number
  readonly notes: number
  readonly passages: number
  readonly diskBytes: number
  readonly residentBytes: number
}

export interface Asked {
  readonly times: readonly number[]
  /** The processor's time for one answer, on average: it knows no neighbours. */
  readonly cpuMs: number
  /** Questions that found something. */
  readonly found: number
}

/** An engine too slow to answer all in this time answers the first of them, but at least a few. */
const FEWEST_ANSWERS = benchOptions().quick ? 4 : 8
/** Code that has not run yet is slow; nobody is measured before this many answers or this long. */
const WARM_UP = 20
const WARM_UP_MS = 250

type Order =
  | ({ readonly kind: 'build'; readonly engine: EngineName } & EngineOptions)
  | {
      readonly kind: 'ask'
      readonly manner: Manner
      readonly questions: readonly Question[]
      readonly budgetMs: number
    }
  | { readonly kind: 'update'; readonly note: NoteFile; readonly word: string }

type Reply = { readonly result: unknown } | { readonly failure: string }

export class EngineProcess {
  readonly name: EngineName
  readonly #child: ChildProcess
  #complaint = ''

  /** `program` is this file, or what a bundler made of it. */
  constructor(name: EngineName, program = import.meta.filename) {
    this.name = name
    this.#child = fork(program, ['--serve-engine'], {
      execArgv: ['--expose-gc', '--max-old-space-size=8192'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#complaint = `${this.#complaint}${data.toString()}`.slice(-2000)
    })
  }

  build(options: EngineOptions): Promise<Built> {
    return this.#order<Built>({ kind: 'build', engine: this.name, ...options })
  }

  /** Undefined when the engine cannot do it. */
  ask(
    manner: Manner,
    questions: readonly Question[],
    budgetMs: number,
  ): Promise<Asked | undefined> {
    return this.#order({ kind: 'ask', manner, questions, budgetMs })
  }

  update(note: NoteFile, word: string): Promise<UpdateFigures> {
    return this.#order<UpdateFigures>({ kind: 'update', note, word })
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = new Promise((resolve) => {
      this.#child.once('exit', resolve)
    })
    this.#child.disconnect()
    await ended
  }

  #order<Result>(order: Order): Promise<Result> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error(`${this.name} ended early.\n${this.#complaint}`))
      this.#child.once('exit', onExit)
      this.#child.once('message', (reply: Reply) => {
        this.#child.off('exit', onExit)
        if ('failure' in reply) reject(new Error(`${this.name}: ${reply.failure}`))
        else resolve(reply.result as Result)
      })
      this.#child.send(order)
    })
  }
}

function serveEngine(): void {
  let engine: Engine | undefined

  const build = async (order: Extract<Order, { kind: 'build' }>): Promise<Built> => {
    const { engine: name, docs, place, passages, wordsOnly = false } = order
    engine = await ENGINES[name].open(place)
    // Cairn reads the files itself, as it does for people.
    const readsFiles = name === 'cairn' && passages === undefined
    const clocks = startClocks()
    const all = readsFiles ? [] : readFiles(docs).map(parseNote)
    const { ms: parseMs, cpuMs: parseCpuMs } = clocks()
    const notes = passages === undefined ? all : growNotes(all, passages)
    const figures = await engine.build({ docs: readsFiles ? docs : undefined, notes, wordsOnly })
    const counts = { notes: notes.length, passages: countPassages(notes) }
    notes.length = 0
    all.length = 0
    return {
      engine: name,
      parseMs,
      parseCpuMs,
      ...counts,
      ...figures,
      diskBytes: folderBytes(place),
      residentBytes: settledMemory(),
    }
  }

  const ask = async (order: Extract<Order, { kind: 'ask' }>): Promise<Asked | undefined> => {
    const search = engine?.search(order.manner)
    if (!search) return undefined
    const warm = performance.now() + WARM_UP_MS
    for (const question of order.questions.slice(0, WARM_UP)) {
      if (performance.now() < warm) await search(question)
    }
    const times: number[] = []
    let found = 0
    const clocks = startClocks()
    const deadline = performance.now() + order.budgetMs
    for (const question of order.questions) {
      const begin = performance.now()
      if (times.length >= FEWEST_ANSWERS && begin > deadline) break
      const hits = await search(question)
      times.push(performance.now() - begin)
      if (hits > 0) found++
    }
    return { times, cpuMs: clocks().cpuMs / times.length, found }
  }

  const obey = async (order: Order): Promise<unknown> => {
    switch (order.kind) {
      case 'build':
        return build(order)
      case 'ask':
        return ask(order)
      case 'update':
        return engine?.update(order.note, order.word)
      default:
        return order satisfies never
    }
  }

  process.on('message', (order: Order) => {
    obey(order).then(
      (result) => process.send?.({ result }),
      (error: unknown) =>
        process.send?.({ failure: error instanceof Error ? (error.stack ?? '') : String(error) }),
    )
  })
  process.on('disconnect', () => {
    void Promise.resolve(engine?.close()).finally(() => process.exit(0))
  })
}

if (process.argv[2] === '--serve-engine') serveEngine()
