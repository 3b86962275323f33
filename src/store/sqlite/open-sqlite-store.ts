/**
 * The index in one SQLite file. Every batch is one immediate transaction, so a process killed at
 * any moment leaves either the index before the batch or the one after it.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type {
  ChunkRecord,
  DocNo,
  DocumentRecord,
  FileRecord,
  LinkRecord,
} from '../../domain/document.ts'
import { entityPath } from '../../domain/entity-document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import type { LinkKind } from '../../domain/text.ts'
import type { Warning } from '../../domain/warning.ts'
import type {
  Batch,
  Changes,
  Counts,
  DocumentFilter,
  DocumentOrder,
  NamedDocument,
  NewDocument,
  NewSegment,
  ResolveLink,
  SegmentRecord,
  Stamps,
  Store,
} from '../store.ts'
import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { BUSY_TIMEOUT_MS, isBusy, isUnusable, markDamaged, openDatabase } from './open-database.ts'

export interface OpenedSqliteStore {
  readonly store: Store
  readonly warning: Warning | undefined
}

/** Large streams are cut into pages so that a query reads only what it needs. */
const PAGE_BYTES = 64 * 1024

const HOST = hostname()

/** SQLite's default limit of bound values is larger; this keeps statements reusable. */
const IN_LIST = 256

type Row = Record<string, null | number | bigint | string | Uint8Array>

/** `format` says what the index is made by; content of another format is forgotten. */
export async function openSqliteStore(file: string, format: string): Promise<OpenedSqliteStore> {
  const { store, setAside } = openFile(file, format)
  const warning: Warning | undefined = setAside && {
    kind: 'index',
    message: `The index file could not be used (${setAside.why}). It was moved to ${setAside.to} and the index is being rebuilt; no file of yours was touched.`,
  }
  return { store: followingFile(store, file, format), warning }
}

function openFile(file: string, format: string) {
  const { database, setAside } = openDatabase(file)
  forgetOtherFormat(database, format)
  return { store: new SqliteStore(database), setAside }
}

/** Calls that everyone makes again and again: there a file that was replaced is noticed. */
const LOOKING: ReadonlySet<string | symbol> = new Set(['stamps', 'generation', 'acquireLease'])
/** A call that is under way may still need the file it began with. */
const KEEP_OLD_MS = 30_000

/**
 * The store in whatever file now stands at the path. The index may be deleted or set aside by
 * anyone at any time; whoever serves goes on with the new one. Damage deep inside the file shows
 * when that part is read, long after it was opened: it is marked, for the next to open it.
 */
function followingFile(opened: Store, file: string, format: string): Store {
  let current = opened
  let inode = inodeOf(file)
  let epoch = 0
  const follow = (): void => {
    const now = inodeOf(file)
    if (now === inode) return
    const old = current
    current = openFile(file, format).store
    inode = inodeOf(file)
    epoch++
    setTimeout(() => void old.close(), KEEP_OLD_MS).unref()
  }
  const noticed = (why: string): KnowledgeError => {
    markDamaged(file)
    return new KnowledgeError(
      'unavailable',
      `The index file is damaged (${why}).`,
      'Start Cairn again: the file is set aside then, and the index rebuilt from your files.',
    )
  }
  const call = async (name: string | symbol, values: unknown[]): Promise<unknown> => {
    try {
      if (LOOKING.has(name)) follow()
      const method = Reflect.get(current, name) as (...given: unknown[]) => Promise<unknown>
      const result = await method.apply(current, values)
      if (name === 'stamps') return { ...(result as Stamps), epoch: String(epoch) }
      if (name === 'check' && (result as readonly string[]).length > 0) markDamaged(file)
      return result
    } catch (error) {
      throw isUnusable(error) ? noticed((error as Error).message) : error
    }
  }
  const methods = new Map<string | symbol, unknown>()
  return new Proxy(opened, {
    get(_, name) {
      if (name === 'epoch') return epoch
      if (typeof Reflect.get(current, name) !== 'function') return undefined
      if (!methods.has(name)) methods.set(name, (...values: unknown[]) => call(name, values))
      return methods.get(name)
    },
  })
}

/** Which file stands at the path; undefined when there is none. */
function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino
}

const CONTENT_TABLES = [
  'documents',
  'names',
  'tags',
  'links',
  'files',
  'segments',
  'segment_pages',
  'models',
  'vectors',
  'changes',
]

