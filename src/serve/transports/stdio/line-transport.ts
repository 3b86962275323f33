/** Messages as lines of JSON: one connection over a pair of streams. */
import { type Readable, Writable } from 'node:stream'
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  type RequestId,
  type Transport,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server'
import { afterTurns } from '../../../core/kit/after-turns.ts'
import { MAX_MESSAGE_BYTES, parseJson } from '../mcp/parse-message.ts'

/**
 * How long calls in progress may still be answered after the input ended. Long enough for
 * `printf '…' | cairn serve` to print its answers, shorter than clients wait before they kill.
 */
const LAST_ANSWERS_MS = 1_000

const NEWLINE = 0x0a
/** So much of both ends of a line that is too long is kept. */
const END_BYTES = 256

/**
 * Unlike the SDK's own, this one answers a line it cannot read instead of dropping it, survives a
 * line that is too long instead of closing, and finishes what was asked before the input ended.
 */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: () => void
  onerror?: (error: Error) => void

  /** Settles when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>

  readonly #input: Readable
  readonly #output: Writable
  readonly #settle: () => void
  readonly #unanswered = new Set<RequestId>()
  /** The beginning of a line whose end has not arrived. */
  #parts: Buffer[] = []
  #size = 0
  #state: 'open' | 'ending' | 'closed' = 'open'

  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closed = promise
    this.#settle = resolve
  }

  start(): Promise<void> {
    this.#input.on('data', this.#read)
    this.#input.on('end', this.#end)
    this.#input.on('close', this.#end)
    this.#input.on('error', this.#abandon)
    this.#output.on('error', this.#abandon)
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    const sent = this.#write(message)
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#answered(message.id)
    return sent
  }

  close(): Promise<void> {
    if (this.#state === 'closed') return this.closed
    this.#state = 'closed'
    this.#input.off('data', this.#read)
    this.#input.off('end', this.#end)
    this.#input.off('close', this.#end)
    // A stream left flowing would keep the process alive. Its error listeners stay: an error after
    // the end concerns nobody, and without a listener it would be fatal.
    this.#input.pause()
    this.onclose?.()
    this.#settle()
    return this.closed
  }

  readonly #read = (chunk: Buffer): void => {
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      this.#append(chunk.subarray(from, to))
      this.#takeLine()
      from = to + 1
    }
    this.#append(chunk.subarray(from))
  }

  /** Past the limit the bytes are only counted, but for the two ends: the id may stand there. */
  #append(part: Buffer): void {
    this.#size += part.length
    if (part.length > 0) this.#parts.push(part)
    if (this.#size <= MAX_MESSAGE_BYTES) return
    const kept = Buffer.concat(this.#parts)
    this.#parts = [kept.subarray(0, END_BYTES), kept.subarray(END_BYTES).subarray(-END_BYTES)]
      // A copy: a view would keep the whole line in memory.
      .map((end) => Buffer.from(end))
  }

  #takeLine(): void {
    const size = this.#size
    const line = Buffer.concat(this.#parts).toString('utf8')
    this.#parts = []
    this.#size = 0
    if (size > MAX_MESSAGE_BYTES) {
      const why = `the line is longer than ${MAX_MESSAGE_BYTES} bytes`
      this.#refuse(INVALID_REQUEST, why, idAtAnEnd(line))
    } else if (line.trim() !== '') this.#receive(line)
  }

  #receive(line: string): void {
    const parsed = parseJson(line)
    if (parsed.kind === 'problem') return this.#refuse(PARSE_ERROR, parsed.why)
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(parsed.value)
    } catch {
      return this.#refuse(
        INVALID_REQUEST,
        'it is not a JSON-RPC 2.0 message (batches are not read)',
      )
    }
    // A listen request is answered when the connection ends, so nothing waits for it.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') {
      this.#unanswered.add(message.id)
    }
    // A cancelled request is never answered.
    const cancelled =
      isJSONRPCNotification(message) && message.method === 'notifications/cancelled'
        ? (message.params?.requestId as RequestId | undefined)
        : undefined
    this.onmessage?.(message)
    if (cancelled !== undefined) this.#answered(cancelled)
  }

  #refuse(code: number, why: string, id: RequestId | null = null): void {
    const error = { code, message: `The message was not understood: ${why}.` }
    this.#write({ jsonrpc: '2.0', id, error }).catch(() => {})
  }

  #write(message: unknown): Promise<void> {
    if (this.#state === 'closed') return Promise.reject(new Error('The connection is closed'))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    this.#output.write(`${oneLine(JSON.stringify(message))}\n`, done)
    return promise
  }

  #answered(id: RequestId): void {
    this.#unanswered.delete(id)
    if (this.#state === 'ending' && this.#unanswered.size === 0) void this.close()
  }

  readonly #end = (): void => {
    if (this.#state !== 'open') return
    // The last line may lack its newline.
    this.#takeLine()
    this.#state = 'ending'
    if (this.#unanswered.size === 0) void this.close()
    else void this.closed.then(afterTurns(LAST_ANSWERS_MS, () => void this.close()))
  }

  readonly #abandon = (error: Error): void => {
    this.onerror?.(error)
    void this.close()
  }
}

/** Escapes the characters that JSON leaves alone and some readers take for the end of a line. */
function oneLine(json: string): string {
  return json.replace(
    /[\u0085\u2028\u2029]/g,
    (end) => String.raw`\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * The id of a request that is too long to be read, when it is the first or last thing in it, as
 * clients write it. Without it the caller would wait in vain.
 */
function idAtAnEnd(line: string): RequestId | null {
  const [, id] =
    /^\{"jsonrpc":"2\.0","id":(\d{1,15}|"[^"\\]{0,100}"),/.exec(line) ??
    /"jsonrpc":"2\.0","id":(\d{1,15}|"[^"\\]{0,100}")\}\s*$/.exec(line) ??
    []
  return id === undefined ? null : (JSON.parse(id) as RequestId)
}

/**
 * Keeps stdout for the protocol: one stray line from a library would end the conversation, so
 * whatever else is written there (`console.log` included) goes to stderr. This is never undone; a
 * message printed after the end would still reach the client.
 */
export function claimStdout(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  // A client that closed its end is noticed through the failed write below.
  stdout.on('error', () => {})
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, done),
  })
}
