import {
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { note } from '../../../../test/contract/store-contract.ts'
import { resolveLink } from '../../indexing/resolve-link.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts'

/** Opens a file that is no index of ours; it must be kept and a working store must come out. */
async function checkSetAside(write: (file: string) => unknown): Promise<void> {
  const folder = temporaryFolder()
  const file = join(folder, 'index.db')
  await write(file)
  const before = readFileSync(file)
  const { store, warning } = await openSqliteStore(file, '1')
  expect(warning?.message).toContain('moved to')
  expect((await store.stamps()).generation).toBe(0)
  expect(await store.check()).toEqual([])
  await store.close()
  const kept = readdirSync(folder).find((name) => /broken-[\dTZ-]+$/.test(name))
  expect(readFileSync(join(folder, kept!)).equals(before)).toBe(true)
}

it.skipIf(process.platform === 'win32')(
  'is private, also in a folder that is not, and in one that it was not in before',
  async () => {
    const folder = temporaryFolder({ 'mine.txt': 'x' })
    chmodSync(folder, 0o755)
    const file = join(folder, 'index.db')
    const modes = () =>
      readdirSync(folder)
        .filter((name) => name.startsWith('index.db'))
        .map((name) => statSync(join(folder, name)).mode & 0o777)
    for (let time = 0; time < 2; time++) {
      const { store } = await openSqliteStore(file, '1')
      expect(new Set(modes())).toEqual(new Set([0o600]))
      await store.close()
      chmodSync(file, 0o644)
    }
    // A group that may write to it shares it; everybody else does not.
    chmodSync(file, 0o664)
    const { store } = await openSqliteStore(file, '1')
    expect(statSync(file).mode & 0o777).toBe(0o660)
    await store.close()
  },
)

describe('an index file that cannot be used is set aside', () => {
  it('when it is no database', () =>
    checkSetAside((file) => writeFileSync(file, 'no database '.repeat(500))))

  it('when it belongs to another program', () =>
    checkSetAside((file) => {
      const other = new DatabaseSync(file)
      other.exec('CREATE TABLE recipes (name TEXT)')
      other.close()
    }))

  it('when a newer version wrote it', () =>
    checkSetAside(async (file) => {
      const { store } = await openSqliteStore(file, '1')
      await store.close()
      const newer = new DatabaseSync(file)
      newer.exec('PRAGMA user_version = 9999')
      newer.close()
    }))

  it('when its pages are overwritten', () =>
    checkSetAside(async (file) => {
      const { store } = await openSqliteStore(file, '1')
      await store.close()
      const bytes = readFileSync(file)
      bytes.fill(0xa5, 4096)
      writeFileSync(file, bytes)
    }))

  it('when it was cut short', () =>
    checkSetAside(async (file) => {
      const { store } = await openSqliteStore(file, '1')
      await store.close()
      truncateSync(file, Math.floor(statSync(file).size / 3))
    }))
})

it('opens an empty file as a new index', async () => {
  const file = join(temporaryFolder(), 'index.db')
  writeFileSync(file, '')
  const { store, warning } = await openSqliteStore(file, '1')
  expect(warning).toBeUndefined()
  expect((await store.stamps()).generation).toBe(0)
  await store.close()
})

it('forgets content that was made in another way', async () => {
  const file = join(temporaryFolder(), 'index.db')
  const { store } = await openSqliteStore(file, '1')
  await store.reserveNumbers(5)
  const segment = { docs: [1], resident: {}, paged: {} }
  await store.commit({ put: [note(1, 'a.md')], segment }, resolveLink)
  await store.close()
  const again = (await openSqliteStore(file, '1')).store
  expect((await again.counts()).documents).toBe(1)
  await again.close()
  const { store: other, warning } = await openSqliteStore(file, '2')
  expect(warning).toBeUndefined()
  expect((await other.counts()).documents).toBe(0)
  expect((await other.stamps()).generation).toBe(2)
  expect(await other.reserveNumbers(1)).toBe(5)
  expect(await other.check()).toEqual([])
  await other.close()
})

it('notices damage inside a segment, where SQLite does not look', async () => {
  const file = join(temporaryFolder(), 'index.db')
  const { store } = await openSqliteStore(file, '1')
  // A smaller file is looked through when it is opened.
  const stream = new Uint8Array(3_000_000).fill(7)
  const segment = { docs: [1], resident: {}, paged: { stream } }
  await store.commit({ put: [note(1, 'a.md')], segment }, resolveLink)
  await store.close()
  const damage = new DatabaseSync(file)
  damage.exec('UPDATE segment_pages SET data = zeroblob(length(data)) WHERE page = 1')
  damage.close()
  const { store: again } = await openSqliteStore(file, '1')
  const { id } = (await again.segments())[0]!
  expect(await again.segmentRanges(id, 'stream', [{ start: 0, end: 10 }])).toHaveLength(1)
  await expect(
    again.segmentRanges(id, 'stream', [{ start: 20_000, end: 20_010 }]),
  ).rejects.toThrow()
  expect(await again.check()).toContain('a page of the search index is damaged')
  await again.close()
  expect((await openSqliteStore(file, '1')).warning?.message).toContain('moved to')
})

it.each([
  ['a link', "UPDATE links SET target = 'elsewhere'"],
  ['a name', "UPDATE names SET key = 'b'"],
  ['a tag', "UPDATE tags SET tag = 'u'"],
  ['an alias', `UPDATE documents SET aliases = '["x"]'`],
  ['a page of a segment', 'UPDATE segment_pages SET data = zeroblob(length(data))'],
])('sets a small file aside in which %s is damaged, before anybody is answered', async (_, sql) => {
  const file = join(temporaryFolder(), 'index.db')
  const { store } = await openSqliteStore(file, '1')
  const link = { kind: 'wiki' as const, target: 'b', line: 1, key: 'b', attachment: false }
  const put = [{ ...note(1, 'a.md'), names: ['a'], tags: ['t'], links: [link] }]
  const segment = { docs: [1], resident: {}, paged: { stream: new Uint8Array(9).fill(7) } }
  await store.commit({ put, segment }, resolveLink)
  expect(await store.check()).toEqual([])
  await store.close()
  const damage = new DatabaseSync(file)
  damage.exec(sql)
  damage.close()
  const { store: again, warning } = await openSqliteStore(file, '1')
  expect(warning?.message).toContain('rebuilt')
  expect((await again.counts()).documents).toBe(0)
  await again.close()
})

it('has another epoch once another file stands at the path', async () => {
  const file = join(temporaryFolder(), 'index.db')
  const { store } = await openSqliteStore(file, '1')
  await store.commit({ put: [note(1, 'a.md')] }, resolveLink)
  const before = await store.stamps()
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  const after = await store.stamps()
  expect(after).toMatchObject({ generation: 0, graph: 0 })
  expect(after.epoch).not.toBe(before.epoch)
  await store.close()
})

it('fills a file of an earlier version again, and gives out no number a second time', async () => {
  const file = join(temporaryFolder(), 'index.db')
  const earlier = new DatabaseSync(file)
  earlier.exec(
    `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
     CREATE TABLE documents (no INTEGER PRIMARY KEY, path TEXT NOT NULL);
     CREATE INDEX documents_path ON documents (path);
     CREATE TABLE changes (generation INTEGER NOT NULL, kind TEXT NOT NULL, path TEXT NOT NULL);
     INSERT INTO meta VALUES ('format', '1'), ('generation', '7'), ('next_no', '4');
     INSERT INTO documents VALUES (3, 'a.md');
     INSERT INTO changes VALUES (7, 'put', 'a.md');
     PRAGMA user_version = 2; PRAGMA application_id = ${APPLICATION_ID}`,
  )
  earlier.close()
  const { store, warning } = await openSqliteStore(file, '1')
  expect([warning, (await store.stamps()).generation]).toEqual([undefined, 8])
  expect((await store.counts()).documents).toBe(0)
  expect(await store.reserveNumbers(1)).toBe(4)
  expect(await store.check()).toEqual([])
  await store.close()
})

it('goes on with a file of the version that is out', async () => {
  const file = join(temporaryFolder(), 'index.db')
  const { store } = await openSqliteStore(file, '1')
  const segment = { docs: [1], resident: {}, paged: {} }
  await store.commit({ put: [note(1, 'a.md')], segment }, resolveLink)
  await store.close()
  const database = new DatabaseSync(file)
  const columns = (table: string) =>
    database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map((row) => row['name'])
      .join(' ')
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map((row) => String(row['name']))
    .toSorted()
  // Another list is another version of the tables.
  expect([SCHEMA_VERSION, ...tables.map((table) => `${table}: ${columns(table)}`)]).toEqual(
    RELEASED,
  )
  database.close()
  const { store: again } = await openSqliteStore(file, '1')
  expect((await again.counts()).documents).toBe(1)
  await again.close()
})

const RELEASED = [
  12,
  'changes: generation kind source path no',
  'documents: no source path path_folded digest size modified_at checked_at generation created_at updated_at title type page_name aliases segment chunk_count stamp sum chunks_sum details warnings chunks',
  'files: source path state reason size modified_at checked_at stamp',
  'links: doc ordinal kind target fragment label line key attachment to_doc',
  'meta: key value',
  'models: embedder data sum',
  'names: key doc',
  'segment_pages: segment stream page sum data',
  'segments: id docs bytes deleted sum replaced_at',
  'sums: doc links names',
  'tags: tag doc',
  'vector_blocks: id embedder stamp living docs docs_sum sum data',
  'vectors: doc block',
]

it('never answers from a row whose bits were flipped', async () => {
  const flip =
    "CAST(CAST(substr(%, 1, 12) AS BLOB) || x'21' || CAST(substr(%, 14) AS BLOB) AS TEXT)"
  const blob = 'zeroblob(length(%))'
  const cases: [string, string, string, (store: Store) => Promise<unknown>][] = [
    ['documents', 'details', flip, (store) => store.documents([1])],
    ['documents', 'title', flip, (store) => store.findByPath('notes', 'a.md')],
    ['documents', 'chunks', flip, (store) => store.chunksOf([1])],
    ['vector_blocks', 'data', blob, (store) => store.vectorsSince('x', 0, () => {})],
    ['vector_blocks', 'docs', blob, (store) => store.vectorsSince('x', 0, () => {})],
    ['models', 'data', blob, (store) => store.model('x')],
    ['segments', 'deleted', blob, (store) => store.segments()],
  ]
  for (const [table, column, damage, ask] of cases) {
    const file = join(temporaryFolder(), 'index.db')
    const { store } = await openSqliteStore(file, '1')
    const document = note(1, 'a.md', { title: 'A title of some length', digest: 'one' })
    const segment = { docs: [1, 2], resident: {}, paged: { stream: new Uint8Array(9) } }
    await store.commit({ put: [document, note(2, 'b.md')], segment }, resolveLink)
    await store.commit({ remove: [2] }, resolveLink)
    await store.putVectors('x', [{ doc: 1, digest: 'one', data: Uint8Array.of(1, 2, 3) }])
    await store.putModel('x', Uint8Array.of(4, 5, 6))
    expect(await store.check()).toEqual([])
    await ask(store)
    const other = new DatabaseSync(file)
    other.exec(`UPDATE ${table} SET ${column} = ${damage.replaceAll('%', column)}`)
    other.close()
    await expect(ask(store), `${table}.${column}`).rejects.toMatchObject({ code: 'unavailable' })
    expect(await store.check()).toHaveLength(1)
    await store.close()
    const again = await openSqliteStore(file, '1')
    expect(again.warning?.message).toContain('moved to')
    await again.store.close()
  }
})

it('has another epoch once the same file was brought back from an earlier time', async () => {
  const file = join(temporaryFolder(), 'index.db')
  const { store } = await openSqliteStore(file, '1')
  for (const no of [1, 2, 3]) await store.commit({ put: [note(no, `${no}.md`)] }, resolveLink)
  const before = await store.stamps()
  const earlier = new DatabaseSync(file)
  earlier.exec("UPDATE meta SET value = '1' WHERE key = 'generation'")
  earlier.close()
  const after = await store.stamps()
  expect(after.generation).toBe(1)
  expect(after.epoch).not.toBe(before.epoch)
  expect((await store.stamps()).epoch).toBe(after.epoch)
  await store.close()
})
