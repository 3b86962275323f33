/** How this page talks to the server: tools by name, reads by name. */

export class DoorError extends Error {
  readonly code: string
  readonly hint: string

  constructor(code: string, message: string, hint: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

export interface Door {
  /** Any tool of the native surface. */
  call<Result>(tool: string, args: object, signal?: AbortSignal): Promise<Result>
  /** What only a page wants. */
  read<Result>(name: string, args: object, signal?: AbortSignal): Promise<Result>
  bytes(name: string, signal?: AbortSignal): Promise<Uint8Array>
  /** A picture of a note as something that can be shown, where it has no address. */
  picture?(place: string): Promise<string>
}

/** Told whenever a request worked or found no server, and when the server is of another build. */
export interface Watcher {
  reached(yes: boolean): void
  build(name: string): void
}

export function openDoor(watcher: Watcher): Door {
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    let response: Response
    try {
      response = await fetch(path, init)
    } catch (error) {
      if (init.signal?.aborted) throw error
      watcher.reached(false)
      throw new DoorError('unreachable', 'The server does not answer.', 'It is tried again.')
    }
    watcher.reached(true)
    watcher.build(response.headers.get('x-cairn-build') ?? '')
    return response
  }
  const post = async (path: string, args: object, signal?: AbortSignal): Promise<unknown> => {
    const response = await send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-cairn': '1' },
      body: JSON.stringify(args),
      ...(signal && { signal }),
    })
    const body = (await response.json().catch(() => undefined)) as
      { error?: { code?: string; message?: string; hint?: string } } | undefined
    if (response.ok && body !== undefined) return body
    throw new DoorError(
      body?.error?.code ?? 'internal',
      body?.error?.message ?? `The server answered with ${response.status}.`,
      body?.error?.hint ?? 'Try again.',
    )
  }
  return {
    async call<Result>(tool: string, args: object, signal?: AbortSignal) {
      const answer = await post(`/web/call/${encodeURIComponent(tool)}`, args, signal)
      return (answer as { structured: Result }).structured
    },
    read: <Result>(name: string, args: object, signal?: AbortSignal) =>
      post(`/web/read/${name}`, args, signal) as Promise<Result>,
    async bytes(name, signal) {
      const response = await send(`/web/${name}`, signal ? { signal } : {})
      if (!response.ok) throw new DoorError('internal', 'The map cannot be read.', 'Try again.')
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}
