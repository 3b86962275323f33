/**
 * Time travel by validity and by history: the passages that would have answered then. Candidates are
 * what is found now and what has changed since; each is read as it stood, and ranked by its words.
 * Loaded by who asks for it. docs/decisions/0096-as-of.md has the bounds.
 */
import { documentId } from '../../domain/document.ts'
import { Slices } from '../../kit/slices.ts'
import { analyseSpan } from '../../search/analysis/analyser.ts'
import { findMatches } from '../../search/find-matches.ts'
import { isRelevant } from '../../search/relevance.ts'
import { notYet, openBaseThen } from '../reading/base-then.ts'
import { chunksOf, parseLive, readDocuments } from '../reading/read-document.ts'
import type { LiveDocument } from '../reading/read-document.ts'
import { selectDocuments } from '../reading/select-documents.ts'
import { isOver, momentAt } from '../reading/when-of.ts'
import type { View } from '../view/view.ts'
import { momentOf } from '../writing/past-versions.ts'
import type { FoundPassage, FoundPassages, PassageRequest } from './find-passages.ts'
import { laterFirst } from './later-first.ts'
import { rankDocuments } from './rank-documents.ts'
import type { RankedDocument, Ranking } from './rank-documents.ts'
import { FIRST, asksForNow } from './time-words.ts'

/** Of what is found now so many are read as they stood, and so many that changed since. */
const FOUND_NOW = 60
const CHANGED_SINCE = 150

export async function findPassagesThen(
  kb: View,
  query: string,
  request: PassageRequest,
  asOf: string,
): Promise<FoundPassages> {
  const { selection, mode, links, offset = 0, limit, signal } = request
  const moment = momentOf(asOf.trim())
  const filter =
    request.among ??
    (Object.values(selection).every((chosen) => chosen === undefined)
      ? undefined
      : await selectDocuments(kb, selection))
  const options = { limit: Math.max(FOUND_NOW, offset + limit + 1), filter, mode, links }
  const ranking = withOwnWords(await rankDocuments(kb, query, options))
  const then = await openBaseThen(kb, moment, asOf, { most: CHANGED_SINCE, signal })
  const hits = new Map(ranking.hits.map((hit) => [hit.doc, hit]))
  const mayBe = then.changed.filter((doc) => !hits.has(doc) && (filter?.has(doc) ?? true))
  const lives = await readDocuments(kb, [...hits.keys(), ...mayBe.slice(0, CHANGED_SINCE)])
  const found: FoundPassage[] = []
  let unknown = 0
  const slices = new Slices()
  // A document that is gone has no properties of now that a selection could choose by.
  const gone = filter ? [] : then.gone.slice(0, CHANGED_SINCE)
  // What was moved since is met under both of its names.
  const told = new Set<string>()
  for await (const { now, was: stood } of then.read([...lives, ...gone])) {
    if (slices.over) await slices.pause()
    if (stood === 'absent') continue
    if (stood === 'unknown') unknown++
    const live = stood === 'unknown' ? now : stood
    if (!live || notYet(live.record, moment) || told.has(documentId(live.record))) continue
    told.add(documentId(live.record))
    const hit = now && hits.get(now.record.no)
    const passage =
      live === now && hit
        ? await asFound(kb, live, hit)
        : await asStood(kb, live, { hit, now, ranking })
    if (passage) found.push(passage)
  }
  const inOrder = found.toSorted((a, b) => standing(b, moment) - standing(a, moment))
  const lined = asksForNow(query)
    ? laterFirst(inOrder.slice(0, FIRST), { ...ranking, question: query }, momentAt(moment)).concat(
        inOrder.slice(FIRST),
      )
    : inOrder
  const passages = lined.slice(offset, offset + limit)
  const best = lined.slice(0, 10).map(({ hit: { signals } }) => signals)
  const day = new Date(moment).toISOString().slice(0, 16).replace('T', ' ')
  return {
    passages,
    relevant: passages.length > 0 && best.some((signals) => isRelevant(signals, ranking)),
    notes: [
      `As of ${day} UTC; fetch with at shows the rest.`,
      ...(unknown > 0
        ? [`What ${unknown} of the notes said then is not known; they count as they are now.`]
        : []),
      ...(then.more ? [`More than ${CHANGED_SINCE} notes changed since; the newest count.`] : []),
    ],
    turnsAt: Infinity,
    ranking: { ...ranking, hits: lined.map(({ hit }) => hit) },
  }
}

/** A word that no document has today stood in one then, as it is spelt. */
function withOwnWords(ranking: Ranking): Ranking {
  const most = Math.max(1, ...ranking.words.map(({ weight }) => weight))
  const words = ranking.words.map((word) => {
    if (word.match !== 'none' && word.match !== 'fuzzy') return word
    const spelt = ranking.languages.flatMap((each) => analyseSpan(word.spelling, each).parts)
    const terms = [...new Set([...spelt, ...analyseSpan(word.spelling).parts])]
    return { ...word, terms, weight: word.weight > 0 ? word.weight : most }
  })
  return { ...ranking, words }
}

/** What was over by then stands behind what held. */
const WAS_OVER = 0.5

function standing({ hit, live }: FoundPassage, moment: number): number {
  return hit.score * (isOver(live.record, momentAt(moment)) ? WAS_OVER : 1)
}

async function asFound(kb: View, live: LiveDocument, hit: RankedDocument): Promise<FoundPassage> {
  const chunks = (await chunksOf(kb, [live])).get(live) ?? []
  return { hit, live, chunks, chunk: chunks[Math.min(hit.chunk ?? 0, chunks.length - 1)] }
}

/** Its best passage by the words of the question, in proportion to what it is worth today. */
async function asStood(
  kb: View,
  live: LiveDocument,
  {
    hit,
    now,
    ranking,
  }: {
    readonly hit: RankedDocument | undefined
    readonly now: LiveDocument | undefined
    readonly ranking: Ranking
  },
): Promise<FoundPassage | undefined> {
  const { chunks } = await parseLive(kb, live)
  const share = shareIn(ranking)
  let [best, at] = [0, 0]
  for (const [index, { start, end }] of chunks.entries()) {
    const has = share(`${live.record.title}\n${live.text.slice(start, end)}`)
    if (has > best) [best, at] = [has, index]
  }
  if (best === 0) return undefined
  const today = now && hit ? share(`${now.record.title}\n${now.text}`) : 0
  const top = ranking.hits[0]
  const score =
    hit && today > 0
      ? hit.score * Math.min(2, best / today)
      : best *
        (top && top.signals.together > 0 ? top.score / Math.max(top.signals.together, 0.1) : 1)
  const signals = {
    ...(hit?.signals ?? NO_SIGNALS),
    coverage: best,
    together: best,
    similarity: undefined,
    total: score,
  }
  const doc = live.record.no
  return { hit: { doc, score, chunk: at, signals }, live, chunks, chunk: chunks[at] }
}

const NO_SIGNALS = { words: 0, meaning: 0, links: 0, name: 0 }

function shareIn({ words, languages }: Ranking): (text: string) => number {
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1
  return (text) => {
    const has = new Set(findMatches(text, words, languages).map(({ word }) => word))
    return [...has].reduce((sum, word) => sum + words[word]!.weight, 0) / total
  }
}
