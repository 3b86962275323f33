import { expect, it } from 'vitest'
import { startAnswerServer } from '../../../test/support/answer-server.ts'
import { answererFor } from './answerers.ts'

it('opens the model of the settings with the key of the environment', async () => {
  const server = await startAnswerServer('gemini')
  const config = {
    provider: 'gemini',
    model: 'm',
    baseUrl: server.url,
    apiKeyEnv: 'MY_KEY',
    timeoutMs: 20_000,
    maxTokens: 64,
  } as const
  const answerer = answererFor(config, { env: { MY_KEY: 'key-1' } })
  expect(await answerer?.answer({ system: 'a', user: 'b' })).toContain('Hello')
  const { headers, body } = server.requests[0]!
  expect([headers['x-goog-api-key'], body.generationConfig.maxOutputTokens]).toEqual(['key-1', 64])
})

it('opens nothing where no model is configured', () => {
  expect(answererFor(undefined)).toBeUndefined()
})
