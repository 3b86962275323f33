/** The documents of a set, indexed and with what they mean, for who asks many questions of them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatOf } from '../src/serve/parts/formats.ts'
import { openKnowledge } from '../src/serve/parts/open-knowledge.ts'
import { openSources } from '../src/serve/parts/sources.ts'
import { openStore } from '../src/serve/parts/stores.ts'
import { sync } from '../src/core/indexing/indexer.ts'
import { learnMeaning } from '../src/core/indexing/learn-meaning.ts'
import { wholeView } from '../src/core/operations/view/view.ts'
import type { View } from '../src/core/operations/view/view.ts'

export interface Question {
  readonly _id: string
  readonly text: string
}

export function questionsOf(set: string): readonly Question[] {
  return readFileSync(join(set, 'queries.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Question)
}

export async function withBase(docs: string, work: (kb: View) => Promise<void>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), 'cairn-ask-'))
  const rules = { include: [], exclude: [], hidden: false }
  const folder = { name: 'docs', path: docs, ...rules }
  const sources = openSources({ sources: [folder], maxFileBytes: 100 * 2 ** 20 })
  const { store } = await openStore({ state, sources: [] })
  try {
    const owner = `${process.pid}@bench`
    const lease = (await store.acquireLease(owner, 3_600_000))!
    await sync({ store, sources: [...sources.values()], formatOf, lease })
    await learnMeaning({ store, sources })
    const http = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
    await work(wholeView(openKnowledge({ config: { http }, store, sources })))
  } finally {
    await store.close()
    rmSync(state, { recursive: true, force: true })
  }
}
