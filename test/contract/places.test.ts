/** Every place that changes go to, held to the contract: the same cases, whoever writes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { sync } from '../../src/core/indexing/indexer.ts'
import { wholeView } from '../../src/core/operations/view/view.ts'
import { folderPlace } from '../../src/core/operations/writing/folder-place.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { formatOf } from '../../src/serve/parts/formats.ts'
import { openKnowledge } from '../../src/serve/parts/open-knowledge.ts'
import { openSources } from '../../src/serve/parts/sources.ts'
import { openStore } from '../../src/serve/parts/stores.ts'
import { openWriting } from '../../src/serve/wiring/writing.ts'
import { databasePlace } from '../../src/team/database/database-place.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { POSTGRES_BIN } from '../support/postgres-server.ts'
import { pglite, real } from '../support/store-servers.ts'
import type { Server } from '../support/store-servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describePlace } from './place-contract.ts'

let server: Server
let bases = 0
beforeAll(async () => {
  server = await (POSTGRES_BIN === undefined ? pglite() : real())
}, 600_000)
afterAll(() => server.close())

const saver = (folder: string) => async (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** One of the servers that share a base. */
async function openOn(base: string, source: string) {
  const home = temporaryFolder()
  const { config } = await loadConfig({
    folders: [source],
    flags: { store: `${server.url}?base=${base}`, embedding: 'none' },
    configFile: undefined,
    env: {},
    cwd: home,
    home,
  })
  const sources = openSources(
    { ...config, sources: config.sources.map((each) => ({ ...each, name: 'notes' })) },
    { contents: () => opened.contents },
  )
  const opened = await openStore(config)
  const { store } = opened
  onTestFinished(() => store.close())
  const writing = await openWriting(opened, config)
  onTestFinished(() => writing.close())
  const kb = wholeView(openKnowledge({ config, store, sources, writing }))
  writing.serve?.(kb, opened.listen)
  const index = async () => {
    const owner = `${process.pid}@test:${home}`
    const lease = (await store.acquireLease(owner, 60_000)) ?? { owner, fence: -1 }
    await sync({ store, sources: [...sources.values()], formatOf, lease })
  }
  return { kb, index, contents: opened.contents! }
}

describePlace('files of this machine', async (files) => {
  const { kb, folder } = await openSmallBase(files)
  return { kb, place: folderPlace, save: saver(folder) }
})

describePlace('a database', async (files) => {
  const { kb, index, contents } = await openOn(`places ${bases++}`, 'db:notes')
  const save = async (path: string, text: string) => {
    const [now] = await contents.look('notes', [path])
    const change = { path, expect: now?.digest, bytes: new TextEncoder().encode(text) }
    await contents.apply('notes', [change], 'by someone else')
  }
  for (const [path, text] of Object.entries(files)) await save(path, text)
  await index()
  return { kb, place: databasePlace, save }
})

describePlace('a home elsewhere', async (files) => {
  const base = `places ${bases++}`
  const folder = temporaryFolder(files)
  const home = await openOn(base, folder)
  await home.index()
  const [, place] = home.kb.writing!.places!
  // Whoever asks first is the home.
  await place!.looksAhead({
    kb: home.kb,
    kind: 'update',
    options: { by: {} },
    plan: async () => ({ edits: [] }),
  })
  const { kb } = await openOn(base, folder)
  return { kb, place: kb.writing!.places![1]!, save: saver(folder) }
})
