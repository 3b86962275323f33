/**
 * The one door. Every call of every surface comes in here: is there such a tool, is it offered, may
 * this caller use it, are the arguments right; it is run, presented, timed and told to whoever
 * watches. A surface says in data how each of these is done in its words.
 */
import type { Caller } from '../../core/domain/caller.ts'
import { KnowledgeError, quoted } from '../../core/domain/error.ts'
import type { ErrorCode } from '../../core/domain/error.ts'
import { safe, visible } from '../../core/domain/safe-text.ts'
import { isMasked } from '../../core/domain/secrets.ts'
import { Slices } from '../../core/kit/slices.ts'
import { BeingBuilt } from '../../core/operations/view/await-index.ts'
import type { Building } from '../../core/operations/view/await-index.ts'
import { lookingOnce } from '../../core/operations/view/one-look.ts'
import { safeInSlices, safeResult } from './safe-result.ts'
import type { CallContext, Surface, ToolDefinition, ToolResult } from './surface.ts'
import { onePer } from '../../core/kit/one-per.ts'
import { definitionOf, permissionFor } from './tool.ts'
import { withinTime } from './within-time.ts'
import type { Access, ToolDescription } from './tool.ts'

/** What is known of a call when it is over. Never what was said in it, see `Said`. */
export interface CallRecord {
  readonly surface: string
  /** Undefined for a tool that there is not: callers make up any number of names. */
  readonly tool: string | undefined
  /** What it does; undefined for a tool that there is not. */
  readonly access: Access | undefined
  readonly client: string | undefined
  readonly principal: string | undefined
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: 'ok' | 'cancelled' | ErrorCode
  /** The trace that the client has begun, as it says it. */
  readonly traceparent?: string
}

/** What was said in a call; nobody keeps it unless the operator says so. */
export interface Said {
  readonly args?: unknown
  /** The reply as a value, where there was one. */
  readonly reply?: unknown
}

export interface DoorOptions {
  /** Where bugs go: never to the client. */
  readonly log: (error: unknown) => void
  /** Told of every call when it is over. */
  readonly observe?: (record: CallRecord, said: Said) => void
  /** Longest time for one call; what concerns the server itself may take longer. */
  readonly timeLimitMs?: number
}

/** What every row has, whatever its surface makes of the rest. */
export interface Row extends ToolDescription {
  readonly run: (subject: any, input: any, call: CallContext) => Promise<unknown>
  readonly present: (result: any, input: any) => unknown
  readonly text?: (result: any, input: any) => string
  readonly saved?: (result: any) => number
  /** Says nothing of documents, so it need not wait for them. */
  readonly unindexed?: boolean
}

type SubjectOf<Each extends Row> = Parameters<Each['run']>[0]
type ShownBy<Each extends Row> = ReturnType<Each['present']>

export interface Vocabulary<Each extends Row> {
  readonly surface: string
  readonly rows: readonly Each[]
  /** Whether there is such a tool at all on this base. */
  readonly has?: (row: Each) => boolean
  /** Whether it is listed. One that is not can still be called, and says what is missing. */
  readonly offers?: (row: Each) => boolean
  readonly define?: (row: Each) => ToolDefinition
  /** Of the index that is read; without it, nothing has to be waited for. */
  readonly building?: Building
  /** Whether `show` says that documents are missing; a reply that cannot say so is not given. */
  readonly tellsBuilding?: boolean
  /** What the tools work on, as this caller sees it; may wait until that is ready. */
  readonly subject: (call: CallContext) => SubjectOf<Each> | Promise<SubjectOf<Each>>
  /** Reads the outside world into the row's input. Throws `invalid`. */
  readonly read: (row: Each, args: unknown) => unknown
  /** Puts what a row presents on the wire. */
  readonly show: (
    shown: ShownBy<Each>,
    about: {
      readonly row: Each
      readonly subject: SubjectOf<Each>
      readonly call: CallContext
      /** What a model reads, where the row has words for it. */
      readonly text: (() => string) | undefined
      /** Tokens that were not repeated, where the row counts them. */
      readonly saved: (() => number) | undefined
      /** Says that documents are missing, and how many; undefined where none are. */
      readonly building: string | undefined
      /** A value as this caller may be shown it. */
      readonly safe: <Value>(value: Value) => Promise<Value>
    },
  ) => ToolResult | Promise<ToolResult>
  /** `show` makes of safe values alone what it puts on the wire. */
  readonly showsSafe?: boolean
  readonly fail: (error: KnowledgeError, args: unknown) => ToolResult
  /** Says that there is no such tool, as a result or by throwing. */
  readonly unknown: (name: string, names: readonly string[]) => ToolResult
}

