/**
 * Hot reload: a server that takes up a changed configuration while it runs, on SIGHUP and when the
 * file changes. The next one is started beside it and takes over the port, which is never closed;
 * calls in progress are answered by the one they were made to. A configuration that cannot be used
 * changes nothing.
 */
import { unwatchFile, watchFile } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../config/config.ts'

export interface Serving {
  readonly url?: string | undefined
  readonly done: Promise<void>
  idle(): Promise<void>
  close(): Promise<void>
  replaceWith(config: Config): Promise<Serving>
}

export interface KeepServingOptions {
  readonly start: (config: Config) => Promise<Serving>
  /** The configuration as it is now. */
  readonly load: () => Promise<Config>
  /** Looked at now and then; undefined where there is no file. */
  readonly file: string | undefined
  readonly say: (message: string) => void
}

export interface KeptServer extends Omit<Serving, 'idle' | 'replaceWith'> {
  reload(): Promise<void>
}

const LOOK_MS = 2_000
/** So long a server that was replaced goes on with what it was asked. */
const LAST_CALLS_MS = 60_000

export async function keepServing(first: Config, options: KeepServingOptions): Promise<KeptServer> {
  const { start, load, file, say } = options
  let config = first
  let server = await start(first)
  const stopping = new AbortController()
  const replaced = new Set<Promise<void>>()
  let last: Promise<void> = Promise.resolve()

  /** Clients know the address; a port that was picked once is kept. */
  const atSamePort = (next: Config): Config =>
    server.url === undefined || next.http.port !== config.http.port
      ? next
      : { ...next, http: { ...next.http, port: Number(new URL(server.url).port) } }

  const retire = async (before: Serving): Promise<void> => {
    const { signal } = stopping
    const late = sleep(LAST_CALLS_MS, undefined, { signal, ref: false }).catch(() => {})
    await Promise.race([before.idle(), late])
    await before.close()
  }
  const replace = async (next: Config): Promise<void> => {
    const before = server
    const { host, port } = next.http
    // The same port at another address of this machine is free when the first is closed.
    if (host !== config.http.host && port === config.http.port) {
      await before.close()
      server = await start(atSamePort(next)).catch(async (error: unknown) => {
        server = await start(atSamePort(config))
        throw error
      })
      return
    }
    server = await before.replaceWith(atSamePort(next))
    const retiring = retire(before).finally(() => replaced.delete(retiring))
    replaced.add(retiring)
  }

  const swap = async (): Promise<void> => {
    try {
      const next = await load()
      if (stopping.signal.aborted || isDeepStrictEqual(next, config)) return
      await replace(next)
      config = next
      say('The configuration was read again.')
    } catch (error) {
      say(`The configuration cannot be used, so nothing has changed: ${String(error)}`)
    }
  }
  const reload = (): Promise<void> => (last = last.then(swap))
  const ended = async (): Promise<void> => {
    for (;;) {
      const current = server
      await current.done
      await last
      if (server === current) break
    }
    await Promise.all(replaced)
  }
  if (file !== undefined) {
    watchFile(file, { interval: LOOK_MS, persistent: false }, (now, before) => {
      if (now.mtimeMs !== before.mtimeMs) void reload()
    })
  }
  return {
    get url() {
      return server.url
    },
    done: ended().finally(() => file !== undefined && unwatchFile(file)),
    reload,
    async close() {
      stopping.abort()
      await last
      await Promise.all([server.close(), ...replaced])
    },
  }
}
