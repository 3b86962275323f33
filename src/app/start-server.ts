/** Serves a base to MCP clients until it is closed. */
import { invalid, quoted } from '../domain/error.ts'
import type { Config } from '../config/config.ts'
import { loadDuskmantleSettings } from '../config/duskmantle-settings.ts'
import type { NexusConfig } from '../config/nexus-config.ts'
import type { DuskmantleSettings } from '../surfaces/duskmantle/settings.ts'
import type { CallRecord } from '../surfaces/serve-rows.ts'
import { isLoopback } from '../transports/http/guard.ts'
import type { OpenMount } from '../transports/http/mount.ts'
import { watchMount } from '../transports/http/watch-mount.ts'
import { accessOf } from './access.ts'
import { openAudit } from './audit.ts'
import type { Audit } from './audit.ts'
import { openMetrics } from './metrics.ts'
import { openServedBase } from './open-served-base.ts'
import { startServing } from './start-serving.ts'
import type { Log, StartedServer, Wire } from './start-serving.ts'
import { openSurfaces } from './surfaces.ts'

export interface ServerOptions {
  readonly transport: 'stdio' | 'http'
  /** Served as NEXUS is, behind its password; by default everything but AI is on, for everybody. */
  readonly nexus?: NexusConfig
  /** How its repository is searched; read from the environment unless given. */
  readonly duskmantle?: DuskmantleSettings
}

export async function startServer(
  config: Config,
  { transport, nexus, duskmantle: given }: ServerOptions,
): Promise<StartedServer> {
  const duskmantle = given ?? (config.surfaces.includes('duskmantle') ? fromEnv() : undefined)
  const log = logger(config)
  const warn = (message: string): void => log('warn', message)
  const metrics = openMetrics()
  const audit = config.readOnly ? undefined : openAudit(config.state, warn)
  const changing = new Set<string>()
  let caughtUp = false
  const observe = (record: CallRecord): void => {
    metrics.observe(record)
    audit?.call(record, changing.has(`${record.surface} ${record.tool}`))
  }
  return startServing(
    async (opening) => {
      const { kb, answerer, caughtUp: ready } = await openServedBase(config, opening)
      void ready.then(() => (caughtUp = true))
      const web = config.web && transport === 'http' && nexus === undefined
      const offerings = openSurfaces(kb, config.surfaces, {
        ...opening,
        observe,
        tools: config.tools,
        answerer,
        nexus,
        web,
        live: config.live,
        text: config.text,
        duskmantle,
        state: config.state,
      })
      for (const { surface } of offerings) {
        for (const { name, annotations } of surface.tools()) {
          if (!annotations.readOnlyHint) changing.add(`${surface.name} ${name}`)
        }
      }
      return offerings
    },
    transport === 'stdio'
      ? { kind: 'stdio' }
      : httpWire(config, nexus, {
          warn,
          callerOf: duskmantle?.callerOf,
          onRefused: audit?.refused,
          mounts: [watchMount({ isReady: () => caughtUp, metrics: metrics.text })],
        }),
    log,
  )
}

function fromEnv(): DuskmantleSettings {
  return loadDuskmantleSettings({ env: process.env, strict: false })
}

interface Watching {
  readonly warn: (message: string) => void
  readonly callerOf: DuskmantleSettings['callerOf'] | undefined
  readonly onRefused: Audit['refused'] | undefined
  readonly mounts: readonly OpenMount[]
}

function httpWire(
  config: Config,
  nexus: NexusConfig | undefined,
  { warn, callerOf, onRefused, mounts }: Watching,
): Wire {
  const { host, port, perMinute = 0, allowedHosts, allowedOrigins, publicUrl } = config.http
  const access = accessOf(config, { log: warn, callerOf })
  refuseOpenDoor(config, access.isNeeded() || nexus?.password !== undefined)
  return {
    kind: 'http',
    http: {
      host,
      port,
      allowedHosts,
      allowedOrigins,
      ...(publicUrl !== undefined && { publicUrl: new URL(publicUrl).origin }),
      allowRemote: !isLoopback(host),
      access,
      perMinute,
      ...(onRefused && { onRefused }),
    },
    mounts,
    path: nexus ? '/api/mcp' : '/mcp',
    // A server that was started as nexus has no other door than the one with the password.
    routesOnly: nexus !== undefined,
  }
}

/** Whoever reaches an open port can read everything, so that must be meant. */
function refuseOpenDoor({ http, access }: Config, asks: boolean): void {
  if (isLoopback(http.host) || asks || access?.anyone) return
  throw invalid(
    `Listening on ${quoted(http.host)} would let others on the network read everything.`,
    'Make a token first ("cairn token create NAME"), or say that anyone may with --allow-anyone; without --host only this machine is served.',
  )
}

const LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** Everything that is not an answer goes to stderr. */
function logger({ logLevel }: Config): Log {
  const loudest = LEVELS.indexOf(logLevel)
  return (level, message) => {
    if (LEVELS.indexOf(level) <= loudest) process.stderr.write(`cairn: ${level}: ${message}\n`)
  }
}
