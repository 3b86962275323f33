/** Is the index sound? SQLite looks at its own pages, we at what they mean together. */
import { crc32 } from 'node:zlib'
import { keySum, KNOWN_BY, knownBySum, linkSum, SUMMED, sumsFound } from '../rows.ts'
import type { Connection, Row } from './connection.ts'
import { reading } from './rows.ts'
import { requireSoundBlock } from './vector-blocks.ts'

/** What is wrong; nothing when it is sound. Others may commit meanwhile, so it is of one moment. */
export function checkIndex(connection: Connection): readonly string[] {
  return connection.snapshot(() => findingsOf(connection))
}

function findingsOf(connection: Connection): readonly string[] {
  const findings = connection
    .all('PRAGMA integrity_check(20)')
    .map((row) => String(Object.values(row)[0]))
    .filter((line) => line !== 'ok')
  const pages = connection.iterate('SELECT sum, data FROM segment_pages')
  for (const row of pages) {
    if (crc32(row['data'] as Uint8Array) === Number(row['sum'])) continue
    findings.push('a page of the search index is damaged')
    break
  }
  findings.push(...damagedRows(connection), ...wrongSums(connection))
  const stray = connection.get(`SELECT
    (SELECT count(*) FROM links WHERE doc NOT IN (SELECT no FROM documents)) AS links,
    (SELECT count(*) FROM links
      WHERE to_doc IS NOT NULL AND to_doc NOT IN (SELECT no FROM documents)) AS targets,
    (SELECT count(*) FROM names WHERE doc NOT IN (SELECT no FROM documents)) AS names,
    (SELECT count(*) FROM tags WHERE doc NOT IN (SELECT no FROM documents)) AS tags,
    (SELECT count(*) FROM documents
      WHERE segment IS NULL OR segment NOT IN (SELECT id FROM segments WHERE replaced_at IS NULL)) AS documents`)
  for (const [what, n] of Object.entries(stray ?? {})) {
    if (Number(n) > 0) findings.push(`${Number(n)} ${what} point at something that is gone`)
  }
  return findings
}

/** Reads every row that has a checksum, and says of each table whether one is wrong. */
function damagedRows(connection: Connection): string[] {
  const looks: [string, (row: Row) => unknown][] = [
    [`SELECT ${SUMMED} FROM documents`, reading.soundDocument],
    ['SELECT chunks, chunks_sum FROM documents', reading.soundChunks],
    ['SELECT docs, docs_sum, data, sum FROM vector_blocks', requireSoundBlock],
    ['SELECT data, sum FROM models', (row) => reading.soundData(row, 'what an embedder learned')],
    ['SELECT deleted AS data, sum FROM segments', (row) => reading.soundData(row, 'a segment')],
  ]
  return looks.flatMap(([sql, look]) => {
    try {
      for (const row of connection.iterate(sql)) look(row)
      return []
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  })
}

/** Rows that lead to documents and from them, each beside the sum of all that its document has. */
function wrongSums(connection: Connection): string[] {
  const { add, compare, findings } = sumsFound()
  try {
    for (const row of connection.iterate('SELECT * FROM links'))
      add('links', row['doc'], linkSum(row))
    for (const row of connection.iterate('SELECT key, doc FROM names')) {
      add('names', row['doc'], keySum('name', String(row['key'])))
    }
    for (const row of connection.iterate('SELECT tag, doc FROM tags')) {
      add('names', row['doc'], keySum('tag', String(row['tag'])))
    }
    for (const row of connection.iterate(`SELECT no, ${KNOWN_BY} FROM documents`)) {
      add('names', row['no'], knownBySum(row))
    }
    const documents = connection.count('SELECT count(*) AS n FROM documents')
    let summed = 0
    for (const row of connection.iterate('SELECT doc, links, names FROM sums')) {
      summed++
      compare(Number(row['doc']), { links: row['links'], names: row['names'] })
    }
    return [
      ...findings(),
      // An index from before there were sums has none.
      ...(summed > 0 && summed !== documents ? ['sums of documents are missing'] : []),
    ]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
