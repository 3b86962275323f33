/** Which documents meet a condition over their properties? */
import { didYouMean } from '../../domain/nearest.ts'
import type { DocumentRecord } from '../../domain/document.ts'
import { invalid, quoted } from '../../domain/error.ts'
import { inSlices } from '../../domain/slices.ts'
import type { View } from '../view/view.ts'
import { fieldsOf, OWN_KEYS, parseCondition, propertyOf } from './parse-condition.ts'

/** So many are named to who asked for another one. */
const KEYS_SHOWN = 30

/**
 * Throws `invalid` for a property that no document of the base has: it is misspelled, and an empty
 * answer would not say so. `others` are asked about more than documents have, such as `done`.
 */
export async function holding(
  kb: View,
  where: string,
  records: readonly DocumentRecord[],
  others: readonly string[] = [],
): Promise<readonly DocumentRecord[]> {
  const condition = parseCondition(where)
  await checkKeys(kb, condition.keys, records, others)
  const held = await inSlices(records, (record) => condition.holds(fieldsOf(record)))
  return records.filter((_, index) => held[index])
}

export async function checkKeys(
  kb: View,
  keys: readonly string[],
  records: readonly DocumentRecord[],
  others: readonly string[] = [],
): Promise<void> {
  const known = new Set([...OWN_KEYS, ...others])
  const unknown = (some: readonly DocumentRecord[]): string | undefined =>
    keys.find(
      (key) =>
        !known.has(key.toLowerCase()) &&
        !some.some(({ properties }) => propertyOf(properties, key) !== undefined),
    )
  if (unknown(records) === undefined) return
  const all = await kb.store.list({}, 'path', { offset: 0, limit: -1 })
  const missing = unknown(all.documents)
  if (missing === undefined) return
  const counts = new Map<string, number>()
  for (const { properties } of all.documents) {
    for (const key of Object.keys(properties)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const names = [...counts].toSorted(([, a], [, b]) => b - a).map(([key]) => key)
  const shown = [...names.slice(0, KEYS_SHOWN), ...known]
  throw invalid(
    `No document has the property ${quoted(missing)}.`,
    `${didYouMean(missing, [...names, ...known])}Properties are: ${[...new Set(shown)].join(', ')}.`,
  )
}
