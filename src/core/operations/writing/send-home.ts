/** A change whose files are written by another server: planned here, carried out there. */
import { KnowledgeError } from '../../domain/error.ts'
import type { Homes, SentEdit } from '../../domain/homes.ts'
import type { Operation } from '../../domain/history.ts'
import type { Warning } from '../../domain/warning.ts'
import type { View } from '../view/view.ts'
import { isChange } from './carry-out.ts'
import type { FileEdit } from './carry-out.ts'

/** Sources that have files, and hence a home; of all or of these edits. */
export function sourcesWithHome({ sources }: View, edits?: readonly FileEdit[]): string[] {
  const changed = edits && new Set(edits.filter(isChange).map(({ source }) => source))
  return [...sources.values()]
    .filter(({ name, writer, inDatabase }) => writer && !inDatabase && (changed?.has(name) ?? true))
    .map(({ name }) => name)
}

/** `here`: nobody else writes these files any more. `raced`: a file is not what it was any more. */
export type Sent = 'here' | 'raced' | { readonly warnings: readonly Warning[] }

/** Undefined where the files are written here. Throws what the home refused the change with. */
export async function sendHome(
  homes: Homes,
  sources: readonly string[],
  operation: Operation,
  edits: readonly FileEdit[],
): Promise<Sent> {
  const where = await homes.whereAre(sources)
  if (where === 'here') return 'here'
  if (where === 'several') throw severalHomes(sources)
  const { id, kind, by, undoes } = operation
  const change = { id, kind, by, ...(undoes && { undoes }) }
  const sent = { ...change, edits: edits.filter(isChange).map(sentEdit) }
  const answer = await homes.send(sent, sources)
  if (answer.kind === 'here') return 'here'
  if (answer.kind === 'done') return { warnings: answer.warnings }
  if (answer.raced) return 'raced'
  throw new KnowledgeError(answer.code, answer.message, answer.hint)
}

function sentEdit({ before, ...edit }: FileEdit): SentEdit {
  return { ...edit, before: before?.digest }
}

function severalHomes(sources: readonly string[]): KnowledgeError {
  return new KnowledgeError(
    'unsupported',
    `The change is about ${sources.join(' and ')}, whose files are written by different servers.`,
    'Nothing was changed. Make one change for each of them.',
  )
}
