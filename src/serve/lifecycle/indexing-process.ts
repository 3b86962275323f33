/** The indexing process: does one large job for the thread that started it, and ends. */
import { sync } from '../../core/indexing/indexer.ts'
import { bringMeaning, embeddingTrouble } from '../../core/indexing/bring-meaning.ts'
import { learningUnder } from '../../core/indexing/hold-role.ts'
import { keepCode } from './code-cache.ts'
import { formatsFor } from '../parts/formats.ts'
import type { Errand, Report } from './indexing-messages.ts'
import { compileLast } from './last-compiler.ts'
import { wantedMeaning } from '../parts/models.ts'
import { openSources } from '../parts/sources.ts'
import { openStore } from '../parts/stores.ts'

const report = (message: Report): void => {
  process.send?.(message)
}

// Whoever started it is gone: nobody renews the lease any more, and another process takes over.
process.on('disconnect', () => process.exit(1))

process.once('message', (errand: Errand) => {
  work(errand).then(
    (done) => {
      keepCode()
      process.exit(done ? 0 : 1)
    },
    () => process.exit(1),
  )
})

/** Whether everything was done. */
async function work({ task, config, lease, look, force }: Errand): Promise<boolean> {
  const { store, contents } = await openStore(config)
  if (task === 'check') {
    const findings = await store.check()
    await store.close()
    return findings.length === 0
  }
  const sources = openSources(config, { contents: () => contents })
  if (task === 'learn' || !lease) {
    const own = lease ? learningUnder(store, lease) : store
    const warning = await bringMeaning({ store: own, sources }, wantedMeaning(config.embedding))
    if (warning) report({ kind: 'warning', message: warning.message })
    const failed = (await embeddingTrouble(store)) !== undefined
    await store.close()
    return !failed
  }
  compileLast('late')
  await sync(
    {
      store,
      sources: [...sources.values()],
      formatOf: formatsFor(config.reading),
      lease,
    },
    {
      look,
      force,
      onProgress: (progress) => report({ kind: 'progress', progress }),
      onCommit: (generation) => report({ kind: 'committed', generation }),
    },
  )
  await store.close()
  return true
}
