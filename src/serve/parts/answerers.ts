/** Who answers in words: the model that the settings name, ready to be asked. */
import type { Answerer } from '../../core/models/answerer.ts'
import { openAnswerer } from '../../core/models/answerers/open-answerer.ts'
import type { AnswererConfig } from '../config/answerer.ts'

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
