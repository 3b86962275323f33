/** Caches have a list: what is derived from the index in ARCHITECTURE.md, all others here. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../src')

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }))

/** A map that is bounded, or that goes with its key: why there is one. */
const REMEMBERS: Readonly<Record<string, string>> = {
  'access/client-documents.ts': 'descriptions of clients that sign in: fetched once',
  'access/grant.ts': 'what a set of rules reaches: tokens are shown with every request',
  'access/guesses.ts': 'who guessed wrong, and how often',
  'domain/one-per.ts': 'what goes with its key',
  'history/feedback-log.ts': 'what was shown, for whoever votes on it',
  'history/open-history.ts':
    'changes of an operation, packed once for the log and once for the reply',
  'indexing/candidate-lookup.ts': 'documents of one name, looked up while links are resolved',
  'indexing/resolve-link.ts': 'folded lists, while links are resolved',
  'models/corpus/corpus-model.ts': 'the bytes that a model was opened from',
  'models/guard-queries.ts': 'vectors of questions that a model elsewhere was asked for',
  'operations/exploring/draw-map.ts': 'one derived map for each view',
  'operations/exploring/list-for-typing.ts': 'one derived list for each view',
  'operations/exploring/show-beginning.ts': 'one derived beginning for each view',
  'operations/reading/pages.ts': 'pages in the order of their dates, with the list they are of',
  'operations/reading/remembered-texts.ts': 'texts of one call that asks for passages one by one',
  'operations/reporting/find-broken-anchors.ts': 'one derived list for each view',
  'operations/repository/repository-of.ts': 'one repository for each view',
  'operations/searching/rank-by-meaning.ts':
    'passages of whole documents, with the vectors they are of',
  'operations/view/code-files.ts': 'one derived list for each store',
  'operations/view/name-table.ts': 'entries by key, with the table they are of',
  'operations/view/narrow-base.ts': 'one narrowed base for each set of rules',
  'operations/view/one-look.ts': 'stamps, for one call',
  'operations/view/part-meaning.ts': 'plain vectors, once for all sets of rules',
  'operations/view/view.ts': 'one view for each base',
  'operations/writing/in-turn.ts': 'a queue for each document that is written',
  'operations/writing/take-up-saves.ts': 'saves of others, until the writer has seen them',
  'operations/writing/write-folders.ts': 'one queue of writers for each base',
  'operations/writing/write-shared.ts': 'one group of writers for each base',
  'search/list-cache.ts': 'lists of the words that are asked for most, by bytes',
  'sources/folder/replaced-files.ts': 'keys of folders, which a system call makes',
  'store/postgres/open-postgres-history.ts': 'what was recorded, with the operation it is of',
  'store/postgres/open-postgres-store.ts': 'who embeds, with the stamps that said so',
  'store/replica/remember-contents.ts': 'documents of a database, so that an outage loses none',
  'surfaces/acdc/view.ts': 'one catalogue for each table of names',
  'surfaces/native/seen-on.ts': 'what a connection was shown, as long as it lives',
  'surfaces/per-caller.ts': 'one surface for each set of rules',
  'surfaces/serve-rows.ts': 'definitions of tools, made when somebody lists them',
  'surfaces/tool.ts': 'types of arguments, with their schema',
  'transports/http/node-listener.ts': 'whose turn it is on a connection',
  'transports/http/rate-limit.ts': 'requests of each peer',
  'transports/nexus/password-gate.ts': 'sessions, and who guessed wrong',
}

it('lists whatever remembers something, and why', () => {
  const found = sources.filter(({ text }) => /new WeakMap|new BoundedMap|\bonePer[(<]/.test(text))
  expect(found.map(({ path }) => path).toSorted()).toEqual(Object.keys(REMEMBERS).toSorted())
})

it('says in ARCHITECTURE.md what is derived from the index and kept', () => {
  const page = readFileSync(join(SRC, '../ARCHITECTURE.md'), 'utf8')
  const found = sources.filter(
    ({ path, text }) => /\bderived[(<]/.test(text) && path !== 'operations/view/derived.ts',
  )
  expect(found.length).toBeGreaterThan(10)
  expect(found.map(({ path }) => path).filter((path) => !page.includes(`\`${path}\``))).toEqual([])
})
