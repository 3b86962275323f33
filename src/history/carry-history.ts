/** Carries a history to where there is none yet, oldest first, so that undo works there as here. */
import { KnowledgeError } from '../domain/error.ts'
import type { History, LoggedOperation } from './history.ts'

/** How many operations were carried. Where something was changed already, nothing is mixed in. */
export async function carryHistory(from: History, into: History): Promise<number> {
  let isEmpty = true
  await into.each(() => (isEmpty = false))
  if (!isEmpty) return 0
  const operations: LoggedOperation[] = []
  await from.each((operation) => operations.push(operation) > 0)
  let carried = 0
  for (const operation of operations.toReversed()) {
    const { state, undoneBy: _undoneBy, ...rest } = operation
    const changes = await contentOf(from, operation)
    // One that has lost its content could not be undone here either.
    if (!changes) continue
    await into.begin({ ...rest, changes })
    if (state !== 'open') await into.settle(operation.id, state)
    carried++
  }
  return carried
}

async function contentOf(from: History, operation: LoggedOperation) {
  try {
    return await from.changesOf(operation)
  } catch (error) {
    if (error instanceof KnowledgeError) return undefined
    throw error
  }
}
