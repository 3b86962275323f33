/**
 * What a base's own text teaches and what words mean in general, in one vector: the corpus model's
 * part and the table's side by side, so that one scan compares both. The larger the base, the more
 * its own text counts.
 */
import { steadyCount } from '../../kit/steady.ts'
import { LARGE, passageText } from '../corpus/corpus-embedder.ts'
import type { TermAnalysis } from '../corpus/corpus-embedder.ts'
import type { CorpusModel } from '../corpus/corpus-model.ts'
import { partOf, type VectorPart } from '../corpus/embed-matrix.ts'
import type { TermMatrix } from '../corpus/term-matrix.ts'
import type { Embedder, Reading } from '../embedder.ts'
import { HARDLY_KNOWN, WELL_KNOWN } from './general-model.ts'
import type { GeneralModel } from './general-model.ts'
import { ramp } from '../weights.ts'

/** What the corpus model counts at the most, and in how many documents it counts half. */
const MOST_CORPUS = 0.7
const HALF_AT = 1_500

/** How alike texts look that have nothing to do with each other. */
const BASELINE = 0.15

/**
 * How similar a passage must be to answer without a word of the question. Among more passages the
 * nearest one is nearer by chance.
 */
const NEAR_AT_LEAST = 0.18
const NEAR_AMONG_FEW = 0.35
const FEW = 32
const NEAR_STEP = 0.07
/**
 * How many of the question's words answer without similarity. In a handful of notes no word is rare,
 * and half of them say as much as most of them elsewhere.
 */
const COVERS_AMONG_TWO = 0.65
const COVERS_AMONG_FEW = 0.8
/** For a question the table cannot read, the base's own text says little. */
const NEAR_UNREAD = 0.8

function nearEnoughAmong(documents: number): number {
  const doublings = Math.log2(steadyCount(documents) / FEW)
  const near = NEAR_AMONG_FEW + NEAR_STEP * doublings
  return Math.min(NEAR_UNREAD, Math.max(NEAR_AT_LEAST, near))
}

function coversEnoughAmong(documents: number): number {
  /** From 0 for 32 documents and more to 1 for two. */
  const fewer = Math.log2(Math.max(2, Math.min(FEW, steadyCount(documents))) / FEW) / -4
  return COVERS_AMONG_FEW + fewer * (COVERS_AMONG_TWO - COVERS_AMONG_FEW)
}

export interface MixedModel {
  readonly id: string
  readonly corpus: CorpusModel
  readonly general: GeneralModel
}

export function createMixedEmbedder(
  { id, corpus, general }: MixedModel,
  analysis: TermAnalysis,
): Embedder {
  const share = generalShare(corpus, general)
  const near = nearEnoughAmong(corpus.documents)
  const coversEnough = coversEnoughAmong(corpus.documents)
  // The vector and the reading of a question are asked for one after the other.
  let last: { text: string; vector: Float32Array; reading: Reading } | undefined
  const read = (text: string): { vector: Float32Array; reading: Reading } => {
    if (last?.text === text) return last
    const terms = [...analysis.terms(text)]
    const meant = general.embedQuery(terms)
    const weight = share * meant.known
    // The parts of a passage's vector have the roots of the shares: their products give the shares.
    const own = (1 - weight) / Math.sqrt(1 - share)
    const common = share === 0 ? 0 : weight / Math.sqrt(share)
    const vector = new Float32Array(corpus.dimensions + general.dimensions)
    const asked = corpus.embedQuery(terms)
    for (let k = 0; k < asked.length; k++) vector[k] = own * asked[k]!
    for (let k = 0; k < general.dimensions; k++) {
      vector[corpus.dimensions + k] = common * meant.vector[k]!
    }
    const understood = weight * meant.known + (1 - weight) * (1 - corpus.unknownShareOf(terms))
    // A question the table cannot read is answered as if there were none.
    const unread = 1 - meant.known
    const scale = lengthOf(vector) * (1 - unread * (1 - Math.sqrt(1 - share)))
    const baseline = BASELINE * meant.known
    const nearEnough = unread === 1 ? undefined : meant.known * near + unread * NEAR_UNREAD
    const reading = { understood, general: weight, scale, baseline, nearEnough, coversEnough }
    last = { text, vector, reading }
    return last
  }
  return {
    id,
    dimensions: corpus.dimensions + general.dimensions,
    halfBytes: corpus.documents >= LARGE,
    async embedDocuments(documents, options) {
      return documents.map(({ title, passages }) => {
        options?.signal?.throwIfAborted()
        const titleTerms = [...analysis.terms(title)]
        const terms = passages.map((passage) => [...analysis.terms(passageText(passage))])
        const own = corpus.embedDocument(titleTerms, terms)
        return joined(own, general.embedDocument(titleTerms, terms), share)
      })
    },
    async embedQuery(text) {
      return read(text).vector
    },
    read: (text) => read(text).reading,
  }
}

/** How a question is read by the table alone, which has a row for this share of its words. */
export function readTable(share: number, documents: number): Reading {
  const known = ramp(share, HARDLY_KNOWN, WELL_KNOWN)
  const general = shareAmong(documents) * known
  const near = known * nearEnoughAmong(documents) + (1 - known) * NEAR_UNREAD
  return {
    // The part that a base's own text has in it elsewhere is not understood.
    understood: general * known,
    general,
    scale: known,
    baseline: BASELINE * known,
    nearEnough: known === 0 ? undefined : near,
    coversEnough: coversEnoughAmong(documents),
  }
}

/** What the same vectors are made of for all passages of a matrix. */
export function partsFor(
  { corpus, general }: Omit<MixedModel, 'id'>,
  matrix: TermMatrix,
): readonly VectorPart[] {
  const share = generalShare(corpus, general)
  const [a, b] = [Math.sqrt(1 - share), Math.sqrt(share)]
  const part = general.partFor(matrix)
  return [
    { ...partOf(corpus), lengthOf: () => a },
    { ...part, lengthOf: (row) => b * part.lengthOf(row) },
  ]
}

function generalShare({ documents }: CorpusModel, { readable }: GeneralModel): number {
  return shareAmong(documents) * readable
}

function shareAmong(documents: number): number {
  const count = steadyCount(documents)
  return 1 - Math.min(MOST_CORPUS, count / (count + HALF_AT))
}

function joined(
  own: readonly Float32Array[],
  general: readonly Float32Array[],
  share: number,
): Float32Array[] {
  const a = Math.sqrt(1 - share)
  const b = Math.sqrt(share)
  return own.map((vector, passage) => {
    const other = general[passage]!
    const both = new Float32Array(vector.length + other.length)
    for (let k = 0; k < vector.length; k++) both[k] = a * vector[k]!
    for (let k = 0; k < other.length; k++) both[vector.length + k] = b * other[k]!
    return both
  })
}

function lengthOf(vector: Float32Array): number {
  let squares = 0
  for (let k = 0; k < vector.length; k++) squares += vector[k]! * vector[k]!
  return Math.sqrt(squares)
}
