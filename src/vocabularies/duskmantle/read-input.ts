/** Reads the arguments of a call as its row says. */
import { invalid } from '../../core/domain/error.ts'
import type { DuskmantleRow } from './row.ts'

/** One complaint at a time. Unknown arguments are ignored, and null is one that was left out. */
export function readInput(row: DuskmantleRow, args: unknown): Record<string, unknown> {
  const given = Object.entries(args ?? {}).filter(([, value]) => value !== null)
  const result = row.input.safeParse(Object.fromEntries(given))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const where = issue?.path.join('.') ?? ''
  const what = issue?.message ?? 'the arguments cannot be read'
  throw invalid(
    `${what.startsWith(where) ? what : `${where}: ${what}`}.`,
    `km-help with {"tool": "${row.name}"} says what it takes.`,
  )
}
