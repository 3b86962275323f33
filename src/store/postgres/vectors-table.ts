/** The tables of vectors and of what their embedders learned. */
import { crc32 } from 'node:zlib'
import type { VectorStore } from '../vector-store.ts'
import type { BaseRows } from './base-rows.ts'
import { soundData } from './checksums.ts'
import { requireHeld } from './lease-row.ts'
import { takeStep } from './steps.ts'
import type { Changing } from './steps.ts'
import { bytesArray, numberArray, textArray } from './values.ts'

/** Rows that travel at once: together they may be large. */
const ROWS_AT_ONCE = 2_000

interface VectorParts {
  readonly base: BaseRows
  readonly writing: BaseRows
  readonly change: Changing
}

export function vectorTable({ base, writing, change }: VectorParts): VectorStore {
  return {
    async servingEmbedder() {
      const row = await base.row('SELECT embedder FROM cairn.bases WHERE id = $1')
      return row?.['embedder'] ? String(row['embedder']) : undefined
    },

    serveEmbedder: (embedder, lease) =>
      change(async (rows, mark) => {
        await requireHeld(rows, lease)
        await raiseStamp(rows)
        await rows.rows('UPDATE cairn.bases SET embedder = $2 WHERE id = $1', embedder ?? null)
        for (const table of ['vectors', 'models']) {
          await rows.rows(
            `DELETE FROM cairn.${table} WHERE base = $1 AND embedder IS DISTINCT FROM $2::text`,
            embedder ?? null,
          )
        }
        await takeStep(rows, mark)
      }),

    async putModel(embedder, data, lease) {
      const put = (rows: BaseRows) =>
        rows.rows(
          `INSERT INTO cairn.models (base, embedder, sum, data) VALUES ($1, $2, $3, $4)
         ON CONFLICT (base, embedder) DO UPDATE SET sum = excluded.sum, data = excluded.data`,
          embedder,
          crc32(data),
          data,
        )
      if (!lease) return void (await put(writing))
      await change(async (rows) => {
        await requireHeld(rows, lease)
        await put(rows)
      })
    },

    async model(embedder) {
      const row = await base.row(
        'SELECT data, sum FROM cairn.models WHERE base = $1 AND embedder = $2',
        embedder,
      )
      return row && soundData(row, 'What an embedder learned')
    },

    putVectors: (embedder, vectors, lease) =>
      change(async (rows, mark) => {
        await requireHeld(rows, lease)
        const stamp = await raiseStamp(rows)
        for (let from = 0; from < vectors.length; from += ROWS_AT_ONCE) {
          const some = vectors.slice(from, from + ROWS_AT_ONCE)
          await rows.rows(
            `INSERT INTO cairn.vectors (base, embedder, stamp, doc, sum, data)
             SELECT $1, $2, $3, v.doc, v.sum, v.data
             FROM unnest($4::integer[], $5::text[], $6::bigint[], $7::bytea[])
               AS v (doc, digest, sum, data)
             JOIN cairn.documents AS d ON d.base = $1 AND d.no = v.doc AND d.digest = v.digest
             ON CONFLICT (base, doc, embedder) DO UPDATE SET stamp = excluded.stamp,
               sum = excluded.sum, data = excluded.data`,
            embedder,
            stamp,
            numberArray(some.map(({ doc }) => doc)),
            textArray(some.map(({ digest }) => digest)),
            numberArray(some.map(({ data }) => crc32(data))),
            bytesArray(some.map(({ data }) => data)),
          )
        }
        await takeStep(rows, mark)
      }),

    async withoutVectors(embedder, limit) {
      const rows = await base.rows(
        `SELECT no FROM cairn.documents AS d WHERE base = $1
           AND NOT EXISTS (SELECT 1 FROM cairn.vectors AS v
             WHERE v.base = $1 AND v.embedder = $2 AND v.doc = d.no)
         ORDER BY source, path LIMIT $3`,
        embedder,
        limit < 0 ? null : limit,
      )
      return rows.map((row) => Number(row['no']))
    },

    async vectorsSince(embedder, stamp, visit) {
      const now = await base.row('SELECT vectors FROM cairn.bases WHERE id = $1')
      let after = -1
      for (;;) {
        const rows = await base.rows(
          `SELECT doc, data, sum FROM cairn.vectors
           WHERE base = $1 AND embedder = $2 AND stamp > $3 AND doc > $4
           ORDER BY doc LIMIT ${ROWS_AT_ONCE}`,
          embedder,
          stamp,
          after,
        )
        for (const row of rows) {
          after = Number(row['doc'])
          visit(after, soundData(row, 'A vector of the index'))
        }
        if (rows.length < ROWS_AT_ONCE) return Number(now?.['vectors'] ?? 0)
      }
    },

    vectorDocs: (embedder, among) =>
      base.numbers(
        `SELECT doc AS number FROM cairn.vectors WHERE base = $1 AND embedder = $2
           ${among ? 'AND doc = ANY ($3::integer[])' : ''}`,
        embedder,
        ...(among ? [numberArray(among)] : []),
      ),
  }
}

async function raiseStamp(rows: BaseRows): Promise<number> {
  const row = await rows.row(
    'UPDATE cairn.bases SET vectors = vectors + 1 WHERE id = $1 RETURNING vectors',
  )
  return Number(row?.['vectors'])
}
