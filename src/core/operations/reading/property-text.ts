/** The text of a property's value, for whoever reads it in a cell or sorts by it. */
import type { PropertyValue } from '../../domain/text.ts'
import { cutText } from '../../kit/cut-text.ts'

export function propertyText(value: PropertyValue | undefined, limit: number): string {
  if (value === undefined || value === null) return ''
  const text = Array.isArray(value)
    ? value.map((each: PropertyValue) => propertyText(each, limit)).join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
  return cutText(text, limit)
}
