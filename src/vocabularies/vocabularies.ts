/** The table of vocabularies: a folder each, and a line here. */
import { acdc } from './acdc/start/vocabulary.ts'
import { cortex } from './cortex/start/vocabulary.ts'
import { duskmantle } from './duskmantle/start/vocabulary.ts'
import { nexus } from './nexus/start/vocabulary.ts'
import { roux } from './roux/start/vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

const ALL = { roux, acdc, nexus, cortex, duskmantle } satisfies Record<string, Vocabulary>

export type VocabularyName = keyof typeof ALL

export const VOCABULARIES: Readonly<Record<VocabularyName, Vocabulary>> = ALL

export const VOCABULARY_NAMES = Object.keys(ALL) as readonly VocabularyName[]

/** Undefined for what is none of them. */
export function vocabularyOf(name: string): Vocabulary | undefined {
  return Object.hasOwn(ALL, name) ? VOCABULARIES[name as VocabularyName] : undefined
}
