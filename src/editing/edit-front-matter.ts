import type { ParsedDocument, Properties } from '../domain/text.ts'

export interface FrontMatterChange {
  readonly set?: Properties
  readonly remove?: readonly string[]
  readonly tags?: readonly string[]
  readonly addTags?: readonly string[]
  readonly removeTags?: readonly string[]
}

export function setFrontMatter(
  _name: string,
  _text: string,
  _parsed: ParsedDocument,
  _change: FrontMatterChange,
): string {
  throw new Error('not built yet')
}
