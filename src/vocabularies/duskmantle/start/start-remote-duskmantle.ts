/** Serves the km- tools of a gateway elsewhere to an MCP client, until it is closed. */
import { openRemoteSurface } from '../open-remote-surface.ts'
import type { RemoteGateway } from '../open-remote-surface.ts'
import type { DuskmantleSettings } from '../settings.ts'
import { startServing } from '../../../serve/wiring/start-serving.ts'
import type { Log, StartedServer, Wire } from '../../../serve/wiring/start-serving.ts'
import { tellCalls } from './tell-call.ts'
import { VERSION } from '../../../core/kit/version.ts'

export interface RemoteOptions {
  readonly gateway: RemoteGateway
  readonly settings: Pick<DuskmantleSettings, 'uploads'>
  readonly transport: 'stdio' | 'http'
  readonly port: number
  readonly log: Log
}

export function startRemoteDuskmantle(options: RemoteOptions): Promise<StartedServer> {
  const { gateway, settings, transport, port, log } = options
  const wire: Wire =
    transport === 'stdio'
      ? { kind: 'stdio' }
      : { kind: 'http', http: { host: '127.0.0.1', port }, path: '/mcp' }
  return startServing(
    async ({ onBug }) => [
      {
        surface: openRemoteSurface({
          gateway,
          uploads: settings.uploads,
          version: VERSION,
          log: onBug,
          observers: [tellCalls(log)],
        }),
      },
    ],
    wire,
    log,
  )
}
