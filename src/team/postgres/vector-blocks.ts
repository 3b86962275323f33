/**
 * Vectors lie in blocks that never change, each with its checksums, so that a server fetches a block
 * once and reads it from its copy ever after. Which block has the vectors of a document says the row
 * of that document; what a block has besides is out of date.
 *
 * A block is two streams: number of the document and length of its vectors, again and again; and
 * the vectors, one after the other.
 */
import type { DocNo } from '../../core/domain/document.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import type { BaseRows } from './base-rows.ts'
import type { Row } from './database.ts'
import type { LocalCopies, Streams } from './local-copies.ts'
import { insertPages } from './segments-table.ts'
import { reading } from './rows.ts'
import { numberArray, numbersIn } from './values.ts'

export interface VectorRow {
  readonly doc: DocNo
  readonly data: Uint8Array
}

interface Block {
  readonly id: number
  readonly bytes: number
  /** Documents whose vectors are these. */
  readonly living: ReadonlySet<DocNo>
  /** Of a tiny one. */
  readonly streams: Streams | undefined
}

/** Such blocks come with every edit: they come with the list of blocks, and are not copied. */
const TINY_BYTES = 64 * 1024
/** More small blocks than this become one. */
const SMALL_BYTES = 1024 * 1024
const MOST_SMALL = 32
/** Whoever reads a block that was made part of another has this long to finish. */
const REPLACED = "interval '1 minute'"

/** Keeps vectors of documents that are as they were when these were made. */
export async function insertBlock(
  base: BaseRows,
  { embedder, stamp }: { readonly embedder: string; readonly stamp: number },
  rows: readonly VectorRow[],
): Promise<void> {
  if (rows.length === 0) return
  const { id, bytes } = await insertPages(base, packed(rows))
  await base.rows(
    `WITH block AS (INSERT INTO cairn.vector_blocks (base, id, embedder, stamp, docs, bytes)
       VALUES ($1, $2, $3, $4, $6, $7))
     INSERT INTO cairn.vectors (base, doc, embedder, stamp, block)
     SELECT $1, doc, $3, $4, $2 FROM unnest($5::integer[]) AS v (doc)
     ON CONFLICT (base, doc, embedder) DO UPDATE SET stamp = excluded.stamp, block = excluded.block`,
    id,
    embedder,
    stamp,
    numberArray(rows.map(({ doc }) => doc)),
    rows.length,
    bytes,
  )
}

/** Makes one block of many small ones, and forgets what is out of date. */
export async function keepBlocksFew(
  base: BaseRows,
  as: { readonly embedder: string; readonly stamp: number },
): Promise<void> {
  await deleteBlocks(base, `embedder = $2 AND replaced_at < clock_timestamp() - ${REPLACED}`, [
    as.embedder,
  ])
  const small = await base.row(
    `SELECT count(*) AS n FROM cairn.vector_blocks
     WHERE base = $1 AND embedder = $2 AND replaced_at IS NULL AND bytes < ${SMALL_BYTES}`,
    as.embedder,
  )
  if (Number(small?.['n'] ?? 0) <= MOST_SMALL) return
  const { blocks } = await blocksAfter(base, as.embedder, 0)
  const merged = blocks.filter(({ bytes }) => bytes < SMALL_BYTES)
  const rows: VectorRow[] = []
  const fetched = await fetchBlocks(
    base,
    merged.filter(({ streams }) => !streams).map(({ id }) => id),
  )
  for (const { id, living, streams = fetched.get(id) } of merged) {
    visitBlock(streams, living, (doc, data) => rows.push({ doc, data }))
  }
  // Those that have nothing any more go with them.
  const gone = blocks.filter(({ living, bytes }) => living.size === 0 || bytes < SMALL_BYTES)
  await base.rows(
    `UPDATE cairn.vector_blocks SET replaced_at = clock_timestamp()
     WHERE base = $1 AND id = ANY ($2::bigint[])`,
    numberArray(gone.map(({ id }) => id)),
  )
  await insertBlock(base, as, rows)
}

/** Forgets all blocks of other embedders than this one. */
export function forgetOtherBlocks(base: BaseRows, embedder: string | null): Promise<void> {
  return deleteBlocks(base, 'embedder IS DISTINCT FROM $2::text', [embedder])
}

