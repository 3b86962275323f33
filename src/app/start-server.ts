/** Serves a base to MCP clients until it is closed. */
import type { Config } from '../config/config.ts'
import type { NexusConfig } from '../config/nexus-config.ts'
import type { DuskmantleSettings } from '../surfaces/duskmantle/settings.ts'
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
  { transport, nexus, duskmantle }: ServerOptions,
): Promise<StartedServer> {
  return startServing(
    async (opening) => {
      const { kb, answerer } = await openServedBase(config, opening)
      const web = config.web && transport === 'http' && nexus === undefined
      return openSurfaces(kb, config.surfaces, {
        ...opening,
        answerer,
        nexus,
        web,
        duskmantle,
        state: config.state,
      })
    },
    transport === 'stdio' ? { kind: 'stdio' } : httpWire(config, nexus !== undefined),
    logger(config),
  )
}

function httpWire({ http }: Config, asNexus: boolean): Wire {
  const { host, port, allowedHosts, allowedOrigins } = http
  return {
    kind: 'http',
    http: { host, port, allowedHosts, allowedOrigins, allowRemote: allowedHosts.length > 0 },
    path: asNexus ? '/api/mcp' : '/mcp',
    // A server that was started as nexus has no other door than the one with the password.
    routesOnly: asNexus,
  }
}

const LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** Everything that is not an answer goes to stderr. */
function logger({ logLevel }: Config): Log {
  const loudest = LEVELS.indexOf(logLevel)
  return (level, message) => {
    if (LEVELS.indexOf(level) <= loudest) process.stderr.write(`cairn: ${level}: ${message}\n`)
  }
}
