/**
 * The steps that a call takes through the door, one function each, in the order in which
 * `serve-rows.ts` lists them. A step looks at what the ones before it have found, adds its own, and
 * throws where the call ends.
 */
import type { Caller } from '../../core/domain/caller.ts'
import { KnowledgeError, quoted } from '../../core/domain/error.ts'
import { isMasked } from '../../core/domain/secrets.ts'
import { jsonInSlices } from '../../core/kit/json-parts.ts'
import { Slices } from '../../core/kit/slices.ts'
import { BeingBuilt } from '../../core/operations/view/await-index.ts'
import { withOneSnapshot } from '../../core/operations/view/snapshot.ts'
import type { KeptReplies } from './kept-replies.ts'
import { leaves } from './limit-tools.ts'
import { isLong, safeInSlices, safely } from './safe-result.ts'
import type { Row, Vocabulary } from './serve-rows.ts'
import type { CallContext, Reply, ToolResult } from './surface.ts'
import { permissionFor } from './tool.ts'
import type { ToolDescription } from './tool.ts'

/** What a door knows of its surface, for all calls. */
export interface DoorFacts {
  readonly words: Vocabulary<any>
  readonly rows: ReadonlyMap<string, Row>
  /** Of these rows, what the operator leaves. */
  readonly left: ReadonlySet<Row>
  readonly timeLimitMs: number
  readonly kept: KeptReplies | undefined
  /** What is listed for whoever calls. */
  names(call: CallContext): readonly string[]
}

/** A call on its way. What a step needs is there once the steps before it have passed. */
export interface Passing {
  readonly door: DoorFacts
  readonly name: string
  readonly args: unknown
  call: CallContext
  row?: Row | undefined
  input?: unknown
  subject?: unknown
  /** Says that documents are missing, and how many; undefined where none are. */
  missing?: string | undefined
  result?: unknown
  shown?: unknown
  reply?: Reply
  answer?: ToolResult
  /** Once there is an answer, of what was asked before. */
  keep?: (passing: Passing) => void
}

export type Step = (passing: Passing) => void | Promise<void>

/** Is there such a tool? */
export const exists: Step = (passing) => {
  const { door, name, call } = passing
  passing.row = door.rows.get(name)
  if (!passing.row) throw unknownTool(name, door.names(call))
}

/** Does the operator leave it, and does the client ask for it? What a tool calls is not listed. */
export const offered: Step = (passing) => {
  const { door, name, row, call } = passing
  if (call.isInside || (door.left.has(row!) && (!call.tools || leaves(call.tools, row!)))) return
  passing.row = undefined
  throw unknownTool(name, door.names(call))
}

/** May this caller use it? */
export const permitted = ({
  row,
  call: { caller },
}: {
  readonly row?: Called | undefined
  readonly call: CallContext
}): void => {
  if (!row || !caller || mayCall(caller, row)) return
  throw new KnowledgeError(
    'forbidden',
    `${caller.principal} may not call ${row.name}: it needs the permission ${quoted(permissionFor(row))}.`,
    'Ask whoever runs this server for a token that has it.',
  )
}

/** A masked text that is written back would take the place of the secret. */
export const unmasked: Step = ({ row, args }) => {
  if (row!.access === 'read' || !isMasked(JSON.stringify(args ?? {}))) return
  throw new KnowledgeError(
    'invalid',
    'The text holds a secret that was masked when it was read; writing it would lose the secret.',
    'Change another part of the document (append, edit_section, find_replace), or edit the file by hand.',
  )
}

/** Are the arguments right? */
export const read: Step = (passing) => {
  passing.input = passing.door.words.read(passing.row!, passing.args)
}

/** What the tool works on, as this caller sees it, once that can be asked. */
export const ready: Step = async (passing) => {
  const { call } = passing
  const { words } = passing.door
  const row = passing.row!
  const building = row.unindexed || row.access === 'maintain' ? undefined : words.building
  await building?.wait()
  passing.subject = await words.subject(call)
  passing.missing = row.access === 'read' ? building?.note() : undefined
  if (passing.missing !== undefined && !words.tellsBuilding) throw new BeingBuilt(passing.missing)
}

/** Was the same asked before, and would it be answered as it was then? */
export const recall: Step = (passing) => {
  const { door, row, name, args, subject, missing, call } = passing
  const { kept, words } = door
  if (!kept || !row!.lasting || missing !== undefined) return undefined
  const differs = words.differs!(subject, call)
  if (differs === undefined) return undefined
  const question = { key: `${name} ${differs} ${JSON.stringify(args)}`, subject: subject as object }
  if (!kept.wasAsked(question)) return undefined
  passing.call = { ...call, keeps: true }
  passing.keep = ({ result, answer }) => {
    const lasting = row!.lasting!(result)
    if (lasting && words.differs!(subject, call) === differs) {
      kept.keep(question, lasting, answer!)
    }
  }
  return kept.find(question, call).then((answer) => {
    if (!answer) return
    passing.answer = answer
    delete passing.keep
  })
}

