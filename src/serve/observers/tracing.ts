/**
 * Calls as spans for whoever collects traces: OTLP over HTTP, as JSON. A span hangs below the one that
 * the client names in `traceparent`. Sent in batches, beside the work: a collector that is away costs
 * a warning, and what does not fit meanwhile is left out.
 */
import { randomBytes } from 'node:crypto'
import type { CallRecord, Observer } from '../door/observer.ts'
import { VERSION } from '../../core/kit/version.ts'

export interface TracingOptions {
  /** Base of the collector, such as `http://127.0.0.1:4318`. */
  readonly endpoint: string
  readonly warn: (message: string) => void
}

const BATCH_MS = 2_000
const BATCH_SPANS = 500
const MOST_WAITING = 5_000
const SEND_MS = 5_000

export function openTracing({ endpoint, warn }: TracingOptions): Observer {
  const address = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  let waiting: object[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  let told = false

  const send = async (spans: readonly object[]): Promise<void> => {
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          resourceSpans: [{ resource: RESOURCE, scopeSpans: [{ scope: SCOPE, spans }] }],
        }),
        signal: AbortSignal.timeout(SEND_MS),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`it answered ${response.status}`)
      told = false
    } catch (error) {
      if (!told) warn(`Traces cannot be sent to ${new URL(address).origin}: ${String(error)}`)
      told = true
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const spans = waiting
    waiting = []
    if (spans.length > 0) sending = sending.then(() => send(spans))
    return sending
  }

  return {
    ended(record) {
      if (waiting.length >= MOST_WAITING) return
      waiting.push(spanOf(record))
      if (waiting.length >= BATCH_SPANS) void flush()
      timer ??= setTimeout(() => void flush(), BATCH_MS).unref()
    },
    close: flush,
  }
}

const RESOURCE = { attributes: [text('service.name', 'cairn'), text('service.version', VERSION)] }
const SCOPE = { name: 'cairn', version: VERSION }

/** The server's side of a call. Names and outcomes only, never what was said. */
function spanOf(record: CallRecord): object {
  const { surface, tool, client, principal, startedAt, durationMs, outcome } = record
  const [, traceId, parent] = PARENT.exec(record.traceparent ?? '') ?? []
  const nanos = (ms: number): string => (BigInt(Math.round(ms * 1_000)) * 1_000n).toString()
  return {
    traceId: traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    ...(parent !== undefined && { parentSpanId: parent }),
    name: `tools/call ${tool ?? 'unknown'}`,
    kind: 2,
    startTimeUnixNano: nanos(startedAt),
    endTimeUnixNano: nanos(startedAt + durationMs),
    attributes: [
      text('cairn.surface', surface),
      text('gen_ai.tool.name', tool ?? 'unknown'),
      text('cairn.outcome', outcome),
      ...(client === undefined ? [] : [text('mcp.client', client)]),
      ...(principal === undefined ? [] : [text('enduser.id', principal)]),
    ],
    status: { code: outcome === 'ok' ? 1 : 2 },
  }
}

/** https://www.w3.org/TR/trace-context: version, trace, parent, flags. */
const PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

function text(key: string, value: string) {
  return { key, value: { stringValue: value } }
}
