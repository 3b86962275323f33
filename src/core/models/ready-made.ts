/**
 * How questions are read with a model that comes ready made. It knows whole sentences, names and
 * languages, but every model has its own idea of a cosine: what counts is where a similarity lies
 * between texts that have nothing to do with each other and questions with their answers.
 * docs/decisions/0027-general-meaning.md has the figures.
 */
import { steadyCount } from '../kit/steady.ts'
import type { Reading } from './embedder.ts'

export interface Similarities {
  /** Of texts that have nothing to do with each other. */
  readonly unrelated: number
  /** Of questions and their answers in other words. */
  readonly related: number
}

/** How far words that find little make room for it. More helps paraphrases and hurts everything else. */
const GENERAL = 0.5
/** From this part of the way on a similarity has a say. */
const SAYS_SOMETHING = 0.25
/** On this part of the way a passage is an answer; among more documents the nearest is nearer by chance. */
const ANSWERS = 0.65
const FEW = 32
const STEP = 0.08
const FARTHEST = 1.2

/** Cosines closer together than this tell nothing: the model is not made for questions. */
const LEAST_SPREAD = 0.05

export function readReadyMade({ unrelated, related }: Similarities, documents = 0): Reading {
  const spread = related - unrelated
  if (spread < LEAST_SPREAD) return { understood: 1, general: 0, scale: 1 }
  const doublings = Math.max(0, Math.log2(steadyCount(Math.max(1, documents)) / FEW))
  return {
    understood: 1,
    general: GENERAL,
    knowsNames: true,
    scale: 1,
    baseline: Math.max(0, unrelated + SAYS_SOMETHING * spread),
    unrelatedAt: unrelated,
    nearEnough: unrelated + Math.min(FARTHEST, ANSWERS + STEP * doublings) * spread,
  }
}
