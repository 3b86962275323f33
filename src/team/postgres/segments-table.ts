/** The search index itself: immutable segments, written once and read from local copies. */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Batch } from '../../core/store/batch.ts'
import type { DocNo } from '../../core/domain/document.ts'
import { cameBack, missingStream, noSuchSegment } from '../../core/store/missing-stream.ts'
import { outlived } from '../../core/store/replaced-segments.ts'
import type { NewSegment, SegmentStore } from '../../core/store/segment-store.ts'
import type { BaseRows } from './base-rows.ts'
import type { Row } from './database.ts'
import type { LocalCopies, Streams } from './local-copies.ts'
import { reading } from './rows.ts'
import { numberArray, textArray } from './values.ts'

/** Streams are cut into pages, so that no single value is large. */
const PAGE_BYTES = 256 * 1024
/** Pages travel together up to this. */
const MESSAGE_BYTES = 16 * 1024 * 1024

export function segmentTable(base: BaseRows, copies: LocalCopies): SegmentStore {
  return {
    async segments({ toRead = false } = {}) {
      const rows = toRead ? await rowsToRead(base, copies) : await base.rows(listed())
      const segments = rows.map(reading.segmentOf)
      if (toRead) copies.keep(segments.map(({ id }) => id))
      return segments
    },

    async segmentStream(segment, name) {
      const bytes = (await copies.copy(segment)).read(name)
      if (!bytes) throw missingStream(segment, name)
      return bytes
    },

    async segmentRanges(segment, name, ranges) {
      const copy = await copies.copy(segment)
      return ranges.map(({ start, end }) => {
        const bytes = copy.read(name, start, end)
        if (!bytes) throw missingStream(segment, name)
        return bytes
      })
    },

    async segmentDocs(segment) {
      const numbers = await base.numbers(
        'SELECT no AS number FROM cairn.documents WHERE base = $1 AND segment = $2 ORDER BY no',
        segment,
      )
      return [...numbers]
    },
  }
}

function listed(columns = '', joined = ''): string {
  return `SELECT s.id, s.docs, s.bytes, s.deleted AS data, s.sum ${columns}
    FROM cairn.segments AS s ${joined}
    WHERE s.base = $1 AND s.replaced_at IS NULL ORDER BY s.ordinal`
}

/** A write brings a segment of a few pages: it comes with the list, not with a question of its own. */
async function rowsToRead(base: BaseRows, copies: LocalCopies): Promise<Row[]> {
  const rows = await base.rows(
    listed(
      ', p.contents, p.pages',
      `LEFT JOIN LATERAL (
         SELECT string_agg(stream || ' ' || length(data) || ' ' || sum, ',' ORDER BY stream) AS contents,
           string_agg(data, ''::bytea ORDER BY stream) AS pages
         FROM cairn.segment_pages
         WHERE base = $1 AND segment = s.id AND s.bytes < ${PAGE_BYTES}
           AND NOT s.id = ANY ($2::bigint[])) AS p ON true`,
    ),
    numberArray(copies.held()),
  )
  for (const row of rows) {
    if (row['contents'] !== null) copies.take(Number(row['id']), streamsOf(row))
  }
  return rows
}

function streamsOf(row: Row): Streams {
  const pages = row['pages'] as Buffer
  let at = 0
  const streams = String(row['contents'])
    .split(',')
    .map((entry) => {
      const [name, length, sum] = entry.split(' ')
      const data = pages.subarray(at, (at += Number(length)))
      return [
        name!,
        reading.soundData({ data, sum: Number(sum) }, 'A page of the search index'),
      ] as const
    })
  return new Map(streams)
}

/** So many pages are asked for at a time, and in memory. */
const PAGES_AT_ONCE = 16

