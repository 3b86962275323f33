/**
 * The way from a hook to a server that runs on the same base: a socket that only this user reaches.
 * Opening a base takes longer than a prompt should wait; a server has it open.
 */
import { hash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RecallRequest {
  readonly moment: 'start' | 'prompt'
  readonly prompt: string
  readonly tokens: number
}

const MOST_BYTES = 64 * 1024
const CONNECT_MS = 200
const ANSWER_MS = 2_000
/** Whoever asked has given up long before; a busy server is not hurried. */
const SERVE_MS = 30_000

/** Named after the state folder; sockets may not have long names. Undefined where none is safe. */
export function recallAddress(state: string): string | undefined {
  const name = hash('sha256', state, 'hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\cairn-${name}`
  const user = process.getuid?.() ?? 0
  const folder = join(tmpdir(), `cairn-${user}`)
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
    const { uid, mode } = lstatSync(folder)
    if (!lstatSync(folder).isDirectory() || uid !== user) return undefined
    if ((mode & 0o077) !== 0) chmodSync(folder, 0o700)
  } catch {
    return undefined
  }
  return join(folder, `${name}.sock`)
}

/**
 * Answers until it is closed. Of several servers on a base the first one answers; when it goes,
 * another takes its place.
 */
export async function openRecallDoor(
  state: string,
  answer: (request: RecallRequest) => Promise<string>,
  { retryMs = 3_000 }: { readonly retryMs?: number } = {},
): Promise<{ close(): void }> {
  const address = recallAddress(state)
  let opened: { close(): void } | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  const attempt = async (): Promise<void> => {
    if (address === undefined || isClosed) return
    opened = await listen(address, answer)
    if (opened && isClosed) opened.close()
    if (!opened && !isClosed) timer = setTimeout(() => void attempt(), retryMs).unref()
  }
  await attempt()
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      opened?.close()
    },
  }
}

/** Undefined where another server answers there, or nothing can be opened there now. */
async function listen(
  address: string,
  answer: (request: RecallRequest) => Promise<string>,
): Promise<{ close(): void } | undefined> {
  if (await isAnswered(address)) return undefined
  if (process.platform !== 'win32') rmSync(address, { force: true })
  const server = createServer((socket) => void serve(socket, answer))
  return new Promise((resolve) => {
    server.on('error', () => resolve(undefined))
    server.listen(address, () => {
      server.unref()
      resolve({
        close() {
          server.close()
          if (process.platform !== 'win32') rmSync(address, { force: true })
        },
      })
    })
  })
}

async function serve(
  socket: Socket,
  answer: (request: RecallRequest) => Promise<string>,
): Promise<void> {
  socket.on('error', () => socket.destroy())
  socket.setTimeout(SERVE_MS, () => socket.destroy())
  try {
    const request = JSON.parse(await lineFrom(socket)) as RecallRequest
    const { moment, prompt, tokens } = request
    const known = moment === 'start' || moment === 'prompt'
    if (!known || typeof prompt !== 'string' || !Number.isSafeInteger(tokens)) throw new Error()
    socket.end(`${JSON.stringify({ text: await answer({ moment, prompt, tokens }) })}\n`)
  } catch {
    socket.destroy()
  }
}

/** What a running server answers; undefined where there is none, or none that answers in time. */
export async function askServer(
  state: string,
  request: RecallRequest,
  answerMs = ANSWER_MS,
): Promise<string | undefined> {
  const address = recallAddress(state)
  if (address === undefined) return undefined
  const socket = await connected(address)
  if (!socket) return undefined
  try {
    socket.setTimeout(answerMs, () => socket.destroy())
    socket.write(`${JSON.stringify(request)}\n`)
    const { text } = JSON.parse(await lineFrom(socket)) as { readonly text?: unknown }
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

async function isAnswered(address: string): Promise<boolean> {
  const socket = await connected(address)
  socket?.destroy()
  return socket !== undefined
}

function connected(address: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(address)
    let last: NodeJS.Immediate | undefined
    // A door that opened while this process stood still is open.
    const timer = setTimeout(() => {
      last = setImmediate(fail)
    }, CONNECT_MS)
    const fail = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(undefined)
    }
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(timer)
      clearImmediate(last)
      socket.removeListener('error', fail)
      resolve(socket)
    })
  })
}

function lineFrom(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text += part
      if (text.length > MOST_BYTES) reject(new Error('too long'))
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed')))
  })
}
