/** Which document leads to which, and by what names links know them. */
import type { DocNo, LinkRecord } from '../domain/document.ts'
import type { LinkKind } from '../domain/text.ts'

export interface LinkStore {
  linksFrom(doc: DocNo): Promise<readonly LinkRecord[]>
  linksTo(doc: DocNo): Promise<readonly LinkRecord[]>
  linksBetween(from: DocNo, to: DocNo): Promise<readonly LinkRecord[]>
  brokenLinks(page: {
    readonly offset: number
    readonly limit: number
  }): Promise<{ readonly links: readonly LinkRecord[]; readonly total: number }>
  /**
   * Every resolved link as pairs of numbers, one pair per distinct link; of all kinds or of some.
   * With `labels`, of the relations only those with one of these predicates.
   */
  edges(
    kinds?: readonly LinkKind[],
    labels?: readonly string[],
  ): Promise<{ readonly from: Uint32Array; readonly to: Uint32Array }>
  /** Every link of these kinds as it is written, resolved or not: by document, in the order of its text. */
  linkTargets(
    kinds: readonly LinkKind[],
  ): Promise<readonly { readonly from: DocNo; readonly target: string }[]>
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
}

/** Decides which of the candidates a link means, if any. */
export type ResolveLink = (
  link: Pick<LinkRecord, 'kind' | 'target'>,
  from: { readonly source: string; readonly path: string },
  candidates: readonly NamedDocument[],
) => DocNo | undefined