/** Everything a segment consists of, page by page. */
export async function* fetchSegment(
  base: BaseRows,
  segment: number,
): AsyncGenerator<readonly [stream: string, page: Uint8Array]> {
  let after: readonly [string, number] = ['', -1]
  for (;;) {
    const rows = await base.rows(
      `SELECT stream, page, sum, data FROM cairn.segment_pages
       WHERE base = $1 AND segment = $2 AND (stream, page) > ($3, $4)
       ORDER BY stream, page LIMIT ${PAGES_AT_ONCE}`,
      segment,
      ...after,
    )
    for (const row of rows) {
      after = [String(row['stream']), Number(row['page'])]
      yield [after[0], reading.soundData(row, 'A page of the search index')]
    }
    if (rows.length < PAGES_AT_ONCE) break
  }
  if (after[1] < 0) throw missingStream(segment, '*')
}

interface Page {
  readonly stream: string
  readonly page: number
  readonly data: Uint8Array
}

/** Keeps a new segment, and says what it is called. */
export async function insertSegment(base: BaseRows, segment: NewSegment): Promise<number> {
  const { id, bytes } = await insertPages(base, { ...segment.resident, ...segment.paged })
  await base.rows(
    `INSERT INTO cairn.segments (base, id, docs, bytes, sum, deleted)
     VALUES ($1, $2, $3, $4, 0, '')`,
    id,
    segment.docs.length,
    bytes,
  )
  return id
}

/** What never changes once it is written, under a number that is used for nothing else. */
export async function insertPages(
  base: BaseRows,
  named: Readonly<Record<string, Uint8Array>>,
): Promise<{ readonly id: number; readonly bytes: number }> {
  // Drawn by lot among more than anyone could ever use up.
  const id = randomInt(1, 2 ** 47)
  const streams = Object.entries(named)
  const bytes = streams.reduce((sum, [, data]) => sum + data.length, 0)
  for (const pages of inMessages(streams.flatMap(([name, data]) => pagesOf(name, data)))) {
    const starts: number[] = []
    let at = 1
    for (const { data } of pages) {
      starts.push(at)
      at += data.length
    }
    await base.rows(
      `INSERT INTO cairn.segment_pages (base, segment, stream, page, sum, data)
       SELECT $1, $2, stream, page, sum, substring($3::bytea FROM start FOR length)
       FROM unnest($4::text[], $5::integer[], $6::bigint[], $7::integer[], $8::integer[])
         AS p (stream, page, sum, start, length)`,
      id,
      Buffer.concat(pages.map(({ data }) => data)),
      textArray(pages.map(({ stream }) => stream)),
      numberArray(pages.map(({ page }) => page)),
      numberArray(pages.map(({ data }) => crc32(data))),
      numberArray(starts),
      numberArray(pages.map(({ data }) => data.length)),
    )
  }
  return { id, bytes }
}

/** An empty stream keeps one empty page, so that reading it is not an error. */
function pagesOf(stream: string, data: Uint8Array): Page[] {
  const count = Math.max(1, Math.ceil(data.length / PAGE_BYTES))
  return Array.from({ length: count }, (_, page) => ({
    stream,
    page,
    data: data.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES),
  }))
}

function inMessages(pages: readonly Page[]): Page[][] {
  const messages: Page[][] = []
  let bytes = Infinity
  for (const page of pages) {
    if (bytes + page.data.length > MESSAGE_BYTES) {
      messages.push([])
      bytes = 0
    }
    messages.at(-1)!.push(page)
    bytes += page.data.length
  }
  return messages
}

/** `id` is the segment that `to` was kept as. */
export async function replaceSegments(
  base: BaseRows,
  { from, to }: NonNullable<Batch['merge']>,
  id: number | undefined,
): Promise<void> {
  if (to && id !== undefined) {
    // A document that was written while its old version was merged lives elsewhere now.
    const moved = await base.rows(
      `UPDATE cairn.documents SET segment = $2
       WHERE base = $1 AND segment = ANY ($3::bigint[]) AND no = ANY ($4::integer[])
       RETURNING no`,
      id,
      numberArray(from),
      numberArray(to.docs),
    )
    const living = new Set(moved.map((row) => Number(row['no'])))
    const dead = to.docs.filter((no) => !living.has(no))
    await markDeleted(base, new Map([[id, dead]]))
  }
  const [left] = await base.rows(
    'SELECT no FROM cairn.documents WHERE base = $1 AND segment = ANY ($2::bigint[]) LIMIT 1',
    numberArray(from),
  )
  if (left) throw cameBack()
  await base.rows(
    `UPDATE cairn.segments SET replaced_at = clock_timestamp()
     WHERE base = $1 AND id = ANY ($2::bigint[])`,
    numberArray(from),
  )
}

