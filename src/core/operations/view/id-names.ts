/** The base's own names: `<source>/<path>`, and `entity:<id>` for an entity. */
import { documentId } from '../../domain/document.ts'
import type { NameRules } from './scope.ts'

export const idNames: NameRules = {
  by: 'place',
  nameOf: documentId,
  spellings: (text) => [text],
}