/** The operation itself, as long as it may take; what concerns the server itself takes its time. */
export const run: Step = (passing) => {
  const { door, subject, input, call, missing } = passing
  const row = passing.row!
  return withinTime(row.access === 'maintain' ? undefined : door.timeLimitMs, call.signal, work)
  async function work(signal: AbortSignal): Promise<void> {
    const inside = { ...call, signal, isInside: true }
    try {
      passing.result = await (row.access === 'read'
        ? withOneSnapshot(() => row.run(subject, input, inside))
        : row.run(subject, input, inside))
    } catch (error) {
      throw missing === undefined ? error : notYet(error, missing)
    }
  }
}

/** In the words of the row. */
export const present: Step = (passing) => {
  const slices = new Slices()
  passing.shown = passing.row!.present(passing.result, passing.input)
  // Of a list of everything, every step takes its time.
  return slices.over ? slices.pause() : undefined
}

/** In the words of the surface: what models read, and what programs read. */
export const show: Step = (passing) => {
  const { door, row, input, result, subject, missing: building, shown, call } = passing
  const { text, saved } = row!
  const slices = new Slices()
  const reply = door.words.show(shown, {
    row,
    subject,
    call,
    building,
    text: text && (() => text(result, input)),
    saved: saved && (() => saved(result)),
  })
  if (reply instanceof Promise) return reply.then((shown) => void (passing.reply = shown))
  const pictures = row!.pictures?.(result)
  passing.reply = pictures ? { ...reply, pictures } : reply
  return slices.over ? slices.pause() : undefined
}

/**
 * Every text is made safe, once, on its way out. A reply that says nothing of its own to models
 * gives them its value, which is safe by then.
 */
export const safe: Step = async (passing) => {
  const { texts, structured, under, ...rest } = passing.reply!
  const safelyHere = safely(passing.call)
  const slices = new Slices()
  const safeTexts = texts?.map(safelyHere)
  if (slices.over) await slices.pause()
  const value = await safeInSlices(structured, safelyHere)
  passing.answer = {
    ...rest,
    texts: safeTexts ?? [isLong(value) ? await jsonInSlices(value) : JSON.stringify(value)],
    ...(value !== undefined && {
      structured: (under === undefined ? value : { [under]: value }) as ToolResult['structured'],
    }),
  }
}

/** The same for a value that is put into words elsewhere. */
export const safeValue: Step = async (passing) => {
  passing.shown = await safeInSlices(passing.shown, safely(passing.call))
}

export type Called = Pick<ToolDescription, 'name' | 'access'>

export function mayCall({ may }: Caller, row: Called): boolean {
  return may.includes(permissionFor(row))
}

export function unknownTool(name: string, names: readonly string[]): KnowledgeError {
  return new KnowledgeError(
    'not_found',
    `There is no tool ${quoted(name)}.`,
    `The tools are: ${names.join(', ')}.`,
  )
}

/** Nobody knows that something is not there before everything has been read. */
function notYet(error: unknown, missing: string): unknown {
  if (!(error instanceof KnowledgeError) || error.code !== 'not_found') return error
  return new BeingBuilt(`${error.message} ${missing}`)
}

/** Timeout: ends when the work does, when nobody waits for it any more, or when it takes too long. */
export async function withinTime<Result>(
  limitMs: number | undefined,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  if (caller.aborted) throw cancelled()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  // One controller instead of `AbortSignal.any`, which costs every call more than all else here.
  const controller = new AbortController()
  const end = (reason: unknown, error: KnowledgeError): void => {
    controller.abort(reason)
    reject(error)
  }
  const late = (): void => {
    const error = tooLate(limitMs!)
    end(error, error)
  }
  const timer = limitMs === undefined ? undefined : setTimeout(late, limitMs)
  const leave = (): void => end(caller.reason, cancelled())
  caller.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work(controller.signal), ended])
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', leave)
  }
}

function tooLate(limitMs: number): KnowledgeError {
  return new KnowledgeError(
    'unavailable',
    `This took longer than ${Math.round(limitMs / 1000)} seconds.`,
    'Ask for less at once, or try again later. If it was a change, look whether it was made.',
  )
}

function cancelled(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The call was cancelled.', 'Call again if it is needed.')
}
