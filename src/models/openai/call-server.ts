/** One call to a JSON server, repeated while trying again can help. */
import { setTimeout as sleep } from 'node:timers/promises'
import { KnowledgeError } from '../../domain/error.ts'
import { malformed, refused, unavailable } from './errors.ts'

export interface ServerCall<Answer = unknown> {
  readonly url: string
  readonly apiKey: string | undefined
  readonly body: unknown
  /** Undefined when the answer makes no sense. */
  readonly parse: (answer: unknown) => Answer | undefined
  readonly attempts: number
  readonly timeoutMs: number
  readonly backoffMs: number
  readonly signal: AbortSignal | undefined
}

/** Nobody is served by waiting longer than this between two attempts, whatever a server asks for. */
const MAX_WAIT_MS = 30_000

/** Larger answers are not read: 2,048 vectors of 4,096 numbers are below it. */
const MAX_ANSWER_BYTES = 256 * 2 ** 20

export async function callServer<Answer>(call: ServerCall<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(call)
    call.signal?.throwIfAborted()
    if (outcome.kind === 'answer') return outcome.answer
    if (!outcome.again || attempt >= call.attempts) throw outcome.error
    await sleep(waitBefore(attempt, call.backoffMs, outcome.askedMs), undefined, {
      signal: call.signal,
    })
  }
}

type Outcome<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | {
      readonly kind: 'failure'
      readonly error: KnowledgeError
      readonly again: boolean
      /** How long the server asked us to wait. */
      readonly askedMs?: number
    }

async function tryOnce<Answer>(call: ServerCall<Answer>): Promise<Outcome<Answer>> {
  const { host } = new URL(call.url)
  const timeout = AbortSignal.timeout(call.timeoutMs)
  try {
    const response = await fetch(call.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(call.apiKey ? { authorization: `Bearer ${call.apiKey}` } : {}),
      },
      body: JSON.stringify(call.body),
      // A redirect would carry the key and the text to a place nobody configured.
      redirect: 'error',
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
    })
    if (!response.ok) {
      await response.body?.cancel()
      return failedStatus(host, response)
    }
    const answer = call.parse(parseJson(await readText(response)))
    return answer === undefined
      ? { kind: 'failure', error: malformed(host), again: false }
      : { kind: 'answer', answer }
  } catch {
    // What was thrown is dropped: it may quote the request. An abort is noticed by the caller.
    const reason = timeout.aborted ? 'did not answer in time' : 'could not be reached'
    return { kind: 'failure', error: unavailable(host, reason), again: true }
  }
}

/** Too many requests, overload and breakdown pass; anything else is our mistake and stays one. */
function failedStatus(host: string, { status, headers }: Response): Outcome<never> {
  const passing = status === 408 || status === 425 || status === 429 || status >= 500
  const error = passing ? unavailable(host, `is busy or broken (${status})`) : refused(host, status)
  return { kind: 'failure', error, again: passing, askedMs: retryAfter(headers) }
}

function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+(\.\d+)?$/.test(value) ? 1_000 * Number(value) : Date.parse(value) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

/** Doubles with every attempt; the random half keeps several clients from coming back together. */
function waitBefore(attempt: number, backoffMs: number, askedMs = 0): number {
  const wait = backoffMs * 2 ** (attempt - 1)
  return Math.min(MAX_WAIT_MS, Math.max(askedMs, wait * (0.5 + Math.random() / 2)))
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > MAX_ANSWER_BYTES) return ''
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
