/** Is the index sound? PostgreSQL looks at its own pages, we at what they mean together. */
import { crc32 } from 'node:zlib'
import { keySum, KNOWN_BY, knownBySum, linkSum, sumsFound } from '../../core/store/rows.ts'
import { isDamage } from './explain-trouble.ts'
import type { BaseRows } from './base-rows.ts'
import type { Row } from './database.ts'
import { DOCUMENT_COLUMNS } from './documents-table.ts'
import { reading } from './rows.ts'

const LINK_COLUMNS = 'doc, ordinal, kind, line, attachment, target, fragment, label, key'
const ROWS_AT_ONCE = 2_000
const PAGES_AT_ONCE = 32

/** What is wrong; nothing when it is sound. */
export async function checkIndex(base: BaseRows): Promise<readonly string[]> {
  const findings: string[] = []
  try {
    await lookAtAll(base, findings)
  } catch (error) {
    if (!isDamage(error)) throw error
    // Nothing more can be read in this transaction, and nothing more need be known.
    findings.push((error as Error).message)
  }
  return findings
}

async function lookAtAll(base: BaseRows, findings: string[]): Promise<void> {
  const look = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (isDamage(error) || !/damaged/.test(String(error))) throw error
      findings.push(error instanceof Error ? error.message : String(error))
    }
  }
  const data =
    (what: string) =>
    (row: Row): void =>
      void reading.soundData(row, what)
  await look(() =>
    eachRow(
      base,
      'segment_pages',
      ['segment', 'stream', 'page'],
      'sum, data',
      PAGES_AT_ONCE,
      (row) => data('a page of the search index')(row),
    ),
  )
  const sums = sumsFound()
  const wanted: { no: number; links: number; names: number }[] = []
  await look(() =>
    eachRow(
      base,
      'documents',
      ['no'],
      `${DOCUMENT_COLUMNS}, ${KNOWN_BY}, chunks, chunks_sum, links_sum, names_sum`,
      ROWS_AT_ONCE,
      (row) => {
        reading.soundDocument(row)
        reading.soundChunks(row)
        sums.add('names', row['no'], knownBySum(row))
        const [links, names] = [Number(row['links_sum']), Number(row['names_sum'])]
        wanted.push({ no: Number(row['no']), links, names })
      },
    ),
  )
  await look(() =>
    eachRow(base, 'models', ['embedder'], 'sum, data', 1, data('what an embedder learned')),
  )
  await look(() =>
    eachRow(base, 'segments', ['id'], 'sum, deleted AS data', ROWS_AT_ONCE, (row) => {
      if (crc32(row['data'] as Buffer) !== row['sum']) throw new Error('a segment is damaged')
    }),
  )
  await look(() =>
    eachRow(base, 'links', ['doc', 'ordinal'], LINK_COLUMNS, ROWS_AT_ONCE, (row) => {
      sums.add(
        'links',
        row['doc'],
        linkSum({ ...row, attachment: row['attachment'] === 't' } as never),
      )
    }),
  )
  for (const [table, kind] of [
    ['names', 'name'],
    ['tags', 'tag'],
  ] as const) {
    await look(async () => {
      const rows = await base.rows(`SELECT doc, key FROM cairn.${table} WHERE base = $1`)
      for (const row of rows) sums.add('names', row['doc'], keySum(kind, String(row['key'])))
    })
  }
  for (const each of wanted) sums.compare(each.no, each)
  findings.push(...sums.findings(), ...(await strays(base)))
}

async function strays(base: BaseRows): Promise<string[]> {
  const gone = (column: string): string =>
    `NOT EXISTS (SELECT 1 FROM cairn.documents AS d WHERE d.base = $1 AND d.no = t.${column})`
  const count = (table: string, condition: string): string =>
    `(SELECT count(*) FROM cairn.${table} AS t WHERE t.base = $1 AND ${condition}) AS`
  const row = await base.row(
    `SELECT ${count('links', gone('doc'))} links,
     ${count('links', `t.to_doc IS NOT NULL AND ${gone('to_doc')}`)} targets,
     ${count('names', gone('doc'))} names, ${count('tags', gone('doc'))} tags,
     ${count('vectors', gone('doc'))} vectors,
     ${count(
       'documents',
       `NOT EXISTS (SELECT 1 FROM cairn.segments AS s
          WHERE s.base = $1 AND s.id = t.segment AND s.replaced_at IS NULL)`,
     )} documents,
     ${count(
       'segment_pages',
       `NOT EXISTS (SELECT 1 FROM cairn.segments AS s WHERE s.base = $1 AND s.id = t.segment)
        AND NOT EXISTS (SELECT 1 FROM cairn.vector_blocks AS b
          WHERE b.base = $1 AND b.id = t.segment)`,
     )} pages,
     ${count(
       'vectors',
       `NOT EXISTS (SELECT 1 FROM cairn.vector_blocks AS b
          WHERE b.base = $1 AND b.id = t.block AND b.replaced_at IS NULL)`,
     )} blocks,
     ${count(
       'vector_blocks',
       `NOT EXISTS (SELECT 1 FROM cairn.segment_pages AS p
          WHERE p.base = $1 AND p.segment = t.id)`,
     )} contents`,
  )
  const findings = Object.entries(row ?? {}).flatMap(([what, n]) =>
    Number(n) > 0 ? [`${Number(n)} ${what} point at something that is gone`] : [],
  )
  const empty = await base.row(
    `SELECT count(*) AS n FROM cairn.segments AS s WHERE base = $1 AND replaced_at IS NULL
       AND (bytes > 0 AND NOT EXISTS (SELECT 1 FROM cairn.segment_pages AS p
         WHERE p.base = $1 AND p.segment = s.id)
       OR docs - length(deleted) / 4 <> (SELECT count(*) FROM cairn.documents AS d
         WHERE d.base = $1 AND d.segment = s.id))`,
  )
  if (Number(empty?.['n'] ?? 0) > 0) findings.push('documents of the index are missing')
  return findings
}

/** Every row of a table, a page at a time, in the order of its key. */
async function eachRow(
  base: BaseRows,
  table: string,
  key: readonly string[],
  columns: string,
  atOnce: number,
  visit: (row: Row) => void,
): Promise<void> {
  const keys = key.join(', ')
  let after: (string | number)[] | undefined
  for (;;) {
    const values: (string | number)[] = after ?? []
    const behind = after ? `AND (${keys}) > (${key.map((_, at) => `$${at + 2}`).join(', ')})` : ''
    const rows = await base.rows(
      `SELECT ${[...new Set([...key, ...columns.split(', ')])].join(', ')} FROM cairn.${table}
       WHERE base = $1 ${behind} ORDER BY ${keys} LIMIT ${atOnce}`,
      ...values,
    )
    for (const row of rows) visit(row)
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) return
    after = key.map((name) => last[name] as string | number)
  }
}
