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
  'serve/access/client-documents.ts': 'descriptions of clients that sign in: fetched once',
  'serve/access/grant.ts': 'what a set of rules reaches: tokens are shown with every request',
  'serve/access/guesses.ts': 'who guessed wrong, and how often',
  'core/kit/one-per.ts': 'what goes with its key',
  'core/history/feedback-log.ts': 'what was shown, for whoever votes on it',
  'core/history/open-history.ts':
    'changes of an operation, packed once for the log and once for the reply',
  'core/indexing/candidate-lookup.ts': 'documents of one name, looked up while links are resolved',
  'core/indexing/resolve-link.ts': 'folded lists, while links are resolved',
  'core/models/corpus/corpus-model.ts': 'the bytes that a model was opened from',
  'core/models/guard-queries.ts': 'vectors of questions that a model elsewhere was asked for',
  'explorer/operations/draw-map.ts': 'one derived map for each view',
  'explorer/operations/list-due-tasks.ts': 'one derived list of dated tasks for each view',
  'explorer/operations/list-for-typing.ts': 'one derived list for each view',
  'explorer/operations/show-beginning.ts': 'one derived beginning for each view',
  'explorer/page/editing/files-in-text.ts': 'where files are dropped, with the editor they are in',
  'vocabularies/nexus/operations/pages.ts':
    'pages in the order of their dates, with the list they are of',
  'core/operations/reporting/find-broken-anchors.ts': 'one derived list for each view',
  'core/operations/reporting/report-contradictions.ts': 'one derived list for each view',
  'core/operations/reporting/find-gone-versions.ts':
    'where a manifest asks for something, while one report is made',
  'core/operations/reporting/report-stale.ts': 'one derived list for each view',
  'core/operations/repository/repository-of.ts': 'one repository for each view',
  'core/operations/searching/rank-by-meaning.ts':
    'passages of whole documents, with the vectors they are of',
  'core/operations/searching/read-found.ts': 'documents that searches find again and again',
  'core/operations/view/code-files.ts': 'one derived list for each store',
  'core/operations/walking/find-regions.ts': 'regions of the graph, for each view',
  'core/operations/view/name-table.ts': 'entries by key, with the table they are of',
  'core/operations/view/narrow-base.ts': 'one narrowed base for each set of rules',
  'core/operations/view/person-names.ts': 'one derived table for each view',
  'core/operations/view/snapshot.ts': 'stamps, for one call',
  'core/operations/view/part-meaning.ts': 'plain vectors, once for all sets of rules',
  'core/operations/view/view.ts': 'one view for each base',
  'team/database/in-turn.ts': 'a queue for each document that is written',
  'core/operations/writing/take-up-saves.ts': 'saves of others, until the writer has seen them',
  'core/operations/writing/folder-place.ts': 'one queue of writers for each base',
  'team/database/database-place.ts': 'one group of writers for each base',
  'core/search/list-cache.ts': 'lists of the words that are asked for most, by bytes',
  'core/sources/jsonl/merged-entities.ts': 'who was merged into whom, of each graph',
  'core/sources/folder/replaced-files.ts': 'keys of folders, which a system call makes',
  'team/postgres/open-postgres-history.ts': 'what was recorded, with the operation it is of',
  'team/postgres/open-postgres-store.ts': 'who embeds, with the stamps that said so',
  'team/replica/remember-contents.ts': 'documents of a database, so that an outage loses none',
  'vocabularies/acdc/view.ts': 'one catalogue for each table of names',
  'serve/observers/governor.ts': 'what a connection was shown, as long as it lives',
  'serve/door/kept-replies.ts': 'finished replies of questions that are asked again and again',
  'serve/door/per-caller.ts': 'one surface for each set of rules',
  'serve/door/serve-rows.ts': 'definitions of tools, made when somebody lists them',
  'serve/door/tool.ts': 'types of arguments, with their schema',
  'serve/transports/mcp/set-aside.ts': 'kept replies as they are written down',
  'serve/transports/http/node-listener.ts': 'whose turn it is on a connection',
  'serve/transports/http/rate-limit.ts': 'requests of each peer',
  'vocabularies/nexus/routes/password-gate.ts': 'sessions, and who guessed wrong',
}

it('lists whatever remembers something, and why', () => {
  const found = sources.filter(({ text }) => /new WeakMap|new BoundedMap|\bonePer[(<]/.test(text))
  expect(found.map(({ path }) => path).toSorted()).toEqual(Object.keys(REMEMBERS).toSorted())
})

it('says in ARCHITECTURE.md what is derived from the index and kept', () => {
  const page = readFileSync(join(SRC, '../ARCHITECTURE.md'), 'utf8')
  const found = sources.filter(
    ({ path, text }) => /\bderived[(<]/.test(text) && path !== 'core/operations/view/derived.ts',
  )
  expect(found.length).toBeGreaterThan(10)
  expect(found.map(({ path }) => path).filter((path) => !page.includes(`\`${path}\``))).toEqual([])
})
