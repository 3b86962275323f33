/**
 * Vectors from any server that speaks OpenAI's `/embeddings`: OpenAI, Ollama, LM Studio, vLLM. Calls
 * are batched, bounded in number and time, and repeated while trying again can help.
 *
 * What the server says in an error is never passed on: such texts have been seen to repeat the key
 * or the document they were sent.
 */
import type { EmbeddableDocument, Embedder, EmbedOptions } from '../embedder.ts'
import { callServer, type ServerCall } from '../http/call-server.ts'
import { readJson } from '../http/read-body.ts'
import { embeddingFailures, unusableUrl, wrongDimensions } from './errors.ts'
import { parseEmbeddings } from './parse-embeddings.ts'

export interface OpenAiEmbedderOptions {
  /** Base of the API, such as `http://localhost:11434/v1`; `/embeddings` is added. */
  readonly url: string
  readonly model: string
  /** Length of the model's vectors. */
  readonly dimensions: number
  /** Asks the server to shorten its vectors to `dimensions`; models that cannot would refuse. */
  readonly shorten?: boolean
  /** Sent as a bearer token. Read it from the environment, never from a file in a repository. */
  readonly apiKey?: string
  /** What some models want in front of a passage or a question, such as `query: `. */
  readonly passagePrefix?: string
  readonly queryPrefix?: string
  /** Texts per request. */
  readonly batchSize?: number
  /** Requests under way at the same time. */
  readonly concurrency?: number
  /** Time for one attempt. */
  readonly timeoutMs?: number
  /** Attempts for one request, the first included. */
  readonly attempts?: number
  /** Wait before the second attempt; doubles with every further one. */
  readonly backoffMs?: number
}

/** Half a page of code can be very many tokens; servers refuse what exceeds a model's context. */
const MAX_TEXT = 8_000
/** A batch is full when it holds this much text, however few passages that is. */
const MAX_BATCH_TEXT = 200_000

/** What is lost when the process is killed, and has to be asked for again. */
const DOCUMENTS_AT_ONCE = 32

/** A question is waited for by someone: it gets less patience than indexing. */
const QUERY_ATTEMPTS = 2
const QUERY_TIMEOUT_MS = 10_000

/** What the vectors' length is asked with. */
const PROBE = 'What is this about?'

/** Two questions tell whether the server is there; whoever asks comes back later if it is not. */
const PROBE_ATTEMPTS = 2
/** A large model may have to be loaded first. */
const PROBE_TIMEOUT_MS = 30_000

/** An embedder whose vectors are as long as the server makes them. */
export async function openOpenAiEmbedder(
  {
    dimensions,
    ...options
  }: Omit<OpenAiEmbedderOptions, 'dimensions'> & {
    readonly dimensions?: number
  },
  { signal }: EmbedOptions = {},
): Promise<Embedder> {
  const { model, apiKey, timeoutMs = 60_000, backoffMs = 500 } = options
  const [vector] = await callServer({
    url: endpointOf(options.url),
    headers: headersFor(apiKey),
    body: requestBody(model, [PROBE], options.shorten ? dimensions : undefined),
    read: (response) => readEmbeddings(response, 1),
    failures: embeddingFailures,
    attempts: PROBE_ATTEMPTS,
    timeoutMs: Math.min(timeoutMs, PROBE_TIMEOUT_MS),
    backoffMs,
    signal,
  })
  if (dimensions !== undefined && vector!.length !== dimensions) {
    throw wrongDimensions(model, vector!.length, dimensions)
  }
  return createOpenAiEmbedder({ ...options, dimensions: vector!.length })
}

/** Whether an embedder of this id is what these options ask for, without asking the server. */
export function isOpenAiEmbedder(
  id: string,
  options: Pick<OpenAiEmbedderOptions, 'url' | 'model' | 'passagePrefix' | 'queryPrefix'> & {
    readonly dimensions?: number
  },
): boolean {
  if (!id.startsWith(ID)) return false
  const [, , made] = JSON.parse(id.slice(ID.length)) as [string, string, number]
  return id === idOf({ ...options, dimensions: options.dimensions ?? made })
}

const ID = 'openai:'

function idOf({
  url,
  model,
  dimensions,
  passagePrefix = '',
  queryPrefix = '',
}: OpenAiEmbedderOptions): string {
  return ID + JSON.stringify([endpointOf(url), model, dimensions, passagePrefix, queryPrefix])
}

