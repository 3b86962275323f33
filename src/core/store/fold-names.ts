/** How names are compared: one spelling for all the ways to write the same. */
import { withoutEndSlashes } from '../kit/paths.ts'
import type { Properties } from '../domain/text.ts'

export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

export function foldTag(tag: string): string {
  return tag.replace(/^#/, '').normalize('NFC').toLowerCase()
}

/** A document's tags as they are counted and filtered by, each once. */
export function foldedTags(document: {
  readonly tags: readonly string[]
  readonly inlineTags: readonly string[]
}): string[] {
  return [...new Set([...document.tags, ...document.inlineTags].map(foldTag))]
}

/** Front matter by which a site generator knows the page. */
export function pageNameOf(properties: Properties): string | undefined {
  for (const key of ['slug', 'permalink', 'url']) {
    const value = properties[key]
    if (typeof value !== 'string') continue
    const name = withoutEndSlashes(foldPath(value).replace(/^\/+/, ''))
    if (name !== '') return name
  }
  return undefined
}
