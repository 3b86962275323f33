/** What the oracle plays: calls as data, in an order, on a fresh copy of some folders. */
import type { FolderName } from './folders.ts'

/** One call. `$name` in an argument stands for what an earlier call has `kept` under that name. */
export type Step = ToolStep | RequestStep | RouteStep

interface AnyStep {
  /** Name of the caller, where a sequence has several. */
  readonly as?: string
  /** Name → where in the reply it is, such as `result.structuredContent.next_cursor`. */
  readonly keep?: Readonly<Record<string, string>>
  /** Keys whose numbers differ by nature, such as the size of an archive with times in it. */
  readonly varying?: readonly string[]
}

export interface ToolStep extends AnyStep {
  readonly tool: string
  readonly args?: unknown
  /** Over HTTP: whose tool it is. */
  readonly surface?: string
}

/** Any request of MCP. */
export interface RequestStep extends AnyStep {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly surface?: string
}

/** A route that a server has besides MCP. */
export interface RouteStep extends AnyStep {
  readonly route: string
  readonly body?: unknown
}

export interface Sequence {
  /** The surface and what is tried, such as `native/search`. */
  readonly name: string
  /** Laid out side by side; the command runs where they are. */
  readonly folders: readonly FolderName[]
  /** Files besides, path → content. */
  readonly files?: Readonly<Record<string, string>>
  /** What is run before, to its end: the index, tokens. */
  readonly before?: readonly (readonly string[])[]
  /** What `cairn` is started with. */
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Over HTTP: the address is what the program says on standard error. */
  readonly http?: boolean
  /** Name → words for `cairn token create NAME`. Others are nobody. */
  readonly callers?: Readonly<Record<string, readonly string[]>>
  /** Whether a model stands by, for the tools that need one. */
  readonly model?: boolean
  readonly steps: readonly Step[]
  /** Whether it writes: files, records and history are looked at afterwards. */
  readonly writes?: boolean
}

/** A tool's calls, each with other arguments. */
export function calls(tool: string, ...all: readonly unknown[]): ToolStep[] {
  return all.map((args) => ({ tool, args }))
}

/** How a call is named in a recording, and compared by. */
export function labelOf(step: Step): string {
  const who = step.as === undefined ? '' : `${step.as}: `
  if ('route' in step) return `${who}${step.route}${argumentsOf(step.body)}`
  const where = step.surface === undefined ? '' : `${step.surface} `
  if ('tool' in step) return `${who}${where}${step.tool}${argumentsOf(step.args)}`
  return `${who}${where}${step.method}${argumentsOf(step.params)}`
}

function argumentsOf(value: unknown): string {
  return value === undefined ? '' : ` ${JSON.stringify(value)}`
}