export interface Door<Shown> extends Pick<Surface, 'tools' | 'call'> {
  /**
   * The same way in for whoever has a wire of his own: what the row presents, or the error as it
   * is.
   */
  perform(name: string, args: unknown, call: CallContext): Promise<Shown>
}

type Called = Pick<ToolDescription, 'name' | 'access'>

/** The door for what is no row, such as a route: who may, how long it took, how it went. */
export function openPassage(surface: string, options: DoorOptions) {
  const { timeLimitMs = TIME_LIMIT_MS } = options
  const watched = openWatch(surface, options)
  return <Result>(what: Called, call: CallContext, work: () => Promise<Result>): Promise<Result> =>
    watched(what, call, async () => {
      refuse(what, call.caller)
      // A change is not given up halfway: whoever asked for it hears how it ended.
      return what.access === 'read' ? withinTime(timeLimitMs, call.signal, work) : work()
    })
}

interface Telling<Result> {
  readonly args?: unknown
  readonly outcomeOf?: (result: Result) => CallRecord['outcome']
  readonly replyIn?: (result: Result) => unknown
}

/** Runs the work and tells how it went. */
function openWatch(surface: string, { observe }: DoorOptions) {
  return async <Result>(
    what: Called | undefined,
    call: CallContext,
    work: () => Promise<Result>,
    { args, outcomeOf, replyIn }: Telling<Result> = {},
  ): Promise<Result> => {
    const startedAt = Date.now()
    const started = performance.now()
    const tell = (outcome: CallRecord['outcome'], reply?: unknown): void =>
      observe?.(
        {
          surface,
          tool: what?.name,
          access: what?.access,
          client: call.client,
          principal: call.caller?.principal ?? call.principal,
          startedAt,
          durationMs: performance.now() - started,
          outcome: call.signal.aborted ? 'cancelled' : outcome,
          ...(call.traceparent !== undefined && { traceparent: call.traceparent }),
        },
        { args, reply },
      )
    try {
      const result = await work()
      tell(outcomeOf?.(result) ?? 'ok', replyIn?.(result))
      return result
    } catch (error) {
      tell(error instanceof KnowledgeError ? error.code : 'internal')
      throw error
    }
  }
}

