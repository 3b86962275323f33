/** Facets of properties: what several of the notes found say of themselves, and in few words. */
import type { DocumentRecord } from '../../core/domain/document.ts'
import type { PropertyValue } from '../../core/domain/text.ts'
import type { PropertyFacet, SearchPage } from '../wire/wire.ts'

const KEYS_SHOWN = 3
const VALUES_SHOWN = 8
/** A property with more of them tells notes apart, it does not put them together. */
const MOST_VALUES = 24
const LONGEST = 40

/** What there are chips for anyhow, and what every note has one of its own. */
const OWN = new Set(
  'id path source title type tag tags alias aliases size updated created modified date'.split(' '),
)

/** Those that most of the notes have, first. */
export function propertyFacets(
  documents: readonly (DocumentRecord | undefined)[],
): SearchPage['properties'] {
  const counts = new Map<string, Map<string, PropertyFacet>>()
  for (const document of documents) {
    for (const [key, value] of Object.entries(document?.properties ?? {})) {
      if (OWN.has(key.toLowerCase()) || key.length > LONGEST) continue
      let values = counts.get(key)
      if (!values) counts.set(key, (values = new Map()))
      for (const each of new Set(Array.isArray(value) ? value : [value])) {
        const shown = shortValue(each)
        if (shown === undefined) continue
        const count = (values.get(shown)?.count ?? 0) + 1
        values.set(shown, { value: shown, count, where: conditionOf(key, each) })
      }
    }
  }
  return [...counts]
    .map(([key, values]) => ({ key, values: [...values.values()] }))
    .filter(
      ({ values }) =>
        values.length > 1 && values.length <= MOST_VALUES && values.some(({ count }) => count > 1),
    )
    .toSorted((a, b) => total(b.values) - total(a.values) || (a.key < b.key ? -1 : 1))
    .slice(0, KEYS_SHOWN)
    .map(({ key, values }) => ({
      key,
      values: values
        .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
        .slice(0, VALUES_SHOWN),
    }))
}

function shortValue(value: PropertyValue | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined
  const text = String(value).trim()
  return text === '' || text.length > LONGEST ? undefined : text
}

/** As `where` reads it. */
function conditionOf(key: string, value: PropertyValue): string {
  return `${inQuotes(key)} = ${typeof value === 'boolean' ? value : inQuotes(String(value))}`
}

function inQuotes(text: string): string {
  return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(text) && !WORDS.has(text.toLowerCase())
    ? text
    : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

/** What means something in a condition. */
const WORDS = new Set('and or not in exists missing contains true false yes no'.split(' '))

function total(values: readonly PropertyFacet[]): number {
  return values.reduce((sum, { count }) => sum + count, 0)
}
