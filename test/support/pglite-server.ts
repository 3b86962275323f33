/**
 * PostgreSQL without a server: PGlite behind a socket, so that the driver and everything above it
 * is what users run. It has one session; whoever is in a transaction has it to itself.
 */
import { PGlite } from '@electric-sql/pglite'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface PgliteServer {
  /** Address of the database, without parameters. */
  readonly url: string
  readonly database: PGlite
  close(): Promise<void>
}

const SSL_REQUEST = 80877103
const CANCEL_REQUEST = 80877102

export async function startPglite(): Promise<PgliteServer> {
  const database = await PGlite.create()
  const turns = takingTurns()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve(socket, database, turns)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    database,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await database.close()
    },
  }
}

type Turns = () => Promise<() => void>

/** Resolves when it is one's turn, with what ends it. */
function takingTurns(): Turns {
  let last: Promise<void> = Promise.resolve()
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = last
    last = promise
    await before
    return resolve
  }
}

function serve(socket: Socket, database: PGlite, turns: Turns): void {
  let pending = Buffer.alloc(0)
  // A message of megabytes comes in hundreds of pieces, which are put together once.
  const pieces: Buffer[] = []
  let missing = 0
  let greeted = false
  let release: (() => void) | undefined
  let work: Promise<void> = Promise.resolve()

  const answer = async (request: Buffer): Promise<void> => {
    release ??= await turns()
    const reply = Buffer.from(await database.execProtocolRaw(request))
    if (!socket.destroyed) socket.write(reply)
    // The last message says whether a transaction is open.
    if (reply.at(-1) !== 'I'.charCodeAt(0)) return
    release()
    release = undefined
  }
  const leave = async (): Promise<void> => {
    await work
    if (!release) return
    await database.exec('ROLLBACK')
    release()
    release = undefined
  }
  socket.on('close', () => void leave())
  socket.on('data', (data) => {
    pieces.push(data)
    missing -= data.length
    if (missing > 0) return
    pending = Buffer.concat([pending, ...pieces.splice(0)])
    for (;;) {
      const request = greeted ? wholeRequest(pending) : greeting(pending)
      if (typeof request === 'number') {
        missing = request - pending.length
        return
      }
      pending = pending.subarray(request.length)
      if (!greeted) greeted = greet(socket, request)
      else if (request[0] === 'X'.charCodeAt(0)) socket.end()
      else work = work.then(() => answer(request)).catch(() => void socket.destroy())
    }
  })
}

/** The first message of a connection, or how long it is at least. */
function greeting(pending: Buffer): Buffer | number {
  if (pending.length < 8) return 8
  const length = pending.readUInt32BE(0)
  return pending.length >= length ? pending.subarray(0, length) : length
}

/** Whether the connection is open afterwards. */
function greet(socket: Socket, request: Buffer): boolean {
  const code = request.readUInt32BE(4)
  if (code === SSL_REQUEST) socket.write('N')
  else if (code === CANCEL_REQUEST) socket.end()
  else socket.write(WELCOME)
  return code !== SSL_REQUEST && code !== CANCEL_REQUEST
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** No password is asked for; ready for the first statement. */
const WELCOME = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  message('S', Buffer.from('client_encoding\0UTF8\0')),
  message('K', Buffer.alloc(8)),
  message('Z', Buffer.from('I')),
])

/** Messages up to one that wants an answer (a simple query, or a sync), or how long they are at least. */
function wholeRequest(pending: Buffer): Buffer | number {
  let at = 0
  while (at + 5 <= pending.length) {
    const end = at + 1 + pending.readUInt32BE(at + 1)
    if (end > pending.length) return end
    if ('QSX'.includes(String.fromCharCode(pending[at]!))) return pending.subarray(0, end)
    at = end
  }
  return at + 5
}
