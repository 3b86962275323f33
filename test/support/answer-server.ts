/**
 * A real HTTP server that answers questions in the wire format of each provider, as a stream or
 * whole, and can be made to misbehave in every known way.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { OnFinished } from './temporary-folder.ts'

export type AnswerManners =
  | 'well'
  /** Streams were never heard of here. */
  | 'whole'
  /** Pieces come one by one, with pauses. */
  | 'slow'
  /** Takes the question and never answers. */
  | 'hanging'
  /** Begins to answer and falls silent. */
  | 'falling_silent'
  /** Begins to answer and closes the connection. */
  | 'disconnecting'
  /** Ends the stream properly, in the middle of the answer. */
  | 'truncated'
  /** Says in the middle of the stream that it is overloaded. */
  | 'failing_midway'
  | 'broken'
  | 'busy'
  | 'wrong_key'
  | 'no_temperature'
  | 'no_json'
  | 'other_json'
  | 'empty'
  /** Never stops talking. */
  | 'endless'
  /** One event as large as a book. */
  | 'huge'
  | 'redirecting'

export interface AnswerRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: any
  /** All that was sent, as text. */
  readonly text: string
}

export interface AnswerServer {
  readonly url: string
  manners: AnswerManners
  /** Fails so many times before it behaves as it should. */
  failures: number
  /** What it says, given everything it was sent. */
  reply: (request: AnswerRequest) => string
  readonly requests: AnswerRequest[]
  /** Requests whose client went away before the answer was complete. */
  readonly givenUp: () => number
  retryAfter: string | undefined
  pauseMs: number
}

type Provider = 'anthropic' | 'openai' | 'gemini'

/** The pieces of a stream, and the same as one answer. */
const WIRES: Record<
  Provider,
  {
    readonly piece: (text: string) => object
    readonly failure: object
    readonly end: string
    readonly whole: (text: string) => object
  }
> = {
  anthropic: {
    piece: (text) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } }),
    failure: { type: 'error', error: { type: 'overloaded_error', message: 'UPSTREAM SECRET' } },
    end: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    whole: (text) => ({ type: 'message', content: [{ type: 'text', text }], stop_reason: 'end' }),
  },
  openai: {
    piece: (text) => ({ choices: [{ delta: { content: text }, finish_reason: null }] }),
    failure: { error: { message: 'UPSTREAM SECRET' } },
    end: 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    whole: (text) => ({ choices: [{ message: { content: text }, finish_reason: 'stop' }] }),
  },
  gemini: {
    piece: (text) => ({ candidates: [{ content: { parts: [{ text }] } }] }),
    failure: { error: { code: 503, message: 'UPSTREAM SECRET' } },
    end: 'data: {"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}]}\r\n\r\n',
    whole: (text) => ({ candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }] }),
  },
}

export async function startAnswerServer(
  provider: Provider = 'openai',
  /** Tests that run at the same time say which of them it ends with. */
  onFinished: OnFinished = onTestFinished,
): Promise<AnswerServer> {
  const requests: AnswerRequest[] = []
  const wire = WIRES[provider]
  let givenUp = 0
  const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
  const send = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const stream = async (response: ServerResponse, text: string, manners: AnswerManners) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(': welcome\n\nevent: ping\ndata: {"type":"ping"}\n\n')
    const half = Math.ceil(text.length / 2)
    const pieces = manners === 'slow' ? [...text] : [text.slice(0, half), text.slice(half)]
    for (const [index, piece] of pieces.entries()) {
      if (response.destroyed) return
      response.write(event(wire.piece(piece)))
      if (manners === 'slow') await sleep(server.pauseMs)
      if (index > 0 || manners === 'slow') continue
      if (manners === 'falling_silent') return
      if (manners === 'disconnecting') return void setTimeout(() => response.destroy(), 10)
      if (manners === 'truncated') return void response.end()
      if (manners === 'failing_midway') return void response.end(event(wire.failure))
    }
    response.end(wire.end)
  }
  const babble = async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const piece = event(wire.piece('blah '.repeat(2_000)))
    for (let sent = 0; sent < 20 * 2 ** 20 && !response.destroyed; sent += piece.length) {
      if (!response.write(piece)) await sleep(1)
    }
    response.end(wire.end)
  }
  const misbehave: Partial<Record<AnswerManners, (response: ServerResponse) => void>> = {
    hanging: () => {},
    broken: (response) => send(response, 500, { error: 'UPSTREAM SECRET' }),
    busy: (response) =>
      send(
        response,
        429,
        { error: 'UPSTREAM SECRET' },
        server.retryAfter === undefined ? {} : { 'retry-after': server.retryAfter },
      ),
    wrong_key: (response) =>
      send(response, 401, { error: 'Wrong key key-1234567 UPSTREAM SECRET' }),
    no_json: (response) => send(response, 200, '<html>UPSTREAM SECRET</html>'),
    other_json: (response) => send(response, 200, { hello: 'UPSTREAM SECRET' }),
    empty: (response) => send(response, 200, wire.whole('')),
    endless: (response) => void babble(response),
    huge: (response) => send(response, 200, wire.whole('x'.repeat(10 * 2 ** 20))),
    redirecting: (response) => send(response, 307, '', { location: '/elsewhere' }),
  }
  const http = createServer((message, response) => {
    let text = ''
    message.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    response.on('close', () => response.writableFinished || givenUp++)
    message.on('end', () => {
      const { url: path = '', headers } = message
      const request = { path, headers, body: JSON.parse(text), text }
      requests.push(request)
      const manners = server.failures-- > 0 ? server.manners : 'well'
      const hot = JSON.stringify(request.body).includes('"temperature"')
      if (manners === 'no_temperature' && hot) {
        return send(response, 400, { error: 'temperature: UPSTREAM SECRET' })
      }
      const wrong = misbehave[manners]
      if (wrong) return wrong(response)
      const said = server.reply(request)
      if (manners === 'whole') return send(response, 200, wire.whole(said))
      return void stream(response, said, manners)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: AnswerServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    manners: 'well',
    failures: Infinity,
    reply: () => 'Hello, wörld 你好.',
    requests,
    givenUp: () => givenUp,
    retryAfter: undefined,
    pauseMs: 20,
  }
  onFinished(
    () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  )
  return server
}
