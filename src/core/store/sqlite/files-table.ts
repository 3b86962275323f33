/** What became of every file: documents, and a table of those that did not become one. */
import type { FileRecord } from '../../domain/document.ts'
import { Slices } from '../../kit/slices.ts'
import type { DocumentStore } from '../document-store.ts'
import type { Place } from '../plan-commit.ts'
import { IN_LISTED, listed } from './among.ts'
import type { Connection, List } from './connection.ts'
import { brokenAmong } from './links-table.ts'

export type FileTable = Pick<
  DocumentStore,
  'files' | 'eachFile' | 'listFiles' | 'sources' | 'counts'
>

export function fileTable(connection: Connection): FileTable {
  return {
    async files(source, under) {
      if (!under || under.includes('')) return filesWhere(connection, 'source = ?', [source])
      // Asked as one, all files of the source would be gone through for every path.
      const found = under.flatMap((path) => [
        ...filesWhere(connection, 'source = ? AND path = ?', [source, path]),
        // "0" is the character behind "/": the range holds everything below the folder.
        ...filesWhere(connection, 'source = ? AND path > ? AND path < ?', [
          source,
          `${path}/`,
          `${path}0`,
        ]),
      ])
      return [...new Map(found.map((record) => [record.path, record])).values()]
    },

    async eachFile(source, visit) {
      for (const state of ['indexed', 'other'] as const) {
        for (let after: string | undefined; ;) {
          const records = pageOfFiles(connection, state, source, after)
          for (const record of records) visit(record)
          if (records.length < FILES_AT_ONCE) break
          after = records.at(-1)!.path
        }
      }
    },

    async listFiles(filter, page) {
      const columns = 'path, size, modified_at, stamp, checked_at'
      const documents = `
        SELECT ${columns}, 'indexed' AS state, NULL AS reason, no, source FROM documents`
      const others = `
        SELECT ${columns}, state, reason, NULL AS no, source FROM files`
      // Of one state all are in one table, whose order is at hand.
      const all =
        filter.state === undefined
          ? `${documents} UNION ALL ${others}`
          : filter.state === 'indexed'
            ? documents
            : others
      const order = filter.state === undefined ? 'source, path, no IS NULL' : 'source, path'
      const where = 'WHERE (? IS NULL OR state = ?) AND (? IS NULL OR source = ?)'
      const [state, source] = [filter.state ?? null, filter.source ?? null]
      // Node 22.13 gives values in order to no `?1`.
      const values = [state, state, source, source]
      const total = connection.count(`SELECT count(*) AS n FROM (${all}) ${where}`, ...values)
      const lists = connection.lists(
        `SELECT * FROM (${all}) ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
        ...values,
        page.limit,
        page.offset,
      )
      return { files: lists.map((list) => fileOf(String(list.at(-1)), list)), total }
    },

    async sources() {
      return connection
        .all(
          'SELECT DISTINCT source FROM documents UNION SELECT DISTINCT source FROM files ORDER BY 1',
        )
        .map((row) => String(row['source']))
    },

    async counts(among) {
      const numbers = among ? [listed(among)] : []
      const only = (how: string, column: string) => (among ? `${how} ${column} ${IN_LISTED}` : '')
      const { broken, values } = brokenAmong(among)
      const slices = new Slices()
      /** Each goes through a whole table; what is written in between may be in some of them. */
      const count = async (sql: string, ...given: string[]): Promise<number> => {
        if (slices.over) await slices.pause()
        return connection.count(sql, ...given)
      }
      const inLinks = `to_doc IS NOT NULL ${only('AND', 'doc')} ${only('AND', 'to_doc')}`
      return {
        documents: await count(
          `SELECT count(*) AS n FROM documents ${only('WHERE', 'no')}`,
          ...numbers,
        ),
        chunks: await count(
          `SELECT coalesce(sum(chunk_count), 0) AS n FROM documents ${only('WHERE', 'no')}`,
          ...numbers,
        ),
        links: await count(
          `SELECT count(*) AS n FROM links WHERE ${inLinks}`,
          ...numbers,
          ...numbers,
        ),
        brokenLinks: await count(`SELECT count(*) AS n FROM links WHERE ${broken}`, ...values),
        tags: await count(
          `SELECT count(DISTINCT tag) AS n FROM tags ${only('WHERE', 'doc')}`,
          ...numbers,
        ),
        segments: await count('SELECT count(*) AS n FROM segments WHERE replaced_at IS NULL'),
      }
    },
  }
}

function filesWhere(connection: Connection, where: string, values: string[]): FileRecord[] {
  const source = values[0] ?? ''
  const columns = 'path, size, modified_at, stamp, checked_at'
  const indexed = connection.lists(
    `SELECT ${columns}, 'indexed', NULL, no FROM documents WHERE ${where} ORDER BY path`,
    ...values,
  )
  const others = connection.lists(
    `SELECT ${columns}, state, reason, NULL FROM files WHERE ${where} ORDER BY path`,
    ...values,
  )
  return [...indexed, ...others].map((list) => fileOf(source, list))
}

/** Few enough to be garbage before they grow old. */
const FILES_AT_ONCE = 1_000

function pageOfFiles(
  connection: Connection,
  state: 'indexed' | 'other',
  source: string,
  after: string | undefined,
): FileRecord[] {
  const columns =
    state === 'indexed'
      ? `path, size, modified_at, stamp, checked_at, 'indexed', NULL, no FROM documents`
      : `path, size, modified_at, stamp, checked_at, state, reason, NULL FROM files`
  const lists = connection.lists(
    `SELECT ${columns} WHERE source = ? AND path ${after === undefined ? '>=' : '>'} ?
     ORDER BY path LIMIT ${FILES_AT_ONCE}`,
    source,
    after ?? '',
  )
  return lists.map((list) => fileOf(source, list))
}

function fileOf(
  source: string,
  [path, size, modifiedAt, stamp, checkedAt, state, reason, no]: List,
): FileRecord {
  return {
    source,
    path: String(path),
    state: state as FileRecord['state'],
    reason: reason ? String(reason) : undefined,
    size: Number(size),
    modifiedAt: Number(modifiedAt),
    stamp: stamp === null ? undefined : String(stamp),
    checkedAt: Number(checkedAt),
    doc: no === null ? undefined : Number(no),
  }
}

export function putFile(connection: Connection, file: FileRecord): void {
  connection.run(
    `INSERT OR REPLACE INTO files (source, path, state, reason, size, modified_at, stamp, checked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    file.source,
    file.path,
    file.state,
    file.reason ?? null,
    file.size,
    file.modifiedAt,
    file.stamp ?? null,
    file.checkedAt,
  )
}

export function forgetFile(connection: Connection, { source, path }: Place): void {
  connection.run('DELETE FROM files WHERE source = ? AND path = ?', source, path)
}
