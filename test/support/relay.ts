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
}

export async function startRelay(url: string): Promise<Relay> {
  const [, host = '', port = ''] = /@([^:/]+):(\d+)/.exec(url) ?? []
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), host)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => (sockets.delete(one), other.destroy()))
      one.pipe(other)
    }
  })
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
  }
}
