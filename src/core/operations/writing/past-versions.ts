/**
 * Version history of one document: what it held at a moment, after a change or under a digest, and
 * which changes brought or took a sentence. Where two tell of the same moment, the order is: Cairn's
 * own history as far as nothing came in between, the file as it is where it is older than the moment,
 * git, and last what Cairn saw before or after. docs/decisions/0078-what-held-then.md has the reasons.
 */
import { documentId, parsePlace } from '../../domain/document.ts'
import type { Place } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { KnowledgeError, notFound, quoted, unsupported } from '../../domain/error.ts'
import { takeOut, findSecrets } from '../../domain/secrets.ts'
import type { FileBytes } from '../../domain/source.ts'
import { applySplice, revertSplice, spliceBetween } from '../../editing/splice.ts'
import type { ChangeRecord, LoggedOperation } from '../../history/history.ts'
import { Slices } from '../../kit/slices.ts'
import { isPrivate } from '../../sources/private-notes.ts'
import type { Commit } from '../../sources/work-tree.ts'
import { parseDay } from '../reading/parse-day.ts'
import { resolveDocument } from '../reading/resolve-document.ts'
import type { View } from '../view/view.ts'
import { documentsMeant } from './history-names.ts'
import { isOperationId } from './list-history.ts'
import { parseMoment } from './parse-moment.ts'
import { digestOf, NOTHING } from './written-files.ts'

export interface PastVersion {
  /** Where the file is now, or was last. */
  readonly place: Place
  readonly bytes: Uint8Array
  /** The change that made it so; neither where it is the file as it stands, or as Cairn first met it. */
  readonly operation?: LoggedOperation
  readonly commit?: Commit
}

/** Operations on one document, newest first, with the index of its change; moves are followed. */
interface Step {
  readonly operation: LoggedOperation
  readonly change: ChangeRecord
  readonly index: number
}

/** So many changes of a document are gone back through. */
const MOST_STEPS = 2_000

/** `at`: a moment, a day (its end is meant), an operation, a commit or a digest, the latter from 7 digits. */
export async function versionAt(kb: View, id: string, at: string): Promise<PastVersion> {
  const place = await placeOf(kb, id)
  const past = await pastOf(kb, place)
  const wanted = at.trim()
  if (isOperationId(wanted)) {
    const step = past.steps.findIndex(({ operation }) => operation.id === wanted)
    if (step < 0) throw unknownVersion(place, at)
    return required(await afterStep(past, step), past, at)
  }
  if (/^[0-9a-f]{7,64}$/i.test(wanted)) {
    return required(await byDigits(kb, past, wanted.toLowerCase()), past, at)
  }
  return atMoment(past, momentOf(wanted), at)
}

/** A day, month or year means its end: what held at the end of it. */
export function momentOf(text: string, now = Date.now()): number {
  const day = parseDay(text, now)
  return day ? day.to - 1 : parseMoment(text, now, 'at')
}

interface Past {
  readonly kb: View
  readonly place: Place
  readonly steps: readonly Step[]
  readonly now: FileBytes | undefined
}

async function pastOf(kb: View, place: Place): Promise<Past> {
  const steps: Step[] = []
  let { path } = place
  await kb.writing?.history.each((operation) => {
    if (!hasHappened(operation)) return true
    for (const [index, change] of operation.changes.entries()) {
      if (change.source !== place.source || change.path !== path) continue
      steps.push({ operation, change, index })
      path = change.from ?? path
    }
    return steps.length < MOST_STEPS
  })
  return { kb, place, steps, now: await bytesNow(kb, place) }
}

async function bytesNow(kb: View, { source, path }: Place): Promise<FileBytes | undefined> {
  return kb.sources.get(source)?.writer?.load(path)
}

function hasHappened({ state, kind }: LoggedOperation): boolean {
  return state === 'done' && kind !== 'overtaken'
}

/** What Cairn changed after a moment, under the names that it has now, or had last. */
export interface ChangedAfter {
  readonly places: readonly Place[]
  /** There are more, and these changed last. */
  readonly more: boolean
  /** What one of them held at the moment; throws `not_found` where it was not there, or nobody knows. */
  versionOf(place: Place, at: string): Promise<PastVersion>
}

/** Of all of them in one walk through the history, for who asks about many. */
export async function changedAfter(
  kb: View,
  moment: number,
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal | undefined },
): Promise<ChangedAfter> {
  const followed = new Map<string, Step[]>()
  /** Who is followed under which name, as far back as the walk has come. */
  const under = new Map<string, string>()
  let more = false
  await kb.writing?.history.each((operation) => {
    signal?.throwIfAborted()
    if (!hasHappened(operation)) return true
    const isAfter = operation.at > moment
    for (const [index, change] of operation.changes.entries()) {
      const { source, path, from } = change
      const name = documentId({ source, path })
      if (isAfter && !under.has(name)) {
        if (followed.size < most) under.set(name, name)
        else more = true
      }
      const id = under.get(name)
      if (id === undefined) continue
      const steps = followed.get(id) ?? []
      if (steps.length < MOST_STEPS) steps.push({ operation, change, index })
      followed.set(id, steps)
      if (from === undefined) continue
      // Who is called so by now is another one, which was made later.
      under.delete(name)
      under.set(documentId({ source, path: from }), id)
    }
    return isAfter || under.size > 0
  })
  return {
    places: [...followed.keys()].map(parsePlace),
    more,
    async versionOf(place, at) {
      const steps = followed.get(documentId(place)) ?? []
      return atMoment({ kb, place, steps, now: await bytesNow(kb, place) }, moment, at)
    },
  }
}

