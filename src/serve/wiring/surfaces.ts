/**
 * Opens the surfaces a configuration names, each with the routes it brings. Each is loaded when it
 * is named: most servers speak one, and every one costs milliseconds of every start.
 */
import { invalid, quoted } from '../../core/domain/error.ts'
import { didYouMean } from '../../core/kit/nearest.ts'
import { awaitIndex, isBehind } from '../../core/operations/view/await-index.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import type { DuskmantleSettings } from '../../vocabularies/duskmantle/settings.ts'
import { openNativeSurface } from '../native/open-native-surface.ts'
import type { TextForm } from '../native/open-native-surface.ts'
import { forCallers, surfacePerCaller } from '../door/per-caller.ts'
import type { ToolLimits } from '../door/limit-tools.ts'
import type { DoorOptions } from '../door/serve-rows.ts'
import type { Config, SurfaceName } from '../config/config.ts'
import type { NexusConfig } from '../../vocabularies/nexus/start/nexus-config.ts'
import type { Answerer } from '../../core/models/answerer.ts'
import { keepingRows } from '../../keep/tools/native-rows.ts'
import { surfaceInChat } from '../../explorer/surface/in-chat.ts'
import { VOCABULARIES } from '../../vocabularies/vocabularies.ts'
import type { KmMetrics } from '../../vocabularies/duskmantle/start/km-metrics.ts'
import type { Log, Offering } from './start-serving.ts'
import { VERSION } from '../../core/kit/version.ts'

export interface SurfacesOptions {
  readonly onBug: (error: unknown) => void
  /** For what is left out and somebody may look for. */
  readonly log: Log
  readonly answerer?: Answerer | undefined
  readonly nexus?: NexusConfig | undefined
  /** Whether the native surface brings a page for people along. */
  readonly web?: boolean
  /** Whether chats that can show pages may show it. */
  readonly chat?: boolean
  /** Whether the page follows calls. */
  readonly live?: boolean
  /** What the text of a native reply is; told by the client's name unless said. */
  readonly text?: TextForm | undefined
  /** Resolves when the index has caught up with the files for the first time. */
  readonly caughtUp?: Promise<void>
  /** The folder of what is derived; a surface may keep its reports there. */
  readonly state: string
  readonly duskmantle?: DuskmantleSettings | undefined
  /** What backups have to know of the sources. */
  readonly sources?: Config['sources']
  /** The numbers of the duskmantle surface, where somebody asks for them. */
  readonly kmMetrics?: KmMetrics | undefined
  /** Who is told of calls. */
  readonly observers?: DoorOptions['observers']
  /** Longest time for one call of a tool. */
  readonly timeLimitMs?: number | undefined
  /** Which tools there are at all. */
  readonly tools?: ToolLimits
}

/** The same for one surface, with how its door is opened. */
export interface OpenerOptions extends Omit<SurfacesOptions, keyof DoorOptions | 'onBug'> {
  readonly log: Log
  readonly door: DoorOptions
  /** Whether a page for people is served at the root. */
  readonly hasPage?: boolean
  /** Tools that are there only because somebody asked for them. */
  readonly more?: readonly string[]
}

const EVERY_TOOL: ToolLimits = { only: [], exclude: [] }

/** Each once, in the order they are named. */
export async function openSurfaces(
  kb: Knowledge,
  names: readonly SurfaceName[],
  { onBug, observers, timeLimitMs, tools, ...options }: SurfacesOptions,
): Promise<readonly Offering[]> {
  const limits = plainNames(tools)
  const door = { log: onBug, observers, timeLimitMs, tools: limits }
  const hasPage = options.web === true && names.includes('native')
  const each = { ...options, door, hasPage, more: askedFor(tools) }
  const offerings: Offering[] = []
  for (const name of new Set(names)) {
    const open = name === 'native' ? openNative : VOCABULARIES[name].open
    offerings.push(await open(kb, each))
  }
  checkNames(limits, offerings)
  return offerings
}

/** `+admin` adds a tool that is not there by default, and leaves the others as they are. */
function askedFor({ only }: ToolLimits = EVERY_TOOL): readonly string[] {
  return only.map((name) => name.replace(/^\+/, ''))
}

/** What is only added narrows nothing. */
function plainNames(limits: ToolLimits = EVERY_TOOL): ToolLimits {
  const { only, sets = [] } = limits
  const adds = sets.length === 0 && only.every((name) => name.startsWith('+'))
  return { ...limits, only: adds ? [] : askedFor(limits) }
}

/** A tool that is misspelled would be missing, or be there, in silence. */
function checkNames({ only, exclude }: ToolLimits, offerings: readonly Offering[]): void {
  const known = offerings.flatMap(({ surface }) => surface.names())
  const unknown = [...only, ...exclude].find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw invalid(
    `There is no tool ${quoted(unknown)} to leave in or out.`,
    `${didYouMean(unknown, known)}The tools are: ${[...new Set(known)].join(', ')}.`,
  )
}

/** People look at what agents work with: the page calls the same tools. */
async function openNative(kb: Knowledge, options: OpenerOptions): Promise<Offering> {
  const { door, web = false, live = false, state, log, text } = options
  const { sources = [], chat = false, more = [] } = options
  const others = async () => {
    const { openKmTools } = await import('../../vocabularies/duskmantle/start/km-tools.ts')
    return openKmTools(kb, { state, sources }, (message) => log('warn', message))
  }
  const own = { ...door, version: VERSION, text, further: keepingRows(more, others) }
  // Whoever sees a part of the base is answered from that part alone.
  const surface = surfacePerCaller(forCallers(kb, (part) => openNativeSurface(part, own)))
  const people = { state, live, door }
  const offered = chat
    ? surfaceInChat(surface, async () => {
        const { openChatPage } = await import('./open-page.ts')
        return openChatPage(kb, surface, people)
      })
    : surface
  return {
    surface: offered,
    async routes() {
      const { llmsMount } = await import('../transports/http/llms-mount.ts')
      const isWhole = async (): Promise<boolean> => {
        await awaitIndex(kb)
        return !isBehind(kb)
      }
      const texts = llmsMount(surface, { version: VERSION, isWhole, onBug: door.log })
      if (!web) return [texts]
      const { openPage } = await import('./open-page.ts')
      return [texts, await openPage(kb, surface, people)]
    },
  }
}