function forgetOtherFormat(database: DatabaseSync, format: string): void {
  const select = "SELECT value FROM meta WHERE key = 'format'"
  if (database.prepare(select).get()?.['value'] === format) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have done it while this one waited.
    if (database.prepare(select).get()?.['value'] !== format) {
      for (const table of CONTENT_TABLES) database.exec(`DELETE FROM ${table}`)
      // Numbers and generations go on, so that nobody mistakes new content for old.
      database.exec("DELETE FROM meta WHERE key NOT IN ('next_no', 'generation', 'lease')")
      database.exec("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")
      database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('format', ?)").run(format)
    }
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

class SqliteStore implements Store {
  readonly epoch = 0
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  async stamps(): Promise<Stamps> {
    const rows = this.#all(
      "SELECT key, value FROM meta WHERE key IN ('generation', 'graph_stamp', 'vector_stamp')",
    )
    const known = new Map(rows.map((row) => [row['key'], Number(row['value'])]))
    return {
      epoch: String(this.epoch),
      generation: known.get('generation') ?? 0,
      graph: known.get('graph_stamp') ?? 0,
      vectors: known.get('vector_stamp') ?? 0,
    }
  }

  async generation(): Promise<number> {
    return Number(this.#meta('generation') ?? 0)
  }

  async acquireLease(owner: string, ttlMs: number): Promise<boolean> {
    return this.#transaction(() => {
      const now = Date.now()
      const held = parseLease(this.#meta('lease'))
      if (held && held.owner !== owner && held.expiresAt > now && ownerLives(held.owner))
        return false
      this.#setMeta('lease', JSON.stringify({ owner, expiresAt: now + ttlMs }))
      return true
    })
  }

  async releaseLease(owner: string): Promise<void> {
    await this.#transaction(() => {
      if (parseLease(this.#meta('lease'))?.owner === owner) {
        this.#run("DELETE FROM meta WHERE key = 'lease'")
      }
    })
  }

  async leaseHolder(): Promise<string | undefined> {
    const held = parseLease(this.#meta('lease'))
    return held && held.expiresAt > Date.now() && ownerLives(held.owner) ? held.owner : undefined
  }

  async reserveNumbers(count: number): Promise<DocNo> {
    return this.#transaction(() => {
      const first = Number(this.#meta('next_no') ?? 0)
      this.#setMeta('next_no', String(first + count))
      return first
    })
  }

  async commit(batch: Batch, resolve: ResolveLink): Promise<number> {
    return this.#transaction(() => {
      if (batch.lease && parseLease(this.#meta('lease'))?.owner !== batch.lease.owner) {
        throw new KnowledgeError(
          'conflict',
          'Another process has taken over indexing this base.',
          'Nothing was changed. The other process keeps the index current.',
        )
      }
      const generation = Number(this.#meta('generation') ?? 0) + 1
      const checkedAt = batch.checkedAt ?? Date.now()
      const affected = new Set<string>()
      const deleted = new Map<number, DocNo[]>()
      const isNews = this.#newsSince(batch)
      const put = (batch.put ?? []).filter(isNews)
      const own = new Set(put.map((document) => document.no))
      const segment = batch.segment ? this.#insertSegment(batch.segment) : undefined
      const changes: Change[] = []
      // Of many documents some link always leads elsewhere.
      const ends =
        put.length > CHANGES_NAMED
          ? undefined
          : new Map(put.map(({ no }) => [no, this.#linkEnds(no)]))
      let graphChanged = ends === undefined
      for (const no of batch.remove ?? []) {
        if (!isNews(this.#placeOf(no))) continue
        const old = this.#removeDocument(no, undefined, affected, deleted)
        if (old) changes.push({ kind: 'gone', ...old })
        graphChanged ||= old !== undefined
      }
      for (const document of put) {
        const { no, source, path } = document
        // Whoever indexed the same new file first gave it another number.
        const twin = this.#get(
          'SELECT no FROM documents WHERE source = ? AND path = ? AND no <> ?',
          source,
          path,
          no,
        )
        if (twin && !own.has(Number(twin['no'])))
          this.#removeDocument(Number(twin['no']), undefined, affected, deleted)
        const old = this.#removeDocument(no, document, affected, deleted)
        graphChanged ||= !old
        this.#insertDocument(document, { segment, generation, checkedAt })
        changes.push({ kind: old || twin ? 'put' : 'new', source, path })
      }
      if (segment !== undefined && put.length < (batch.put?.length ?? 0)) {
        const left = (batch.put ?? []).map(({ no }) => no).filter((no) => !own.has(no))
        deleted.set(segment, [...(deleted.get(segment) ?? []), ...left])
      }
      let touched = 0
      for (const { no, size, modifiedAt } of batch.touch ?? []) {
        if (!isNews(this.#placeOf(no))) continue
        const known = this.#get('SELECT size, modified_at FROM documents WHERE no = ?', no)
        if (known?.['size'] !== size || known['modified_at'] !== modifiedAt) touched++
        this.#run(
          'UPDATE documents SET size = ?, modified_at = ?, checked_at = ? WHERE no = ?',
          size,
          modifiedAt,
          checkedAt,
          no,
        )
      }
      this.#putFiles(batch, isNews)
      const candidates = this.#candidateCache()
      for (const document of put) this.#insertLinks(document, resolve, candidates)
      const healed = this.#resolveAgain(affected, generation, resolve, candidates)
      graphChanged ||= healed > 0 || put.some(({ no }) => this.#linkEnds(no) !== ends?.get(no))
      if (graphChanged) this.#setMeta('graph_stamp', String(generation))
      this.#markDeleted(deleted)
      if (batch.merge) this.#replaceSegments(batch.merge.from, batch.merge.to)
      if (isOnlyLook(batch) && touched === 0) return generation - 1
      this.#setMeta('generation', String(generation))
      this.#noteChanges(generation, changes, batch.lease === undefined)
      return generation
    })
  }

  /**
   * Tells files that nobody else put into the index since the batch was begun from the others. A
   * batch too large to be named is one of the lease holder's own, and those come one by one.
   */
  #newsSince({ asOf, onLeftOut }: Batch): (file: Place | undefined) => boolean {
    const now = Number(this.#meta('generation') ?? 0)
    if (asOf === undefined || asOf === now) return () => true
    const { put, removed } = this.#changesAfter(asOf)
    const changed = new Set([...put, ...removed])
    const forgotten = asOf < now - CHANGES_KEPT
    return (file) => {
      // Gone already; there is nothing to overwrite.
      if (!file) return true
      if (!forgotten && !changed.has(`${file.source}/${file.path}`)) return true
      onLeftOut?.({ source: file.source, path: file.path })
      return false
    }
  }

  #placeOf(no: DocNo): Place | undefined {
    const row = this.#get('SELECT source, path FROM documents WHERE no = ?', no)
    return row && { source: String(row['source']), path: String(row['path']) }
  }

  async graphStamp(): Promise<number> {
    return Number(this.#meta('graph_stamp') ?? 0)
  }

  async changesSince(generation: number): Promise<Changes> {
    return this.#changesAfter(generation)
  }

  #changesAfter(generation: number): Changes {
    const now = Number(this.#meta('generation') ?? 0)
    const rows = this.#all(
      'SELECT kind, source, path FROM changes WHERE generation > ?',
      generation,
    )
    const ids = (...kinds: string[]): string[] => [
      ...new Set(
        rows
          .filter((row) => kinds.includes(String(row['kind'])))
          .map((row) => `${String(row['source'])}/${String(row['path'])}`),
      ),
    ]
    const unnamed =
      generation < now - CHANGES_KEPT ||
      rows.some((row) => row['kind'] === 'many') ||
      generation > now
    const [fresh, changed, removed] = [ids('new'), ids('put'), ids('gone')]
    return {
      generation: now,
      put: [...new Set([...fresh, ...changed])],
      removed,
      listChanged: unnamed || fresh.length > 0 || removed.length > 0,
      unnamed,
    }
  }

  async files(source: string, under?: readonly string[]): Promise<readonly FileRecord[]> {
    if (!under || under.includes('')) return this.#filesWhere('source = ?', [source])
    const found = under.flatMap((path) =>
      // "0" is the character behind "/": the range holds everything below the folder.
      this.#filesWhere('source = ? AND (path = ? OR (path > ? AND path < ?))', [
        source,
        path,
        `${path}/`,
        `${path}0`,
      ]),
    )
    return [...new Map(found.map((record) => [record.path, record])).values()]
  }

  #filesWhere(where: string, values: string[]): FileRecord[] {
    const source = values[0] ?? ''
    const indexed = this.#all(
      `SELECT path, size, modified_at, checked_at, no FROM documents WHERE ${where} ORDER BY path`,
      ...values,
    )
    const others = this.#all(
      `SELECT path, size, modified_at, checked_at, state, reason FROM files WHERE ${where} ORDER BY path`,
      ...values,
    )
    return [...indexed, ...others].map((row) => fileOf(source, row))
  }

  async listFiles(
    filter: { readonly state?: FileRecord['state']; readonly source?: string },
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly files: readonly FileRecord[]; readonly total: number }> {
    const all = `
      SELECT source, path, 'indexed' AS state, NULL AS reason, size, modified_at, checked_at, no FROM documents
      UNION ALL
      SELECT source, path, state, reason, size, modified_at, checked_at, NULL AS no FROM files`
    const where = 'WHERE (?1 IS NULL OR state = ?1) AND (?2 IS NULL OR source = ?2)'
    const values = [filter.state ?? null, filter.source ?? null]
    const total = Number(this.#get(`SELECT count(*) AS n FROM (${all}) ${where}`, ...values)?.['n'])
    const rows = this.#all(
      `SELECT * FROM (${all}) ${where} ORDER BY source, path LIMIT ?3 OFFSET ?4`,
      ...values,
      page.limit,
      page.offset,
    )
    return { files: rows.map((row) => fileOf(String(row['source']), row)), total }
  }

  async sources(): Promise<readonly string[]> {
    return this.#all(
      'SELECT DISTINCT source FROM documents UNION SELECT DISTINCT source FROM files ORDER BY 1',
    ).map((row) => String(row['source']))
  }

  async documents(nos: readonly DocNo[]): Promise<readonly (DocumentRecord | undefined)[]> {
    return nos.map((no) => {
      const row = this.#get(`SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE no = ?`, no)
      return row && documentOf(row)
    })
  }

  async findByPath(source: string, path: string): Promise<DocumentRecord | undefined> {
    const row = this.#get(
      `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE source = ? AND path = ?`,
      source,
      path,
    )
    return row && documentOf(row)
  }

  async findByPathFolded(path: string): Promise<readonly DocumentRecord[]> {
    return this.#all(
      `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE path_folded = ? ORDER BY source, path`,
      foldPath(path),
    ).map(documentOf)
  }

  async named(keys: readonly string[]): Promise<readonly NamedDocument[]> {
    const candidates = this.#candidateCache()
    const found = new Map<DocNo, NamedDocument>()
    for (const key of keys) for (const each of candidates(key)) found.set(each.no, each)
    return [...found.values()]
  }

  async namesLike(prefix: string, limit: number): Promise<readonly { key: string; no: DocNo }[]> {
    return this.#all(
      'SELECT key, doc FROM names WHERE key >= ? AND key < ? ORDER BY key, doc LIMIT ?',
      prefix,
      `${prefix}\u{10ffff}`,
      limit,
    ).map((row) => ({ key: String(row['key']), no: Number(row['doc']) }))
  }

  async matching(filter: DocumentFilter): Promise<Uint32Array> {
    const { where, values } = whereOf(filter)
    const rows = this.#all(`SELECT no FROM documents ${where}`, ...values)
    return Uint32Array.from(rows, (row) => Number(row['no']))
  }

  async list(
    filter: DocumentFilter,
    order: DocumentOrder,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly documents: readonly DocumentRecord[]; readonly total: number }> {
    const { where, values } = whereOf(filter)
    const total = Number(
      this.#get(`SELECT count(*) AS n FROM documents ${where}`, ...values)?.['n'] ?? 0,
    )
    const rows = this.#all(
      `SELECT ${DOCUMENT_COLUMNS} FROM documents ${where} ORDER BY ${ORDERS[order]} LIMIT ? OFFSET ?`,
      ...values,
      page.limit,
      page.offset,
    )
    return { documents: rows.map(documentOf), total }
  }

  async chunks(doc: DocNo): Promise<readonly ChunkRecord[]> {
    const [chunks = []] = await this.chunksOf([doc])
    return chunks
  }

  async chunksOf(docs: readonly DocNo[]): Promise<readonly (readonly ChunkRecord[])[]> {
    return docs.map((doc) => {
      const row = this.#get('SELECT chunks FROM documents WHERE no = ?', doc)
      return row ? unpackChunks(doc, String(row['chunks'])) : []
    })
  }

  async warnings(doc: DocNo): Promise<readonly Warning[]> {
    const row = this.#get('SELECT warnings FROM documents WHERE no = ?', doc)
    return row?.['warnings'] ? JSON.parse(String(row['warnings'])) : []
  }

  async tags(limit: number): Promise<readonly { tag: string; documents: number }[]> {
    return this.#all(
      'SELECT tag, count(*) AS n FROM tags GROUP BY tag ORDER BY n DESC, tag LIMIT ?',
      limit,
    ).map((row) => ({ tag: String(row['tag']), documents: Number(row['n']) }))
  }

  async linksFrom(doc: DocNo): Promise<readonly LinkRecord[]> {
    return this.#all('SELECT * FROM links WHERE doc = ? ORDER BY ordinal', doc).map(linkOf)
  }

  async linksTo(doc: DocNo): Promise<readonly LinkRecord[]> {
    return this.#all('SELECT * FROM links WHERE to_doc = ? ORDER BY doc, ordinal', doc).map(linkOf)
  }

  async linksBetween(from: DocNo, to: DocNo): Promise<readonly LinkRecord[]> {
    return this.#all(
      'SELECT * FROM links WHERE doc = ? AND to_doc = ? ORDER BY ordinal',
      from,
      to,
    ).map(linkOf)
  }

  async brokenLinks(page: {
    readonly offset: number
    readonly limit: number
  }): Promise<{ readonly links: readonly LinkRecord[]; readonly total: number }> {
    const broken = 'FROM links WHERE to_doc IS NULL AND attachment = 0'
    const total = Number(this.#get(`SELECT count(*) AS n ${broken}`)?.['n'] ?? 0)
    const rows = this.#all(
      `SELECT links.* FROM links JOIN documents ON documents.no = links.doc
       WHERE to_doc IS NULL AND attachment = 0
       ORDER BY source, path, ordinal LIMIT ? OFFSET ?`,
      page.limit,
      page.offset,
    )
    return { links: rows.map(linkOf), total }
  }

  async edges(
    kinds: readonly LinkKind[] = [],
    labels: readonly string[] = [],
  ): Promise<{ readonly from: Uint32Array; readonly to: Uint32Array }> {
    const list = (values: readonly string[]) => `(${values.map(() => '?').join(', ')})`
    const ofKind = kinds.length > 0 ? ` AND kind IN ${list(kinds)}` : ''
    const named = labels.length > 0 ? ` AND (kind <> 'relation' OR label IN ${list(labels)})` : ''
    const resolved = `FROM links WHERE to_doc IS NOT NULL${ofKind}${named}`
    const values = [...kinds, ...labels]
    const size = Number(this.#get(`SELECT count(*) AS n ${resolved}`, ...values)?.['n'] ?? 0)
    const from = new Uint32Array(size)
    const to = new Uint32Array(size)
    let filled = 0
    // A row per document: making one for every link takes four times as long.
    const rows = this.#all(
      `SELECT doc, group_concat(DISTINCT to_doc) AS targets ${resolved} GROUP BY doc`,
      ...values,
    )
    for (const row of rows) {
      for (const target of String(row['targets']).split(',')) {
        from[filled] = Number(row['doc'])
        to[filled] = Number(target)
        filled++
      }
    }
    return { from: from.subarray(0, filled), to: to.subarray(0, filled) }
  }

  async linkTargets(
    kinds: readonly LinkKind[],
  ): Promise<readonly { readonly from: DocNo; readonly target: string }[]> {
    const rows = this.#all(
      `SELECT doc, target FROM links WHERE kind IN (${kinds.map(() => '?').join(', ')})
       ORDER BY doc, ordinal`,
      ...kinds,
    )
    return rows.map((row) => ({ from: Number(row['doc']), target: String(row['target']) }))
  }

  async pathOrder(): Promise<Uint32Array> {
    return this.#numbers('SELECT no AS number FROM documents ORDER BY source, path')
  }

  async paths(
    nos: readonly DocNo[],
  ): Promise<readonly { readonly source: string; readonly path: string }[]> {
    return nos.map((no) => {
      const row = this.#get('SELECT source, path FROM documents WHERE no = ?', no)
      return { source: String(row?.['source'] ?? ''), path: String(row?.['path'] ?? '') }
    })
  }

  async duplicates(): Promise<readonly { digest: string; nos: readonly DocNo[] }[]> {
    const groups = new Map<string, DocNo[]>()
    const rows = this.#all(
      `SELECT digest, no FROM documents WHERE digest IN
        (SELECT digest FROM documents GROUP BY digest HAVING count(*) > 1)
       ORDER BY source, path`,
    )
    for (const row of rows) {
      const digest = String(row['digest'])
      groups.set(digest, [...(groups.get(digest) ?? []), Number(row['no'])])
    }
    return [...groups].map(([digest, nos]) => ({ digest, nos }))
  }

  async counts(): Promise<Counts> {
    const row = this.#get(`SELECT
      (SELECT count(*) FROM documents) AS documents,
      (SELECT coalesce(sum(chunk_count), 0) FROM documents) AS chunks,
      (SELECT count(*) FROM links WHERE to_doc IS NOT NULL) AS links,
      (SELECT count(*) FROM links WHERE to_doc IS NULL AND attachment = 0) AS broken,
      (SELECT count(DISTINCT tag) FROM tags) AS tags,
      (SELECT count(*) FROM segments) AS segments`)
    return {
      documents: Number(row?.['documents']),
      chunks: Number(row?.['chunks']),
      links: Number(row?.['links']),
      brokenLinks: Number(row?.['broken']),
      tags: Number(row?.['tags']),
      segments: Number(row?.['segments']),
    }
  }

  async servingEmbedder(): Promise<string | undefined> {
    return this.#meta('embedder')
  }

  async serveEmbedder(embedder: string | undefined): Promise<void> {
    await this.#transaction(() => {
      if (embedder === undefined) this.#run("DELETE FROM meta WHERE key = 'embedder'")
      else this.#setMeta('embedder', embedder)
      this.#run('DELETE FROM vectors WHERE embedder IS NOT ?', embedder ?? null)
      this.#run('DELETE FROM models WHERE embedder IS NOT ?', embedder ?? null)
      this.#raiseVectorStamp()
    })
  }

  async putModel(embedder: string, data: Uint8Array): Promise<void> {
    await this.#transaction(() => {
      this.#run('INSERT OR REPLACE INTO models (embedder, data) VALUES (?, ?)', embedder, data)
    })
  }

  async model(embedder: string): Promise<Uint8Array | undefined> {
    const row = this.#get('SELECT data FROM models WHERE embedder = ?', embedder)
    return row?.['data'] as Uint8Array | undefined
  }

  async putVectors(
    embedder: string,
    rows: readonly { readonly doc: DocNo; readonly digest: string; readonly data: Uint8Array }[],
  ): Promise<void> {
    await this.#transaction(() => {
      const stamp = this.#raiseVectorStamp()
      for (const { doc, digest, data } of rows) {
        const known = this.#get('SELECT digest FROM documents WHERE no = ?', doc)
        if (known?.['digest'] !== digest) continue
        this.#run(
          'INSERT OR REPLACE INTO vectors (embedder, doc, stamp, data) VALUES (?, ?, ?, ?)',
          embedder,
          doc,
          stamp,
          data,
        )
      }
    })
  }

  async withoutVectors(embedder: string, limit: number): Promise<readonly DocNo[]> {
    return this.#all(
      `SELECT no FROM documents
       WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE embedder = ? AND doc = documents.no)
       ORDER BY source, path LIMIT ?`,
      embedder,
      limit,
    ).map((row) => Number(row['no']))
  }

  async vectorsSince(
    embedder: string,
    stamp: number,
    visit: (doc: DocNo, data: Uint8Array) => void,
  ): Promise<number> {
    const now = Number(this.#meta('vector_stamp') ?? 0)
    const rows = this.#prepare(
      'SELECT doc, data FROM vectors WHERE embedder = ? AND stamp > ?',
    ).iterate(embedder, stamp) as Iterable<Row>
    for (const row of rows) visit(Number(row['doc']), row['data'] as Uint8Array)
    return now
  }

  async vectorDocs(embedder: string): Promise<Uint32Array> {
    return this.#numbers('SELECT doc AS number FROM vectors WHERE embedder = ?', embedder)
  }

  async vectorStamp(): Promise<number> {
    return Number(this.#meta('vector_stamp') ?? 0)
  }

  async changedDocuments(generation: number): Promise<number> {
    const row = this.#get('SELECT count(*) AS n FROM documents WHERE generation > ?', generation)
    return Number(row?.['n'] ?? 0)
  }

  #raiseVectorStamp(): number {
    const stamp = Number(this.#meta('vector_stamp') ?? 0) + 1
    this.#setMeta('vector_stamp', String(stamp))
    return stamp
  }

  async segments(): Promise<readonly SegmentRecord[]> {
    return this.#all('SELECT id, docs, bytes, deleted FROM segments ORDER BY id').map((row) => ({
      id: Number(row['id']),
      docs: Number(row['docs']),
      bytes: Number(row['bytes']),
      deleted: numbersOf(row['deleted'] as Uint8Array),
    }))
  }

  async segmentStream(segment: number, name: string): Promise<Uint8Array> {
    const pages = this.#all(
      'SELECT sum, data FROM segment_pages WHERE segment = ? AND stream = ? ORDER BY page',
      segment,
      name,
    ).map(soundData)
    if (pages.length === 0) throw missingStream(segment, name)
    return joined(pages)
  }

  async segmentRanges(
    segment: number,
    name: string,
    ranges: readonly { readonly start: number; readonly end: number }[],
  ): Promise<readonly Uint8Array[]> {
    const pages = new Map<number, Uint8Array>()
    const page = (number: number): Uint8Array => {
      let data = pages.get(number)
      if (!data) {
        const row = this.#get(
          'SELECT sum, data FROM segment_pages WHERE segment = ? AND stream = ? AND page = ?',
          segment,
          name,
          number,
        )
        if (!row) throw missingStream(segment, name)
        data = soundData(row)
        pages.set(number, data)
      }
      return data
    }
    return ranges.map(({ start, end }) => {
      const bytes = new Uint8Array(end - start)
      for (let at = start; at < end;) {
        const data = page(Math.floor(at / PAGE_BYTES))
        const offset = at % PAGE_BYTES
        const part = data.subarray(offset, Math.min(data.length, offset + end - at))
        if (part.length === 0) throw missingStream(segment, name)
        bytes.set(part, at - start)
        at += part.length
      }
      return bytes
    })
  }

  async segmentDocs(segment: number): Promise<readonly DocNo[]> {
    return [
      ...this.#numbers('SELECT no AS number FROM documents WHERE segment = ? ORDER BY no', segment),
    ]
  }

  async getMeta(key: string): Promise<string | undefined> {
    return this.#meta(`user.${key}`)
  }

  async putMeta(key: string, value: string): Promise<void> {
    await this.#transaction(() => this.#setMeta(`user.${key}`, value))
  }

  async check(): Promise<readonly string[]> {
    const findings = this.#all('PRAGMA integrity_check(20)')
      .map((row) => String(Object.values(row)[0]))
      .filter((line) => line !== 'ok')
    const pages = this.#prepare('SELECT sum, data FROM segment_pages').iterate() as Iterable<Row>
    for (const row of pages) {
      if (crc32(row['data'] as Uint8Array) === Number(row['sum'])) continue
      findings.push('a page of the search index is damaged')
      break
    }
    const stray = this.#get(`SELECT
      (SELECT count(*) FROM links WHERE doc NOT IN (SELECT no FROM documents)) AS links,
      (SELECT count(*) FROM links
        WHERE to_doc IS NOT NULL AND to_doc NOT IN (SELECT no FROM documents)) AS targets,
      (SELECT count(*) FROM names WHERE doc NOT IN (SELECT no FROM documents)) AS names,
      (SELECT count(*) FROM tags WHERE doc NOT IN (SELECT no FROM documents)) AS tags,
      (SELECT count(*) FROM documents
        WHERE segment IS NULL OR segment NOT IN (SELECT id FROM segments)) AS documents`)
    for (const [what, n] of Object.entries(stray ?? {})) {
      if (Number(n) > 0) findings.push(`${Number(n)} ${what} point at something that is gone`)
    }
    return findings
  }

  async close(): Promise<void> {
    if (!this.#database.isOpen) return
    this.#statements.clear()
    this.#database.close()
  }

  /** Takes a document out; returns where it was, or undefined when there was none. */
  #removeDocument(
    no: DocNo,
    next: NewDocument | undefined,
    affected: Set<string>,
    deleted: Map<number, DocNo[]>,
  ): { source: string; path: string } | undefined {
    const row = this.#get(
      'SELECT source, path, title, page_name, segment, details FROM documents WHERE no = ?',
      no,
    )
    if (!row) {
      for (const name of next?.names ?? []) affected.add(name)
      return undefined
    }
    const details = JSON.parse(String(row['details'])) as Details
    if (!next || !sameNames(row, details, next)) {
      for (const name of [...details.names, ...(next?.names ?? [])]) affected.add(name)
    }
    if (row['segment'] !== null) {
      const segment = Number(row['segment'])
      deleted.set(segment, [...(deleted.get(segment) ?? []), no])
    }
    for (const name of details.names)
      this.#run('DELETE FROM names WHERE key = ? AND doc = ?', name, no)
    for (const tag of foldedTags(details)) {
      this.#run('DELETE FROM tags WHERE tag = ? AND doc = ?', tag, no)
    }
    this.#run('DELETE FROM links WHERE doc = ?', no)
    this.#run('DELETE FROM vectors WHERE doc = ?', no)
    this.#run('DELETE FROM documents WHERE no = ?', no)
    return { source: String(row['source']), path: String(row['path']) }
  }

  /** What a writer changed is always named: whoever indexes must not put an older state back. */
  #noteChanges(generation: number, changes: readonly Change[], byWriter: boolean): void {
    this.#run('DELETE FROM changes WHERE generation <= ?', generation - CHANGES_KEPT)
    const named: readonly Change[] =
      changes.length > CHANGES_NAMED && !byWriter
        ? [{ kind: 'many', source: '', path: '' }]
        : changes
    for (const { kind, source, path } of named) {
      this.#run(
        'INSERT INTO changes (generation, kind, source, path) VALUES (?, ?, ?, ?)',
        generation,
        kind,
        source,
        path,
      )
    }
  }

  #insertDocument(
    document: NewDocument,
    {
      segment,
      generation,
      checkedAt,
    }: { segment: number | undefined; generation: number; checkedAt: number },
  ): void {
    const details: Details = {
      aliases: document.aliases,
      tags: document.tags,
      inlineTags: document.inlineTags,
      description: document.description,
      properties: document.properties,
      names: document.names,
    }
    // A file that was left out before and is a document now.
    this.#run('DELETE FROM files WHERE source = ? AND path = ?', document.source, document.path)
    this.#run(
      `INSERT INTO documents (no, source, path, path_folded, digest, size, modified_at, checked_at,
        generation, created_at, updated_at, title, type, page_name, aliases, segment, details, chunks, chunk_count, warnings)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      document.no,
      document.source,
      document.path,
      foldPath(document.path),
      document.digest,
      document.size,
      document.modifiedAt,
      checkedAt,
      generation,
      document.createdAt ?? null,
      document.updatedAt,
      document.title,
      document.type,
      pageNameOf(document) ?? null,
      JSON.stringify(document.aliases),
      segment ?? null,
      JSON.stringify(details),
      packChunks(document.chunks),
      document.chunks.length,
      document.warnings.length > 0 ? JSON.stringify(document.warnings) : null,
    )
    for (const name of document.names) {
      this.#run('INSERT OR IGNORE INTO names (key, doc) VALUES (?, ?)', name, document.no)
    }
    for (const tag of foldedTags(details)) {
      this.#run('INSERT OR IGNORE INTO tags (tag, doc) VALUES (?, ?)', tag, document.no)
    }
  }

  #insertLinks(document: NewDocument, resolve: ResolveLink, candidates: Candidates): void {
    document.links.forEach((link, ordinal) => {
      const to = resolve(link, document, candidates(link.key))
      this.#run(
        `INSERT INTO links (doc, ordinal, kind, target, fragment, label, line, key, attachment, to_doc)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        document.no,
        ordinal,
        link.kind,
        link.target,
        link.fragment ?? null,
        link.label ?? null,
        link.line,
        link.key,
        link.attachment ? 1 : 0,
        to ?? null,
      )
    })
  }

  /**
   * A name that came or went can change what any link with that key means, in any document but those
   * of this generation, whose links were resolved a moment ago. Returns how many changed.
   */
  #resolveAgain(
    affected: ReadonlySet<string>,
    generation: number,
    resolve: ResolveLink,
    candidates: Candidates,
  ): number {
    let changed = 0
    for (const row of this.#linksWithKeys(affected, generation)) {
      const link = { kind: String(row['kind']) as LinkKind, target: String(row['target']) }
      const from = { source: String(row['source']), path: String(row['path']) }
      const to = resolve(link, from, candidates(String(row['key']))) ?? null
      if (to === row['to_doc']) continue
      changed++
      this.#run(
        'UPDATE links SET to_doc = ? WHERE doc = ? AND ordinal = ?',
        to,
        Number(row['doc']),
        Number(row['ordinal']),
      )
    }
    return changed
  }

  /** Links of other generations with one of the keys. For very many keys, one pass over them all. */
  #linksWithKeys(keys: ReadonlySet<string>, generation: number): Row[] {
    const select = 'SELECT links.doc, ordinal, kind, target, key, to_doc, source, path'
    if (keys.size < MANY_KEYS) {
      const withKey = this.#prepare(
        `${select} FROM links JOIN documents ON documents.no = links.doc
         WHERE key = ? AND documents.generation <> ?`,
      )
      return [...keys].flatMap((key) => withKey.all(key, generation) as Row[])
    }
    const all = this.#all(
      `${select} FROM documents JOIN links ON links.doc = documents.no
       WHERE documents.generation <> ?`,
      generation,
    )
    return all.filter((row) => keys.has(String(row['key'])))
  }

  /** Where a document's links lead, to compare before and after. */
  #linkEnds(no: DocNo): string {
    const rows = this.#all(
      'SELECT DISTINCT kind, to_doc FROM links WHERE doc = ? AND to_doc IS NOT NULL ORDER BY 1, 2',
      no,
    )
    return rows.map((row) => `${String(row['kind'])} ${Number(row['to_doc'])}`).join('\n')
  }

  /** Candidates of a key as they are when first asked for; ask after the documents are in. */
  #candidateCache(): Candidates {
    const cache = new Map<string, readonly NamedDocument[]>()
    const select = this.#prepare(
      `SELECT no, source, path, path_folded, title, page_name, aliases
       FROM names JOIN documents ON documents.no = names.doc WHERE key = ? ORDER BY source, path`,
    )
    return (key) => {
      let found = cache.get(key)
      if (!found) {
        found = (select.all(key) as Row[]).map((row) => ({
          no: Number(row['no']),
          source: String(row['source']),
          path: String(row['path']),
          foldedPath: String(row['path_folded']),
          title: String(row['title']),
          aliases: row['aliases'] === '[]' ? NO_ALIASES : JSON.parse(String(row['aliases'])),
          pageName: row['page_name'] === null ? undefined : String(row['page_name']),
        }))
        cache.set(key, found)
      }
      return found
    }
  }

  #putFiles(batch: Batch, isNews: (file: Place | undefined) => boolean): void {
    for (const file of batch.files ?? []) {
      if (!isNews(file)) continue
      this.#run(
        `INSERT OR REPLACE INTO files (source, path, state, reason, size, modified_at, checked_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        file.source,
        file.path,
        file.state,
        file.reason ?? null,
        file.size,
        file.modifiedAt,
        file.checkedAt,
      )
    }
    for (const { source, path } of batch.forget ?? []) {
      this.#run('DELETE FROM files WHERE source = ? AND path = ?', source, path)
    }
  }

  #insertSegment(segment: NewSegment): number {
    const streams = Object.entries({ ...segment.resident, ...segment.paged })
    const bytes = streams.reduce((sum, [, data]) => sum + data.length, 0)
    this.#run(
      'INSERT INTO segments (docs, bytes, deleted) VALUES (?, ?, ?)',
      segment.docs.length,
      bytes,
      new Uint8Array(),
    )
    const id = Number(this.#get('SELECT last_insert_rowid() AS id')?.['id'])
    const insert = this.#prepare(
      'INSERT INTO segment_pages (segment, stream, page, sum, data) VALUES (?, ?, ?, ?, ?)',
    )
    for (const [name, data] of streams) {
      // An empty stream keeps one empty page, so that reading it is not an error.
      for (let page = 0; page === 0 || page * PAGE_BYTES < data.length; page++) {
        const part = data.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
        insert.run(id, name, page, crc32(part), part)
      }
    }
    return id
  }

  #replaceSegments(from: readonly number[], to: NewSegment | undefined): void {
    const id = to ? this.#insertSegment(to) : null
    if (to && id !== null) {
      // A document that was written while its old version was merged lives elsewhere now.
      const living = new Set(
        from.flatMap((segment) =>
          this.#all('SELECT no FROM documents WHERE segment = ?', segment).map((row) =>
            Number(row['no']),
          ),
        ),
      )
      for (const no of to.docs) {
        if (living.has(no)) this.#run('UPDATE documents SET segment = ? WHERE no = ?', id, no)
      }
      this.#markDeleted(new Map([[id, to.docs.filter((no) => !living.has(no))]]))
    }
    for (const segment of from) {
      this.#run('DELETE FROM segment_pages WHERE segment = ?', segment)
      this.#run('DELETE FROM segments WHERE id = ?', segment)
    }
  }

  #markDeleted(deleted: ReadonlyMap<number, readonly DocNo[]>): void {
    for (const [segment, nos] of deleted) {
      const row = this.#get('SELECT deleted FROM segments WHERE id = ?', segment)
      if (!row) continue
      const all = Uint32Array.from([...numbersOf(row['deleted'] as Uint8Array), ...nos]).toSorted()
      this.#run('UPDATE segments SET deleted = ? WHERE id = ?', bytesOf(all), segment)
    }
  }

  /**
   * Waits for its turn without stopping the thread: SQLite's own waiting would hold up every reader
   * of this process while another one commits a large batch.
   */
  async #transaction<Result>(work: () => Result): Promise<Result> {
    const deadline = performance.now() + BUSY_TIMEOUT_MS
    for (let pause = 1; !this.#begin(deadline); pause = Math.min(pause * 2, 20)) {
      await sleep(pause * (0.5 + Math.random()))
    }
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  #begin(deadline: number): boolean {
    this.#database.exec('PRAGMA busy_timeout = 0')
    try {
      this.#database.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      return false
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    }
  }

  #meta(key: string): string | undefined {
    const row = this.#get('SELECT value FROM meta WHERE key = ?', key)
    return row ? String(row['value']) : undefined
  }

  #setMeta(key: string, value: string): void {
    this.#run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value)
  }

  #get(sql: string, ...values: (string | number | null | Uint8Array)[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined
  }

  /** A column of numbers as one text: a row of its own for each takes up to four times as long. */
  #numbers(sql: string, ...values: (string | number)[]): Uint32Array {
    const row = this.#get(`SELECT group_concat(number) AS numbers FROM (${sql})`, ...values)
    const numbers = row?.['numbers']
    return Uint32Array.from(numbers ? String(numbers).split(',') : [], Number)
  }

  #all(sql: string, ...values: (string | number | null | Uint8Array)[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[]
  }

  #run(sql: string, ...values: (string | number | null | Uint8Array)[]): void {
    this.#prepare(sql).run(...values)
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/** Whether a batch says nothing but that files are as they were. */
function isOnlyLook({ put, remove, files, forget, segment, merge }: Batch): boolean {
  const lists = [put, remove, files, forget]
  return lists.every((list = []) => list.length === 0) && !segment && !merge
}

