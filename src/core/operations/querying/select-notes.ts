/** Notes of a part of the base that meet a `where`, in an order: the engine for whoever fills in a form. */
import type { DocumentRecord } from '../../domain/document.ts'
import type { DocumentFilter } from '../../store/store.ts'
import { checkKeys } from '../reading/hold-condition.ts'
import { parseCondition } from '../reading/parse-condition.ts'
import type { View } from '../view/view.ts'
import type { Expression } from './expression.ts'
import type { Step } from './query.ts'
import { stepsOver } from './run-query.ts'

export interface NoteSelection {
  readonly where?: string | undefined
  /** `title`, `path`, `updated`, or the name of a property. */
  readonly sort: string
  readonly reverse: boolean
}

export async function selectNotes(
  kb: View,
  filter: DocumentFilter,
  { where, sort, reverse }: NoteSelection,
): Promise<readonly DocumentRecord[]> {
  const steps: Step[] = []
  const condition = where === undefined ? undefined : parseCondition(where)
  if (condition) steps.push({ kind: 'where', test: { kind: 'condition', condition } })
  // Newest first is what one means by a date of change.
  steps.push({ kind: 'sort', by: [{ by: keyOf(sort), down: (sort === 'updated') !== reverse }] })
  const { documents } = await kb.store.list(filter, 'title', { offset: 0, limit: -1 })
  if (condition) await checkKeys(kb, condition.keys, documents)
  return stepsOver(documents, steps)
}

function keyOf(sort: string): Expression {
  const own = { title: 'title', path: 'path', updated: 'mtime' }[sort]
  const of: Expression = { kind: 'name', name: own === undefined ? 'note' : 'file' }
  return { kind: 'field', of, key: { kind: 'value', value: own ?? sort } }
}
