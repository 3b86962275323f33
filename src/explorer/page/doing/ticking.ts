/**
 * Optimistic update: a task looks ticked at once, and as before where the server refuses. One change
 * after the other for each note, so that each is made to the text that the one before it left.
 */
import { DoorError } from '../door.ts'
import type { ChangedLine } from '../../wire/wire.ts'
import type { Mark } from '../state/acting.ts'
import { door } from '../state/app.ts'
import { noteChanged } from '../state/changes.ts'
import { sayDone, write } from '../state/writing.ts'

const SAID: Readonly<Record<Mark, string>> = {
  ' ': 'Open again',
  '/': 'In progress',
  x: 'Done',
  '-': 'Cancelled',
}

interface Tick {
  readonly id: string
  readonly line: number
  readonly mark: Mark
  /** As people read it. */
  readonly name: string
  /** Of the text that somebody looks at. */
  readonly digest?: string
  /** As it is written, where somebody looks at the task alone. */
  readonly text?: string
}

const turns = new Map<string, Promise<unknown>>()
/** What a text became by ticks of this page, which move no line. Bounded: the oldest goes. */
const became = new Map<string, string>()
const REMEMBERED = 200

/** Throws a `DoorError` that says to a person what happened; then nothing was changed. */
export async function tick(wanted: Tick): Promise<void> {
  const { id } = wanted
  const before = turns.get(id) ?? Promise.resolve()
  const mine = before.catch(() => undefined).then(() => carryOut(wanted))
  turns.set(id, mine)
  try {
    await mine
  } finally {
    if (turns.get(id) === mine) turns.delete(id)
  }
}

async function carryOut({ id, line, mark, name, digest, text }: Tick): Promise<void> {
  try {
    const asked = { id, line, mark, ...(text !== undefined && { text }) }
    const edit = await door.read<ChangedLine>('task', asked)
    const seen = digest === undefined ? edit.digest : latest(digest)
    const written = await write({
      action: 'replace',
      id,
      lines: edit.lines,
      content: edit.content,
      if_digest: seen,
    })
    remember(seen, written.digest)
    sayDone(`${SAID[mark]}: ${name}`, written.operation)
  } catch (problem) {
    if (!(problem instanceof DoorError) || problem.code !== 'conflict') throw problem
    // What is there now is shown at once.
    noteChanged([id])
    throw new DoorError(
      'conflict',
      'The note has changed meanwhile, so this task was left as it is.',
      'Tick it once more.',
    )
  }
}

/** Whether this page has changed that text since. */
export function isOutdated(digest: string): boolean {
  return latest(digest) !== digest
}

function latest(digest: string): string {
  let now = digest
  for (let next = became.get(now); next !== undefined; next = became.get(now)) now = next
  return now
}

function remember(before: string, after: string): void {
  if (before === after) return
  // Ticked and open again, it is the text that it was.
  became.delete(after)
  became.set(before, after)
  const [oldest] = became.keys()
  if (became.size > REMEMBERED && oldest !== undefined) became.delete(oldest)
}
