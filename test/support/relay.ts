/** A way to a server that can be cut: whoever connects to the relay talks to the server behind it. */
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface Relay {
  /** The address of the server with the relay in its place. */
  readonly url: string
  /** Ends every connection; new ones may be made. */
  drop(): void
  /** Ends every connection and takes no more. */
  cut(): void
  /** Keeps connections and takes new ones, and carries nothing; what was sent then is lost. */
  swallow(): void
  /** Carries again what is sent on connections that are made from now on. */
  carry(): void
}

export async function startRelay(url: string): Promise<Relay> {
  const [, host = '', port = ''] = /@([^:/]+):(\d+)/.exec(url) ?? []
  const sockets = new Set<Socket>()
  const muted = new WeakSet<Socket>()
  let swallowing = false
  const server = createServer((near) => {
    if (swallowing) {
      keep(near)
      near.resume()
      return
    }
    const far = connect(Number(port), host)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      keep(one)
      one.on('close', () => other.destroy())
      one.on('data', (data) => muted.has(one) || other.write(data))
      one.on('end', () => other.end())
    }
  })
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.replace(`${host}:${port}`, `127.0.0.1:${(server.address() as AddressInfo).port}`),
    drop,
    cut() {
      server.close()
      drop()
    },
    swallow() {
      swallowing = true
      for (const socket of sockets) muted.add(socket)
    },
    carry: () => void (swallowing = false),
  }
}
