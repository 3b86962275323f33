import type { ParsedDocument } from '../domain/text.ts'

export interface SectionEdit {
  readonly section: string
  readonly content: string
  readonly at: 'whole' | 'start' | 'end'
  readonly create: boolean
}

export function replaceSection(
  _name: string,
  _text: string,
  _parsed: ParsedDocument,
  _edit: SectionEdit,
): string {
  throw new Error('not built yet')
}