export function serveRows<Each extends Row>(
  words: Vocabulary<Each>,
  options: DoorOptions,
): Door<ShownBy<Each>> {
  const { log, timeLimitMs = TIME_LIMIT_MS } = options
  const watched = openWatch(words.surface, options)
  const { define = definitionOf, has = () => true, offers = () => true } = words
  const existing = words.rows.filter(has)
  const offered = existing.filter(offers)
  const rows = new Map(existing.map((row) => [row.name, row]))
  const definitionFor = onePer(define)
  const visible = (caller: Caller | undefined): readonly Each[] =>
    caller ? offered.filter((row) => mayCall(caller, row)) : offered

  const answer = async (row: Each, args: unknown, call: CallContext) => {
    refuse(row, call.caller)
    if (row.access !== 'read') refuseMasked(args)
    const input = words.read(row, args)
    const building = row.unindexed || row.access === 'maintain' ? undefined : words.building
    await building?.wait()
    const subject = await words.subject(call)
    const limit = row.access === 'maintain' ? undefined : timeLimitMs
    const run = (signal: AbortSignal) => row.run(subject, input, { ...call, signal })
    const missing = row.access === 'read' ? building?.note() : undefined
    if (missing !== undefined && !words.tellsBuilding) throw new BeingBuilt(missing)
    const result = await withinTime(limit, call.signal, (signal) =>
      row.access === 'read' ? lookingOnce(() => run(signal)) : run(signal),
    ).catch((error: unknown) => {
      throw missing === undefined ? error : notYet(error, missing)
    })
    const { text, saved } = row
    const slices = new Slices()
    const shown = row.present(result, input) as ShownBy<Each>
    // Of a list of everything, every step takes its time.
    if (slices.over) await slices.pause()
    return {
      shown,
      subject,
      building: missing,
      text: text && (() => text(result, input)),
      saved: saved && (() => saved(result)),
    }
  }

  return {
    tools: (caller) => visible(caller).map(definitionFor),

    async call(name, args, call) {
      const row = rows.get(name)
      if (!row) {
        const names = visible(call.caller).map((each) => each.name)
        return watched(undefined, call, async () => words.unknown(name, names), {
          outcomeOf: () => 'not_found',
        })
      }
      let failure: KnowledgeError | undefined
      return watched(
        row,
        call,
        async () => {
          try {
            const { shown, ...about } = await answer(row, args, call)
            const slices = new Slices()
            const safe = async <Value>(value: Value): Promise<Value> =>
              (await safeInSlices(value, safely(call))) as Value
            const result = await words.show(shown, { row, call, safe, ...about })
            if (slices.over) await slices.pause()
            return words.showsSafe ? result : await safeResult(result, safely(call))
          } catch (error) {
            failure = failureOf(error, log)
            return safeResult(words.fail(failure, args), safely(call))
          }
        },
        {
          args,
          outcomeOf: () => failure?.code ?? 'ok',
          replyIn: ({ structured }) => structured,
        },
      )
    },

    perform: (name, args, call) => {
      const row = rows.get(name)
      return watched(
        row,
        call,
        async () => {
          if (!row) throw unknownTool(name, [...rows.keys()])
          const { shown } = await answer(row, args, call)
          return (await safeInSlices(shown, safely(call))) as ShownBy<Each>
        },
        { ...(row && { args }), replyIn: (shown) => shown },
      )
    },
  }
}

/**
 * What is hidden in a text is shown to everybody, what is secret to those who may and ask for it.
 * Documents have been without their secrets since they were read; names, questions and what other
 * programs say have not.
 */
export function safely({
  showSecrets,
}: Pick<CallContext, 'showSecrets'>): (text: string) => string {
  return showSecrets ? visible : safe
}

/** A masked text that is written back would take the place of the secret. */
function refuseMasked(args: unknown): void {
  if (!isMasked(JSON.stringify(args ?? {}))) return
  throw new KnowledgeError(
    'invalid',
    'The text holds a secret that was masked when it was read; writing it would lose the secret.',
    'Change another part of the document (append, edit_section, find_replace), or edit the file by hand.',
  )
}

/** Nobody knows that something is not there before everything has been read. */
function notYet(error: unknown, missing: string): unknown {
  if (!(error instanceof KnowledgeError) || error.code !== 'not_found') return error
  return new BeingBuilt(`${error.message} ${missing}`)
}

const TIME_LIMIT_MS = 120_000

function mayCall({ may }: Caller, row: Called): boolean {
  return may.includes(permissionFor(row))
}

function refuse(row: Called, caller: Caller | undefined): void {
  if (!caller || mayCall(caller, row)) return
  throw new KnowledgeError(
    'forbidden',
    `${caller.principal} may not call ${row.name}: it needs the permission ${quoted(permissionFor(row))}.`,
    'Ask whoever runs this server for a token that has it.',
  )
}

export function unknownTool(name: string, names: readonly string[]): KnowledgeError {
  return new KnowledgeError(
    'not_found',
    `There is no tool ${quoted(name)}.`,
    `The tools are: ${names.join(', ')}.`,
  )
}

/** Everything that can go wrong in a call, as the client may see it. Bugs are scrubbed. */
function failureOf(error: unknown, log: (error: unknown) => void): KnowledgeError {
  if (error instanceof KnowledgeError) return error
  log(error)
  return new KnowledgeError(
    'internal',
    'Something went wrong inside the server.',
    'Try again; if it stays, look at the server log and run "cairn doctor".',
  )
}