interface Place {
  readonly source: string
  readonly path: string
}

interface Change {
  readonly kind: 'new' | 'put' | 'gone' | 'many'
  readonly source: string
  readonly path: string
}

const NO_ALIASES: readonly string[] = []

const MANY_KEYS = 1_000

/** Whoever has not asked for this many batches is told that anything may have changed. */
const CHANGES_KEPT = 500
/** A batch of more documents is not spelled out. */
const CHANGES_NAMED = 1_000

type Candidates = (key: string) => readonly NamedDocument[]

interface Details extends Pick<
  DocumentRecord,
  'aliases' | 'tags' | 'inlineTags' | 'description' | 'properties'
> {
  readonly names: readonly string[]
}

const DOCUMENT_COLUMNS =
  'no, source, path, digest, size, modified_at, created_at, updated_at, title, type, details'

const ORDERS = {
  updated: 'updated_at DESC, source, path',
  created: 'coalesce(created_at, updated_at) DESC, source, path',
  stale: 'updated_at, source, path',
  title: 'title COLLATE NOCASE, source, path',
  path: 'source, path',
} as const satisfies Record<DocumentOrder, string>

function documentOf(row: Row): DocumentRecord {
  const details = JSON.parse(String(row['details'])) as Details
  return {
    no: Number(row['no']),
    source: String(row['source']),
    path: String(row['path']),
    digest: String(row['digest']),
    size: Number(row['size']),
    modifiedAt: Number(row['modified_at']),
    createdAt: row['created_at'] === null ? undefined : Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    title: String(row['title']),
    type: String(row['type']),
    aliases: details.aliases,
    tags: details.tags,
    inlineTags: details.inlineTags,
    description: details.description,
    properties: details.properties,
  }
}

