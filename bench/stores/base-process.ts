/** The other side of `measured-base.ts`: does one task after the other, and says what it cost. */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { moveBase } from '../../src/keep/moving/move-base.ts'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import { openKnowledge } from '../../src/serve/parts/open-knowledge.ts'
import { openSources } from '../../src/serve/parts/sources.ts'
import { openStore } from '../../src/serve/parts/stores.ts'
import { VERSION } from '../../src/core/kit/version.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { rankDocuments } from '../../src/core/operations/searching/rank-documents.ts'
import { withOneSnapshot } from '../../src/core/operations/view/snapshot.ts'
import { wholeView } from '../../src/core/operations/view/view.ts'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { settledMemory } from '../harness.ts'
import { endedChildrenMs } from './database.ts'
import type { Answered, Opening, Tasks } from './measured-base.ts'

const opening = JSON.parse(process.argv[2]!) as Opening

/** Counted where they leave the process, whatever anybody else counts. */
let trips = 0
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...values: unknown[]) {
  trips++
  return Reflect.apply(query, this, values) as unknown
} as never

const { config } = await loadConfig({
  folders: [opening.folder],
  flags: { state: opening.state, ...(opening.store && { store: opening.store }) },
  configFile: undefined,
  env: {},
  cwd: opening.state,
  home: opening.state,
})

type Opened = Awaited<ReturnType<typeof openHere>>
let opened: Opened | undefined

async function openHere() {
  const sources = openSources(config)
  const { store } = await openStore(config)
  const kb = openKnowledge({ config, store, sources })
  const surface = openNativeSurface(kb, { version: VERSION, log: console.error })
  return { sources, store, kb, surface }
}

async function atHand(): Promise<Opened> {
  opened ??= await openHere()
  return opened
}

async function measured(work: () => Promise<unknown>): Promise<Answered> {
  const before = trips
  const cpu = process.cpuUsage()
  const started = performance.now()
  const answer = await work()
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  const cpuMs = (user + system) / 1_000
  return { ms, cpuMs, trips: trips - before, answer: JSON.stringify(answer) }
}

const tasks: {
  [Name in keyof Tasks]: (takes: Tasks[Name]['takes']) => Promise<Tasks[Name]['gives']>
} = {
  async index() {
    const base = await openBase(config)
    const cpu = process.cpuUsage()
    const others = endedChildrenMs(process.pid)
    const started = performance.now()
    const { documents } = await base.index({ waitForMeaning: true })
    const ms = performance.now() - started
    const { user, system } = process.cpuUsage(cpu)
    await base.close()
    const cpuMs = (user + system) / 1_000 + endedChildrenMs(process.pid) - others
    return { documents, ms, cpuMs }
  },
  async move({ to }) {
    const started = performance.now()
    const { documents } = await moveBase(config, to)
    return { documents, ms: performance.now() - started }
  },
  async open() {
    const started = performance.now()
    await atHand()
    return { ms: performance.now() - started }
  },
  async call({ tool, args }) {
    const { surface } = await atHand()
    const client = { signal: new AbortController().signal, client: 'bench', progress: () => {} }
    return measured(async () => {
      const { structured, isError } = await surface.call(tool, args, client)
      if (isError) throw new Error(JSON.stringify(structured))
      return structured
    })
  },
  async rank({ query: words }) {
    const { kb } = await atHand()
    return measured(() =>
      withOneSnapshot(async () => (await rankDocuments(wholeView(kb), words, { limit: 10 })).hits),
    )
  },
  async memory() {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return { rss: settledMemory(), peak: Number(peak ?? 0) * 1_024 }
  },
}

process.on('message', ({ task, takes }: { task: keyof Tasks; takes: never }) => {
  tasks[task](takes).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ trouble: String((error as Error).stack ?? error) }),
  )
})
process.on('disconnect', () => {
  void (async () => {
    for (const source of opened?.sources.values() ?? []) await source.close?.()
    await opened?.store.close()
    process.exit()
  })()
})