/** Those that were replaced long enough ago; their numbers. */
export async function forgetReplaced(base: BaseRows): Promise<readonly number[]> {
  const rows = await base.rows(
    `SELECT id, bytes, extract(epoch FROM replaced_at)::float8 * 1000 AS replaced_at,
       extract(epoch FROM clock_timestamp())::float8 * 1000 AS now
     FROM cairn.segments WHERE base = $1 AND replaced_at IS NOT NULL`,
  )
  const replaced = rows.map((row) => ({
    id: Number(row['id']),
    bytes: Number(row['bytes']),
    replacedAt: Number(row['replaced_at']),
  }))
  const gone = outlived(replaced, Number(rows[0]?.['now'] ?? 0))
  if (gone.length === 0) return gone
  await base.rows(
    `WITH pages AS (DELETE FROM cairn.segment_pages
       WHERE base = $1 AND segment = ANY ($2::bigint[]))
     DELETE FROM cairn.segments WHERE base = $1 AND id = ANY ($2::bigint[])`,
    numberArray(gone),
  )
  return gone
}

export async function markDeleted(
  base: BaseRows,
  deleted: ReadonlyMap<number, readonly DocNo[]>,
): Promise<void> {
  const wanted = [...deleted].filter(([, nos]) => nos.length > 0)
  if (wanted.length === 0) return
  const rows = await base.rows(
    `SELECT id, deleted AS data, sum FROM cairn.segments
     WHERE base = $1 AND id = ANY ($2::bigint[])`,
    numberArray(wanted.map(([id]) => id)),
  )
  const lists = rows.map((row) => {
    const nos = deleted.get(Number(row['id'])) ?? []
    const all = Uint32Array.from([...reading.deletedOf(row), ...nos]).toSorted()
    return { id: Number(row['id']), bytes: Buffer.from(all.buffer) }
  })
  const whole = Buffer.concat(lists.map(({ bytes }) => bytes))
  const starts: number[] = []
  let at = 1
  for (const { bytes } of lists) {
    starts.push(at)
    at += bytes.length
  }
  await base.rows(
    `UPDATE cairn.segments AS s
     SET sum = d.sum, deleted = substring($2::bytea FROM d.start FOR d.length)
     FROM unnest($3::bigint[], $4::bigint[], $5::integer[], $6::integer[])
       AS d (id, sum, start, length)
     WHERE s.base = $1 AND s.id = d.id`,
    whole,
    numberArray(lists.map(({ id }) => id)),
    numberArray(lists.map(({ bytes }) => crc32(bytes))),
    numberArray(starts),
    numberArray(lists.map(({ bytes }) => bytes.length)),
  )
}

/** Documents that a segment held as deleted ones live in it from now on. */
export async function revive(base: BaseRows, id: number, nos: readonly DocNo[]): Promise<void> {
  const row = await base.row(
    `SELECT deleted AS data, sum FROM cairn.segments
     WHERE base = $1 AND id = $2 AND replaced_at IS NULL`,
    id,
  )
  if (!row) throw noSuchSegment(id)
  const living = new Set(nos)
  const rest = Buffer.from(reading.deletedOf(row).filter((no) => !living.has(no)).buffer)
  await base.rows(
    'UPDATE cairn.segments SET deleted = $3, sum = $4 WHERE base = $1 AND id = $2',
    id,
    rest,
    crc32(rest),
  )
}
