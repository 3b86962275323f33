/** Which source files define what a query names? A name is best answered by its definition. */
import { KnowledgeError } from '../../domain/error.ts'
import type { NamedDocument } from '../../store/store.ts'
import { codeLanguageOf } from '../../domain/code.ts'
import type { SymbolKind } from '../../domain/code.ts'
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { hasEntities } from '../../indexing/indexer.ts'
import { nameKey } from '../../indexing/link-names.ts'
import type { Moment } from '../view/open-index.ts'
import type { View } from '../view/view.ts'
import { codeFilesOf } from '../view/code-files.ts'

/** One name, with what it is inside of where somebody says so. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\)|[?!])?$/u

/** `parseHeader`, `parse_header`, `Parser.parse` and `parse()` are no words of a language. */
const CODE_SHAPE = /[_.#()]|::|\p{Ll}\p{Lu}/u

/** No name is longer; a pasted text is. */
const LONGEST = 200

/**
 * Defined by this very name; as a type in a namespace, or else as a member; in another case. The
 * steps are large against what words can say: a class comes before the file of its constructor.
 */
const EXACT = 1
const TYPE = 0.9
const MEMBER = 0.5
const SIMILAR = 0.3

const TYPES: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'type'])

/**
 * How well each file defines it, from 0 to 1. Empty for a query that is no name, and for a plain
 * word that a note is called by: then the note is meant.
 */
export async function findDefiners(
  kb: View,
  query: string,
  moment: Moment,
): Promise<ReadonlyMap<DocNo, number>> {
  if (query.length > LONGEST) return new Map()
  const name = query
    .trim()
    .replace(/^\+?symbol:/i, '')
    .replace(/::|#/g, '.')
    .replace(/\(\)$/, '')
  if (!NAME.test(name)) return new Map()
  const named = await namedWhereReachable(kb, nameKey(name), moment)
  const files = named.filter(({ path }) => codeLanguageOf(path))
  if (files.length === 0) return new Map()
  if (files.length < named.length && !CODE_SHAPE.test(query)) return new Map()
  const known = await withSymbols(kb, files)
  return new Map(known.map((file) => [file.no, fit(file, name)]))
}

type Definer = Pick<DocumentRecord, 'no' | 'symbols'>

/** A store that is elsewhere has told them with the names. */
async function withSymbols(kb: View, files: readonly NamedDocument[]): Promise<readonly Definer[]> {
  const untold = files.filter(({ symbols }) => symbols === undefined)
  const records = untold.length > 0 ? await kb.store.documents(untold.map(({ no }) => no)) : []
  const told = files.filter(({ symbols }) => symbols !== undefined)
  return [...told, ...records.filter((record) => record !== undefined)]
}

/** While a database does not answer, notes are found all the same, and nobody defines anything. */
async function namedWhereReachable(
  kb: View,
  key: string,
  { stamps }: Moment,
): Promise<readonly NamedDocument[]> {
  try {
    const files = await codeFilesOf(kb.base.store).at(stamps)
    // An entity may be called like a file.
    if (files.length === 0 && !hasEntities(kb.sources.values())) return []
    return await kb.store.named([key])
  } catch (error) {
    if (error instanceof KnowledgeError && error.code === 'unavailable') return []
    throw error
  }
}

function fit({ symbols = [] }: Definer, name: string): number {
  const qualified = symbols.some(({ qualifiedName }) => qualifiedName === name)
  if (qualified) return EXACT
  const bare = name.slice(name.lastIndexOf('.') + 1)
  const named = symbols.filter((symbol) => symbol.name === bare)
  if (named.some(({ kind }) => TYPES.has(kind))) return TYPE
  return named.length > 0 ? MEMBER : SIMILAR
}
