/** The tables of vectors and of what their embedders learned. */
import { crc32 } from 'node:zlib'
import { Slices } from '../../kit/slices.ts'
import { requireLease } from '../judge-lease.ts'
import type { Lease } from '../lease-store.ts'
import type { VectorStore } from '../vector-store.ts'
import { IN_LISTED, listed } from './among.ts'
import { digestText } from '../rows.ts'
import type { Connection } from './connection.ts'
import { heldLease } from './lease-row.ts'
import { reading } from './rows.ts'
import {
  addBlocks,
  BLOCKS_OF,
  blockAfter,
  mergeSmallBlocks,
  strikeOut,
  vectorsIn,
} from './vector-blocks.ts'

export function vectorTable(connection: Connection): VectorStore {
  return {
    servingEmbedder: async () => connection.meta('embedder'),

    async serveEmbedder(embedder, lease) {
      await connection.transaction(() => {
        requireHeld(connection, lease)
        if (embedder === undefined) connection.run("DELETE FROM meta WHERE key = 'embedder'")
        else connection.setMeta('embedder', embedder)
        connection.run(`DELETE FROM vectors WHERE block NOT IN ${BLOCKS_OF}`, embedder ?? null)
        for (const table of ['vector_blocks', 'models']) {
          connection.run(`DELETE FROM ${table} WHERE embedder IS NOT ?`, embedder ?? null)
        }
        raiseStamp(connection)
      })
    },

    async putModel(embedder, data, lease) {
      await connection.transaction(() => {
        requireHeld(connection, lease)
        connection.run(
          'INSERT OR REPLACE INTO models (embedder, data, sum) VALUES (?, ?, ?)',
          embedder,
          data,
          crc32(data),
        )
      })
    },

    async model(embedder) {
      const row = connection.get('SELECT data, sum FROM models WHERE embedder = ?', embedder)
      return row && reading.soundData(row, 'What an embedder learned')
    },

    async putVectors(embedder, vectors, lease) {
      await connection.transaction(() => {
        requireHeld(connection, lease)
        const stamp = raiseStamp(connection)
        const living = vectors.filter(({ doc, digest }) => {
          const known = connection.get('SELECT digest FROM documents WHERE no = ?', doc)
          return known !== undefined && digestText(known['digest']) === digest
        })
        for (const { doc } of living) strikeOut(connection, doc, embedder)
        addBlocks(connection, embedder, stamp, living)
        mergeSmallBlocks(connection, embedder, stamp)
      })
    },

    async withoutVectors(embedder, limit) {
      // The plus sign keeps SQLite from looking for each document in each of the blocks.
      return connection
        .all(
          `SELECT no FROM documents
         WHERE NOT EXISTS
           (SELECT 1 FROM vectors WHERE doc = documents.no AND +block IN ${BLOCKS_OF})
         ORDER BY source, path LIMIT ?`,
          embedder,
          limit ?? -1,
        )
        .map((row) => Number(row['no']))
    },

    async vectorsSince(embedder, stamp, visit) {
      const now = Number(connection.meta('vector_stamp') ?? 0)
      const slices = new Slices()
      // Whoever is put again while others are served has a new place, behind all that are known.
      let known = { stamp, id: Number.MAX_SAFE_INTEGER }
      for (;;) {
        const row = blockAfter(connection, embedder, known)
        if (!row) return now
        known = { stamp: Number(row['stamp']), id: Number(row['id']) }
        for (const { doc, data } of vectorsIn(row)) {
          visit(doc, data)
          // Asked after each: in a large heap any new buffer may cost ten milliseconds of marking.
          if (slices.over) await slices.pause()
        }
      }
    },

    async vectorDocs(embedder, among) {
      return connection.numbers(
        `SELECT doc AS number FROM vectors WHERE block IN ${BLOCKS_OF} ${among ? `AND doc ${IN_LISTED}` : ''}`,
        embedder,
        ...(among ? [listed(among)] : []),
      )
    },
  }
}

function requireHeld(connection: Connection, lease: Lease | undefined): void {
  requireLease(lease, lease && heldLease(connection, lease.role))
}

function raiseStamp(connection: Connection): number {
  const stamp = connection.metaNumber('vector_stamp') + 1
  connection.setMeta('vector_stamp', stamp)
  return stamp
}
