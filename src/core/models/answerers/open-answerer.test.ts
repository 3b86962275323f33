import { describe, expect, it } from 'vitest'
import { startAnswerServer } from '../../../../test/support/answer-server.ts'
import type { AnswerManners, AnswerServer } from '../../../../test/support/answer-server.ts'
import { KnowledgeError } from '../../domain/error.ts'
import { openAnswerer } from './open-answerer.ts'
import type { AnswererOptions, WireName } from './open-answerer.ts'

const PROMPT = { system: 'Be brief.', user: 'Hello?', maxTokens: 50 }
const KEY = 'key-1234567'
const PROVIDERS = ['anthropic', 'openai', 'gemini'] as const

function answererFor(
  { url }: AnswerServer,
  provider: WireName,
  options: Partial<AnswererOptions> = {},
) {
  const logged: string[] = []
  const answerer = openAnswerer({
    provider,
    url: `${url}/v1`,
    model: 'model-1',
    apiKey: KEY,
    timeoutMs: 20_000,
    backoffMs: 1,
    log: (what) => logged.push(what),
    ...options,
  })
  return { answerer, logged }
}

async function failureOf(work: Promise<unknown>): Promise<KnowledgeError> {
  const error = await work.then(
    (value) => value,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(KnowledgeError)
  const { message, hint, stack } = error as KnowledgeError
  expect([message, hint, stack].join()).not.toMatch(/SECRET|key-1234567|Hello\?/)
  return error as KnowledgeError
}

describe.each(PROVIDERS)('%s', (provider) => {
  it.each(['well', 'whole', 'slow'] as const)('answers when it speaks %s', async (manners) => {
    const server = await startAnswerServer(provider)
    server.manners = manners
    const { answerer } = answererFor(server, provider)
    expect(await answerer.answer(PROMPT)).toBe('Hello, wörld 你好.')
    expect(answerer.name).toBe(`${provider}/model-1`)
  })

  it.each([
    ['disconnecting', 'broke off its answer'],
    ['truncated', 'broke off its answer'],
    ['failing_midway', 'broke off its answer'],
    ['broken', 'is busy or broken (500)'],
    ['busy', 'is busy or broken (429)'],
  ] as const)('tries again, and then gives up one that is %s', async (manners, reason) => {
    const server = await startAnswerServer(provider)
    server.manners = manners
    const { answerer } = answererFor(server, provider)
    const error = await failureOf(answerer.answer(PROMPT))
    expect([error.code, error.message]).toEqual(['unavailable', expect.stringContaining(reason)])
    expect(server.requests.length).toBeGreaterThanOrEqual(2)
    server.failures = 1
    expect(await answererFor(server, provider).answerer.answer(PROMPT)).toContain('Hello')
  })

  it.each([
    ['wrong_key', 'API key'],
    ['no_json', 'answerer.provider'],
    ['other_json', 'answerer.provider'],
    ['empty', 'answerer.provider'],
    ['endless', 'answerer.provider'],
    ['huge', 'answerer.provider'],
  ] as const)('does not insist when it is %s', async (manners, hint) => {
    const server = await startAnswerServer(provider)
    server.manners = manners
    const { answerer } = answererFor(server, provider, { timeoutMs: 20_000 })
    const error = await failureOf(answerer.answer(PROMPT))
    expect([error.code, error.hint]).toEqual(['upstream', expect.stringContaining(hint)])
    expect(server.requests.length).toBe(1)
  })

  it('asks again without a temperature where that is refused, and remembers it', async () => {
    const server = await startAnswerServer(provider)
    server.manners = 'no_temperature'
    const { answerer } = answererFor(server, provider)
    for (const _ of [1, 2]) await answerer.answer({ ...PROMPT, temperature: 0 })
    const sent = server.requests.map(({ text }) => text.includes('"temperature":0'))
    expect(sent).toEqual([true, false, false])
  })

  it('stops the server when nobody waits any more', async () => {
    const server = await startAnswerServer(provider)
    server.manners = 'slow'
    server.reply = () => 'x'.repeat(1_000)
    const stop = new AbortController()
    const { answerer } = answererFor(server, provider)
    const asked = answerer.answer(PROMPT, stop.signal)
    await expect.poll(() => server.requests.length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await expect.poll(() => server.givenUp()).toBe(1)
    await expect(answerer.answer(PROMPT, stop.signal)).rejects.toThrow('enough')
    expect(server.requests.length).toBe(1)
  })
})

// These wait, each at a server of its own, and need not wait for one another.
describe.concurrent.each(PROVIDERS)('%s, which takes its time', (provider) => {
  it('is waited for longer when it is slow than when it is silent', async ({ onTestFinished }) => {
    const server = await startAnswerServer(provider, onTestFinished)
    server.manners = 'slow'
    server.pauseMs = 300
    // All of it takes longer than one may be silent, and that is much longer than each pause.
    server.reply = () => 'x'.repeat(18)
    const { answerer } = answererFor(server, provider, { timeoutMs: 5_000, attempts: 1 })
    expect(await answerer.answer(PROMPT)).toBe('x'.repeat(18))
  })

  it.for(['hanging', 'falling_silent'] as const)(
    'is asked again, and then given up, when it is %s',
    async (manners, { onTestFinished }) => {
      const server = await startAnswerServer(provider, onTestFinished)
      server.manners = manners
      const { answerer } = answererFor(server, provider, { timeoutMs: 500 })
      const error = await failureOf(answerer.answer(PROMPT))
      const reason = expect.stringContaining('did not answer in time')
      expect([error.code, error.message]).toEqual(['unavailable', reason])
      expect(server.requests.length).toBeGreaterThanOrEqual(2)
      server.failures = 1
      const patient = answererFor(server, provider, { timeoutMs: 1_000 })
      expect(await patient.answerer.answer(PROMPT)).toContain('Hello')
    },
  )
})

describe('what is sent', () => {
  const sent = async (provider: WireName, url = '/v1') => {
    const server = await startAnswerServer(provider)
    const { answerer } = answererFor(server, provider, {
      url: `${server.url}${url}`,
      maxTokens: 20,
    })
    await answerer.answer({ ...PROMPT, temperature: 0.3 })
    return server.requests[0]!
  }

  it('is a message to Anthropic', async () => {
    const { path, headers, body } = await sent('anthropic')
    expect([path, headers['x-api-key']]).toEqual(['/v1/messages', KEY])
    expect(headers['anthropic-version']).toBe('2023-06-01')
    expect((await sent('anthropic', '/')).path).toBe('/v1/messages')
    expect(body).toEqual({
      model: 'model-1',
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Hello?' }],
      max_tokens: 20,
      temperature: 0.3,
      stream: true,
    })
  })

  it('is a chat for what is compatible with OpenAI', async () => {
    const { path, headers, body } = await sent('openai')
    expect([path, headers.authorization]).toEqual(['/v1/chat/completions', `Bearer ${KEY}`])
    expect(body).toMatchObject({ max_tokens: 20, temperature: 0.3, stream: true })
    expect(body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello?' },
    ])
  })

  it('is content for Gemini, with the key in a header', async () => {
    const { path, headers, body } = await sent('gemini')
    expect(path).toBe('/v1/models/model-1:streamGenerateContent?alt=sse')
    expect(headers['x-goog-api-key']).toBe(KEY)
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hello?' }] }],
      generationConfig: { maxOutputTokens: 20, temperature: 0.3 },
    })
  })
})

