/** What all servers of a base know of clients: a key to seal sessions with, and those that ended. */
import { createHash, randomBytes } from 'node:crypto'
import type { SharedSessions } from '../../domain/shared-sessions.ts'
import type { BaseRows } from './base-rows.ts'

export function sharedSessions(base: BaseRows, writing: BaseRows): SharedSessions {
  let key: Promise<string> | undefined
  const load = async (): Promise<string> => {
    const select = "SELECT value FROM cairn.secrets WHERE base = $1 AND name = 'sessions'"
    const known = await base.row(select)
    if (known) return String(known['value'])
    // Of several that start in the same moment one draws it.
    await writing.rows(
      `INSERT INTO cairn.secrets (base, name, value) VALUES ($1, 'sessions', $2)
       ON CONFLICT DO NOTHING`,
      randomBytes(32).toString('hex'),
    )
    const row = await writing.row(select)
    return String(row?.['value'])
  }
  return {
    key() {
      key ??= load().catch((error: unknown) => {
        key = undefined
        throw error
      })
      return key
    },
    async hasEnded(session) {
      const row = await base.row(
        'SELECT 1 AS n FROM cairn.ended_sessions WHERE base = $1 AND digest = $2',
        digestOf(session),
      )
      return row !== undefined
    },
    async end(session) {
      await writing.rows(
        `WITH forgotten AS (DELETE FROM cairn.ended_sessions
           WHERE base = $1 AND ended_at < clock_timestamp() - interval '3 days')
         INSERT INTO cairn.ended_sessions (base, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
        digestOf(session),
      )
    },
  }
}

function digestOf(session: string): Uint8Array {
  return createHash('sha256').update(session).digest()
}
