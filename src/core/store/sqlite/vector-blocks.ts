/**
 * Vectors of many documents in one row, because a row for each takes many times as long to read when
 * a server starts. In front of the data stand the documents, each with where its part ends. A
 * document that is put again or removed is struck out there (a tombstone); blocks with hardly any
 * documents left are put together.
 */
import { crc32 } from 'node:zlib'
import type { DocNo } from '../../domain/document.ts'
import type { Connection, Row } from './connection.ts'
import { bytesOf, reading } from './rows.ts'

export interface DocumentVectors {
  readonly doc: DocNo
  readonly data: Uint8Array
}

/** Stands for a document that was struck out. */
const NOBODY = 0xffff_ffff
/** Blocks of few documents that may gather: one for every edit. */
const MOST_SMALL = 64
/** A block with fewer is small, whatever it began with. */
const FEW = 32
/** Documents that are put together into one block. */
const TOGETHER = 512

/** Who made a document's vectors is said of their block alone. */
export const BLOCKS_OF = '(SELECT id FROM vector_blocks WHERE embedder = ?)'

const COLUMNS = 'id, stamp, docs, docs_sum, data, sum'

export function addBlocks(
  connection: Connection,
  embedder: string,
  stamp: number,
  vectors: readonly DocumentVectors[],
): void {
  for (let from = 0; from < vectors.length; from += TOGETHER) {
    addBlock(connection, embedder, stamp, vectors.slice(from, from + TOGETHER))
  }
}

function addBlock(
  connection: Connection,
  embedder: string,
  stamp: number,
  vectors: readonly DocumentVectors[],
): void {
  const ends = new Uint32Array(2 * vectors.length)
  let end = 0
  for (const [place, { doc, data }] of vectors.entries()) {
    end += data.length
    ends.set([doc, end], 2 * place)
  }
  const docs = bytesOf(ends)
  const data = Buffer.concat(vectors.map((each) => each.data))
  const added = connection.get(
    `INSERT INTO vector_blocks (embedder, stamp, living, docs, docs_sum, sum, data)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    embedder,
    stamp,
    vectors.length,
    docs,
    crc32(docs),
    crc32(data),
    data,
  )
  for (const { doc } of vectors) {
    connection.run('INSERT INTO vectors (doc, block) VALUES (?, ?)', doc, Number(added!['id']))
  }
}

/** Takes a document's vectors out: those of one embedder, or of all. */
export function strikeOut(connection: Connection, doc: DocNo, embedder?: string): void {
  const rows = connection.all(
    `DELETE FROM vectors WHERE doc = ? AND (? IS NULL OR block IN ${BLOCKS_OF}) RETURNING block`,
    doc,
    embedder ?? null,
    embedder ?? null,
  )
  for (const row of rows) {
    const id = Number(row['block'])
    const block = connection.get(
      'SELECT docs AS data, docs_sum AS sum FROM vector_blocks WHERE id = ?',
      id,
    )
    if (block) strikeOutOf(connection, id, entriesOf(block), doc)
  }
}

function strikeOutOf(
  connection: Connection,
  block: number,
  entries: Uint32Array<ArrayBuffer>,
  doc: DocNo,
): void {
  let living = 0
  for (let at = 0; at < entries.length; at += 2) {
    if (entries[at] === doc) entries[at] = NOBODY
    if (entries[at] !== NOBODY) living++
  }
  const docs = bytesOf(entries)
  connection.run(
    'UPDATE vector_blocks SET docs = ?, docs_sum = ?, living = ? WHERE id = ?',
    docs,
    crc32(docs),
    living,
    block,
  )
  if (living === 0) connection.run('DELETE FROM vector_blocks WHERE id = ?', block)
}

/** Blocks that edits have left with few documents become one, as if these had just been put. */
export function mergeSmallBlocks(connection: Connection, embedder: string, stamp: number): void {
  const small = `FROM vector_blocks
    WHERE embedder = ? AND living < max(${FEW}, length(docs) / 16)`
  if (connection.count(`SELECT count(*) AS n ${small}`, embedder) <= MOST_SMALL) return
  const blocks = connection.all(`SELECT ${COLUMNS} ${small} ORDER BY stamp, id`, embedder)
  const vectors = blocks.flatMap((row) => {
    const all = [...vectorsIn(row)]
    for (const { doc } of all) {
      connection.run('DELETE FROM vectors WHERE doc = ? AND block = ?', doc, Number(row['id']))
    }
    return all
  })
  connection.run(`DELETE ${small}`, embedder)
  addBlocks(connection, embedder, stamp, vectors)
}

/** The first block behind one that is known. */
export function blockAfter(
  connection: Connection,
  embedder: string,
  { stamp, id }: { readonly stamp: number; readonly id: number },
): Row | undefined {
  return connection.get(
    `SELECT ${COLUMNS} FROM vector_blocks
     WHERE embedder = ? AND (stamp, id) > (?, ?) ORDER BY stamp, id LIMIT 1`,
    embedder,
    stamp,
    id,
  )
}

/** The documents of a block that are still in it. */
export function* vectorsIn(row: Row): Generator<DocumentVectors> {
  const entries = entriesOf({ data: row['docs']!, sum: row['docs_sum']! })
  const data = reading.soundData(row, 'A block of vectors')
  let start = 0
  for (let at = 0; at < entries.length; at += 2) {
    const doc = entries[at]!
    const end = entries[at + 1]!
    if (doc !== NOBODY) yield { doc, data: data.subarray(start, end) }
    start = end
  }
}

/** Looks at every sum of a block, for whoever checks the index. */
export function requireSoundBlock(row: Row): void {
  entriesOf({ data: row['docs']!, sum: row['docs_sum']! })
  reading.soundData(row, 'a block of vectors')
}

function entriesOf(row: Row): Uint32Array<ArrayBuffer> {
  return new Uint32Array(reading.soundData(row, 'A list of vectors').slice().buffer)
}
