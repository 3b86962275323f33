/** Who answers in words: the model that the settings name, ready to be asked. */
import type { Answerer } from '../models/answerer.ts'
import { openAnswerer } from '../models/answerers/open-answerer.ts'
import { ANSWERER_DEFAULTS } from './config-answerer.ts'
import type { AnswererConfig } from './config-answerer.ts'

export interface AnswererSurroundings {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Hears what a server says when it refuses. */
  readonly log?: (message: string) => void
}

/** Undefined where no model is configured. */
export function answererFor(
  config: AnswererConfig | undefined,
  { env = process.env, log }: AnswererSurroundings = {},
): Answerer | undefined {
  if (!config) return undefined
  const { provider, model, baseUrl: url, apiKeyEnv, timeoutMs, maxTokens } = config
  const apiKey = env[apiKeyEnv] || undefined
  return openAnswerer({ provider, model, url, apiKey, timeoutMs, maxTokens, log })
}

/**
 * A provider by its name alone, for settings of other servers that say no more. Undefined without
 * the provider's key in the environment.
 */
export function answererNamed(
  provider: AnswererConfig['provider'],
  surroundings: AnswererSurroundings = {},
): Answerer | undefined {
  const usual = ANSWERER_DEFAULTS[provider]
  const { env = process.env } = surroundings
  if (!env[usual.apiKeyEnv]) return undefined
  return answererFor({ provider, ...usual, timeoutMs: 15_000, maxTokens: 2_000 }, surroundings)
}