/** A document that is there; else one that the history remembers under this name. */
async function placeOf(kb: View, id: string): Promise<Place> {
  let missing: KnowledgeError
  try {
    const { source, path } = await resolveDocument(kb, id)
    if (!isEntityPath(path) && !kb.formatOf(path).made) return { source, path }
    throw unsupported(
      `Of ${quoted(documentId({ source, path }))} only what it says now can be read.`,
      'Leave at out, or look at history for who changed it when.',
    )
  } catch (error) {
    if (!(error instanceof KnowledgeError) || error.code !== 'not_found') throw error
    missing = error
  }
  const [name] = kb.writing ? await documentsMeant(kb, id) : []
  if (name === undefined) throw missing
  return placeNow(kb, parsePlace(name))
}

/** Where a name of the history leads to by now. */
async function placeNow(kb: View, { source, path }: Place): Promise<Place> {
  const moves: ChangeRecord[] = []
  await kb.writing?.history.each(({ state, changes }) => {
    if (state === 'done') {
      moves.push(...changes.filter((one) => one.source === source && one.from !== undefined))
    }
    return true
  })
  return {
    source,
    path: moves.reduceRight((at, { from, path: to }) => (from === at ? to : at), path),
  }
}

/**
 * Goes through what the file held before and after each step, as far as it can be told: back from
 * the file as it is, one change after the other, until somebody else has edited it in between; and
 * what lies before that, forward from where Cairn made the file. `visit` returns false to end it.
 */
async function replay(
  { kb, steps, now }: Past,
  visit: (step: number, before: Uint8Array | undefined, after: Uint8Array | undefined) => boolean,
): Promise<void> {
  const { history } = kb.writing!
  const changeAt = async (at: number) => {
    const { operation, index } = steps[at]!
    return (await history.changesOf(operation))[index]!
  }
  // Every step is applied and hashed, and a note may be long and have been changed often.
  const slices = new Slices()
  let bytes: Uint8Array | undefined = now?.bytes
  let at = 0
  for (; at < steps.length; at++) {
    if (slices.over) await slices.pause()
    const { splice, before, after } = await changeAt(at)
    if ((bytes && digestOf(bytes)) !== after) break
    const earlier = before === undefined ? undefined : revertSplice(bytes ?? NOTHING, splice)
    if (earlier && digestOf(earlier) !== before) break
    if (!visit(at, earlier, bytes)) return
    bytes = earlier
  }
  const oldest = steps.length - 1
  if (at > oldest || steps[oldest]!.change.before !== undefined) return
  bytes = undefined
  for (let step = oldest; step >= at; step--) {
    if (slices.over) await slices.pause()
    const { splice, before, after } = await changeAt(step)
    if ((bytes && digestOf(bytes)) !== before) return
    const later: Uint8Array | undefined =
      after === undefined ? undefined : applySplice(bytes ?? NOTHING, splice)
    if (later && digestOf(later) !== after) return
    if (!visit(step, bytes, later)) return
    bytes = later
  }
}

type Side = 'before' | 'after'

async function contentAt(past: Past, step: number, side: Side): Promise<Uint8Array | undefined> {
  let found: Uint8Array | undefined
  await replay(past, (at, before, after) => {
    if (at === step) found = side === 'before' ? before : after
    return at !== step
  })
  return found
}

async function afterStep(past: Past, step: number): Promise<PastVersion | undefined> {
  const { operation, change } = past.steps[step]!
  if (change.after === undefined) throw notThere(past.place, operation.id)
  const bytes = await contentAt(past, step, 'after')
  return bytes && { place: past.place, bytes, operation }
}

/** As it was before the oldest change that is known. */
async function beforeStep(past: Past, step: number): Promise<PastVersion | undefined> {
  const bytes = await contentAt(past, step, 'before')
  const made = past.steps[step + 1]?.operation
  return bytes && { place: past.place, bytes, ...(made && { operation: made }) }
}

function asItIs({ place, now }: Past): PastVersion | undefined {
  return now && { place, bytes: now.bytes }
}

