/** Which documents meet a condition over their properties? */
import { didYouMean } from '../../kit/nearest.ts'
import type { DocumentRecord } from '../../domain/document.ts'
import { invalid, quoted } from '../../domain/error.ts'
import { inSlices, Slices } from '../../kit/slices.ts'
import type { View } from '../view/view.ts'
import { fieldsOf, OWN_KEYS, parseCondition, propertyOf } from './parse-condition.ts'

/** So many are named to whoever asked for another one. */
const KEYS_SHOWN = 30

/** Nobody has longer ones, and each would be compared with those of every document. */
const LONGEST_KEY = 500

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
  const unknown = async (some: readonly DocumentRecord[]): Promise<string | undefined> => {
    const missing = new Set(keys.filter((key) => !known.has(key.toLowerCase())))
    const long = keys.find((key) => key.length > LONGEST_KEY)
    if (long !== undefined) return long
    const slices = new Slices()
    for (const { properties } of some) {
      if (missing.size === 0) break
      if (slices.over) await slices.pause()
      for (const key of missing) {
        if (propertyOf(properties, key) !== undefined) missing.delete(key)
      }
    }
    return missing.values().next().value
  }
  if ((await unknown(records)) === undefined) return
  const all = await kb.store.list({}, 'path', { offset: 0, limit: -1 })
  const missing = await unknown(all.documents)
  if (missing === undefined) return
  const counts = new Map<string, number>()
  await inSlices(all.documents, ({ properties }) => {
    for (const key of Object.keys(properties)) counts.set(key, (counts.get(key) ?? 0) + 1)
  })
  const names = [...counts].toSorted(([, a], [, b]) => b - a).map(([key]) => key)
  const shown = [...names.slice(0, KEYS_SHOWN), ...known]
  throw invalid(
    `No document has the property ${quoted(missing)}.`,
    `${didYouMean(missing, [...names, ...known])}Properties are: ${[...new Set(shown)].join(', ')}.`,
  )
}