function linkOf(row: Row): LinkRecord {
  return {
    from: Number(row['doc']),
    kind: String(row['kind']) as LinkKind,
    target: String(row['target']),
    fragment: row['fragment'] === null ? undefined : String(row['fragment']),
    label: row['label'] === null ? undefined : String(row['label']),
    line: Number(row['line']),
    to: row['to_doc'] === null ? undefined : Number(row['to_doc']),
  }
}

function fileOf(source: string, row: Row): FileRecord {
  return {
    source,
    path: String(row['path']),
    state: String(row['state'] ?? 'indexed') as FileRecord['state'],
    reason: row['reason'] ? String(row['reason']) : undefined,
    size: Number(row['size']),
    modifiedAt: Number(row['modified_at']),
    checkedAt: Number(row['checked_at']),
    doc: row['no'] === undefined || row['no'] === null ? undefined : Number(row['no']),
  }
}

function whereOf(filter: DocumentFilter): { where: string; values: (string | number)[] } {
  const terms: string[] = []
  const values: (string | number)[] = []
  const oneOf = (column: string, allowed: readonly string[]): void => {
    terms.push(`${column} IN (${allowed.map(() => '?').join(', ')})`)
    values.push(...allowed)
  }
  if (filter.sources) oneOf('source', filter.sources.slice(0, IN_LIST))
  if (filter.types) oneOf('type', filter.types.slice(0, IN_LIST))
  if (filter.kind) {
    // The paths of entities have a beginning that no file's path has.
    terms.push(`substr(path, 1, ${ENTITIES.length}) ${filter.kind === 'entity' ? '=' : '<>'} ?`)
    values.push(ENTITIES)
  }
  if (filter.pathPrefix) {
    const prefix = foldPath(filter.pathPrefix)
    terms.push('path_folded >= ? AND path_folded < ?')
    values.push(prefix, `${prefix}\u{10ffff}`)
  }
  if (filter.tags && filter.tags.length > 0) {
    const tags = [...new Set(filter.tags.map(foldTag))].slice(0, IN_LIST)
    const list = tags.map(() => '?').join(', ')
    const having = filter.tagMode === 'all' ? ` GROUP BY doc HAVING count(*) = ${tags.length}` : ''
    terms.push(`no IN (SELECT doc FROM tags WHERE tag IN (${list})${having})`)
    values.push(...tags)
  }
  if (filter.updatedAfter !== undefined) {
    terms.push('updated_at >= ?')
    values.push(filter.updatedAfter)
  }
  if (filter.updatedBefore !== undefined) {
    terms.push('updated_at < ?')
    values.push(filter.updatedBefore)
  }
  return { where: terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : '', values }
}

