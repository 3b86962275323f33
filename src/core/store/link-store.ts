/** Which document leads to which, and by what names links know them. */
import type { DocNo, DocumentRecord, LinkRecord } from '../domain/document.ts'
import type { LinkKind } from '../domain/text.ts'
import type { Among } from './document-store.ts'

export interface LinkStore {
  linksFrom(doc: DocNo): Promise<readonly LinkRecord[]>
  linksTo(doc: DocNo): Promise<readonly LinkRecord[]>
  linksBetween(from: DocNo, to: DocNo): Promise<readonly LinkRecord[]>
  /** Targets, as written, of its links that lead nowhere: each once, the first so many of the text. */
  deadEnds(doc: DocNo, limit: number): Promise<readonly string[]>
  /** In path order. Among some documents, what leads to any other leads nowhere. */
  brokenLinks(
    page: { readonly offset: number; readonly limit: number },
    among?: Among,
  ): Promise<{ readonly links: readonly LinkRecord[]; readonly total: number }>
  /**
   * Every resolved link as a pair of numbers and a type, each of the three together once; of these
   * documents only, where some are given.
   */
  edges(from?: Among): Promise<Edges>
  /** Every link of these kinds as it is written, resolved or not: by document, in the order of its text. */
  linkTargets(
    kinds: readonly LinkKind[],
  ): Promise<readonly { readonly from: DocNo; readonly target: string }[]>
}

/** What kind of link an edge stands for; of a relation its predicate too. */
export interface EdgeType {
  readonly kind: LinkKind
  /** A relation without one stands for all predicates that came too late for a number. */
  readonly label?: string
}

export interface Edges {
  readonly from: Uint32Array
  readonly to: Uint32Array
  /** Places in `types`. */
  readonly type: Uint8Array
  readonly types: readonly EdgeType[]
}

/** A document that a link might mean. */
export interface NamedDocument {
  readonly no: DocNo
  readonly source: string
  readonly path: string
  /** The path in NFC and lower case: how links compare it. */
  readonly foldedPath: string
  readonly title: string
  readonly aliases: readonly string[]
  /** `slug`, `permalink` or `url` of the front matter, in lower case without outer slashes. */
  readonly pageName: string | undefined
  /** What a file of code defines, where a store tells it with the name; its record has it too. */
  readonly symbols?: DocumentRecord['symbols']
}

/** Decides which of the candidates a link means, if any. */
export type ResolveLink = (
  link: Pick<LinkRecord, 'kind' | 'target'>,
  from: { readonly source: string; readonly path: string },
  candidates: readonly NamedDocument[],
) => DocNo | undefined
