/** Retry with backoff: one call to a server, repeated while trying again can help. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { KnowledgeError } from '../../domain/error.ts'
import { TooLarge } from './read-body.ts'

export interface ServerCall<Answer = unknown> {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /**
   * Takes the answer off the wire; undefined when it makes no sense. Who reads a long answer says
   * with `alive` that something came: then the timeout is for silence and not for the whole.
   */
  readonly read: (response: Response, alive: () => void) => Promise<Answer | undefined>
  readonly failures: ServerFailures
  readonly attempts: number
  readonly timeoutMs: number
  readonly backoffMs: number
  readonly signal: AbortSignal | undefined
  /** A server that asks us to come back later than this is given up at once. */
  readonly patienceMs?: number
  /** Hears what a server says when it refuses; for the log alone, and without the key. */
  readonly onRefusal?: (status: number, what: string) => void
}

/** How each way to fail is said, which depends on what the server is for. */
export interface ServerFailures {
  refused(host: string, status: number): KnowledgeError
  unavailable(host: string, reason: string): KnowledgeError
  malformed(host: string): KnowledgeError
}

/**
 * Nobody is served by waiting longer than this between two attempts, whatever a server asks for.
 */
const MAX_WAIT_MS = 30_000

export async function callServer<Answer>(call: ServerCall<Answer>): Promise<Answer> {
  const { patienceMs = Infinity } = call
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(call)
    call.signal?.throwIfAborted()
    if (outcome.kind === 'answer') return outcome.answer
    const { again, error, askedMs = 0 } = outcome
    if (!again || attempt >= call.attempts || askedMs > patienceMs) throw error
    await sleep(waitBefore(attempt, call.backoffMs, askedMs), undefined, { signal: call.signal })
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
  const { failures } = call
  const { host } = new URL(call.url)
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), call.timeoutMs)
  let reason = 'could not be reached'
  try {
    const response = await fetch(call.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...call.headers },
      body: JSON.stringify(call.body),
      // A redirect would carry the key and the text to a place nobody configured.
      redirect: 'error',
      signal: call.signal ? AbortSignal.any([call.signal, silence.signal]) : silence.signal,
    })
    if (!response.ok) {
      await tellRefusal(call, response)
      return failedStatus(failures, host, response)
    }
    reason = 'broke off its answer'
    const answer = await call.read(response, () => void timer.refresh())
    return answer === undefined
      ? { kind: 'failure', error: failures.malformed(host), again: false }
      : { kind: 'answer', answer }
  } catch (error) {
    if (error instanceof TooLarge) {
      return { kind: 'failure', error: failures.malformed(host), again: false }
    }
    // What was thrown is dropped: it may quote the request. An abort is noticed by the caller.
    if (silence.signal.aborted) reason = 'did not answer in time'
    return { kind: 'failure', error: failures.unavailable(host, reason), again: true }
  } finally {
    clearTimeout(timer)
  }
}

/** What a log needs to know of a refusal stands at its beginning. */
const REFUSAL_BYTES = 2_000

async function tellRefusal({ onRefusal, headers }: ServerCall, response: Response): Promise<void> {
  let said = ''
  if (onRefusal) {
    for await (const piece of response.body ?? []) {
      said += new TextDecoder().decode(piece)
      if (said.length > REFUSAL_BYTES) break
    }
    onRefusal(response.status, withoutSecrets(said.slice(0, REFUSAL_BYTES), headers))
  } else {
    await response.body?.cancel()
  }
}

/** Servers repeat the key they refuse. Everything a header holds is taken for one. */
function withoutSecrets(text: string, headers: ServerCall['headers']): string {
  const secrets = Object.values(headers).flatMap((value) => [value, value.replace(/^\S+ /, '')])
  const clean = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  return secrets
    .filter((secret) => secret.length >= 8)
    .reduce((kept, secret) => kept.replaceAll(secret, '[key]'), clean)
}

/** Too many requests, overload and breakdown pass; anything else is our mistake and stays one. */
function failedStatus(
  failures: ServerFailures,
  host: string,
  { status, headers }: Response,
): Outcome<never> {
  const passing = status === 408 || status === 425 || status === 429 || status >= 500
  const error = passing
    ? failures.unavailable(host, `is busy or broken (${status})`)
    : failures.refused(host, status)
  return { kind: 'failure', error, again: passing, askedMs: retryAfter(headers) }
}

function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+(\.\d+)?$/.test(value) ? 1_000 * Number(value) : Date.parse(value) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

/** Doubles with every attempt; the random half keeps several clients from coming back together. */
function waitBefore(attempt: number, backoffMs: number, askedMs: number): number {
  const wait = backoffMs * 2 ** (attempt - 1)
  return Math.min(MAX_WAIT_MS, Math.max(askedMs, wait * (0.5 + Math.random() / 2)))
}
