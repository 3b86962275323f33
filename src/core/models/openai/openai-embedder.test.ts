import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { KnowledgeError } from '../../domain/error.ts'
import type { EmbeddableDocument } from '../embedder.ts'
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.ts'

interface Request {
  readonly model: string
  readonly input: readonly string[]
  readonly dimensions?: number
}

type Handler = (request: Request, response: ServerResponse, message: IncomingMessage) => void

/** An embedding server on this machine, and everything it was asked. */
interface TestServer {
  readonly url: string
  readonly requests: Request[]
  /** Most requests it ever worked on at the same time. */
  readonly busiest: () => number
}

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function serve(handle: Handler): Promise<TestServer> {
  const requests: Request[] = []
  let working = 0
  let busiest = 0
  const server = createServer((message, response) => {
    let body = ''
    busiest = Math.max(busiest, ++working)
    response.on('close', () => working--)
    message.setEncoding('utf8')
    message.on('data', (piece: string) => (body += piece))
    message.on('end', () => {
      const request = JSON.parse(body) as Request
      requests.push(request)
      handle(request, response, message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, requests, busiest: () => busiest }
}

function send(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** A vector that tells which text it stands for. */
const vectorOf = (text: string): number[] => [text.length, text.charCodeAt(0), 1]

const answer: Handler = ({ input }, response) => {
  const data = input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: vectorOf(text),
  }))
  // In any order: `index` is what counts.
  send(response, 200, { object: 'list', data: data.toReversed() })
}

function failing(times: number, status: number, then: Handler, headers = {}): Handler {
  let left = times
  return (request, response, message) => {
    if (left-- > 0)
      send(response, status, { error: { message: `SECRET ${request.input[0]}` } }, headers)
    else then(request, response, message)
  }
}

function embedderFor(server: TestServer, options: Partial<OpenAiEmbedderOptions> = {}) {
  return createOpenAiEmbedder({
    url: server.url,
    model: 'test-model',
    dimensions: 3,
    backoffMs: 1,
    timeoutMs: 20_000,
    ...options,
  })
}

const document = (title: string, ...texts: string[]): EmbeddableDocument => ({
  title,
  passages: texts.map((text) => ({ text, headingPath: [] })),
})

async function failureOf(work: Promise<unknown>): Promise<KnowledgeError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(KnowledgeError)
  return error as KnowledgeError
}

describe('the OpenAI embedder', () => {
  it('embeds passages with their title and headings, and gives them back document by document', async () => {
    const server = await serve(answer)
    const vectors = await embedderFor(server, { batchSize: 2 }).embedDocuments([
      {
        title: 'Tea',
        passages: [
          { text: 'Boil water.', headingPath: ['Tea', 'Steps'] },
          { text: 'Wait.', headingPath: [] },
        ],
      },
      document('Empty'),
      document('', 'Alone.'),
    ])
    const sent = server.requests.flatMap(({ input }) => input)
    expect(sent.toSorted()).toEqual(['Alone.', 'Tea\n\nWait.', 'Tea > Steps\n\nBoil water.'])
    expect(vectors.map((rows) => rows.map((row) => [...row]))).toEqual([
      [vectorOf('Tea > Steps\n\nBoil water.'), vectorOf('Tea\n\nWait.')],
      [],
      [vectorOf('Alone.')],
    ])
    expect(server.requests.every(({ model }) => model === 'test-model')).toBe(true)
  })

  it('puts in front what the model wants, cuts what is too long, and sends no empty text', async () => {
    const server = await serve(answer)
    const embedder = embedderFor(server, { queryPrefix: 'query: ', passagePrefix: 'passage: ' })
    await embedder.embedQuery('tea?')
    await embedder.embedDocuments([document('', 'x'.repeat(20_000))])
    await embedderFor(server).embedQuery(' ')
    const [query, passage, empty] = server.requests.map(({ input }) => input[0])
    expect(query).toBe('query: tea?')
    expect(passage!.length).toBe(8_000)
    expect(empty).toBe('-')
  })

  it('sends the key, and asks for shorter vectors only when told', async () => {
    const keys: (string | undefined)[] = []
    const server = await serve((request, response, message) => {
      keys.push(message.headers.authorization)
      answer(request, response, message)
    })
    await embedderFor(server).embedQuery('a')
    await embedderFor(server, { apiKey: 'key-1', shorten: true }).embedQuery('a')
    expect(keys).toEqual([undefined, 'Bearer key-1'])
    expect(server.requests.map(({ dimensions }) => dimensions)).toEqual([undefined, 3])
  })

  it('batches, with a bounded number of requests under way', async () => {
    // Answered together, as soon as there are as many as there may be, or no more to come.
    const waiting: (() => void)[] = []
    const server = await serve((request, response, message) => {
      waiting.push(() => answer(request, response, message))
      if (waiting.length < 3 && server.requests.length < 13) return
      for (const each of waiting.splice(0)) each()
    })
    const texts = Array.from({ length: 50 }, (_, i) => `passage ${i}`)
    const embedder = embedderFor(server, { batchSize: 4, concurrency: 3 })
    const [vectors] = await embedder.embedDocuments([document('', ...texts)])
    expect(vectors!.map((vector) => vector[0])).toEqual(texts.map((text) => text.length))
    expect(server.requests.length).toBe(13)
    expect(server.busiest()).toBe(3)
  })

  it('reads vectors in base64 too', async () => {
    const server = await serve((_, response) => {
      const embedding = Buffer.from(Float32Array.of(1, 2, 3).buffer).toString('base64')
      send(response, 200, { data: [{ index: 0, embedding }] })
    })
    expect([...(await embedderFor(server).embedQuery('a'))]).toEqual([1, 2, 3])
  })

  it.each([429, 500, 503])('tries again after %i', async (status) => {
    const server = await serve(failing(3, status, answer))
    const vectors = await embedderFor(server).embedDocuments([document('', 'abc')])
    expect(vectors[0]![0]![0]).toBe(3)
    expect(server.requests.length).toBe(4)
  })

  it('waits as long as the server asks', async () => {
    const server = await serve(failing(1, 429, answer, { 'retry-after': '0.2' }))
    const begin = performance.now()
    await embedderFor(server).embedDocuments([document('', 'abc')])
    expect(performance.now() - begin).toBeGreaterThan(190)
  })

  it('gives up after the last attempt, without repeating what the server said', async () => {
    const server = await serve(failing(Infinity, 500, answer))
    const embedder = embedderFor(server, { attempts: 3, apiKey: 'key-1' })
    const error = await failureOf(embedder.embedDocuments([document('', 'private')]))
    expect(error.code).toBe('unavailable')
    expect(error.message).toMatch(
      /^The embedding server 127\.0\.0\.1:\d+ is busy or broken \(500\)\.$/,
    )
    expect(JSON.stringify([error.message, error.hint, error.stack])).not.toMatch(
      /SECRET|private|key-1/,
    )
    expect(server.requests.length).toBe(3)
  })

  it.each([
    [401, 'API key'],
    [404, 'usually ends in /v1'],
    [400, 'model name'],
  ])('does not try again after %i and says what to check', async (status, hint) => {
    const server = await serve(failing(1, status, answer))
    const error = await failureOf(embedderFor(server).embedQuery('private'))
    expect(error.code).toBe('upstream')
    expect(error.hint).toContain(hint)
    expect(error.message).not.toMatch(/SECRET|private/)
    expect(server.requests.length).toBe(1)
  })

  it.each([
    ['no JSON', 'oops <html>'],
    ['no list', { data: 'x' }],
    ['too few', { data: [] }],
    [
      'the same place twice',
      {
        data: [
          { index: 0, embedding: [1, 2, 3] },
          { index: 0, embedding: [1, 2, 3] },
        ],
      },
    ],
    [
      'a place outside',
      {
        data: [
          { index: 0, embedding: [1, 2, 3] },
          { index: 7, embedding: [1, 2, 3] },
        ],
      },
    ],
    ['a vector of words', { data: [{ embedding: ['a'] }, { embedding: [1, 2, 3] }] }],
    ['an empty vector', { data: [{ embedding: [] }, { embedding: [1, 2, 3] }] }],
    ['null', 'null'],
  ])('refuses an answer with %s', async (_, body) => {
    const server = await serve((_request, response) => send(response, 200, body))
    const error = await failureOf(embedderFor(server).embedDocuments([document('', 'a', 'b')]))
    expect([error.code, server.requests.length]).toEqual(['upstream', 1])
    expect(error.message).toContain('not a list of vectors')
  })

  it('refuses vectors of another length, and says which', async () => {
    const server = await serve((_, response) =>
      send(response, 200, { data: [{ embedding: [1, 2] }] }),
    )
    const error = await failureOf(embedderFor(server).embedQuery('a'))
    expect(error.code).toBe('upstream')
    expect(error.message).toBe('The model "test-model" gives vectors of 2 dimensions, not 3.')
  })

  it('does not wait for a server that hangs, before or within its answer', async () => {
    const attempts = vi.spyOn(globalThis, 'fetch')
    cleanups.push(async () => attempts.mockRestore())
    for (const hang of [
      () => undefined,
      (_: Request, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"data":')
      },
    ]) {
      const server = await serve(hang)
      const embedder = embedderFor(server, { timeoutMs: 500, attempts: 2 })
      const error = await failureOf(embedder.embedDocuments([document('', 'a')]))
      expect([error.code, attempts.mock.calls.length]).toEqual(['unavailable', 2])
      expect(error.message).toContain('did not answer in time')
      attempts.mockClear()
    }
  })

  it('survives a server that is not there or hangs up', async () => {
    const gone = createOpenAiEmbedder({
      url: 'http://127.0.0.1:1/v1',
      model: 'm',
      dimensions: 3,
      backoffMs: 1,
    })
    expect((await failureOf(gone.embedQuery('a'))).code).toBe('unavailable')
    let calls = 0
    const server = await serve((request, response, message) => {
      if (++calls === 1) message.socket.destroy()
      else answer(request, response, message)
    })
    expect((await embedderFor(server).embedQuery('abc'))[0]).toBe(3)
  })

  it('does not follow a redirect with the key in hand', async () => {
    const other = await serve(answer)
    const server = await serve((_, response) =>
      send(response, 307, '', { location: `${other.url}/embeddings` }),
    )
    expect((await failureOf(embedderFor(server).embedQuery('a'))).code).toBe('unavailable')
    expect(other.requests).toEqual([])
  })

  it('stops when told, while waiting for an answer or for the next attempt', async () => {
    for (const handler of [() => undefined, failing(Infinity, 503, answer)]) {
      const server = await serve(handler)
      const stop = new AbortController()
      const work = embedderFor(server, { backoffMs: 60_000 }).embedDocuments([document('', 'a')], {
        signal: stop.signal,
      })
      const stopped = expect(work).rejects.toThrow()
      await expect.poll(() => server.requests.length).toBe(1)
      await sleep(30)
      stop.abort(new Error('stopped'))
      await stopped
      expect(server.requests.length).toBe(1)
    }
  })

  it('stops the other requests when one fails for good', async () => {
    const server = await serve((request, response, message) => {
      if (request.input[0] === 'bad') send(response, 400, '')
      else setTimeout(() => answer(request, response, message), 15_000).unref()
    })
    const embedder = embedderFor(server, { batchSize: 1, concurrency: 2 })
    const texts = ['good', 'bad', ...Array.from({ length: 20 }, () => 'later')]
    const error = await failureOf(embedder.embedDocuments([document('', ...texts)]))
    expect(error.code).toBe('upstream')
    expect(server.requests.length).toBeLessThanOrEqual(3)
  })

  it('has an id that changes with what decides the vectors, and never holds the key', () => {
    const base = { url: 'http://h/v1/', model: 'm', dimensions: 3 }
    const id = (options: object): string => createOpenAiEmbedder({ ...base, ...options }).id
    expect(id({ apiKey: 'key-1' })).toBe(id({ url: 'http://h/v1', batchSize: 1 }))
    expect(id({ apiKey: 'key-1' })).not.toContain('key-1')
    expect(
      new Set([id({}), id({ model: 'n' }), id({ dimensions: 4 }), id({ queryPrefix: 'q' })]).size,
    ).toBe(4)
  })

  it.each(['nonsense', 'ftp://h/v1', 'http://user:pass@h/v1'])('refuses the URL %s', (url) => {
    expect(() => createOpenAiEmbedder({ url, model: 'm', dimensions: 3 })).toThrow(KnowledgeError)
  })
})
