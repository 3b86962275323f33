/** Why was this document not found? Names the stage that lost it and what would have found it. */
import type { DocumentRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import { docSet } from '../../search/doc-set.ts'
import type { View } from '../view/view.ts'
import { rankDocuments } from './rank-documents.ts'
import type { RankOptions } from './rank-documents.ts'
import { parseId, resolveDocument } from '../reading/resolve-document.ts'
import { selectDocuments } from '../reading/select-documents.ts'
import type { Selection } from '../reading/select-documents.ts'

export interface MissingExplanation {
  readonly id: string
  /** Where it was lost, or `found` when it was not. */
  readonly stage: 'found' | 'not_indexed' | 'filter' | 'words' | 'rank'
  readonly rank: number | undefined
  readonly reason: string
  /** The words of the question, and whether the document has them. */
  readonly words: readonly { readonly word: string; readonly inDocument: boolean }[]
  readonly similarity: number | undefined
  readonly advice: string
}

/** Deeper than anyone reads. */
const DEEPEST = 1_000

export async function explainMissing(
  kb: View,
  query: string,
  id: string,
  options: Selection & Pick<RankOptions, 'mode' | 'links'> & { readonly shown: number },
): Promise<MissingExplanation> {
  const document = await findIndexed(kb, id)
  if ('stage' in document) return document
  const { shown, mode, links, ...selection } = options
  const only = docSet(Uint32Array.of(document.no))
  const [alone] = (await rankDocuments(kb, query, { limit: 1, filter: only, mode, links: false }))
    .hits
  const words = await wordsIn(kb, query, document)
  const similarity = alone?.signals.similarity
  const common = { id: documentId(document), words, similarity }

  const excluding = await excludedBy(kb, selection, document)
  if (excluding !== undefined) {
    return {
      ...common,
      stage: 'filter',
      rank: undefined,
      reason: `The filter "${excluding}" leaves it out.`,
      advice: `Search without ${excluding}, or change it so that it includes this document.`,
    }
  }
  const filter = await selectDocuments(kb, selection)
  const { hits } = await rankDocuments(kb, query, { limit: DEEPEST, filter, mode, links })
  const place = hits.findIndex(({ doc }) => doc === document.no)
  const lacking = words.filter(({ inDocument }) => !inDocument).map(({ word }) => word)
  if (place >= 0 && place < shown) {
    return {
      ...common,
      stage: 'found',
      rank: place + 1,
      reason: `It is result ${place + 1}.`,
      advice: 'Nothing to mend.',
    }
  }
  if (place < 0 && words.every(({ inDocument }) => !inDocument)) {
    return {
      ...common,
      stage: 'words',
      rank: undefined,
      reason: 'It has none of the words of the question, and its meaning is not close enough.',
      advice: `Search with words it uses, or write what people ask for into it, as an alias, a heading or a sentence: ${lacking.join(', ')}.`,
    }
  }
  const better = place < 0 ? 'many' : String(place)
  return {
    ...common,
    stage: 'rank',
    rank: place < 0 ? undefined : place + 1,
    reason: `It matches, but ${better} documents match better${lacking.length > 0 ? `; it lacks: ${lacking.join(', ')}` : ''}.`,
    advice:
      place < 0
        ? 'Ask more precisely, or narrow the search by path or tags.'
        : `Ask for more results (limit ${place + 1} shows it), ask more precisely, or narrow the search by path or tags.`,
  }
}

/** The document, or what became of the file that was meant. */
async function findIndexed(kb: View, id: string): Promise<DocumentRecord | MissingExplanation> {
  try {
    return await resolveDocument(kb, id)
  } catch (error) {
    if (!(error instanceof KnowledgeError) || error.code !== 'not_found') throw error
    const path = parseId(id)
    for (const source of kb.sources.keys()) {
      const inside = path.startsWith(`${source}/`) ? path.slice(source.length + 1) : path
      const [file] = await kb.store.files(source, [inside])
      if (!file) continue
      return {
        id: `${source}/${file.path}`,
        stage: 'not_indexed',
        rank: undefined,
        reason: `The file was ${file.state}: ${file.reason ?? 'no reason was recorded'}.`,
        words: [],
        similarity: undefined,
        advice: 'Mend the file or the rules that leave it out; it is indexed as soon as it can be.',
      }
    }
    throw error
  }
}

/** Which words of the question the document has, asked one by one. */
async function wordsIn(
  kb: View,
  query: string,
  document: DocumentRecord,
): Promise<MissingExplanation['words']> {
  const lexical = await (await kb.index.look()).lexical()
  const filter = docSet(Uint32Array.of(document.no))
  const { words } = await lexical.search(query, { limit: 1, filter })
  const seen: { word: string; inDocument: boolean }[] = []
  for (const { spelling } of words) {
    if (seen.some(({ word }) => word === spelling)) continue
    const { hits } = await lexical.search(spelling, { limit: 1, filter })
    seen.push({ word: spelling, inDocument: hits.length > 0 })
  }
  return seen
}

/** The first of the filters that leaves the document out when it stands alone. */
async function excludedBy(
  kb: View,
  selection: Selection,
  document: DocumentRecord,
): Promise<string | undefined> {
  const { tags, tagMode, ...others } = selection
  const alone: [string, Selection][] = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, { [name]: value }])
  if (tags) alone.push(['tags', { tags, tagMode }])
  for (const [name, each] of alone) {
    const chosen = await selectDocuments(kb, each)
    if (chosen && !chosen.has(document.no)) return name
  }
  return undefined
}
