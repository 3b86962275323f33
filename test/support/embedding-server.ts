/** A real HTTP server that speaks `/embeddings`, and can be made to misbehave in every known way. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Manners =
  | 'well'
  /** Every answer takes its time. */
  | 'slow'
  /** Takes the question and never answers. */
  | 'hanging'
  | 'broken'
  | 'wrong_key'
  /** An answer that is no list of vectors. */
  | 'nonsense'
  /** Vectors of another length than before. */
  | 'longer'
  /** The same vector for every text. */
  | 'dull'

export interface EmbeddingServer {
  readonly url: string
  manners: Manners
  /** How long an answer takes when it is slow. */
  slowMs: number
  /** Answers as many texts, and hangs when there are more. */
  hangsAfter: number
  /** Has these texts wait before they are embedded, until the promise is kept. */
  hold: (input: readonly string[], model: string) => Promise<void> | undefined
  /** A text with this in it is refused. */
  poison: string | undefined
  readonly requests: {
    readonly model: string
    readonly input: readonly string[]
    readonly key: string | undefined
  }[]
  /** Texts that were embedded for a model. */
  texts(model?: string): string[]
  stop(): Promise<void>
}

/** Words of one concept point the same way, whatever they are: a model that has learned a little. */
const CONCEPTS: readonly (readonly string[])[] = [
  ['car', 'automobile', 'vehicle', 'sedan'],
  ['tea', 'beverage', 'drink', 'brew'],
  ['doctor', 'physician', 'medic'],
  ['money', 'cash', 'currency'],
  ['ship', 'vessel', 'boat'],
]

const DIMENSIONS = 12

export function conceptVector(text: string, dimensions = DIMENSIONS): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.001)
  for (const word of text.toLowerCase().split(/[^a-z]+/)) {
    const concept = CONCEPTS.findIndex((words) => words.includes(word))
    if (concept >= 0) vector[concept]! += 1
  }
  return vector
}

export async function startEmbeddingServer(port = 0): Promise<EmbeddingServer> {
  const requests: EmbeddingServer['requests'] = []
  const send = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  const http = createServer((message, response) => {
    let body = ''
    message.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    message.on('end', () => {
      const { model, input, dimensions = DIMENSIONS } = JSON.parse(body)
      requests.push({ model, input, key: message.headers.authorization })
      const { manners } = server
      if (manners === 'hanging' || server.texts().length > server.hangsAfter) return
      if (manners === 'broken') return send(response, 500, {})
      if (manners === 'wrong_key') return send(response, 401, { error: 'Incorrect key sk-secret' })
      if (manners === 'nonsense') return send(response, 200, { hello: 'world' })
      const { poison } = server
      if (poison && input.some((text: string) => text.includes(poison))) {
        return send(response, 400, {})
      }
      const length = manners === 'longer' ? dimensions + 4 : dimensions
      const data = input.map((text: string, index: number) => ({
        index,
        embedding: conceptVector(manners === 'dull' ? '' : text, length),
      }))
      const answer = (): void => send(response, 200, { data })
      setTimeout(
        () => void (server.hold(input, model)?.then(answer) ?? answer()),
        manners === 'slow' ? server.slowMs : 0,
      )
    })
  })
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  const server: EmbeddingServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    manners: 'well',
    slowMs: 300,
    hangsAfter: Infinity,
    hold: () => undefined,
    poison: undefined,
    requests,
    texts: (model) =>
      requests.filter((each) => !model || each.model === model).flatMap(({ input }) => input),
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  onTestFinished(() => server.stop())
  return server
}
