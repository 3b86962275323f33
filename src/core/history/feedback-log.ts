/**
 * What people found right and wrong: a line for every result that was shown, which is kept for a
 * while, and a line for every vote, which is kept for long.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BoundedMap } from '../kit/bounded-map.ts'
import { openActionLog } from './action-log.ts'

/** One result of one search. */
export interface ShownResult {
  readonly request_id: string
  readonly query: string
  readonly chunk_id: string
  /** `<source>/<path>` */
  readonly document: string
  /** From 1. */
  readonly rank: number
  readonly scores: Readonly<Record<string, unknown>>
  readonly signals: Readonly<Record<string, unknown>>
}

export interface Vote {
  readonly request_id: string | null
  readonly chunk_id: string | null
  /** From −1 to 1. */
  readonly vote: number | null
  readonly note: string | null
  readonly context: unknown
  /** ISO instant. */
  readonly timestamp: string
  readonly source: string
  /** As far as it is known what was voted on. */
  readonly query?: string
  readonly document?: string
  readonly rank?: number | null
  readonly signals?: Readonly<Record<string, unknown>>
}

export interface FeedbackLog {
  addShown(results: readonly ShownResult[]): void
  addVote(vote: Vote): void
  /** What was shown under this request, if that is still known. */
  find(requestId: string, chunkId: string): ShownResult | undefined
  /** All of them, oldest first. The same list as long as there is no new one. */
  votes(): readonly Vote[]
}

const EVENTS = 'feedback/events.log'
const VOTES = 'feedback/manual-events.log'
const REMEMBERED = 2_000
const MOST_VOTE_BYTES = 64 * 1024 * 1024
const EVENT_FILES = 5

export function openFeedbackLog(state: string): FeedbackLog {
  // Who is shown something need not wait for the disk; whoever votes is told that it is kept.
  const events = openActionLog(join(state, EVENTS), { flush: false })
  const manual = openActionLog(join(state, VOTES), { mostBytes: MOST_VOTE_BYTES })
  const recent = new BoundedMap<string, readonly ShownResult[]>(REMEMBERED)
  let read: { readonly stamp: string; readonly votes: readonly Vote[] } | undefined
  return {
    addShown(results) {
      const [first] = results
      if (!first) return
      recent.set(first.request_id, results)
      const timestamp = new Date().toISOString()
      events.append(...results.map((result) => ({ timestamp, ...result, vote: null })))
    },
    addVote: (vote) => manual.append({ ...vote }),
    find(requestId, chunkId) {
      const known = recent.get(requestId) ?? inFiles(join(state, EVENTS), requestId)
      return known.find((each) => each.chunk_id === chunkId)
    },
    votes() {
      const file = join(state, VOTES)
      const stats = statSync(file, { throwIfNoEntry: false })
      const stamp = `${stats?.ino}:${stats?.size}:${stats?.mtimeMs}`
      if (read?.stamp !== stamp) {
        read = { stamp, votes: stats ? linesOf(file).flatMap(asVote) : [] }
      }
      return read.votes
    },
  }
}

/** Another process may have answered, or this one before it was started anew. */
function inFiles(file: string, requestId: string): readonly ShownResult[] {
  if (requestId.length < 8) return []
  const files = [file, ...Array.from({ length: EVENT_FILES }, (_, at) => `${file}.${at + 1}`)]
  for (const each of files.filter((path) => existsSync(path))) {
    const lines = linesOf(each).filter((line) => line.includes(requestId))
    const found = lines.flatMap((line) => objectIn(line)) as unknown as ShownResult[]
    const own = found.filter((result) => result.request_id === requestId)
    if (own.length > 0) return own
  }
  return []
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n')
}

function asVote(line: string): Vote[] {
  const votes = objectIn(line) as unknown as Vote[]
  return votes.filter(({ timestamp }) => typeof timestamp === 'string')
}

/** A line that was cut off by a full disk is none. */
function objectIn(line: string): Record<string, unknown>[] {
  try {
    const value: unknown = line === '' ? undefined : JSON.parse(line)
    return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : []
  } catch {
    return []
  }
}
