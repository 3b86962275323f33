/** How this surface names what it offers to read: `knowledge://…`. */
import { orElse } from '../../core/kit/or-else.ts'
import type { Entity } from '../../core/domain/entity.ts'
import { invalid } from '../../core/domain/error.ts'

export const ENTITY_TEMPLATE = 'knowledge://entities/{type}/{id}'
export const RELATIONS_TEMPLATE = 'knowledge://relations/{year}/{month}'
export const ENTROPY_URI = 'knowledge://stats/entropy'

export type Named =
  /** Spellings under which the entity may be meant, the likeliest first. */
  | {
      readonly kind: 'entity'
      readonly candidates: readonly { readonly type: string; readonly id: string }[]
    }
  /** `month` is such as `2026-02`. */
  | { readonly kind: 'relations'; readonly month: string }
  | { readonly kind: 'entropy' }

/** Undefined for what names nothing here. Throws `invalid` for a month that no calendar has. */
export function parseUri(uri: string): Named | undefined {
  if (uri === ENTROPY_URI) return { kind: 'entropy' }
  const relations = /^knowledge:\/\/relations(?:\/(.*))?$/s.exec(uri)
  if (relations) return { kind: 'relations', month: parseMonth(relations[1] ?? '') }
  const entity = /^knowledge:\/\/entities\/([^/]+)\/(.+)$/s.exec(uri)
  if (!entity) return undefined
  const asIs = { type: entity[1]!, id: entity[2]! }
  const decoded = { type: decode(asIs.type), id: decode(asIs.id) }
  return { kind: 'entity', candidates: [decoded, asIs] }
}

/**
 * One that was filed without a type goes by the name of its category. Undefined where half a
 * character stands in the name: no URI can say that.
 */
export function entityUri({
  type,
  category,
  id,
}: Pick<Entity, 'type' | 'category' | 'id'>): string | undefined {
  const parts = [type || category, id]
  if (!parts.every((part) => part.isWellFormed())) return undefined
  return `knowledge://entities/${parts.map(encodeURIComponent).join('/')}`
}

/** `2026-02`, or the name of a file for that month. Undefined for a file of no month. */
export function relationsUri(month: string): string | undefined {
  const match = /(\d{4})[-/](\d{2})(?:\.jsonl)?$/.exec(month)
  return match ? `knowledge://relations/${match[1]}/${match[2]}` : undefined
}

function parseMonth(text: string): string {
  const match = /^(\d{4})\/(\d{1,2})$/.exec(decode(text))
  const month = Number(match?.[2])
  if (match && month >= 1 && month <= 12) return `${match[1]}-${match[2]!.padStart(2, '0')}`
  throw invalid(
    'Relations are read by year and month.',
    'Use four digits for the year and 1 to 12 for the month: knowledge://relations/2026/02.',
  )
}

function decode(text: string): string {
  return orElse(() => decodeURIComponent(text), text)
}
