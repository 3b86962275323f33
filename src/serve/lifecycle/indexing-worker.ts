/** The indexing thread: searches never wait for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { needsMeaning } from '../../core/indexing/bring-meaning.ts'
import { holdingRole } from '../../core/indexing/hold-role.ts'
import { keepForNextStart } from '../../core/operations/view/keep-mentions.ts'
import type { Store } from '../../core/store/store.ts'
import { keepCode } from './code-cache.ts'
import { collectGarbage } from './collect-garbage.ts'
import type { IndexingConfig, Order, Report } from './indexing-messages.ts'
import { keepCurrent } from './keep-current.ts'
import { wantedMeaning } from '../parts/models.ts'
import { runErrand } from './run-errand.ts'
import { openSameFolders } from './same-folders.ts'
import { openSources } from '../parts/sources.ts'
import { openStore } from '../parts/stores.ts'

const { config, owner } = workerData as { config: IndexingConfig; owner: string }

/** What the next start need not read again. A database is read by servers that stay. */
async function afterFirstLook(store: Store): Promise<void> {
  keepCode()
  if (config.store === undefined) await keepForNextStart(store).catch(() => {})
}

/**
 * Disks give back other bits now and then. An index is looked through some time after the start,
 * which takes a few seconds for every gigabyte; one of very many documents once a day.
 */
const CHECK_AFTER_MS = 20_000
const VERY_MANY = 50_000
const CHECK_EVERY_MS = 24 * 3_600_000
const CHECKED_KEY = 'looked_through_at'

async function lookForDamage(
  store: Store,
  report: (message: Report) => void,
  stopping: AbortSignal,
): Promise<void> {
  const last = Number((await store.getMeta(CHECKED_KEY)) ?? 0)
  const { documents } = await store.counts()
  if (documents > VERY_MANY && Date.now() - last < CHECK_EVERY_MS) return
  await store.putMeta(CHECKED_KEY, String(Date.now()))
  // Reading the whole index here would leave tens of megabytes with this process for good.
  const listeners = { onProgress: () => {}, onReport: report }
  const isSound = await runErrand({ task: 'check', config }, stopping, listeners)
  if (isSound || stopping.aborted) return
  // Whoever meets damage itself has the file set aside.
  const [finding] = await store.check()
  if (finding === undefined) return
  report({ kind: 'warning', message: `The index is damaged (${finding}) and is built anew.` })
}

async function indexUntilStopped(): Promise<void> {
  const stopping = new AbortController()
  const { store, contents, leader } = await openStore(config)
  let looked = false
  const report = (message: Report): void => {
    parentPort?.postMessage(message)
    if (message.kind !== 'caught_up' || looked) return
    looked = true
    // The first look knows every file of the base for a moment; then only changes come.
    setTimeout(() => void afterFirstLook(store).finally(collectGarbage), 500).unref()
    const look = (): Promise<void> => lookForDamage(store, report, stopping.signal)
    setTimeout(() => void look().catch(() => {}), CHECK_AFTER_MS).unref()
  }
  const sources = openSources(config, {
    onWarning: ({ message }) => report({ kind: 'warning', message }),
    contents: () => contents,
  })
  const wanted = wantedMeaning(config.embedding)
  const keeping = keepCurrent({
    store,
    sources,
    owner,
    watch: config.watch,
    ...(config.reading && { reading: config.reading }),
    signal: stopping.signal,
    report,
    ...(leader && {
      folders: openSameFolders({ sources: config.sources, leader: () => leader(owner) }),
    }),
    wanted,
    indexElsewhere: (job, signal, onProgress) =>
      runErrand({ task: 'index', config, ...job }, signal, { onProgress, onReport: report }),
    learnElsewhere: (signal) =>
      holdingRole(store, { owner, role: 'learning' }, async (lease) => {
        // Another process may have done it meanwhile.
        if (!(await needsMeaning(store, wanted))) return true
        const listeners = { onProgress: () => {}, onReport: report }
        return runErrand({ task: 'learn', config, lease }, signal, listeners)
      }),
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
}

void indexUntilStopped()
