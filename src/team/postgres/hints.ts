/**
 * Publish and subscribe (`NOTIFY`), as hints between servers: whoever has committed says so on a
 * channel of the base, and whoever listens looks at the stamps at once. A hint may be lost and may
 * come for nothing; looking every second is what counts.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'
import { end } from './connect-to.ts'
import type { Session } from './connect-to.ts'

export interface Hints {
  /**
   * Tells the others, after a commit and without waiting; what follows at once is told together.
   */
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
/** Nothing is said on this connection for hours; so often it is asked whether anybody is there. */
const BEAT_MS = 1_000
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
    let beating: NodeJS.Timeout | undefined
    const lost = new Promise<void>((resolve) => {
      client.once('end', resolve)
      client.once('error', () => resolve())
      closing.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    try {
      if (closing.signal.aborted || !(await isDirect(database, opened))) return false
      client.on('notification', hint)
      await database.askOn(opened, `LISTEN ${channel}`)
      session = opened
      // What was told before this moment is looked for.
      hint()
      beating = heartbeat(database, opened)
      await lost
      return true
    } finally {
      clearInterval(beating)
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

/** A server that falls silent is noticed also where nobody asks it anything: asking ends it. */
function heartbeat(database: Database, session: Session): NodeJS.Timeout {
  let asking = false
  const beat = async (): Promise<void> => {
    if (asking) return
    asking = true
    await database.askOn(session, 'SELECT 1').catch(() => {})
    asking = false
  }
  return setInterval(() => void beat(), BEAT_MS).unref()
}

/**
 * pgbouncer gives out its own numbers of processes. In transaction mode it would take the wish to
 * listen for one transaction, and leave it behind on a connection that others use next.
 */
async function isDirect(database: Database, session: Session): Promise<boolean> {
  const [row] = await database.askOn(session, 'SELECT pg_backend_pid() AS pid')
  return row?.['pid'] === (session.client as unknown as { processID?: number }).processID
}
