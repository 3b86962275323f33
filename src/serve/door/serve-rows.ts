/**
 * The one door. Every call of every surface comes in here and takes the same steps in the same order
 * (a pipeline; the steps are in `steps.ts`). A surface says in data how each of them is done in its
 * words, and observers are told how it went.
 */
import type { Caller } from '../../core/domain/caller.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import { onePer } from '../../core/kit/one-per.ts'
import type { Building } from '../../core/operations/view/await-index.ts'
import { createKeptReplies } from './kept-replies.ts'
import type { Lasting } from './kept-replies.ts'
import { leaves } from './limit-tools.ts'
import type { ToolLimits } from './limit-tools.ts'
import type { CallRecord, Observer, Said } from './observer.ts'
import { safely } from './safe-result.ts'
import type { Safely } from './safe-result.ts'
import {
  exists,
  mayCall,
  offered,
  permitted,
  present,
  read,
  ready,
  recall,
  run,
  safe,
  safeValue,
  show,
  unknownTool,
  unmasked,
  withinTime,
} from './steps.ts'
import type { Called, DoorFacts, Passing, Step } from './steps.ts'
import type { CallContext, Reply, ShownPicture, Surface, ToolDefinition } from './surface.ts'
import { definitionOf } from './tool.ts'
import type { ToolDescription } from './tool.ts'

export { unknownTool }

/** What happens to every call, in this order; observers are told before the first and after the last. */
const BEFORE = [exists, offered, permitted, unmasked, read, ready]
export const STEPS: readonly Step[] = [...BEFORE, recall, run, present, show, safe]
const callTool = compose(STEPS)
/** For those who have a wire of their own. */
const performTool = compose([...BEFORE, run, present, safeValue])

/** One after the other, up to an answer; only those that have something to wait for are waited for. */
function compose(list: readonly Step[]): (passing: Passing) => Promise<void> {
  return async (passing) => {
    for (const step of list) {
      const waiting = step(passing)
      if (waiting) await waiting
      if (passing.answer) return
    }
  }
}

export interface DoorOptions {
  /** Where bugs go: never to the client. */
  readonly log: (error: unknown) => void
  readonly observers?: readonly Observer[] | undefined
  /** Longest time for one call; what concerns the server itself may take longer. */
  readonly timeLimitMs?: number | undefined
  /** Which tools the operator leaves; all of them where nothing is said. */
  readonly tools?: ToolLimits | undefined
}

const TIME_LIMIT_MS = 120_000

/** What every row has, whatever its surface makes of the rest. */
export interface Row extends ToolDescription {
  readonly run: (subject: any, input: any, call: CallContext) => Promise<unknown>
  readonly present: (result: any, input: any) => unknown
  readonly text?: (result: any, input: any) => string
  readonly saved?: (result: any) => number
  readonly pictures?: (result: any) => readonly ShownPicture[] | undefined
  readonly lasting?: (result: any) => Lasting | undefined
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
  /** Who calls where nobody was let in. */
  readonly caller?: Caller | undefined
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
    },
  ) => Reply | Promise<Reply>
  /**
   * By what replies differ besides their arguments and what they are about; undefined where none may
   * be kept at the moment, and missing where none ever is.
   */
  readonly differs?: (subject: SubjectOf<Each>, call: CallContext) => string | undefined
  readonly fail: (error: KnowledgeError, args: unknown) => Reply
  /** Says that there is no such tool, as a result or by throwing; thrown in our words unless said. */
  readonly unknown?: (name: string, names: readonly string[]) => Reply
}

export interface Door<Shown> extends Pick<Surface, 'tools' | 'names' | 'call'> {
  /** The same way in for whoever has a wire of their own: what the row presents, or the error as it is. */
  perform(name: string, args: unknown, call: CallContext): Promise<Shown>
}

