/** A linear model that orders chunks: learned elsewhere from votes, read here from a file. */
import type { ChunkScore } from './score-chunk.ts'

export interface RankingModel {
  readonly features: readonly { readonly name: FeatureName; readonly coefficient: number }[]
  readonly intercept: number
}

export interface ModelScore {
  readonly score: number
  readonly intercept: number
  /** What each feature adds. */
  readonly contributions: Readonly<Record<string, number>>
}

/** What a model may build on besides the score of the formula. */
export interface ChunkFacts {
  readonly score: ChunkScore
  readonly coverageRatio: number
  readonly pathDepth: number | undefined
  readonly withGraph: boolean
  /** Whether the whole answer has graph context. */
  readonly graphIncluded: boolean
  readonly warnings: number
}

const FEATURES = {
  vector_score: ({ score }) => score.vector,
  lexical_score: ({ score }) => score.lexical,
  weighted_vector_score: ({ score }) => score.weightedVector,
  weighted_lexical_score: ({ score }) => score.weightedLexical,
  signal_subsystem_affinity: ({ score }) => score.signals.subsystemAffinity,
  signal_relationship_count: ({ score }) => score.signals.relationshipCount,
  signal_supporting_bonus: ({ score }) => score.signals.supportingBonus,
  signal_coverage_missing: ({ coverageRatio }) => (coverageRatio === 0 ? 1 : 0),
  signal_coverage_ratio: ({ coverageRatio }) => coverageRatio,
  signal_criticality_score: ({ score }) => score.signals.criticalityScore,
  signal_path_depth: ({ pathDepth }) => pathDepth ?? 0,
  graph_context_present: ({ withGraph }) => Number(withGraph),
  metadata_graph_context_included: ({ graphIncluded }) => Number(graphIncluded),
  metadata_warnings_count: ({ warnings }) => warnings,
} as const satisfies Record<string, (facts: ChunkFacts) => number>

type FeatureName = keyof typeof FEATURES

/** Undefined for what is no model, or one that builds on what is not known here. */
export function parseRankingModel(text: string): RankingModel | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Readonly<Record<string, unknown>>
  const { feature_names: names, coefficients, intercept = 0 } = fields
  if (!Array.isArray(names) || !Array.isArray(coefficients) || !isNumber(intercept)) {
    return undefined
  }
  if (names.length === 0 || names.length !== coefficients.length) return undefined
  if (!names.every(isFeature) || !coefficients.every(isNumber)) return undefined
  return {
    features: names.map((name, at) => ({ name, coefficient: coefficients[at]! })),
    intercept,
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isFeature(name: unknown): name is FeatureName {
  return typeof name === 'string' && Object.hasOwn(FEATURES, name)
}

export function scoreByModel({ features, intercept }: RankingModel, facts: ChunkFacts): ModelScore {
  const contributions = features.map(
    ({ name, coefficient }) => [name, coefficient * FEATURES[name](facts)] as const,
  )
  return {
    score: contributions.reduce((sum, [, value]) => sum + value, intercept),
    intercept,
    contributions: Object.fromEntries(contributions),
  }
}
