/**
 * How the page talks to the chat around it: JSON-RPC over messages between windows, as MCP Apps
 * (2026-01-26) has it. The chat alone is listened to, and an answer that never comes is a failure.
 */
export interface Host {
  /** Asks the chat, or through it the server. */
  request<Result>(method: string, params: object, signal?: AbortSignal): Promise<Result>
  notify(method: string, params: object): void
  /** What the chat says unasked. */
  on(method: string, listener: (params: Record<string, unknown>) => void): void
}

export class HostError extends Error {}

interface Message {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message?: unknown }
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

const PATIENCE_MS = 60_000
const METHOD_NOT_FOUND = -32601

/** Requests of the chat that need nothing but an answer. */
const ANSWERED: readonly string[] = ['ping', 'ui/resource-teardown']

/** `window.parent`, as far as it is needed. */
export interface Frame {
  post(message: object): void
  listen(listener: (message: unknown) => void): void
}

export function windowFrame(): Frame {
  return {
    // The chat does not say where it is from, and nothing secret is said to it.
    post: (message) => parent.postMessage(message, '*'),
    listen: (listener) =>
      addEventListener('message', ({ source, data }) => {
        if (source === parent) listener(data)
      }),
  }
}

export function openHost(frame: Frame, patienceMs = PATIENCE_MS): Host {
  const waiting = new Map<number, Waiting>()
  const listeners = new Map<string, (params: Record<string, unknown>) => void>()
  let last = 0

  frame.listen((data) => {
    const message = (typeof data === 'object' && data !== null ? data : {}) as Message
    if (message.jsonrpc !== '2.0') return
    if (typeof message.method !== 'string') {
      const asked = waiting.get(message.id as number)
      if (!asked) return
      if (message.error === undefined) asked.resolve(message.result)
      else asked.reject(new HostError(String(message.error?.message ?? 'The chat refused.')))
      return
    }
    const { id, method } = message
    if (id === undefined) {
      const { params } = message
      listeners.get(method)?.((typeof params === 'object' && params !== null ? params : {}) as {})
    } else if (ANSWERED.includes(method)) frame.post({ jsonrpc: '2.0', id, result: {} })
    else {
      const error = { code: METHOD_NOT_FOUND, message: `This page does not know ${method}.` }
      frame.post({ jsonrpc: '2.0', id, error })
    }
  })

  return {
    request: <Result>(method: string, params: object, signal?: AbortSignal) => {
      const id = ++last
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting.set(id, { resolve, reject })
      const timer = setTimeout(() => reject(new HostError('The chat does not answer.')), patienceMs)
      const giveUp = (): void => {
        frame.post({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: id, reason: 'No longer wanted' },
        })
        reject(new DOMException('No longer wanted', 'AbortError'))
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      frame.post({ jsonrpc: '2.0', id, method, params })
      return promise.finally(() => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        waiting.delete(id)
      }) as Promise<Result>
    },
    notify: (method, params) => frame.post({ jsonrpc: '2.0', method, params }),
    on: (method, listener) => void listeners.set(method, listener),
  }
}
