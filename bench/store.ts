/**
 * The same folder behind an embedded index and behind PostgreSQL, asked in turns.
 *
 *     node bench/store.ts --folder DIR --store postgres://…   (npm run bench -- store takes no part)
 *
 * Prints: time of the first index, whole answers (p50, p95), round trips of an answer, memory, and
 * whether the answers are the same.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBase } from '../src/app/open-base.ts'
import type { Base } from '../src/app/open-base.ts'
import { inDatabase } from '../src/app/store-facts.ts'
import { openStore } from '../src/app/stores.ts'
import { loadConfig } from '../src/config/config.ts'
import type { Config } from '../src/config/config.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    store: { type: 'string' },
    questions: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
  },
})
if (!values.folder || !values.store) throw new Error('--folder DIR and --store URL are needed')

const state = mkdtempSync(join(tmpdir(), 'cairn-bench-store-'))
const surroundings = { configFile: undefined, env: {}, cwd: state, home: state }
const configs: Record<'embedded' | 'postgres', Config> = {
  embedded: await configFor({ state: join(state, 'embedded') }),
  postgres: await configFor({
    state: join(state, 'postgres'),
    store: `${values.store}${values.store.includes('?') ? '&' : '?'}base=bench-${process.pid}`,
  }),
}
type Kind = keyof typeof configs
const kinds: readonly Kind[] = ['embedded', 'postgres']

async function configFor(flags: Record<string, string>): Promise<Config> {
  return (await loadConfig({ folders: [values.folder!], flags, ...surroundings })).config
}

const bases = {} as Record<Kind, Base>
for (const kind of kinds) {
  bases[kind] = await openBase(configs[kind])
  const started = performance.now()
  const { documents } = await bases[kind].index({ waitForMeaning: true })
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  console.log(`${kind}: first index of ${documents} documents in ${seconds} s`)
}

const titles = (await bases.embedded.ids()).map((id) =>
  id
    .split('/')
    .slice(-2)
    .join(' ')
    .replaceAll(/[-_.]|\.md$/g, ' '),
)
const wanted = Number(values.questions)
const every = Math.max(1, Math.floor(titles.length / wanted))
const questions = titles.filter((_, place) => place % every === 0).slice(0, wanted)

const times: Record<Kind, number[]> = { embedded: [], postgres: [] }
let same = 0
for (let round = 0; round < Number(values.rounds); round++) {
  for (const query of questions) {
    // A different question every time: nobody is to be asked the same twice.
    const asked = `${query} ${['how', 'what', 'when', 'why', 'where'][round % 5]}`
    const answers: string[] = []
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const started = performance.now()
      const { structured } = await bases[kind].call('search', { query: asked })
      times[kind].push(performance.now() - started)
      answers.push(JSON.stringify(structured))
    }
    if (answers[0] === answers[1]) same++
  }
}
const at = (kind: Kind, share: number): number =>
  times[kind].toSorted((a, b) => a - b)[Math.floor(times[kind].length * share)]!
for (const share of [0.5, 0.95]) {
  const [embedded, postgres] = [at('embedded', share), at('postgres', share)]
  const ratio = (postgres / embedded).toFixed(2)
  console.log(
    `whole answer p${share * 100}: embedded ${embedded.toFixed(1)} ms, postgres ${postgres.toFixed(1)} ms (${ratio}×)`,
  )
}
console.log(`${same} of ${questions.length * Number(values.rounds)} answers are the same`)
for (const kind of kinds) await bases[kind].close()

const { store } = await openStore(configs.postgres)
const database = inDatabase(store)!
const before = database.trips()
await store.stamps()
console.log(`a look at the stamps: ${database.trips() - before} round trip`)
await store.close()
rmSync(state, { recursive: true, force: true })
