/** Serves a base to MCP clients until it is closed. */
import { setFlagsFromString } from 'node:v8'
import { recoverWrites } from '../operations/writing/change-files.ts'
import { mergeSurfaces } from '../surfaces/merge-surfaces.ts'
import { openNexus } from '../surfaces/nexus/open-nexus.ts'
import type { Nexus } from '../surfaces/nexus/open-nexus.ts'
import type { Surface } from '../surfaces/surface.ts'
import { answererFor } from './answerers.ts'
import type { Config } from '../config/config.ts'
import type { NexusConfig } from '../config/nexus-config.ts'
import { openKnowledge } from './open-knowledge.ts'
import { serveOverHttp, serveOverStdio } from './serve-surface.ts'
import type { ServeOptions } from './serve-surface.ts'
import { openSources } from './sources.ts'
import { startIndexing } from './start-indexing.ts'
import { openStore } from './stores.ts'
import { openSurfaces } from './surfaces.ts'
import { openWriting } from './writing.ts'

export interface ServerOptions {
  readonly transport: 'stdio' | 'http'
  /** How the nexus surface is set up; by default everything but AI is on, for everybody. */
  readonly nexus?: NexusConfig
}

export interface StartedServer {
  /** Address of the MCP endpoint, for HTTP. */
  readonly url: string | undefined
  /** Settles when the server has stopped, whoever stopped it. */
  readonly done: Promise<void>
  close(): Promise<void>
}

export async function startServer(config: Config, options: ServerOptions): Promise<StartedServer> {
  const log = logger(config)
  keepMemorySmall()
  // Bad folders are reported before anything is created.
  const sources = openSources(config)
  const { store, warning } = await openStore(config)
  if (warning) log('warn', warning.message)
  const indexing = startIndexing({ config, store, onWarning: (message) => log('warn', message) })
  const writing = config.readOnly ? undefined : openWriting(config.state)
  const answerer = answererFor(config.answerer, { log: (message) => log('warn', message) })
  const kb = openKnowledge({ config, store, sources, ...indexing, writing, answerer })
  const onBug = (error: unknown): void =>
    log('error', error instanceof Error ? (error.stack ?? error.message) : String(error))
  const answer = answerer?.answer.bind(answerer)
  const nexus = openNexus(kb, { settings: options.nexus?.settings, answer, log: onBug })
  const surfaces = openSurfaces(kb, config.surfaces, {
    log: onBug,
    warn: (message) => log('warn', message),
    nexus,
  })
  recoverWrites(kb).catch((error: unknown) => log('warn', String(error)))
  const release = async (): Promise<void> => {
    await indexing.close()
    await writing?.lock.close()
    for (const source of sources.values()) await source.close?.()
    await store.close()
  }
  try {
    return await listen({ surfaces, nexus }, config, options, { release, onBug })
  } catch (error) {
    await release()
    throw error
  }
}

async function listen(
  { surfaces, nexus }: { readonly surfaces: readonly Surface[]; readonly nexus: Nexus },
  config: Config,
  options: ServerOptions,
  serving: ServeOptions,
): Promise<StartedServer> {
  if (options.transport === 'stdio') return serveOverStdio(mergeSurfaces(surfaces), serving)
  const { nexusMount } = await import('../transports/nexus/nexus-mount.ts')
  const { onBug } = serving
  const { host, port, allowedHosts, allowedOrigins } = config.http
  const curated = surfaces.find(({ name }) => name === 'acdc')
  const http = {
    // The clients of this one may know no other wire.
    ...(curated && { sse: curated }),
    // Each has an address of its own, so that no tool has to be renamed.
    surfaces: options.nexus
      ? []
      : [
          ...surfaces.slice(0, 1).map((surface) => ({ path: '/mcp', surface })),
          ...surfaces.map((surface) => ({ path: `/mcp/${surface.name}`, surface })),
        ],
    // A server that was started as nexus has no other door than the one with the password.
    mounts: [nexusMount(nexus, { password: options.nexus?.password, onBug })],
    host,
    port,
    allowedHosts,
    allowedOrigins,
    allowRemote: allowedHosts.length > 0,
  }
  const server = await serveOverHttp(http, serving)
  return { ...server, url: `${server.url}${options.nexus ? '/api/mcp' : '/mcp'}` }
}

/**
 * V8 lets the space for young objects grow to tens of megabytes and rarely gives it back. A server
 * that mostly waits does better with a small one: measured on 14,593 notes, 100 MB less for 3 %
 * more work (docs/decisions/0014-memory-and-processes.md).
 */
function keepMemorySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

type Log = (level: 'error' | 'warn', message: string) => void

const LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** Everything that is not an answer goes to stderr. */
function logger({ logLevel }: Config): Log {
  const loudest = LEVELS.indexOf(logLevel)
  return (level, message) => {
    if (LEVELS.indexOf(level) <= loudest) process.stderr.write(`cairn: ${level}: ${message}\n`)
  }
}
