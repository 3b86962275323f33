/**
 * What does a caller see of the base? A scope is data: which places, which links, under which names.
 * Whoever may see less has the same scope with one condition more.
 */
import type { DocumentRecord, Place } from '../../domain/document.ts'
import type { LinkKind } from '../../domain/text.ts'
import type { Steps } from '../../kit/slices.ts'

export interface Scope<Detail = unknown> {
  /** Which places are seen; all unless said. */
  readonly sees?: (place: Place) => boolean
  /** Which links count; all unless said. */
  readonly linkKinds?: readonly LinkKind[]
  /** Under which names documents are known; by their ids unless said. */
  readonly names?: NameRules<Detail>
  /** What they are called besides; what the index says unless said. */
  readonly titleOf?: (record: DocumentRecord) => string
}

/** How documents are called. Of several that want the same name, the first in path order has it. */
export type NameRules<Detail = unknown> = {
  /** What a caller may mean by a text, likeliest first. */
  readonly spellings: (text: string) => readonly string[]
} & (
  | {
      /** Names come from places alone. */
      readonly by: 'place'
      readonly nameOf: (place: Place) => string
    }
  | {
      /** Names come from what documents say, and something of it is kept at hand. */
      readonly by: 'record'
      readonly describe: (
        records: readonly DocumentRecord[],
      ) => Promise<readonly Described<Detail>[]>
      /** A name of its own for everyone, where those who come too late shall have one as well. */
      readonly assign?: (wanted: readonly Wanted<Detail>[]) => Steps<readonly string[]>
      /** What a text means that is no name's spelling, such as a title. */
      readonly alsoKnown?: (detail: Detail) => string
    }
)

/** What a document would be called if it were alone; undefined where it has no name here. */
export interface Described<Detail> {
  readonly name: string | undefined
  /** Of several that want one name, whoever assigns them may prefer the smaller number. */
  readonly claim?: number
  readonly detail: Detail
}

export interface Wanted<Detail> extends Place, Described<Detail> {
  readonly name: string
}

/** The same scope for someone who may see less. */
export function narrowed<Detail>(
  scope: Scope<Detail>,
  maySee: (place: Place) => boolean,
): Scope<Detail> {
  const { sees } = scope
  return { ...scope, sees: sees ? (place) => sees(place) && maySee(place) : maySee }
}
