/**
 * A server that takes up a changed configuration while it runs: on SIGHUP, and when the file changes.
 * Calls in progress are answered first; a configuration that cannot be used changes nothing.
 */
import { unwatchFile, watchFile } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../config/config.ts'

export interface Serving {
  readonly url?: string | undefined
  readonly done: Promise<void>
  close(): Promise<void>
}

export interface KeepServingOptions {
  readonly start: (config: Config) => Promise<Serving>
  /** The configuration as it is now. */
  readonly load: () => Promise<Config>
  /** Looked at now and then; undefined where there is no file. */
  readonly file: string | undefined
  readonly say: (message: string) => void
}

export interface KeptServer extends Serving {
  reload(): Promise<void>
}

const LOOK_MS = 2_000

export async function keepServing(first: Config, options: KeepServingOptions): Promise<KeptServer> {
  const { start, load, file, say } = options
  let config = first
  let server = await start(first)
  let stopping = false
  let last: Promise<void> = Promise.resolve()

  /** Clients know the address; a port that was picked once is kept. */
  const started = async (next: Config, url: string | undefined): Promise<Serving> =>
    start(url === undefined ? next : { ...next, http: { ...next.http, port: portOf(next, url) } })
  const portOf = (next: Config, url: string): number =>
    next.http.port === config.http.port ? Number(new URL(url).port) : next.http.port

  const swap = async (): Promise<void> => {
    const next = await load().catch((error: unknown) => {
      say(`The configuration cannot be used, so nothing has changed: ${String(error)}`)
    })
    if (stopping || !next || isDeepStrictEqual(next, config)) return
    const { url } = server
    await server.close()
    try {
      server = await started(next, url)
      config = next
      say('The configuration was read again.')
    } catch (error) {
      say(`The configuration cannot be used, so nothing has changed: ${String(error)}`)
      server = await started(config, url)
    }
  }
  const reload = (): Promise<void> => (last = last.then(swap))
  const ended = async (): Promise<void> => {
    for (;;) {
      const current = server
      await current.done
      await last
      if (server === current) return
    }
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
      stopping = true
      await last
      await server.close()
    },
  }
}
