/**
 * Links in front matter: `up: "[[Index]]"`, `related: ["[[A]]", "[[B|b]]"]`. The key says what kind
 * of link it is. Without quotes YAML makes lists of the brackets, and the same is meant.
 */
import type { Link, Properties, PropertyValue } from '../../domain/text.ts'

const WIKI = /^\[\[([^[\]|#]+)(?:#([^[\]|]*))?(?:\|[^[\]]*)?\]\]$/

/** More than this is a list of something, not what a note has to do with. */
const MOST_LINKS = 200

/** `front` is the front matter with its fences. */
export function propertyLinks(front: string, properties: Properties): Link[] {
  if (!front.includes('[[')) return []
  const links: Link[] = []
  let at = 0
  for (const [key, value] of Object.entries(properties)) {
    for (const written of textsIn(value, 0)) {
      const match = WIKI.exec(written.trim())
      const target = match?.[1]?.trim() ?? ''
      if (target === '' || links.length >= MOST_LINKS) continue
      const found = front.indexOf('[[', at)
      const start = Math.max(
        0,
        front.indexOf(`[[${target}`, 0) >= 0 ? placeOf(front, target, at) : found,
      )
      const close = front.indexOf(']]', start)
      const end = close < 0 ? front.length : close + 2
      const fragment = match?.[2]?.trim()
      links.push({
        kind: 'relation',
        label: key,
        target,
        ...(fragment && { fragment }),
        start,
        end,
        line: front.slice(0, start).split('\n').length,
      })
      at = end
    }
  }
  return links.toSorted((a, b) => a.start - b.start)
}

/** Keys come in the order of the text, so the next place is the one; else any. */
function placeOf(front: string, target: string, from: number): number {
  const next = front.indexOf(`[[${target}`, from)
  return next >= 0 ? next : front.indexOf(`[[${target}`)
}

/** Texts of a value that may be links; `[[Index]]` without quotes is a list in a list. */
function textsIn(value: PropertyValue | undefined, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value) || depth > 2) return []
  const items = value as readonly PropertyValue[]
  const [only] = items
  if (items.length === 1 && Array.isArray(only) && only.length === 1) {
    const [inner] = only as readonly PropertyValue[]
    if (typeof inner === 'string') return [`[[${inner}]]`]
  }
  return items.flatMap((item) => textsIn(item, depth + 1))
}
