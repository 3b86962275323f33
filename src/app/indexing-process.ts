/** The indexing process: does one large job for the thread that started it, and ends. */
import { sync } from '../indexing/indexer.ts'
import { learnMeaning } from '../indexing/learn-meaning.ts'
import { formatsFor } from './formats.ts'
import type { Errand, Report } from './indexing-messages.ts'
import { openSources } from './sources.ts'
import { openStore } from './stores.ts'

const report = (message: Report): void => {
  process.send?.(message)
}

// Whoever started it is gone: nobody renews the lease any more, and another process takes over.
process.on('disconnect', () => process.exit(1))

process.once('message', (errand: Errand) => {
  work(errand).then(
    () => process.exit(0),
    () => process.exit(1),
  )
})

async function work({ task, config, owner }: Errand): Promise<void> {
  const { store } = openStore(config.state)
  const sources = openSources(config)
  if (task === 'learn') {
    await learnMeaning({ store, sources })
    return store.close()
  }
  await sync(
    {
      store,
      sources: [...sources.values()],
      formatOf: formatsFor(config.reading),
      lease: { owner },
    },
    {
      onProgress: (progress) => report({ kind: 'progress', progress }),
      onCommit: (generation) => report({ kind: 'committed', generation }),
    },
  )
  await store.close()
}
