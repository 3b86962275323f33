/** What all servers of a base know of clients: a key to seal sessions with, and those that ended. */
import { createHash } from 'node:crypto'
import type { SharedSessions } from '../../core/domain/shared-sessions.ts'
import type { BaseRows } from './base-rows.ts'
import { sharedSecret } from './shared-secret.ts'

export function sharedSessions(base: BaseRows, writing: BaseRows): SharedSessions {
  return {
    key: sharedSecret(base, writing, 'sessions'),
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