describe('patience', () => {
  const misbehaving = async (manners: AnswerManners) => {
    const server = await startAnswerServer('openai')
    server.manners = manners
    return server
  }

  it('comes back when a busy server says, unless that is too late to be of use', async () => {
    const server = await misbehaving('busy')
    server.retryAfter = '0.05'
    server.failures = 2
    expect(await answererFor(server, 'openai').answerer.answer(PROMPT)).toContain('Hello')
    expect(server.requests.length).toBe(3)
    server.retryAfter = '3600'
    server.failures = Infinity
    await failureOf(answererFor(server, 'openai').answerer.answer(PROMPT))
    expect(server.requests.length).toBe(4)
  })

  it('ends: an answer that trickles in for ever is given up', async () => {
    const server = await misbehaving('slow')
    server.reply = () => 'x'.repeat(10_000)
    const { answerer } = answererFor(server, 'openai', { timeoutMs: 500, attempts: 1 })
    const error = await failureOf(answerer.answer(PROMPT))
    expect(error.message).toContain('did not answer in time')
    await expect.poll(() => server.givenUp()).toBe(1)
  })

  it('follows no redirection', async () => {
    const server = await misbehaving('redirecting')
    await failureOf(answererFor(server, 'openai', { attempts: 1 }).answerer.answer(PROMPT))
    expect(server.requests.length).toBe(1)
  })

  it('tells the log what was refused, and never the key', async () => {
    const server = await misbehaving('wrong_key')
    const { answerer, logged } = answererFor(server, 'openai')
    await failureOf(answerer.answer(PROMPT))
    expect(logged.join()).toContain('refused with 401: {"error":"Wrong key [key] UPSTREAM SECRET"}')
    expect(logged.join()).not.toContain(KEY)
    const broken = await misbehaving('hanging')
    const other = answererFor(broken, 'openai', { timeoutMs: 50, attempts: 1 })
    await failureOf(other.answerer.answer(PROMPT))
    expect(other.logged.join()).toContain('did not answer in time')
  })

  it.each(['file:///etc/passwd', 'http://me:secret@localhost/v1', 'nonsense'])(
    'refuses the address %s without repeating it',
    (url) => {
      const open = () => openAnswerer({ provider: 'openai', url, model: 'm' })
      expect(open).toThrow('The URL of the model server cannot be used.')
    },
  )
})
