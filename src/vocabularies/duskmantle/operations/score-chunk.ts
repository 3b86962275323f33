/** How good is a chunk for a question? The formula of the duskmantle contract, term by term. */
import { criticalityScore } from '../../../core/operations/repository/catalogue.ts'

export interface Weights {
  readonly subsystem: number
  readonly relationship: number
  readonly support: number
  readonly coveragePenalty: number
  readonly criticality: number
  readonly vector: number
  readonly lexical: number
}

export type ProfileName = 'default' | 'analysis' | 'operations' | 'docs-heavy'

const BOTH = { vector: 1, lexical: 0.25 }

export const PROFILES: Readonly<Record<ProfileName, Weights>> = {
  default: profile(0.28, 0.05, 0.09, 0.15, 0.12),
  analysis: profile(0.38, 0.1, 0.08, 0.18, 0.18),
  operations: profile(0.22, 0.08, 0.06, 0.28, 0.1),
  'docs-heavy': profile(0.26, 0.04, 0.22, 0.12, 0.08),
}

function profile(
  subsystem: number,
  relationship: number,
  support: number,
  coveragePenalty: number,
  criticality: number,
): Weights {
  return { subsystem, relationship, support, coveragePenalty, criticality, ...BOTH }
}

export interface ChunkEvidence {
  readonly text: string
  readonly query: string
  /** Cosine of the question and the chunk. */
  readonly vectorScore: number
  readonly subsystem: string | undefined
  readonly criticality: string | number | undefined
  readonly coverageRatio: number
  /** Labels of related artifacts; undefined where the graph does not count. */
  readonly related: readonly string[] | undefined
}

export interface ChunkScore {
  readonly vector: number
  readonly lexical: number
  readonly weightedVector: number
  readonly weightedLexical: number
  readonly adjusted: number
  readonly signals: {
    readonly subsystemAffinity: number
    readonly relationshipCount: number
    readonly supportingBonus: number
    readonly criticalityScore: number
    readonly coveragePenalty: number
  }
}

const BONUSES: Readonly<Record<string, number>> = { DesignDoc: 0.2, TestCase: 0.1 }
/** More of a kind add nothing. */
const MOST_SUPPORTING = 2

export function scoreChunk(evidence: ChunkEvidence, weights: Weights): ChunkScore {
  const { vectorScore: vector, coverageRatio, related } = evidence
  const asked = askedTokens(evidence.query)
  const lexical = lexicalScore(evidence.text, asked)
  const graph = related !== undefined
  const subsystemAffinity = graph ? affinity(evidence.subsystem, asked) : 0
  const relationshipCount = related?.length ?? 0
  const supportingBonus = supporting(related ?? [])
  const criticality = graph ? criticalityScore(evidence.criticality) : 0
  const coveragePenalty = graph ? weights.coveragePenalty * (1 - coverageRatio) : 0
  const weightedVector = vector * weights.vector
  const weightedLexical = lexical * weights.lexical
  return {
    vector,
    lexical,
    weightedVector,
    weightedLexical,
    adjusted:
      weightedVector +
      weightedLexical +
      subsystemAffinity * weights.subsystem +
      relationshipCount * weights.relationship * 0.1 +
      supportingBonus * weights.support -
      coveragePenalty +
      criticality * weights.criticality,
    signals: {
      subsystemAffinity,
      relationshipCount,
      supportingBonus,
      criticalityScore: criticality,
      coveragePenalty,
    },
  }
}

let lastAsked = { query: '', tokens: tokensOf('') }

/** Hundreds of chunks are weighed for one question, which may be long. */
function askedTokens(query: string): ReadonlySet<string> {
  if (lastAsked.query !== query) lastAsked = { query, tokens: tokensOf(query) }
  return lastAsked.tokens
}

export function tokensOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text))
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter((word) => word !== '')
}

/** The share of the chunk's words that the question has. */
export function lexicalScore(text: string, asked: ReadonlySet<string>): number {
  const words = wordsOf(text)
  return words.length === 0 ? 0 : words.filter((word) => asked.has(word)).length / words.length
}

/** 1 for a question that names the subsystem, 0.5 where one contains the other. */
function affinity(subsystem: string | undefined, asked: ReadonlySet<string>): number {
  const name = subsystem?.toLowerCase()
  if (name === undefined || name === '') return 0
  if (asked.has(name)) return 1
  const close = (word: string): boolean => word.includes(name) || name.includes(word)
  return [...asked].some(close) ? 0.5 : 0
}

function supporting(related: readonly string[]): number {
  return Object.entries(BONUSES).reduce((sum, [label, bonus]) => {
    const count = related.filter((each) => each === label).length
    return sum + bonus * Math.min(MOST_SUPPORTING, count)
  }, 0)
}
