/** The indexing thread: searches never wait for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { collectGarbage } from './collect-garbage.ts'
import type { IndexingConfig, Order, Report } from './indexing-messages.ts'
import { keepCurrent } from './keep-current.ts'
import { wantedMeaning } from './models.ts'
import { indexInShares, runErrand } from './run-errand.ts'
import { openSources } from './sources.ts'
import { openStore } from './stores.ts'

const { config, owner } = workerData as { config: IndexingConfig; owner: string }
const stopping = new AbortController()
let looked = false
const report = (message: Report): void => {
  parentPort?.postMessage(message)
  if (message.kind !== 'caught_up' || looked) return
  looked = true
  // The first look knows every file of the base for a moment; then only changes come.
  setTimeout(collectGarbage, 500).unref()
}

const { store } = await openStore(config)
const sources = openSources(config, ({ message }) => report({ kind: 'warning', message }))
const keeping = keepCurrent({
  store,
  sources,
  owner,
  watch: config.watch,
  ...(config.reading && { reading: config.reading }),
  signal: stopping.signal,
  report,
  wanted: wantedMeaning(config.embedding),
  indexElsewhere: async (job, signal, onProgress) => {
    await indexInShares({ config, ...job }, signal, { onProgress, onReport: report })
  },
  learnElsewhere: (signal) =>
    runErrand({ task: 'learn', config }, signal, { onProgress: () => {}, onReport: report }),
})

parentPort?.on('message', (order: Order) => {
  if (order.kind === 'stop') stopping.abort()
  else keeping.look(order.source, order.path)
})

try {
  await keeping.done
} finally {
  await store.close()
  parentPort?.close()
}