async function byDigits(kb: View, past: Past, digits: string): Promise<PastVersion | undefined> {
  const { steps, now, place } = past
  if (now?.digest.startsWith(digits)) return asItIs(past)
  for (const [step, { change }] of steps.entries()) {
    if (change.after?.startsWith(digits)) return afterStep(past, step)
    if (change.before?.startsWith(digits)) return beforeStep(past, step)
  }
  const git = await kb.base.fileHistoryOf?.(place.source)
  const version = await git?.versionAt(place.path, { commit: digits })
  if (!version) return undefined
  const { commit, bytes } = version
  if (!bytes) throw notThere(place, commit.id.slice(0, 10))
  return { place, bytes, commit }
}

async function atMoment(past: Past, moment: number, at: string): Promise<PastVersion> {
  const { kb, steps, now, place } = past
  const last = steps.findIndex(({ operation }) => operation.at <= moment)
  const next = last < 0 ? steps.length - 1 : last - 1
  const then = next < 0 ? now?.digest : steps[next]!.change.before
  const isCertain = last >= 0 && steps[last]!.change.after === then
  const known = isCertain ? await afterStep(past, last) : undefined
  if (known) return known
  if (next < 0 && now && now.modifiedAt <= moment) return asItIs(past)!
  const git = await kb.base.fileHistoryOf?.(place.source)
  const version = await git?.versionAt(place.path, { before: moment })
  if (version?.bytes) return { place, bytes: version.bytes, commit: version.commit }
  if (version) throw notThere(place, at)
  if (last >= 0) return required(await afterStep(past, last), past, at)
  if (next < 0) throw unknownVersion(place, at)
  if (steps[next]!.change.before === undefined) throw notThere(place, at)
  return required(await beforeStep(past, next), past, at)
}

function required(found: PastVersion | undefined, { place }: Past, at: string): PastVersion {
  if (found) return found
  throw unknownVersion(place, at)
}

function unknownVersion(place: Place, at: string): KnowledgeError {
  return notFound(
    `Nobody knows what ${quoted(documentId(place))} said at ${quoted(at)}: neither the history nor git has it.`,
    'Call history with its id: any operation or commit listed there can be passed as at.',
  )
}

export function notThere(place: Place, at: string): KnowledgeError {
  return notFound(
    `${quoted(documentId(place))} was not there at ${quoted(at)}.`,
    'Call history with its id for when it came and went.',
  )
}

/** A change that brought or took away a text. */
export interface SentenceChange {
  readonly brought: boolean
  readonly operation?: LoggedOperation
  readonly commit?: Commit
}

/** Newest first: what was changed here, then what git has. White space is as good as any other. */
export async function changesOfText(
  kb: View,
  id: string,
  text: string,
  limit: number,
): Promise<readonly SentenceChange[]> {
  const place = await placeOf(kb, id)
  const past = await pastOf(kb, place)
  const wanted = text.trim().replaceAll(/\s+/g, ' ')
  const found = new Map<number, SentenceChange>()
  const window = Buffer.byteLength(wanted) * 2 + AROUND
  await replayIfAny(past, (at, before, after) => {
    const { operation } = past.steps[at]!
    if (!mayDiffer(before, after, wanted, window)) return true
    const [had, has] = [before, after].map((bytes) => (bytes ? timesIn(bytes, wanted) : 0))
    if (had !== has) found.set(at, { operation, brought: has! > had! })
    return true
  })
  const own = [...found].toSorted(([a], [b]) => a - b).map(([, change]) => change)
  if (own.length >= limit) return own.slice(0, limit)
  const git = await kb.base.fileHistoryOf?.(place.source)
  const options = {
    limit: limit - own.length,
    count: (bytes: Uint8Array) => timesIn(bytes, wanted),
  }
  const commits = (await git?.changesOfText(place.path, wanted, options)) ?? []
  return [...own, ...commits]
}

async function replayIfAny(past: Past, visit: Parameters<typeof replay>[1]): Promise<void> {
  if (past.steps.length > 0) await replay(past, visit)
}

const AROUND = 64

/** Looks only at what differs and a little around it; most changes are elsewhere in the file. */
function mayDiffer(
  before: Uint8Array = NOTHING,
  after: Uint8Array = NOTHING,
  wanted: string,
  window: number,
): boolean {
  const { at, removed, added } = spliceBetween(before, after)
  const part = (bytes: Uint8Array, length: number) =>
    bytes.subarray(Math.max(0, at - window), at + length + window)
  return count(part(before, removed.length), wanted) !== count(part(after, added.length), wanted)
}

function count(bytes: Uint8Array, wanted: string): number {
  return occurrences(Buffer.from(bytes).toString('utf8'), wanted)
}

/** As often as it is shown to somebody: neither secrets nor what was private then are looked for. */
function timesIn(bytes: Uint8Array, wanted: string): number {
  const text = Buffer.from(bytes).toString('utf8')
  if (isPrivate(text)) return 0
  return occurrences(takeOut(text, findSecrets(text)), wanted)
}

function occurrences(text: string, wanted: string): number {
  const folded = text.replaceAll(/\s+/g, ' ')
  let times = 0
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    times++
  }
  return times
}
