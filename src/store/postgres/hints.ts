/**
 * Hints between servers: whoever has committed says so on a channel of the base, and whoever listens
 * looks at the stamps at once. A hint may be lost and may come for nothing; looking every second is
 * what counts.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'
import { end } from './sessions.ts'
import type { Session } from './sessions.ts'

export interface Hints {
  /** Tells the others, after a commit and without waiting; what follows at once is told together. */
  tell(): void
  /** Until the function that it returns is called. All who listen here share one connection. */
  listen(listener: () => void): () => void
  /** Whether hints arrive at the moment, and how many did. */
  heard(): { readonly listening: boolean; readonly hints: number }
  close(): Promise<void>
}

/** So much later the next hint is sent: a hint says nothing that a look does not. */
const GAP_MS = 20
/** A connection that was lost is made again after this. */
const AGAIN_MS = 1_000
/** Where connections are handed out by another program, it is tried seldom. */
const POOLED_MS = 60_000

export function openHints(database: Database, base: string): Hints {
  const digest = createHash('sha256').update(base).digest('hex').slice(0, 32)
  const channel = `cairn_${digest}`
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  let hints = 0
  let telling: Promise<void> | undefined
  let again = false
  let session: Session | undefined
  let following: Promise<void> | undefined

  const hint = (): void => {
    hints++
    for (const listener of listeners) listener()
  }

  const tellAll = async (): Promise<void> => {
    do {
      again = false
      // It is no part of the transaction: that would take a lock on all of the server.
      await database.writing.rows('SELECT pg_notify($1, $2)', [channel, '']).catch(() => {})
      await sleep(GAP_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    } while (again)
    telling = undefined
  }

  /** Listens until the connection is lost; false where listening is not to be had. */
  const follow = async (): Promise<boolean> => {
    const opened = await database.openAlone()
    const { client } = opened
    const lost = new Promise<void>((resolve) => {
      client.once('end', resolve)
      client.once('error', () => resolve())
      closing.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    try {
      if (closing.signal.aborted || !(await isDirect(opened))) return false
      client.on('notification', hint)
      await client.query(`LISTEN ${channel}`)
      session = opened
      // What was told before this moment is looked for.
      hint()
      await lost
      return true
    } finally {
      session = undefined
      await end(client)
    }
  }
  const keepFollowing = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const pauseMs = await follow().then(
        (wasDirect) => (wasDirect ? AGAIN_MS : POOLED_MS),
        () => AGAIN_MS,
      )
      await sleep(pauseMs, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
  }

  return {
    tell() {
      again = true
      if (!closing.signal.aborted) telling ??= tellAll()
    },
    listen(listener) {
      listeners.add(listener)
      following ??= keepFollowing()
      return () => listeners.delete(listener)
    },
    heard: () => ({ listening: session !== undefined, hints }),
    async close() {
      closing.abort()
      // A connection that is still being made is ended by whoever made it.
      await Promise.all([telling, session && following])
    },
  }
}

/**
 * pgbouncer gives out its own numbers of processes. In transaction mode it would take the wish to
 * listen for one transaction, and leave it behind on a connection that others use next.
 */
async function isDirect({ client }: Session): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid === (client as unknown as { processID?: number }).processID
}
