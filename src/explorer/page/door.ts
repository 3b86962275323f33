/** How this page talks to the server: tools by name, reads by name. */

export class DoorError extends Error {
  readonly code: string
  readonly hint: string
  /** Notes that may have been meant. */
  readonly candidates: readonly string[]

  constructor(code: string, message: string, hint: string, candidates: readonly string[] = []) {
    super(message)
    this.code = code
    this.hint = hint
    this.candidates = candidates
  }
}

/** How a server says it. */
export interface Failure {
  readonly code?: string
  readonly message?: string
  readonly hint?: string
  readonly candidates?: readonly string[]
}

export interface Door {
  /** Any tool of the native surface. */
  call<Result>(tool: string, args: object, signal?: AbortSignal): Promise<Result>
  /** What only a page wants. */
  read<Result>(name: string, args: object, signal?: AbortSignal): Promise<Result>
  bytes(name: string, signal?: AbortSignal): Promise<Uint8Array>
  /** Puts a file beside a note, where that is possible. */
  attach?<Result>(args: Readonly<Record<string, string>>, file: Blob): Promise<Result>
  /** A picture of a note as something that can be shown, where it has no address. */
  picture?(place: string): Promise<string>
}

/** Told whenever a request worked or found no server, or found nobody signed in, and of other builds. */
export interface Watcher {
  reached(yes: boolean): void
  signedIn(yes: boolean): void
  build(name: string): void
}

/** The server gives up after two minutes; a page should not wait for a server that hangs. */
const CALL_MS = 130_000
const READ_MS = 60_000

/** The cookie that was given at the sign-in is taken back. */
export async function signOut(): Promise<void> {
  await fetch('/sign-out', { method: 'POST', redirect: 'manual' })
}

export function openDoor(watcher: Watcher): Door {
  const send = async (path: string, init: RequestInit, patienceMs: number): Promise<Response> => {
    const late = AbortSignal.timeout(patienceMs)
    const { signal } = init
    try {
      const response = await fetch(path, {
        ...init,
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
      watcher.reached(true)
      watcher.signedIn(response.status !== 401)
      watcher.build(response.headers.get('x-cairn-build') ?? '')
      return response
    } catch (error) {
      if (signal?.aborted) throw error
      if (late.aborted)
        throw new DoorError(
          'unreachable',
          'The server takes too long to answer.',
          'Try again later.',
        )
      watcher.reached(false)
      throw new DoorError('unreachable', 'The server does not answer.', 'It is tried again.')
    }
  }
  const post = async (
    path: string,
    args: object,
    patienceMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> => {
    const isFile = args instanceof Blob
    const type = isFile ? 'application/octet-stream' : 'application/json'
    const init = {
      method: 'POST',
      headers: { 'content-type': type, 'x-cairn': '1' },
      body: isFile ? args : JSON.stringify(args),
      ...(signal && { signal }),
    }
    const response = await send(path, init, patienceMs)
    const body = (await whole(response.json(), signal)) as { error?: Failure } | undefined
    if (response.ok) return body
    throw new DoorError(
      body?.error?.code ?? 'internal',
      body?.error?.message ?? `The server answered with ${response.status}.`,
      body?.error?.hint ?? 'Try again.',
      body?.error?.candidates,
    )
  }
  return {
    async call<Result>(tool: string, args: object, signal?: AbortSignal) {
      const answer = await post(`/web/call/${encodeURIComponent(tool)}`, args, CALL_MS, signal)
      return (answer as { structured: Result }).structured
    },
    read: <Result>(name: string, args: object, signal?: AbortSignal) =>
      post(`/web/read/${name}`, args, READ_MS, signal) as Promise<Result>,
    attach: <Result>(args: Readonly<Record<string, string>>, file: Blob) =>
      post(`/web/attach?${new URLSearchParams(args)}`, file, CALL_MS) as Promise<Result>,
    async bytes(name, signal) {
      const response = await send(`/web/${name}`, signal ? { signal } : {}, READ_MS)
      if (!response.ok) throw new DoorError('internal', 'The map cannot be read.', 'Try again.')
      return new Uint8Array(await whole(response.arrayBuffer(), signal))
    },
  }
}

/** An answer that ends too early, or is none of ours. */
async function whole<Body>(body: Promise<Body>, signal: AbortSignal | undefined): Promise<Body> {
  try {
    return await body
  } catch (error) {
    if (signal?.aborted) throw error
    throw new DoorError('unreachable', 'The answer of the server was cut off.', 'Try again.')
  }
}
