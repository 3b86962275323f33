/** Serves curated content locations over one wire, until it is closed. */
import { resolve } from 'node:path'
import { openAcdcSurface } from '../surfaces/acdc/open-acdc-surface.ts'
import type { Surface } from '../surfaces/surface.ts'
import { loadAcdcMetadata } from '../config/acdc-metadata.ts'
import type { AcdcMetadata } from '../config/acdc-metadata.ts'
import { describeSettings } from '../config/acdc-settings.ts'
import type { AcdcSettings } from '../config/acdc-settings.ts'
import type { Config, EmbeddingConfig } from '../config/config.ts'
import { openKnowledge } from './open-knowledge.ts'
import { onBothWires, serveOverHttp, serveOverStdio } from './serve-surface.ts'
import { openSources } from './sources.ts'
import { startIndexing } from './start-indexing.ts'
import type { StartedServer } from './start-server.ts'
import { openStore } from './stores.ts'
import { openTemporaryState } from './temporary-state.ts'

export interface AcdcOptions {
  readonly cwd: string
  /** Lines for standard error. */
  readonly log: (level: 'info' | 'warn' | 'error', message: string) => void
}

/** Words alone decide here, so nothing is learned from them. */
const NOTHING_EMBEDS: EmbeddingConfig = {
  provider: 'none',
  baseUrl: '',
  model: '',
  apiKeyEnv: undefined,
  dimensions: undefined,
  batch: 1,
  timeoutMs: 1,
  queryPrefix: '',
  passagePrefix: '',
  modelPath: undefined,
}

const MAX_FILE_BYTES = 10 * 1024 * 1024

export async function startAcdc(
  settings: AcdcSettings,
  { cwd, log }: AcdcOptions,
): Promise<StartedServer> {
  const metadata = loadAcdcMetadata(resolve(cwd, settings.config))
  log('info', describeSettings(settings))
  for (const warning of metadata.warnings) log('warn', warning)
  // The index is rebuilt at every start and belongs to this process alone.
  const state = openTemporaryState()
  let release = async (): Promise<void> => state.remove()
  try {
    const config = baseConfig(metadata, settings, state.path)
    const sources = openSources(config)
    const { store } = await openStore(config)
    const indexing = startIndexing({ config, store, onWarning: (message) => log('warn', message) })
    release = async () => {
      await indexing.close()
      await store.close()
      state.remove()
    }
    const onBug = (error: unknown): void =>
      log('error', error instanceof Error ? (error.stack ?? error.message) : String(error))
    const kb = openKnowledge({ config, store, sources, ...indexing })
    const surface = openAcdcSurface(kb, {
      server: metadata.server,
      layout: 'locations',
      sources: metadata.content,
      descriptions: metadata.descriptions,
      search: settings,
      ready: indexing.caughtUp,
      warn: (message) => log('warn', message),
      log: onBug,
    })
    // Files that are left out are told at the start, not when somebody first asks.
    surface.resources?.list(undefined).catch(onBug)
    return await listen(surface, settings, release, { log, onBug })
  } catch (error) {
    await release()
    throw error
  }
}

async function listen(
  surface: Surface,
  { transport, host, port, auth }: AcdcSettings,
  release: () => Promise<void>,
  { log, onBug }: Pick<AcdcOptions, 'log'> & { readonly onBug: (error: unknown) => void },
): Promise<StartedServer> {
  const serving = { release, onBug }
  if (transport === 'stdio') return serveOverStdio(surface, serving)
  const http = {
    host,
    port,
    // The operator chose the address, and users of this server expect every name to work.
    allowRemote: true,
    anyHost: true,
    ...(auth.kind !== 'none' && { auth }),
    health: 'ok',
  }
  const server = await serveOverHttp({ ...http, ...onBothWires(surface) }, serving)
  log('info', `listening on ${server.url} (/sse and /messages, /mcp, /health)`)
  return { ...server, url: `${server.url}/sse` }
}

function baseConfig(metadata: AcdcMetadata, { host, port }: AcdcSettings, state: string): Config {
  return {
    sources: metadata.content.map(({ name, path }) => ({
      name,
      path,
      include: ['mcp-resources/**/*.md', 'mcp-prompts/**/*.md'],
      exclude: [],
      hidden: false,
      // What is in these folders was put there to be served, generated or not.
      heedsIgnoreFiles: false,
    })),
    state,
    surfaces: [],
    embedding: NOTHING_EMBEDS,
    http: { host, port, allowedHosts: [], allowedOrigins: [], publicUrl: undefined },
    watch: true,
    readOnly: true,
    maxFileBytes: MAX_FILE_BYTES,
    logLevel: 'warn',
    reading: 'curated',
  }
}
