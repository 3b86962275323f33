/**
 * A language model behind an address. The answer is read as a stream, so that a slow one is waited
 * for while it speaks and a silent one is given up; its length and the whole time are bounded.
 */
import type { Answerer } from '../answerer.ts'
import { callServer } from '../http/call-server.ts'
import { eventsOf, readJson } from '../http/read-body.ts'
import type { BodyBound } from '../http/read-body.ts'
import { anthropic } from './anthropic.ts'
import { answeringFailures, unusableUrl } from './errors.ts'
import { gemini } from './gemini.ts'
import { openAiChat } from './openai-chat.ts'
import type { AnswerServer, BoundedPrompt, Piece, WireFormat } from './wire-format.ts'

export const WIRE_FORMATS = { anthropic, openai: openAiChat, gemini } satisfies Record<
  string,
  WireFormat
>
export type WireName = keyof typeof WIRE_FORMATS

export interface AnswererOptions {
  readonly provider: WireName
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  /** Longest silence; all attempts together may take three times as long. */
  readonly timeoutMs?: number
  readonly maxTokens?: number
  readonly attempts?: number
  readonly backoffMs?: number
  /** Hears every failure, and what a server says when it refuses. Never a client. */
  readonly log?: (what: string) => void
}

/** An event carries a token and some two hundred bytes around it. */
const MAX_BYTES = 4 * 2 ** 20
/** Far above what `maxTokens` allows: a server that does not stop is not listened to. */
const MAX_TEXT = 200_000
const DEADLINE_SILENCES = 3

export function openAnswerer(options: AnswererOptions): Answerer {
  const { provider, model, timeoutMs = 15_000, maxTokens = 2_000, log } = options
  const { attempts = 3, backoffMs = 500 } = options
  const format = WIRE_FORMATS[provider]
  const server: AnswerServer = { url: baseOf(options.url), model, apiKey: options.apiKey }
  const { host } = new URL(server.url)
  let refusesTemperature = false

  const ask = (prompt: BoundedPrompt, signal: AbortSignal): Promise<string> => {
    const { url, headers, body } = format.request(server, prompt)
    return callServer({
      url,
      headers: { accept: 'text/event-stream, application/json', ...headers },
      body,
      read: (response, alive) => readAnswer(format, response, { maxBytes: MAX_BYTES, alive }),
      failures: answeringFailures,
      attempts,
      timeoutMs,
      backoffMs,
      signal,
      patienceMs: timeoutMs,
      onRefusal: (status, what) => {
        log?.(`The model server ${host} refused with ${status}: ${what}`)
        // Models that think first take no temperature; nothing else in a request is optional.
        if (status === 400 && prompt.temperature !== undefined) refusesTemperature = true
      },
    })
  }

  const askAgain = async (
    { temperature, ...plain }: BoundedPrompt,
    signal: AbortSignal,
  ): Promise<string> => {
    if (temperature === undefined || refusesTemperature) return ask(plain, signal)
    try {
      return await ask({ ...plain, temperature }, signal)
    } catch (error) {
      if (!refusesTemperature) throw error
      return ask(plain, signal)
    }
  }

  return {
    name: `${provider}/${model}`,
    async answer(prompt, signal) {
      signal?.throwIfAborted()
      const deadline = AbortSignal.timeout(DEADLINE_SILENCES * timeoutMs)
      const most = Math.min(prompt.maxTokens ?? maxTokens, maxTokens)
      try {
        const both = signal ? AbortSignal.any([signal, deadline]) : deadline
        return await askAgain({ ...prompt, maxTokens: most }, both)
      } catch (error) {
        signal?.throwIfAborted()
        const late = answeringFailures.unavailable(host, 'did not answer in time')
        const failure = deadline.aborted ? late : error
        log?.(failure instanceof Error ? failure.message : String(failure))
        throw failure
      }
    },
  }
}

/** Undefined for an answer without text. One that breaks off throws, and is asked for again. */
async function readAnswer(
  format: WireFormat,
  response: Response,
  bound: BodyBound,
): Promise<string | undefined> {
  let text = ''
  for await (const piece of piecesOf(format, response, bound)) {
    if (piece.failed) throw new Error('The server failed in the middle of its answer.')
    text += piece.text ?? ''
    if (text.length > MAX_TEXT) return undefined
    if (piece.done) return text.trim() === '' ? undefined : text.toWellFormed()
  }
  if (isStream(response)) throw new Error('The answer has no end.')
  return undefined
}

/** Servers that know no streams answer with the whole; Gemini's then is a list of events. */
async function* piecesOf(
  format: WireFormat,
  response: Response,
  bound: BodyBound,
): AsyncGenerator<Piece> {
  if (isStream(response)) {
    for await (const event of eventsOf(response, bound)) yield* said(format.read(event))
    return
  }
  const whole = await readJson(response, bound)
  for (const event of Array.isArray(whole) ? whole : [whole]) yield* said(format.read(event))
}

function* said(piece: Piece | undefined): Generator<Piece> {
  if (piece) yield piece
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('text/event-stream') ?? false
}

/** Credentials in a URL end up in logs, and `fetch` refuses them. */
function baseOf(base: string): string {
  const url = URL.parse(base)
  const usable = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!usable) throw unusableUrl()
  return base.replace(/\/+$/, '')
}
