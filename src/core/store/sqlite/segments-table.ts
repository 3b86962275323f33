/** The tables of segments: streams cut into pages, each with its checksum. */
import { crc32 } from 'node:zlib'
import type { DocNo } from '../../domain/document.ts'
import { Slices } from '../../kit/slices.ts'
import type { Batch } from '../batch.ts'
import { cameBack, missingStream, noSuchSegment } from '../missing-stream.ts'
import { FILE_BYTES, outlived } from '../replaced-segments.ts'
import type { NewSegment, SegmentStore } from '../segment-store.ts'
import { bindable } from './connection.ts'
import type { Connection, Row } from './connection.ts'
import { bytesOf, reading } from './rows.ts'

/**
 * Large streams are cut into pages so that a query reads only what it needs. Most lists are short:
 * of a page that is larger, more would be read and summed up for nothing. A blob goes on in pages of
 * SQLite's own, each with four bytes that lead to the next; two of these are full, and what is left
 * fills others with the rows.
 */
const PAGE_BYTES = 2 * (8_192 - 4) + 1_000

export function segmentTable(connection: Connection): SegmentStore {
  return {
    async segments() {
      return connection
        .all(
          `SELECT id, docs, bytes, deleted AS data, sum FROM segments
           WHERE replaced_at IS NULL ORDER BY id`,
        )
        .map(reading.segmentOf)
    },

    async segmentStream(segment, name) {
      const pages = connection
        .all(
          'SELECT sum, data FROM segment_pages WHERE segment = ? AND stream = ? ORDER BY page',
          segment,
          name,
        )
        .map(pageData)
      if (pages.length === 0) throw missingStream(segment, name)
      return joined(pages)
    },

    async segmentRanges(segment, name, ranges) {
      const pages = new Map<number, Uint8Array>()
      const page = (number: number): Uint8Array => {
        let data = pages.get(number)
        if (!data) {
          const row = connection.get(
            'SELECT sum, data FROM segment_pages WHERE segment = ? AND stream = ? AND page = ?',
            segment,
            name,
            number,
          )
          if (!row) throw missingStream(segment, name)
          data = pageData(row)
          pages.set(number, data)
        }
        return data
      }
      const slices = new Slices()
      const found: Uint8Array[] = []
      for (const { start, end } of ranges) {
        const bytes = new Uint8Array(end - start)
        for (let at = start; at < end;) {
          // A segment stays for a while when another has taken its place.
          if (slices.over) await slices.pause()
          const data = page(Math.floor(at / PAGE_BYTES))
          const offset = at % PAGE_BYTES
          const part = data.subarray(offset, Math.min(data.length, offset + end - at))
          if (part.length === 0) throw missingStream(segment, name)
          bytes.set(part, at - start)
          at += part.length
        }
        found.push(bytes)
      }
      return found
    },

    async segmentDocs(segment) {
      return [
        ...connection.numbers(
          'SELECT no AS number FROM documents WHERE segment = ? ORDER BY no',
          segment,
        ),
      ]
    },
  }
}

export function insertSegment(connection: Connection, segment: NewSegment): number {
  const streams = Object.entries({ ...segment.resident, ...segment.paged })
  const bytes = streams.reduce((sum, [, data]) => sum + data.length, 0)
  connection.run(
    'INSERT INTO segments (docs, bytes, deleted) VALUES (?, ?, ?)',
    segment.docs.length,
    bytes,
    new Uint8Array(),
  )
  const id = Number(connection.get('SELECT last_insert_rowid() AS id')?.['id'])
  const insert = connection.prepare(
    'INSERT INTO segment_pages (segment, stream, page, sum, data) VALUES (?, ?, ?, ?, ?)',
  )
  for (const [name, data] of streams) {
    // An empty stream keeps one empty page, so that reading it is not an error.
    for (let page = 0; page === 0 || page * PAGE_BYTES < data.length; page++) {
      const part = data.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
      insert.run(id, name, page, crc32(part), bindable(part))
    }
  }
  return id
}

export function replaceSegments(
  connection: Connection,
  { from, to }: NonNullable<Batch['merge']>,
): void {
  const id = to ? insertSegment(connection, to) : null
  if (to && id !== null) {
    // A document that was written while its old version was merged lives elsewhere now.
    const living = new Set(
      from.flatMap((segment) =>
        connection
          .all('SELECT no FROM documents WHERE segment = ?', segment)
          .map((row) => Number(row['no'])),
      ),
    )
    for (const no of to.docs) {
      if (living.has(no)) connection.run('UPDATE documents SET segment = ? WHERE no = ?', id, no)
    }
    markDeleted(connection, new Map([[id, to.docs.filter((no) => !living.has(no))]]))
  }
  const now = Date.now()
  for (const segment of from) {
    const left = connection.get('SELECT no FROM documents WHERE segment = ? LIMIT 1', segment)
    if (left) throw cameBack()
    connection.run('UPDATE segments SET replaced_at = ? WHERE id = ?', now, segment)
  }
}

/** Before a merge also the last one gives up its room, which the next takes. */
export function forgetReplaced(
  connection: Connection,
  { sparesLast }: { readonly sparesLast: boolean },
): void {
  const rows = connection.all(
    'SELECT id, bytes, replaced_at FROM segments WHERE replaced_at IS NOT NULL',
  )
  const replaced = rows.map((row) => ({
    id: Number(row['id']),
    bytes: Number(row['bytes']),
    replacedAt: Number(row['replaced_at']),
  }))
  const room = { mostBytes: FILE_BYTES, sparesLast }
  for (const id of outlived(replaced, Date.now(), room)) {
    connection.run('DELETE FROM segment_pages WHERE segment = ?', id)
    connection.run('DELETE FROM segments WHERE id = ?', id)
  }
}

export function markDeleted(
  connection: Connection,
  deleted: ReadonlyMap<number, readonly DocNo[]>,
): void {
  for (const [segment, nos] of deleted) {
    const row = connection.get('SELECT deleted AS data, sum FROM segments WHERE id = ?', segment)
    if (!row) continue
    const all = bytesOf(Uint32Array.from([...reading.deletedOf(row), ...nos]).toSorted())
    connection.run(
      'UPDATE segments SET deleted = ?, sum = ? WHERE id = ?',
      all,
      crc32(all),
      segment,
    )
  }
}

/** Documents that a segment held as deleted ones live in it from now on. */
export function revive(connection: Connection, segment: number, nos: readonly DocNo[]): void {
  const row = connection.get(
    'SELECT deleted AS data, sum FROM segments WHERE id = ? AND replaced_at IS NULL',
    segment,
  )
  if (!row) throw noSuchSegment(segment)
  const living = new Set(nos)
  const rest = bytesOf(reading.deletedOf(row).filter((no) => !living.has(no)))
  connection.run(
    'UPDATE segments SET deleted = ?, sum = ? WHERE id = ?',
    rest,
    crc32(rest),
    segment,
  )
}

function pageData(row: Row): Uint8Array {
  return reading.soundData(row, 'A page of the search index')
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
