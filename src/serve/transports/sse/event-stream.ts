/** One client's event stream as a transport: messages go out as events, requests come in by POST. */
import { randomUUID } from 'node:crypto'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server'

export interface StreamOptions {
  /** What waits for a client that does not read may be so long; then the stream is ended. */
  readonly maxBacklogBytes: number
  /** While more than this waits, no further request is taken up. */
  readonly busyBytes: number
  /** Comments keep proxies from closing a quiet stream. */
  readonly keepAliveMs: number
  /** More than that waits, and more of it than a moment ago. */
  readonly onWaiting?: () => void
  /** Where the client posts, such as `/messages?sessionId=`; the id is added. */
  readonly address: string
}

/** A client that has not read for so many keep-alives is gone, though its connection is not. */
const MISSED_KEEP_ALIVES = 4

/** Requests of one client that are worked on at the same time; their answers may all be long. */
const REQUESTS_AT_ONCE = 8

export class EventStream implements Transport {
  readonly sessionId = randomUUID()
  readonly response: Response
  onmessage?: Transport['onmessage']
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #options: StreamOptions
  readonly #encoder = new TextEncoder()
  /** Requests whose answers are still owed. */
  readonly #owed = new Set<string | number>()
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #keepAlive: NodeJS.Timeout | undefined
  #missed = 0
  #written = 0
  /** What had been read at the last keep-alive. */
  #readBefore = 0
  #ended = false

  constructor(options: StreamOptions) {
    this.#options = options
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        // The client went away.
        cancel: () => this.close(),
      },
      { highWaterMark: options.maxBacklogBytes, size: (part) => part.byteLength },
    )
    this.response = new Response(body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        // Proxies that buffer would hold every event back.
        'x-accel-buffering': 'no',
      },
    })
  }

  async start(): Promise<void> {
    this.#write(`event: endpoint\ndata: ${this.#options.address}${this.sessionId}\n\n`)
    this.#keepAlive = setInterval(() => this.#beat(), this.#options.keepAliveMs)
    this.#keepAlive.unref()
  }

  /** Hands in what the client posted. */
  receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#owed.add(message.id)
    // The answer to a cancelled call never comes.
    else if (isCancelled(message)) this.#owed.delete(message.params.requestId)
    this.onmessage?.(message)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (message.id !== undefined) this.#owed.delete(message.id)
    }
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }

  async close(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    clearInterval(this.#keepAlive)
    try {
      this.#controller?.close()
    } catch {
      // The reader has cancelled it already.
    }
    this.onclose?.()
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  /** Whether no answer is owed and none waits to be read. */
  get isIdle(): boolean {
    return this.#ended || (this.#owed.size === 0 && this.backlog === 0)
  }

  /** Whether another request can be taken up; a client that reads slowly is answered slowly. */
  get hasRoom(): boolean {
    return this.#owed.size < REQUESTS_AT_ONCE && this.backlog <= this.#options.busyBytes
  }

  /** How many bytes wait to be read. */
  get backlog(): number {
    if (this.#ended) return 0
    return this.#options.maxBacklogBytes - (this.#controller?.desiredSize ?? 0)
  }

  /** Drops what waits: nobody reads it. */
  abandon(): void {
    try {
      this.#controller?.error(new Error('The client does not read its stream.'))
    } catch {
      // It has ended meanwhile.
    }
    void this.close()
  }

  #write(text: string): void {
    if (this.#ended) return
    const bytes = this.#encoder.encode(text)
    this.#written += bytes.length
    this.#controller?.enqueue(bytes)
    if (this.backlog > this.#options.maxBacklogBytes) this.abandon()
    else if (this.backlog > this.#options.busyBytes) this.#options.onWaiting?.()
  }

  #beat(): void {
    const read = this.#written - this.backlog
    const standsStill = this.backlog > 0 && read === this.#readBefore
    this.#readBefore = read
    this.#missed = standsStill ? this.#missed + 1 : 0
    if (this.#missed >= MISSED_KEEP_ALIVES) this.abandon()
    // What waits already shows the client whether the connection lives.
    else if (this.backlog === 0) this.#write(': keep-alive\n\n')
  }
}

interface Cancellation {
  readonly params: { readonly requestId: string | number }
}

function isCancelled(message: JSONRPCMessage): message is JSONRPCMessage & Cancellation {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return false
  const { requestId } = (message.params ?? {}) as { requestId?: unknown }
  return typeof requestId === 'string' || typeof requestId === 'number'
}
