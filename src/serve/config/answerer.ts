/** Which language model may be asked, and with whose key? */
import type { AnswererProvider } from './config.ts'

export interface AnswererConfig {
  readonly provider: Exclude<AnswererProvider, 'none'>
  readonly model: string
  readonly baseUrl: string
  /** Name of the variable that holds the key. */
  readonly apiKeyEnv: string
  readonly timeoutMs: number
  readonly maxTokens: number
}

/** What each provider is unless the settings say otherwise. */
export const ANSWERER_DEFAULTS = {
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    model: 'claude-haiku-4-5',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
  },
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-4.1-mini',
    apiKeyEnv: 'OPENAI_API_KEY',
  },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    model: 'gemini-2.5-flash',
    apiKeyEnv: 'GEMINI_API_KEY',
  },
} as const satisfies Record<
  AnswererConfig['provider'],
  Pick<AnswererConfig, 'baseUrl' | 'model' | 'apiKeyEnv'>
>

interface Wanted {
  readonly provider: AnswererProvider
  readonly model?: string
  readonly baseUrl?: string
  readonly apiKeyEnv?: string
  readonly timeoutMs: number
  readonly maxTokens: number
}

interface Circumstances {
  readonly env: Readonly<Record<string, string | undefined>>
}

interface Settled {
  readonly answerer: AnswererConfig | undefined
  readonly warnings: readonly string[]
}

/** The model with everything it takes to ask it; undefined where none is wanted or may be asked. */
export function resolveAnswerer(wanted: Wanted, around: Circumstances): Settled {
  const { provider } = wanted
  if (provider === 'none') return { answerer: undefined, warnings: [] }
  const usual = ANSWERER_DEFAULTS[provider]
  const answerer: AnswererConfig = {
    provider,
    model: wanted.model ?? usual.model,
    baseUrl: wanted.baseUrl ?? usual.baseUrl,
    apiKeyEnv: wanted.apiKeyEnv ?? usual.apiKeyEnv,
    timeoutMs: wanted.timeoutMs,
    maxTokens: wanted.maxTokens,
  }
  if (isOwnAddress(answerer) && !around.env[answerer.apiKeyEnv]) {
    const warning = `${answerer.apiKeyEnv} is not set, so ${provider} is not asked.`
    return { answerer: undefined, warnings: [warning] }
  }
  return { answerer, warnings: [] }
}

function isOwnAddress({ provider, baseUrl }: AnswererConfig): boolean {
  const { origin } = new URL(baseUrl)
  return origin === new URL(ANSWERER_DEFAULTS[provider].baseUrl).origin
}
