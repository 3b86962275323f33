/** The tables of vectors and of what their embedders learned. */
import { crc32 } from 'node:zlib'
import type { DocNo } from '../../domain/document.ts'
import { Slices } from '../../kit/slices.ts'
import type { Among } from '../document-store.ts'
import { requireLease } from '../judge-lease.ts'
import type { Lease } from '../lease-store.ts'
import type { VectorStore } from '../vector-store.ts'
import { IN_LISTED, listed } from './among.ts'
import { soundData } from './checksums.ts'
import type { Connection, Row } from './connection.ts'
import { heldLease } from './lease-row.ts'

export function vectorTable(connection: Connection): VectorStore {
  return {
    async servingEmbedder(): Promise<string | undefined> {
      return connection.meta('embedder')
    },

    async serveEmbedder(embedder, lease): Promise<void> {
      await connection.transaction(() => {
        requireHeld(connection, lease)
        if (embedder === undefined) connection.run("DELETE FROM meta WHERE key = 'embedder'")
        else connection.setMeta('embedder', embedder)
        connection.run('DELETE FROM vectors WHERE embedder IS NOT ?', embedder ?? null)
        connection.run('DELETE FROM models WHERE embedder IS NOT ?', embedder ?? null)
        raiseStamp(connection)
      })
    },

    async putModel(embedder, data, lease): Promise<void> {
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

    async model(embedder: string): Promise<Uint8Array | undefined> {
      const row = connection.get('SELECT data, sum FROM models WHERE embedder = ?', embedder)
      return row && soundData(row, 'What an embedder learned')
    },

    async putVectors(embedder, rows, lease): Promise<void> {
      await connection.transaction(() => {
        requireHeld(connection, lease)
        const stamp = raiseStamp(connection)
        for (const { doc, digest, data } of rows) {
          const known = connection.get('SELECT digest FROM documents WHERE no = ?', doc)
          if (known?.['digest'] !== digest) continue
          connection.run(
            'INSERT OR REPLACE INTO vectors (embedder, doc, stamp, data, sum) VALUES (?, ?, ?, ?, ?)',
            embedder,
            doc,
            stamp,
            data,
            crc32(data),
          )
        }
      })
    },

    async withoutVectors(embedder: string, limit: number): Promise<readonly DocNo[]> {
      return connection
        .all(
          `SELECT no FROM documents
         WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE embedder = ? AND doc = documents.no)
         ORDER BY source, path LIMIT ?`,
          embedder,
          limit,
        )
        .map((row) => Number(row['no']))
    },

    async vectorsSince(
      embedder: string,
      stamp: number,
      visit: (doc: DocNo, data: Uint8Array) => void,
    ): Promise<number> {
      const now = Number(connection.meta('vector_stamp') ?? 0)
      const slices = new Slices()
      // Whoever is put again while others are served has a new place, behind all that are known.
      for (let after: readonly [number, number] = [stamp, MOST_ROWS]; ;) {
        const rows = connection.iterate(
          `SELECT stamp, rowid, doc, data, sum FROM vectors
           WHERE embedder = ? AND (stamp, rowid) > (?, ?) ORDER BY stamp, rowid`,
          embedder,
          ...after,
        )
        let last: Row | undefined
        for (const row of rows) {
          visit(Number(row['doc']), soundData(row, 'A vector of the index'))
          // Asked after each: in a large heap any new buffer may cost ten milliseconds of marking.
          if (!slices.over) continue
          last = row
          break
        }
        if (!last) return now
        after = [Number(last['stamp']), Number(last['rowid'])]
        await slices.pause()
      }
    },

    async vectorDocs(embedder: string, among?: Among): Promise<Uint32Array> {
      if (among) {
        return connection.numbers(
          `SELECT doc AS number FROM vectors WHERE embedder = ? AND doc ${IN_LISTED}`,
          embedder,
          listed(among),
        )
      }
      return connection.numbers('SELECT doc AS number FROM vectors WHERE embedder = ?', embedder)
    },
  }
}

/** Behind every row of a stamp. */
const MOST_ROWS = Number.MAX_SAFE_INTEGER

function requireHeld(connection: Connection, lease: Lease | undefined): void {
  requireLease(lease, lease && heldLease(connection, lease.role))
}

function raiseStamp(connection: Connection): number {
  const stamp = connection.metaNumber('vector_stamp') + 1
  connection.setMeta('vector_stamp', stamp)
  return stamp
}
