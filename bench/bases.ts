/**
 * A thousand small bases in one database: how long does the first question of a base take, and do
 * the others slow down the later ones?
 *
 *     npm run bench -- --store          or: node bench/bases.ts [--bases 1000] [--notes 20]
 *
 * A question of one among many and the same question of the only base of another database take
 * turns. What one base says never is another's: `test/store/isolation.test.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatOf } from '../src/serve/parts/formats.ts'
import { openKnowledge } from '../src/serve/parts/open-knowledge.ts'
import { openStore } from '../src/serve/parts/stores.ts'
import { VERSION } from '../src/core/kit/version.ts'
import type { Source } from '../src/core/domain/source.ts'
import { sync } from '../src/core/indexing/indexer.ts'
import { learnMeaning } from '../src/core/indexing/learn-meaning.ts'
import { CONTENT_TABLES } from '../src/team/postgres/schema.ts'
import { openNativeSurface } from '../src/serve/native/open-native-surface.ts'
import { evaluationSet } from '../test/evaluation-set.ts'
import { benchOptions, formatMs, headline, markdownTable, percentile } from './harness.ts'
import { openDatabase } from './stores/database.ts'
import { memorySource, readFiles } from './vault.ts'
import type { NoteFile } from './vault.ts'

const { quick } = benchOptions()
const { values } = parseArgs({
  strict: false,
  options: {
    bases: { type: 'string', default: quick ? '100' : '1000' },
    notes: { type: 'string', default: '20' },
    asked: { type: 'string', default: '200' },
  },
})
const [bases, each, asked] = [values.bases, values.notes, values.asked].map(Number) as [
  number,
  number,
  number,
]
const HTTP = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
const LATER = ['how it works', 'what to do next', 'a list of names', 'the best way to begin']

/** So many are indexed one by one; the others are copies of their rows under other names. */
const OWN = 50

const TABLES = [...CONTENT_TABLES, 'numbers', 'steps']

/** For every base from `own` on: all rows of the one that it is like, in whatever columns there are. */
function copiesUpTo(own: number, all: number): string {
  const columns = (table: string, without: string): string =>
    `(SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
      WHERE table_schema = 'cairn' AND table_name = ${table} AND is_identity = 'NO'
        AND is_generated = 'NEVER' AND column_name NOT IN (${without}))`
  return `DO $copy$
    DECLARE names text := ${columns("'bases'", "'id', 'name'")}; each record;
    BEGIN
      EXECUTE format('INSERT INTO cairn.bases (name, %1$s) SELECT ''base-'' || n, %1$s
        FROM generate_series(${own}, ${all - 1}) AS n
        JOIN cairn.bases ON name = ''base-'' || n %% ${own}', names);
      FOR each IN SELECT t.table_name AS name, ${columns('t.table_name', "'base'")} AS names
        FROM information_schema.columns AS t
        WHERE t.table_schema = 'cairn' AND t.column_name = 'base'
          AND t.table_name IN (${TABLES.map((table) => `'${table}'`).join(', ')})
      LOOP
        EXECUTE format('INSERT INTO cairn.%1$I (base, %2$s) SELECT copied, %2$s
          FROM (SELECT copy.id AS copied, liked.id AS liked
            FROM generate_series(${own}, ${all - 1}) AS n
            JOIN cairn.bases AS copy ON copy.name = ''base-'' || n
            JOIN cairn.bases AS liked ON liked.name = ''base-'' || n %% ${own}) AS pairs
          JOIN cairn.%1$I AS rows ON rows.base = liked', each.name, each.names);
      END LOOP;
    END $copy$; ANALYZE`
}

interface Place {
  readonly state: string
  readonly store: string
}

