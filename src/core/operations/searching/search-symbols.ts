/** Which classes, functions and other symbols of the code are called so, or nearly so? */
import { codeLanguageOf } from '../../domain/code.ts'
import type { CodeSymbol, SymbolKind } from '../../domain/code.ts'
import { documentId } from '../../domain/document.ts'
import type { DocumentRecord } from '../../domain/document.ts'
import { invalid } from '../../domain/error.ts'
import { nameKey } from '../../indexing/link-names.ts'
import { contentTerms } from '../../search/analysis/content-terms.ts'
import { documentUrl } from '../reading/document-url.ts'
import { parseSymbolKind, selectDocuments } from '../reading/select-documents.ts'
import type { Selection } from '../reading/select-documents.ts'
import type { View } from '../view/view.ts'
import { rankDocuments } from './rank-documents.ts'

export interface SymbolOptions extends Omit<Selection, 'types'> {
  /** Classes, functions and the like; all unless said. */
  readonly kinds?: readonly string[]
  readonly limit?: number
}

export interface FoundSymbol {
  /** The document that defines it. */
  readonly id: string
  readonly url: string
  readonly symbol: CodeSymbol
  readonly language: string | undefined
  /** From 0 to 1; 1 is the very name. */
  readonly score: number
}

const DEFAULT_LIMIT = 10
/** Files whose symbols are compared. */
const CANDIDATES = 200

export async function searchSymbols(
  kb: View,
  query: string,
  { kinds = [], limit = DEFAULT_LIMIT, ...selection }: SymbolOptions = {},
): Promise<readonly FoundSymbol[]> {
  const asked = query
    .trim()
    .replace(/^symbol:/i, '')
    .replace(/\(\)$/, '')
    .replace(/::|#/g, '.')
  if (asked === '') {
    throw invalid('The query is empty.', 'Give the name of a symbol, or words of it.')
  }
  const wanted = new Set(kinds.map(parseSymbolKind))
  const filter = await selectDocuments(kb, { ...selection, types: ['code'] })
  const ranked = await rankDocuments(kb, asked, { limit: CANDIDATES, filter, mode: 'lexical' })
  const named = await kb.store.named([nameKey(asked)])
  const admitted = named.filter(({ no }) => filter?.has(no) ?? true)
  const docs = [...new Set([...admitted.map(({ no }) => no), ...ranked.hits.map(({ doc }) => doc)])]
  const records = (await kb.store.documents(docs)).filter((record) => record !== undefined)
  const terms = new Set(contentTerms(asked))
  return records
    .flatMap((record) => symbolsIn(kb, record, { asked, terms, wanted }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
}

interface Asked {
  readonly asked: string
  readonly terms: ReadonlySet<string>
  readonly wanted: ReadonlySet<SymbolKind>
}

function symbolsIn(
  kb: View,
  record: DocumentRecord,
  { asked, terms, wanted }: Asked,
): FoundSymbol[] {
  return (record.symbols ?? []).flatMap((symbol) => {
    if (wanted.size > 0 && !wanted.has(symbol.kind)) return []
    const score = closeness(symbol, asked, terms)
    if (score === 0) return []
    const language = codeLanguageOf(record.path)
    return [{ id: documentId(record), url: documentUrl(kb, record), symbol, language, score }]
  })
}

/** The very name, the same in another case, then the share of the words that both have. */
function closeness(
  { name, qualifiedName }: CodeSymbol,
  asked: string,
  terms: ReadonlySet<string>,
): number {
  if (qualifiedName === asked) return 1
  if (name === asked) return 0.95
  const folded = asked.toLowerCase()
  if (qualifiedName.toLowerCase() === folded || name.toLowerCase() === folded) return 0.9
  const own = new Set(contentTerms(qualifiedName))
  const shared = [...terms].filter((term) => own.has(term)).length
  if (shared === 0) return 0
  const both = new Set([...terms, ...own]).size
  // Half for having what was asked, half for having little else.
  return 0.8 * ((shared / terms.size) * 0.6 + (shared / both) * 0.4)
}