export function serveRows<Each extends Row>(
  words: Vocabulary<Each>,
  options: DoorOptions,
): Door<ShownBy<Each>> {
  const { log, tools: limits, timeLimitMs = TIME_LIMIT_MS } = options
  const { define = definitionOf, has = () => true, offers = () => true } = words
  const { unknown = refuseUnknown } = words
  const existing = words.rows.filter(has)
  const toOffer = existing.filter(offers)
  const left = new Set<Row>(limits ? existing.filter((row) => leaves(limits, row)) : existing)
  const definitionFor = onePer(define)
  const may = (caller: Caller | undefined): readonly Each[] =>
    caller ? toOffer.filter((row) => mayCall(caller, row)) : toOffer
  const listed = (caller?: Caller, asked?: ToolLimits): readonly Each[] =>
    may(caller).filter((row) => left.has(row) && (!asked || leaves(asked, row)))
  const namesOf = (rows: readonly Each[]) => rows.map(({ name }) => name)
  const door: DoorFacts = {
    words,
    rows: new Map(existing.map((row) => [row.name, row])),
    left,
    timeLimitMs,
    kept: words.differs && createKeptReplies(),
    names: ({ caller, tools }) => namesOf(listed(caller, tools)),
  }
  const observe = openObserving(words.surface, options)
  const enter = (name: string, args: unknown, call: CallContext): Passing => ({
    door,
    name,
    args,
    call: words.caller && !call.caller ? { ...call, caller: words.caller } : call,
  })

  return {
    tools: (caller, asked) => listed(caller, asked).map(definitionFor),
    names: (caller) => namesOf(may(caller)),
    async call(name, args, call) {
      const passing = enter(name, args, call)
      const tell = observe(passing)
      let outcome: Outcome = 'ok'
      try {
        await callTool(passing)
        passing.keep?.(passing)
      } catch (error) {
        const failure = failureOf(error, log)
        outcome = failure.code
        if (!passing.row) tell(outcome)
        passing.reply = passing.row
          ? words.fail(failure, args)
          : unknown(name, door.names(passing.call))
        await safe(passing)
      }
      tell(outcome, passing.answer)
      return passing.answer!
    },
    async perform(name, args, call) {
      const passing = enter(name, args, call)
      const tell = observe(passing)
      await performTool(passing).catch((error: unknown) => throwTold(error, tell))
      tell('ok', { structured: passing.shown })
      return passing.shown as ShownBy<Each>
    },
  }
}

/** The door for what is no row, such as a route: who may, how long it took, how it went. */
export function openPassage(
  surface: string,
  options: DoorOptions & { readonly safely?: (call: CallContext) => Safely },
) {
  const { timeLimitMs = TIME_LIMIT_MS, safely: safelyFor = safely } = options
  const observe = openObserving(surface, options)
  return async <Result>(
    row: Called,
    call: CallContext,
    work: (safe: Safely) => Promise<Result>,
  ): Promise<Result> => {
    const passing = { row, call }
    const tell = observe(passing)
    try {
      permitted(passing)
      const answer = () => work(safelyFor(passing.call))
      // A change is not given up halfway: whoever asked for it hears how it ended.
      const isRead = row.access === 'read'
      const result = await (isRead ? withinTime(timeLimitMs, call.signal, answer) : answer())
      tell('ok')
      return result
    } catch (error) {
      return throwTold(error, tell)
    }
  }
}

type Outcome = CallRecord['outcome']
type Tell = (
  outcome: Outcome,
  result?: Pick<Said, 'texts' | 'saved'> & { readonly structured?: unknown },
) => void

function throwTold(error: unknown, tell: Tell): never {
  tell(error instanceof KnowledgeError ? error.code : 'internal')
  throw error
}

/** Tells observers that a call begins, and once how it ended. Whoever watches disturbs nobody. */
function openObserving(surface: string, { observers = [], log }: DoorOptions) {
  const own = observers.filter((each) => each.surface === undefined || each.surface === surface)
  const began = own.flatMap((each) => each.began ?? [])
  let ended = own.flatMap((each) => each.ended ?? [])
  const lasting = own.flatMap((each) => (each.once ? [] : (each.ended ?? [])))
  return (passing: Pick<Passing, 'call'> & { row?: Called | undefined; args?: unknown }): Tell => {
    const startedAt = Date.now()
    const started = performance.now()
    for (const begin of began) {
      try {
        const known = begin(passing.call)
        if (known) passing.call = { ...passing.call, ...known }
      } catch (error) {
        log(error)
      }
    }
    let told = ended.length === 0
    return (outcome, { structured: reply, texts, saved } = {}) => {
      if (told) return
      told = true
      const { row, call, args } = passing
      const record: CallRecord = {
        surface,
        tool: row?.name,
        access: row?.access,
        client: call.client,
        principal: call.caller?.principal ?? call.principal,
        startedAt,
        durationMs: performance.now() - started,
        outcome: call.signal.aborted ? 'cancelled' : outcome,
        ...(call.traceparent !== undefined && { traceparent: call.traceparent }),
      }
      const said: Said = { ...(row && { args }), reply, texts, saved }
      for (const end of ended) {
        try {
          end(record, said)
        } catch (error) {
          log(error)
        }
      }
      ended = lasting
    }
  }
}

function refuseUnknown(name: string, names: readonly string[]): never {
  throw unknownTool(name, names)
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
