/** Serves a base to MCP clients until it is closed. */
import type { Config } from '../config/config.ts'
import type { NexusConfig } from '../../vocabularies/nexus/start/nexus-config.ts'
import type { SharedSessions } from '../../core/domain/shared-sessions.ts'
import type { SignIns } from '../../core/domain/sign-ins.ts'
import type { DuskmantleSettings } from '../../vocabularies/duskmantle/settings.ts'
import type { Observer } from '../door/observer.ts'
import type { Surface } from '../door/surface.ts'
import { keepCode } from '../lifecycle/code-cache.ts'
import { openLog } from './log.ts'
import { openObservers } from './observers.ts'
import { openServedBase } from './open-served-base.ts'
import { settleEngine, startServing } from './start-serving.ts'
import type { Opening, StartedServer } from './start-serving.ts'
import { recallFor } from '../../keep/recall/recall.ts'
import { openRecallDoor } from '../../keep/recall/recall-door.ts'
import { isRepository } from '../../core/sources/folder/is-repository.ts'
import { wholeView } from '../../core/operations/view/view.ts'
import { openSurfaces } from './surfaces.ts'

/** So long after a first answer nobody waits for the next one, most likely. */
const QUIET_MS = 1_000
/** Many a client starts a server and never asks. */
const UNASKED_MS = 10_000

export interface ServerOptions {
  readonly transport: 'stdio' | 'http'
  /** A server of the same base that goes on with what it was asked, and gives up its port. */
  readonly instead?: StartedServer | undefined
  /** Served as NEXUS is, behind its password; by default everything but AI is on, for everybody. */
  readonly nexus?: NexusConfig
  /** How its repository is searched; read from the environment unless given. */
  readonly duskmantle?: DuskmantleSettings
}

export interface ReplaceableServer extends StartedServer {
  /** Starts another one that takes over the port; what was asked before is still answered here. */
  replaceWith(config: Config): Promise<ReplaceableServer>
}

export async function startServer(
  config: Config,
  options: ServerOptions,
): Promise<ReplaceableServer> {
  const server = await startOnce(config, options)
  return {
    ...server,
    replaceWith: (next) => startServer(next, { ...options, instead: server }),
  }
}

async function startOnce(
  asked: Config,
  { transport, instead, nexus, duskmantle: given }: ServerOptions,
): Promise<StartedServer> {
  const config = given ? withPrograms(asked) : asked
  const settings =
    given ?? (config.surfaces.includes('duskmantle') ? await fromEnv(config) : undefined)
  const duskmantle = transport === 'http' ? settings && withinSources(settings, config) : settings
  const log = openLog(config)
  const warn = (message: string): void => log('warn', message)
  const counts = transport === 'http'
  const observers = await openObservers(config, { counts, duskmantle: !!duskmantle, log })
  let caughtUp = false
  let inReach = (): boolean => true
  let aboutStore = async (): Promise<string> => ''
  let shared: SharedSessions | undefined
  const signIns = Promise.withResolvers<SignIns>()
  const answered = Promise.withResolvers<void>()
  const firstAnswer: Observer = { once: true, ended: () => answered.resolve() }
  const settle = (): void => {
    keepCode()
    if (transport === 'stdio') settleEngine()
  }
  void answered.promise.then(() => setTimeout(settle, QUIET_MS).unref())
  if (transport === 'stdio') setTimeout(settleEngine, UNASKED_MS).unref()
  return startServing(
    async (opening) => {
      opening.closing.add(observers.close)
      const served = await openServedBase(config, opening, answered.promise)
      const { kb, answerer, caughtUp: ready } = served
      inReach = served.inReach
      aboutStore = served.metrics
      shared = served.sessions
      signIns.resolve(served.signIns)
      void ready.then(() => (caughtUp = true))
      const door = await openRecallDoor(config.state, (request) =>
        recallFor(wholeView(kb), config.state, request),
      )
      opening.closing.add(() => door.close())
      const web = config.web && transport === 'http' && nexus === undefined
      // Over stdio all tools share one connection, where the page finds those of the first surface.
      const chat = config.chat && (transport === 'http' || config.surfaces[0] === 'native')
      if (config.chat && !chat) {
        opening.log('warn', 'The page cannot be shown in chats: name the native surface first.')
      }
      const offerings = await openSurfaces(kb, config.surfaces, {
        ...opening,
        observers: [...observers.all, firstAnswer],
        caughtUp: ready,
        ...(config.callSeconds !== undefined && { timeLimitMs: config.callSeconds * 1_000 }),
        tools: config.tools,
        answerer,
        nexus,
        web,
        chat,
        live: config.live,
        text: config.text,
        duskmantle,
        state: config.state,
        sources: config.sources,
        kmMetrics: observers.kmMetrics,
      })
      const own = offerings.find(({ surface }) => surface.name === 'duskmantle')?.surface
      if (duskmantle && own && !config.readOnly) {
        await keepSchedule(own, duskmantle, config.state, opening)
      }
      return offerings
    },
    // Sign-in and routes are half of what a start over stdio would have to read.
    transport === 'stdio'
      ? { kind: 'stdio' }
      : (await import('./http-wire.ts')).httpWire(config, nexus, {
          warn,
          callerOf: duskmantle?.callerOf,
          ...(duskmantle?.rate.everywhere && { rate: duskmantle.rate }),
          onRefused: observers.audit?.refused,
          readiness: () => (!caughtUp ? 'indexing' : inReach() ? 'ready' : 'out_of_reach'),
          sharedSessions: () => shared,
          signIns: signIns.promise,
          metrics: async () => observers.text(await aboutStore()),
        }),
    log,
    instead,
  )
}

/** Ingestions and backups that are made by themselves, where somebody asked for them. */
async function keepSchedule(
  surface: Surface,
  settings: DuskmantleSettings,
  state: string,
  { closing, log }: Opening,
): Promise<void> {
  if (Object.keys(settings.schedules).length === 0) return
  const { kmJobs } = await import('../../vocabularies/duskmantle/start/km-jobs.ts')
  const { startScheduler } = await import('../../keep/backup/scheduler.ts')
  const scheduler = startScheduler({ state, jobs: kmJobs(surface, settings), log })
  closing.add(() => scheduler.close())
}

/** Who calls from elsewhere may not have any file of this machine put where it can be read. */
function withinSources(settings: DuskmantleSettings, { sources }: Config): DuskmantleSettings {
  const { uploads } = settings
  if (uploads.allowedRoots.length > 0) return settings
  return { ...settings, uploads: { ...uploads, allowedRoots: sources.map(({ path }) => path) } }
}

/** Whoever serves a folder as a repository has all of its texts read, whatever else is in it. */
function withPrograms(config: Config): Config {
  const sources = config.sources.map((source) =>
    isRepository(source.path) ? source : { ...source, isProgram: true },
  )
  return { ...config, sources }
}

async function fromEnv({ sources }: Config): Promise<DuskmantleSettings> {
  const { loadDuskmantleSettings } =
    await import('../../vocabularies/duskmantle/start/duskmantle-settings.ts')
  return loadDuskmantleSettings({
    env: process.env,
    strict: false,
    repository: sources.find(({ path }) => isRepository(path))?.path ?? sources[0]?.path,
  })
}
