/** Where a note went that is no longer where it was, as far as the history knows. */
import { door } from '../state/app.ts'
import type { Operation } from '../../wire/wire.ts'

interface Found {
  readonly operations: readonly Pick<Operation, 'id'>[]
  readonly diff?: string
}

export async function movedTo(id: string): Promise<string | undefined> {
  try {
    const { operations } = await door.call<Found>('history', { action: 'list', id, limit: 1 })
    const [last] = operations
    if (!last) return undefined
    const { diff = '' } = await door.call<Found>('history', { action: 'diff', id: last.id })
    const lines = diff.split('\n')
    const at = lines.indexOf(`--- ${id}`)
    const to = /^\+\+\+ (.+)$/.exec(at < 0 ? '' : (lines[at + 1] ?? ''))?.[1]
    return to === id || to === '/dev/null' ? undefined : to
  } catch {
    return undefined
  }
}