/** Shows what was put after a stamp, and tells the stamp to ask with next time. */
export async function visitBlocks(
  base: BaseRows,
  copies: LocalCopies,
  { embedder, since }: { readonly embedder: string; readonly since: number },
  visit: (doc: DocNo, data: Uint8Array) => void,
): Promise<number> {
  const { stamp, blocks } = await blocksAfter(base, embedder, since)
  const isTiny = ({ streams }: Block): boolean => streams !== undefined
  for (const { streams, living } of blocks.filter(isTiny)) visitBlock(streams, living, visit)
  for (const { id, living } of blocks.filter((block) => !isTiny(block))) {
    try {
      const streams = await copies.read(id, (copy) => ({
        index: copy.read('index'),
        data: copy.read('data'),
      }))
      visitBlock(new Map(Object.entries(streams) as [string, Uint8Array][]), living, visit)
    } catch (error) {
      // It was made part of another meanwhile, which has a later stamp.
      if (!(error instanceof KnowledgeError && error.code === 'conflict')) throw error
    }
  }
  return stamp
}

/** One statement, so that all of it is of one moment. */
async function blocksAfter(
  base: BaseRows,
  embedder: string,
  since: number,
): Promise<{ readonly stamp: number; readonly blocks: readonly Block[] }> {
  const rows = await base.rows(
    `SELECT s.vectors, b.id, b.bytes, (SELECT string_agg(v.doc::text, ',') FROM cairn.vectors AS v
         WHERE v.base = $1 AND v.block = b.id) AS living,
       i.data AS index, i.sum AS index_sum, d.data, d.sum
     FROM cairn.bases AS s LEFT JOIN cairn.vector_blocks AS b ON b.base = s.id
       AND b.embedder = $2 AND b.stamp > $3 AND b.replaced_at IS NULL
     LEFT JOIN cairn.segment_pages AS i ON i.base = $1 AND i.segment = b.id
       AND i.stream = 'index' AND i.page = 0 AND b.bytes < ${TINY_BYTES}
     LEFT JOIN cairn.segment_pages AS d ON d.base = $1 AND d.segment = b.id
       AND d.stream = 'data' AND d.page = 0 AND b.bytes < ${TINY_BYTES}
     WHERE s.id = $1 ORDER BY b.stamp, b.id`,
    embedder,
    since,
  )
  return {
    stamp: Number(rows[0]?.['vectors'] ?? 0),
    blocks: rows
      .filter((row) => row['id'] !== null)
      .map((row) => ({
        id: Number(row['id']),
        bytes: Number(row['bytes']),
        living: new Set(numbersIn(row['living'])),
        streams: tinyStreams(row),
      })),
  }
}

function tinyStreams(row: Row): Streams | undefined {
  if (!row['index'] || !row['data']) return undefined
  const index = { data: row['index'], sum: row['index_sum']! }
  return new Map([
    ['index', reading.soundData(index, 'A block of vectors')],
    ['data', reading.soundData(row, 'A block of vectors')],
  ])
}

async function fetchBlocks(
  base: BaseRows,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Streams>> {
  const blocks = new Map<number, Map<string, Uint8Array>>()
  if (ids.length === 0) return blocks
  const rows = await base.rows(
    `SELECT segment, stream, sum, data FROM cairn.segment_pages
     WHERE base = $1 AND segment = ANY ($2::bigint[]) ORDER BY segment, stream, page`,
    numberArray(ids),
  )
  for (const row of rows) {
    const streams = blocks.get(Number(row['segment'])) ?? new Map<string, Uint8Array>()
    blocks.set(Number(row['segment']), streams)
    const name = String(row['stream'])
    const page = reading.soundData(row, 'A block of vectors')
    const before = streams.get(name)
    streams.set(name, before ? Buffer.concat([before, page]) : page)
  }
  return blocks
}

async function deleteBlocks(
  base: BaseRows,
  condition: string,
  values: readonly (string | null)[],
): Promise<void> {
  await base.rows(
    `WITH gone AS (DELETE FROM cairn.vector_blocks WHERE base = $1 AND ${condition} RETURNING id)
     DELETE FROM cairn.segment_pages WHERE base = $1 AND segment IN (SELECT id FROM gone)`,
    ...values,
  )
}

function packed(rows: readonly VectorRow[]): Record<'index' | 'data', Uint8Array> {
  const index = Uint32Array.from(rows.flatMap(({ doc, data }) => [doc, data.length]))
  return {
    index: new Uint8Array(index.buffer),
    data: Buffer.concat(rows.map(({ data }) => data)),
  }
}

function visitBlock(
  streams: Streams | undefined,
  living: ReadonlySet<DocNo>,
  visit: (doc: DocNo, data: Uint8Array) => void,
): void {
  const [bytes, data] = [streams?.get('index'), streams?.get('data')]
  if (!bytes || !data) return
  const index = new Uint32Array(Uint8Array.from(bytes).buffer)
  let at = 0
  for (let place = 0; place < index.length; place += 2) {
    const [doc, length] = [index[place]!, index[place + 1]!]
    if (living.has(doc)) visit(doc, data.subarray(at, at + length))
    at += length
  }
}
