/** Serves curated content locations over one wire, until it is closed. */
import { resolve } from 'node:path'
import { openAcdcSurface } from '../open-acdc-surface.ts'
import type { SearchSettings } from '../search-settings.ts'
import { checkFolder, loadAcdcMetadata } from './acdc-metadata.ts'
import type { AcdcMetadata } from './acdc-metadata.ts'
import { describeSettings } from './acdc-settings.ts'
import type { AcdcSettings } from './acdc-settings.ts'
import type { Config, EmbeddingConfig } from '../../../serve/config/config.ts'
import { openServedBase } from '../../../serve/wiring/open-served-base.ts'
import { startServing } from '../../../serve/wiring/start-serving.ts'
import type {
  Log,
  Offering,
  Opening,
  StartedServer,
  Wire,
} from '../../../serve/wiring/start-serving.ts'
import { openTemporaryState } from '../../../serve/lifecycle/temporary-state.ts'
import { VERSION } from '../../../core/kit/version.ts'

export interface AcdcOptions {
  readonly cwd: string
  /** Lines for standard error. */
  readonly log: Log
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
  const place = resolve(cwd, settings.config)
  if (settings.isFolder) checkFolder(place)
  const metadata = loadAcdcMetadata(place, { version: VERSION })
  log('info', describeSettings(settings))
  for (const warning of [...settings.warnings, ...metadata.warnings]) log('warn', warning)
  const open = async (opening: Opening): Promise<readonly Offering[]> => {
    const { closing, onBug } = opening
    // The index is rebuilt at every start and belongs to this process alone.
    const state = openTemporaryState()
    closing.add(() => state.remove())
    const base = await openServedBase(baseConfig(metadata, settings, state.path), opening)
    const surface = openAcdcSurface(base.kb, {
      server: metadata.server,
      layout: metadata.layout,
      naming: { scheme: settings.uriScheme, single: metadata.single },
      sources: metadata.content,
      descriptions: metadata.descriptions,
      search: metadata.single ? withSections(settings) : settings,
      ready: base.caughtUp,
      warn: (message) => log('warn', message),
      log: onBug,
    })
    // Files that are left out are told at the start, not when somebody first asks.
    const tell = async (): Promise<void> => {
      const listed = await surface.resources?.list(undefined)
      if (listed?.items.length === 0) log('warn', 'there are no resources to serve')
    }
    tell().catch(onBug)
    return [{ surface, speaksSse: true }]
  }
  const server = await startServing(open, wireOf(settings), log)
  if (server.url !== undefined) {
    const address = originOf(settings.host, new URL(server.url).port)
    log('info', `listening on ${address} (/sse and /messages, /mcp, /health)`)
  }
  return server
}

/** As it is listened on: whoever reads the log wants to know whether others can reach it. */
export function originOf(host: string, port: string): string {
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
}

function wireOf({ transport, host, port, auth }: AcdcSettings): Wire {
  if (transport === 'stdio') return { kind: 'stdio' }
  const http = {
    host,
    port,
    // The operator chose the address, and users of this server expect every name to work.
    allowRemote: true,
    anyHost: true,
    ...(auth.kind !== 'none' && { auth }),
    health: 'ok',
  }
  return { kind: 'http', http, path: '/sse' }
}

/** Where results are sections, their headings and the path of the file count of their own. */
function withSections({ maxResults, boosts, resultMode }: AcdcSettings): SearchSettings {
  return { maxResults, boosts: { heading: 2.5, path: 1.25, ...boosts }, resultMode }
}

function baseConfig(metadata: AcdcMetadata, { host, port }: AcdcSettings, state: string): Config {
  return {
    sources: metadata.content.map(({ name, path, include, exclude }) => ({
      name,
      path,
      include,
      exclude,
      // `.acdc` is; what else is hidden has no address.
      hidden: include.some((glob) => glob.startsWith('.')),
      // What is in these folders was put there to be served, generated or not.
      heedsIgnoreFiles: false,
    })),
    state,
    surfaces: [],
    embedding: NOTHING_EMBEDS,
    http: { host, port, allowedHosts: [], allowedOrigins: [], publicUrl: undefined },
    watch: true,
    readOnly: true,
    web: false,
    chat: false,
    live: false,
    maxFileBytes: MAX_FILE_BYTES,
    logLevel: 'warn',
    reading: 'curated',
  }
}
