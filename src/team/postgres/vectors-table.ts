/** The tables of vectors and of what their embedders learned. */
import { crc32 } from 'node:zlib'
import type { Stamps } from '../../core/store/store.ts'
import type { VectorStore } from '../../core/store/vector-store.ts'
import type { BaseRows } from './base-rows.ts'
import type { LocalCopies } from './local-copies.ts'
import { requireHeld } from './lease-row.ts'
import { takeStep } from './steps.ts'
import type { Changing } from './steps.ts'
import { reading } from './rows.ts'
import { numberArray, textArray } from './values.ts'
import { forgetOtherBlocks, insertBlock, keepBlocksFew, visitBlocks } from './vector-blocks.ts'

interface VectorParts {
  readonly base: BaseRows
  readonly writing: BaseRows
  readonly change: Changing
  readonly copies: LocalCopies
  /** What a look at the stamps has told already. */
  readonly embedderAt: (stamps: Stamps) => { readonly id: string | undefined } | undefined
}

export function vectorTable(parts: VectorParts): VectorStore {
  const { base, writing, change, copies, embedderAt } = parts
  return {
    async servingEmbedder(at) {
      const told = at && embedderAt(at)
      if (told) return told.id
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
        await forgetOtherBlocks(rows, embedder ?? null)
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
      return row && reading.soundData(row, 'What an embedder learned')
    },

    putVectors: (embedder, vectors, lease) =>
      change(async (rows, mark) => {
        await requireHeld(rows, lease)
        const stamp = await raiseStamp(rows)
        // Nobody else commits meanwhile: the row of the base is ours.
        const same = await rows.rows(
          `SELECT v.place FROM unnest($2::integer[], $3::text[]) WITH ORDINALITY
             AS v (doc, digest, place)
           JOIN cairn.documents AS d ON d.base = $1 AND d.no = v.doc AND d.digest = v.digest`,
          numberArray(vectors.map(({ doc }) => doc)),
          textArray(vectors.map(({ digest }) => digest)),
        )
        const wanted = new Set(same.map((row) => Number(row['place']) - 1))
        const current = vectors.filter((_, place) => wanted.has(place))
        const byDoc = new Map(current.map((row) => [row.doc, row]))
        await insertBlock(rows, { embedder, stamp }, [...byDoc.values()])
        await keepBlocksFew(rows, { embedder, stamp })
        await takeStep(rows, mark)
      }),

    async withoutVectors(embedder, limit) {
      const rows = await base.rows(
        `SELECT no FROM cairn.documents AS d WHERE base = $1
           AND NOT EXISTS (SELECT 1 FROM cairn.vectors AS v
             WHERE v.base = $1 AND v.embedder = $2 AND v.doc = d.no)
         ORDER BY source, path LIMIT $3`,
        embedder,
        limit ?? null,
      )
      return rows.map((row) => Number(row['no']))
    },

    vectorsSince: (embedder, since, visit) => visitBlocks(base, copies, { embedder, since }, visit),

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
