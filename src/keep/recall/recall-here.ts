/**
 * Recalls without a server: opens the index as it was left and nothing besides, because a prompt
 * waits for it. No tools, no history, no watching.
 */
import type { Config } from '../../serve/config/config.ts'
import { wholeView } from '../../core/operations/view/view.ts'
import { openKnowledge } from '../../serve/parts/open-knowledge.ts'
import { recallFor } from './recall.ts'
import type { RecallRequest } from './recall-door.ts'
import { openSources } from '../../serve/parts/sources.ts'
import { openStore } from '../../serve/parts/stores.ts'

export async function recallHere(config: Config, request: RecallRequest): Promise<string> {
  const sources = openSources(config, { contents: () => opened.contents })
  const opened = await openStore(config)
  const { store } = opened
  try {
    // What words mean takes longer to load than everything else, and a prompt that is clearly about
    // a note has its words.
    const embedding = { ...config.embedding, provider: 'none' as const }
    const base = openKnowledge({ config: { ...config, embedding }, store, sources })
    return await recallFor(wholeView(base), config.state, request)
  } finally {
    await store.close()
  }
}
