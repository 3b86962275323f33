/** How a server is reached over HTTP, by its configuration: address, sign-in, what operators ask. */
import type { Config } from '../config/config.ts'
import type { NexusConfig } from '../../vocabularies/nexus/start/nexus-config.ts'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { SharedSessions } from '../../core/domain/shared-sessions.ts'
import type { SignIns } from '../../core/domain/sign-ins.ts'
import type { DuskmantleSettings } from '../../vocabularies/duskmantle/settings.ts'
import { isLoopback } from '../transports/http/guard.ts'
import { type Readiness, watchMount } from '../transports/http/watch-mount.ts'
import { isPagePath } from '../../explorer/routes/paths.ts'
import { accessOf } from './access.ts'
import type { Audit } from '../observers/audit.ts'
import type { Wire } from './start-serving.ts'

export interface Watching {
  readonly warn: (message: string) => void
  readonly callerOf: DuskmantleSettings['callerOf'] | undefined
  /** A limit of the duskmantle surface that holds for the whole server. */
  readonly rate?: DuskmantleSettings['rate'] | undefined
  readonly onRefused: Audit['refused'] | undefined
  readonly readiness: () => Readiness
  /** Of a base that several servers answer for. */
  readonly sharedSessions: () => SharedSessions | undefined
  /** Once the base is open. */
  readonly signIns: Promise<SignIns>
  readonly metrics: () => Promise<string>
}

export function httpWire(
  config: Config,
  nexus: NexusConfig | undefined,
  { warn, callerOf, rate, onRefused, readiness, sharedSessions, signIns, metrics }: Watching,
): Wire {
  const { host, port, perMinute = 0, allowedHosts, allowedOrigins, publicUrl } = config.http
  const { atOnce, sessions, subscriptions, trustedProxies = [] } = config.http
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl)
  const hasPage = config.web && nexus === undefined && config.surfaces.includes('native')
  const own = accessOf(config, {
    log: warn,
    callerOf,
    signIns,
    ...(hasPage && { isPage: isPagePath }),
  })
  // Where nexus asks for its password, a token is another way in and not a second lock.
  const access = nexus?.password ? { ...own, isNeeded: () => false } : own
  refuseOpenDoor(config, access.isNeeded() || nexus?.password !== undefined)
  return {
    kind: 'http',
    http: {
      host,
      port,
      // Whoever is told to come under a name is answered under it.
      allowedHosts: [...allowedHosts, ...(publicOrigin ? [publicOrigin.hostname] : [])],
      allowedOrigins,
      ...(publicOrigin && { publicUrl: publicOrigin.origin }),
      trustedProxies,
      allowRemote: !isLoopback(host),
      access,
      perMinute: rate?.requests ?? perMinute,
      ...(rate && { rateWindowSeconds: rate.windowSeconds }),
      ...(atOnce !== undefined && { atOnce }),
      ...(sessions !== undefined && { maxSessions: sessions }),
      ...(subscriptions !== undefined && { maxSubscriptions: subscriptions }),
      sharedSessions,
      ...(onRefused && { onRefused }),
    },
    mounts: [watchMount({ readiness, metrics, isOpen: nexus?.password === undefined })],
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