async function main(): Promise<void> {
  const found = evaluationSet('vault-jzhao')
  if ('missing' in found) return console.log(`## Bases\n\nNot measured: ${found.missing}.`)
  const files = readFiles(join(found.folder, 'docs')).filter(({ text }) => text.length < 20_000)
  const state = mkdtempSync(join(tmpdir(), 'cairn-bench-bases-'))
  const database = await openDatabase()
  const alone = await openDatabase()
  try {
    const placeOf = (number: number): Place => ({
      state: join(state, String(number)),
      store: database.url(`base-${number}`),
    })
    const made: number[] = []
    const own = database.sql ? Math.min(bases, OWN) : bases
    for (let number = 0; number < own; number++) {
      made.push(await makeBase(placeOf(number), notesOf(files, number)))
    }
    database.sql?.(copiesUpTo(own, bases))
    const single: Place = { state: join(state, 'single'), store: alone.url('single') }
    await makeBase(single, notesOf(files, 0))

    const times = { first: [] as number[], later: [] as number[], single: [] as number[] }
    const only = await openAsked(single, notesOf(files, 0))
    const warm = await only.ask('to begin with')
    if (warm.ids.length === 0) throw new Error('The single base has no answers.')
    for (let turn = 0; turn < asked; turn++) {
      const number = Math.floor((turn * bases) / asked)
      const notes = notesOf(files, number % own)
      const began = performance.now()
      // Copies of segments are fetched: no server of this state folder has been here before.
      const base = await openAsked({ ...placeOf(number), state: join(state, `new-${turn}`) }, notes)
      const { ids } = await base.ask(wordsOf(notes[0]!))
      times.first.push(performance.now() - began)
      const ours = new Set(notes.map(({ path }) => `notes/${path}`))
      const foreign = ids.filter((id) => !ours.has(id))
      if (foreign.length > 0) throw new Error(`Another base’s notes: ${foreign.join(', ')}`)
      for (const query of LATER) {
        const words = `${query} ${turn}`
        times.later.push((await base.ask(words)).ms)
        times.single.push((await only.ask(words)).ms)
      }
      await base.close()
    }
    await only.close()
    show(made, times)
  } finally {
    database.remove()
    alone.remove()
    rmSync(state, { recursive: true, force: true })
  }
}

function show(
  made: readonly number[],
  times: Readonly<Record<'first' | 'later' | 'single', readonly number[]>>,
): void {
  const both = (list: readonly number[]): string[] => [
    formatMs(percentile(list, 0.5)),
    formatMs(percentile(list, 0.95)),
  ]
  const first = percentile(times.first, 0.95)
  const ratio = percentile(times.later, 0.5) / percentile(times.single, 0.5)
  console.log(
    [
      `## ${bases} bases of ${each} notes in one database\n`,
      markdownTable(
        ['', 'p50', 'p95'],
        [
          ['made, indexed and learned', ...both(made)],
          ['opened and first question', ...both(times.first)],
          ['later questions', ...both(times.later)],
          ['the same of the only base of a database', ...both(times.single)],
        ],
      ),
      `\nLater questions take ${ratio.toFixed(2)}× those of a single base.`,
    ].join('\n'),
  )
  headline({
    what: `${bases} bases: first question, p95`,
    measured: formatMs(first),
    aim: '≤ 60 ms',
    met: first <= 60,
  })
  headline({
    what: `${bases} bases: later ones against a single base`,
    measured: `${ratio.toFixed(2)}×`,
    aim: '≤ 1.5×',
    met: ratio <= 1.5,
  })
}

/** A different handful for every base; some notes are in several. */
function notesOf(files: readonly NoteFile[], number: number): NoteFile[] {
  return Array.from({ length: each }, (_, place) => files[(number * 7 + place) % files.length]!)
}

function wordsOf({ text }: NoteFile): string {
  return (text.match(/\p{L}{5,}/gu) ?? ['nothing']).slice(0, 3).join(' ')
}

function sourcesOf(notes: readonly NoteFile[]): ReadonlyMap<string, Source> {
  return new Map([['notes', memorySource('notes', notes)]])
}

async function makeBase(place: Place, notes: readonly NoteFile[]): Promise<number> {
  const began = performance.now()
  const sources = sourcesOf(notes)
  const { store } = await openStore({ ...place, sources: [] })
  const lease = (await store.acquireLease('bench', 600_000))!
  await sync({ store, sources: [...sources.values()], formatOf, lease })
  await learnMeaning({ store, sources })
  await store.releaseLease('bench')
  await store.close()
  return performance.now() - began
}

async function openAsked(place: Place, notes: readonly NoteFile[]) {
  const sources = sourcesOf(notes)
  const { store } = await openStore({ ...place, sources: [] })
  const kb = openKnowledge({ config: { http: HTTP }, store, sources })
  const surface = openNativeSurface(kb, { version: VERSION, log: console.error })
  return {
    async ask(query: string): Promise<{ readonly ms: number; readonly ids: readonly string[] }> {
      const client = { signal: new AbortController().signal, client: 'bench', progress: () => {} }
      const began = performance.now()
      const { structured } = await surface.call('search', { query }, client)
      const ms = performance.now() - began
      const { results } = structured as { results: readonly { id: string }[] }
      return { ms, ids: results.map(({ id }) => id) }
    },
    close: () => store.close(),
  }
}

await main()