/** Larger answers are not read: 2,048 vectors of 4,096 numbers are below it. */
const MAX_ANSWER_BYTES = 256 * 2 ** 20

async function readEmbeddings(response: Response, count: number) {
  return parseEmbeddings(await readJson(response, { maxBytes: MAX_ANSWER_BYTES }), count)
}

function headersFor(apiKey: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  }
}

function requestBody(model: string, input: readonly string[], dimensions: number | undefined) {
  return { model, input, encoding_format: 'float', ...(dimensions !== undefined && { dimensions }) }
}

export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const {
    model,
    dimensions,
    batchSize = 64,
    concurrency = 2,
    timeoutMs = 60_000,
    attempts = 6,
    backoffMs = 500,
    passagePrefix = '',
    queryPrefix = '',
  } = options
  const url = endpointOf(options.url)

  const embed = async (
    texts: readonly string[],
    patience: Pick<ServerCall, 'attempts' | 'timeoutMs'>,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> => {
    const vectors = await callServer({
      url,
      headers: headersFor(options.apiKey),
      body: requestBody(model, texts, options.shorten ? dimensions : undefined),
      read: (response) => readEmbeddings(response, texts.length),
      failures: embeddingFailures,
      backoffMs,
      signal,
      ...patience,
    })
    for (const vector of vectors) {
      if (vector.length !== dimensions) throw wrongDimensions(model, vector.length, dimensions)
    }
    return vectors
  }

  return {
    id: idOf(options),
    dimensions,
    slow: true,
    documentsAtOnce: DOCUMENTS_AT_ONCE,

    async embedDocuments(documents, { signal }: EmbedOptions = {}) {
      const texts = documents.flatMap((document) => passageTexts(document, passagePrefix))
      const vectors: Float32Array[] = Array.from({ length: texts.length })
      await inParallel(batches(texts, batchSize), concurrency, signal, async (batch, signal) => {
        const found = await embed(batch.texts, { attempts, timeoutMs }, signal)
        for (const [i, vector] of found.entries()) vectors[batch.start + i] = vector
      })
      let next = 0
      return documents.map(({ passages }) => passages.map(() => vectors[next++]!))
    },

    async embedQuery(text, { signal }: EmbedOptions = {}) {
      const patience = {
        attempts: Math.min(attempts, QUERY_ATTEMPTS),
        timeoutMs: Math.min(timeoutMs, QUERY_TIMEOUT_MS),
      }
      const [vector] = await embed([asInput(queryPrefix + text)], patience, signal)
      return vector!
    },
  }
}

/** Credentials in a URL end up in logs and ids, and `fetch` refuses them. */
function endpointOf(base: string): string {
  const url = URL.parse(`${base.replace(/\/+$/, '')}/embeddings`)
  const usable = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!usable) throw unusableUrl()
  return url.href
}

/** Title and headings go in front of a passage: it rarely says itself what it is about. */
function passageTexts({ title, passages }: EmbeddableDocument, prefix: string): string[] {
  return passages.map(({ text, headingPath }) => {
    const context = [title, ...headingPath].filter(
      (name, i, all) => name !== '' && name !== all[i - 1],
    )
    return asInput(`${prefix}${context.join(' > ')}\n\n${text}`)
  })
}

/** Servers refuse empty input, and a lone half of a surrogate pair is no text. */
function asInput(text: string): string {
  const cut = text.trim().slice(0, MAX_TEXT).toWellFormed()
  return cut === '' ? '-' : cut
}

interface Batch {
  readonly start: number
  readonly texts: readonly string[]
}

function batches(texts: readonly string[], batchSize: number): Batch[] {
  const all: Batch[] = []
  let start = 0
  let length = 0
  for (const [i, text] of texts.entries()) {
    if (i > start && (i - start >= batchSize || length + text.length > MAX_BATCH_TEXT)) {
      all.push({ start, texts: texts.slice(start, i) })
      start = i
      length = 0
    }
    length += text.length
  }
  if (start < texts.length) all.push({ start, texts: texts.slice(start) })
  return all
}

/** Works on a few items at a time. The first failure stops the others and is thrown. */
async function inParallel<Item>(
  items: readonly Item[],
  concurrency: number,
  outer: AbortSignal | undefined,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal
  let next = 0
  let failure: { readonly error: unknown } | undefined
  const worker = async (): Promise<void> => {
    while (next < items.length && !failure) {
      try {
        await work(items[next++]!, signal)
      } catch (error) {
        failure ??= { error }
        stop.abort()
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  if (failure) throw failure.error
}