const ENTITIES = entityPath('')

/** Front matter by which a site generator knows the page. */
function pageNameOf(document: NewDocument): string | undefined {
  for (const key of ['slug', 'permalink', 'url']) {
    const value = document.properties[key]
    if (typeof value !== 'string') continue
    const name = foldPath(value).replaceAll(/^\/+|\/+$/g, '')
    if (name !== '') return name
  }
  return undefined
}

function sameNames(row: Row, details: Details, next: NewDocument): boolean {
  return (
    row['title'] === next.title &&
    (row['page_name'] ?? undefined) === pageNameOf(next) &&
    sameList(details.names, next.names) &&
    sameList(details.aliases, next.aliases)
  )
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}

function foldedTags(details: Pick<Details, 'tags' | 'inlineTags'>): Set<string> {
  return new Set([...details.tags, ...details.inlineTags].map(foldTag))
}

function foldTag(tag: string): string {
  return tag.replace(/^#/, '').normalize('NFC').toLowerCase()
}

function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

function packChunks(chunks: NewDocument['chunks']): string {
  return JSON.stringify(
    chunks.map((chunk) => [
      chunk.start,
      chunk.end,
      chunk.lineStart,
      chunk.lineEnd,
      ...chunk.headingPath,
    ]),
  )
}

function unpackChunks(doc: DocNo, packed: string): ChunkRecord[] {
  const rows = JSON.parse(packed) as [number, number, number, number, ...string[]][]
  return rows.map(([start, end, lineStart, lineEnd, ...headingPath], ordinal) => ({
    doc,
    ordinal,
    start,
    end,
    lineStart,
    lineEnd,
    headingPath,
  }))
}

function parseLease(text: string | undefined): { owner: string; expiresAt: number } | undefined {
  return text === undefined ? undefined : JSON.parse(text)
}

/**
 * An owner is `<pid>@<host>:<random>`. On the same machine a dead process gives its lease up at
 * once; elsewhere the lease has to run out.
 */
function ownerLives(owner: string): boolean {
  const match = /^(\d+)@([^:]*):/.exec(owner)
  if (!match || match[2] !== HOST) return true
  try {
    process.kill(Number(match[1]), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function numbersOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer)
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The bytes of a page, or the error SQLite itself would have for a damaged one. */
function soundData(row: Row): Uint8Array {
  const data = row['data'] as Uint8Array
  if (crc32(data) === Number(row['sum'])) return data
  const error = new Error('A page of the search index is damaged.')
  throw Object.assign(error, { errcode: SQLITE_CORRUPT })
}

const SQLITE_CORRUPT = 11

/** A reader may hold on to a segment that a merge has removed; it then refreshes and tries again. */
function missingStream(segment: number, name: string): KnowledgeError {
  return new KnowledgeError(
    'conflict',
    `Segment ${segment} of the index has no stream "${name}" any more.`,
    'The index was merged meanwhile. Try again.',
  )
}
