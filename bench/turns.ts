/**
 * For how long is the thread at work without a turn for others? Calls that have to do with all of
 * very many notes, made in this process; between two turns of the event loop only the time counts
 * in which the thread was at work, so that a busy machine does not decide. Fails above 100 ms.
 *
 *     node bench/waits-many.ts --keep FOLDER && node bench/turns.ts FOLDER [--only TEXT]
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openKnowledge } from '../src/serve/parts/open-knowledge.ts'
import { openSources } from '../src/serve/parts/sources.ts'
import { openStore } from '../src/serve/parts/stores.ts'
import { openSurfaces } from '../src/serve/wiring/surfaces.ts'
import { loadConfig } from '../src/serve/config/load-config.ts'
import { drawMap } from '../src/explorer/operations/draw-map.ts'
import { wholeView } from '../src/core/operations/view/view.ts'

const MOST_MS = 100
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
})
const [root] = positionals
if (root === undefined) throw new Error('Name the folder that bench/waits-many.ts has kept.')
const { config } = await loadConfig({
  folders: [`notes=${join(root, 'notes')}`],
  configFile: undefined,
  flags: { state: join(root, 'state') },
  env: {},
  cwd: root,
  home: root,
})
const { store } = await openStore(config)
const kb = openKnowledge({ config, store, sources: openSources(config), writing: undefined })
const [native, nexus] = (
  await openSurfaces(kb, ['native', 'nexus'], {
    onBug: console.error,
    log: () => {},
    state: config.state,
    web: false,
    timeLimitMs: 3_600_000,
  })
).map(({ surface }) => surface)

type Called = NonNullable<typeof native>
const call =
  (surface: Called | undefined, tool: string, args: Record<string, unknown>) =>
  async (): Promise<void> => {
    const signal = new AbortController().signal
    await surface!.call(tool, args, { signal } as Parameters<Called['call']>[2])
  }

const hostile = `${'*a'.repeat(60)}*/${'**/'.repeat(30)}{${'a,'.repeat(80)}b}?*`
/** In the order in which whoever comes first pays for what is kept. */
const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  'search, the first': call(native, 'search', { query: 'kettle in winter' }),
  search: call(native, 'search', { query: 'steam of tea' }),
  neighbors: call(native, 'neighbors', { id: 'notes/part-0/note-9.md' }),
  'list a glob': call(native, 'list', { path: '**/note-1*.md' }),
  'list a hostile glob': call(native, 'list', { path: hostile }),
  'list by where': call(native, 'list', { where: 'tags = tea' }),
  'list by title': call(native, 'list', { sort: 'title' }),
  'list of a tag': call(native, 'list', { tags: ['tea'] }),
  'insights: overview': call(native, 'insights', {}),
  'insights: broken links': call(native, 'insights', { report: 'broken_links' }),
  'insights: duplicates': call(native, 'insights', { report: 'duplicates' }),
  'insights: coverage': call(native, 'insights', { report: 'coverage' }),
  'nexus get_page, the first': call(nexus, 'get_page', { slug: 'note-5' }),
  'nexus list_pages': call(nexus, 'list_pages', {}),
  'nexus search': call(nexus, 'search', { query: 'kettle' }),
  'the map of the page': () => drawMap(wholeView(kb), undefined),
}

const atWorkMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
let last = atWorkMs()
let longest = 0
setInterval(() => {
  const now = atWorkMs()
  longest = Math.max(longest, now - last)
  last = now
}, 1).unref()

let tooLong = 0
for (const [name, work] of Object.entries(calls)) {
  if (!name.includes(values.only)) continue
  await sleep(20)
  longest = 0
  const before = atWorkMs()
  await work()
  await sleep(20)
  if (longest > MOST_MS) tooLong++
  const all = atWorkMs() - before
  console.log(`${longest.toFixed(1).padStart(8)} ms of ${all.toFixed(0).padStart(6)}  ${name}`)
}
console.log(`${tooLong} took more than ${MOST_MS} ms without a turn for others.`)
await store.close()
process.exit(tooLong > 0 ? 1 : 0)
