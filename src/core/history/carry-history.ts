/** Carries a history to where there is none yet, oldest first, so that undo works there as here. */
import { KnowledgeError } from '../domain/error.ts'
import type { History, LoggedOperation, OperationState } from './history.ts'

/** How many operations were carried; undefined where nothing may be. */
export type Carry = () => Promise<number | undefined>

/**
 * Each call carries what has come since. Where something was changed that is not from here, nothing
 * is mixed in; what an interrupted carrying has left is gone on with.
 */
export function carrying(from: History, into: History): Carry {
  let known: Known | undefined
  return async () => {
    known ??= await knownIn(into)
    const fresh = await freshIn(from, known)
    if (!fresh) return undefined
    let carried = 0
    for (const operation of fresh.toReversed()) {
      const { state, undoneBy: _undoneBy, ...rest } = operation
      const { id } = operation
      if (!known.states.has(id)) {
        const changes = await contentOf(from, operation)
        // One that has lost its content could not be undone here either.
        if (!changes) continue
        await (
          await into.begin({ ...rest, changes })
        ).flushed
        known.newest = id
        carried++
      }
      if (state !== 'open' && known.states.get(id) !== state) await into.settle(id, state)
      known.states.set(id, state)
    }
    return carried
  }
}

interface Known {
  readonly states: Map<string, OperationState>
  newest: string | undefined
}

async function knownIn(into: History): Promise<Known> {
  const known: Known = { states: new Map(), newest: undefined }
  await into.each(({ id, state }) => {
    known.newest ??= id
    known.states.set(id, state)
    return true
  })
  return known
}

/** Newest first, what is not known or was open; undefined where the other side has other things. */
async function freshIn(from: History, known: Known): Promise<LoggedOperation[] | undefined> {
  const fresh: LoggedOperation[] = []
  const open = new Set([...known.states].flatMap(([id, state]) => (state === 'open' ? [id] : [])))
  let met: string | undefined
  await from.each((operation) => {
    const { id } = operation
    const isKnown = known.states.has(id)
    if (isKnown) met ??= id
    if (!isKnown || open.delete(id)) fresh.push(operation)
    // Whatever is older was carried before.
    return !(isKnown && open.size === 0)
  })
  return met === known.newest ? fresh : undefined
}

async function contentOf(from: History, operation: LoggedOperation) {
  try {
    return await from.changesOf(operation)
  } catch (error) {
    if (error instanceof KnowledgeError) return undefined
    throw error
  }
}
