/** A server over standard input and output ends with its client, however that went. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  CAIRN,
  cleanEnvironment,
  handbookCopy,
  ROOT,
  startCairn,
} from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  },
})}\n`

/** A client that starts the server on the pipes it was given itself, says its number, and stays. */
const CLIENT = `
  const { spawn } = require('node:child_process')
  const server = spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })
  process.stderr.write('server ' + server.pid + '\\n')
  setInterval(() => {}, 1000)
`

it('ends when its client was killed, though somebody else holds the pipes', async () => {
  const folder = handbookCopy()
  // A pipe that stays open in our hands: its end does not tell that the client is gone.
  const place = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [place])
  const pipe = openSync(place, 'r+')
  onTestFinished(() => closeSync(pipe))
  const client = spawn(process.execPath, ['-e', CLIENT, '--', CAIRN, 'serve', folder], {
    cwd: ROOT,
    env: cleanEnvironment(),
    stdio: [pipe, 'pipe', 'pipe'],
  })
  let said = ''
  client.stderr!.setEncoding('utf8').on('data', (text) => (said += text))
  const answer = once(client.stdout!, 'data')
  // What is said ends when the last process that could say something has ended.
  const released = once(client, 'close')
  writeSync(pipe, INITIALIZE)
  await answer
  const server = await vi.waitFor(() => {
    const pid = /server (\d+)\n/.exec(said)?.[1]
    expect(pid, said).toBeDefined()
    return Number(pid)
  }, SOON)
  onTestFinished(() => {
    if (isThere(server)) process.kill(server, 'SIGKILL')
  })
  expect(isThere(server)).toBe(true)
  client.kill('SIGKILL')
  await released
  // Its pipes are closed a moment before it is gone.
  await vi.waitFor(() => expect(isThere(server)).toBe(false), SOON)
})

it('ends when what it reads from is closed', async () => {
  const server = startCairn(['serve', handbookCopy()])
  server.child.stdin.write(INITIALIZE)
  await once(server.child.stdout, 'data')
  server.child.stdin.end()
  expect(await server.ended).toEqual({ code: 0, signal: null })
})

it('ends when nobody reads what it says', async () => {
  const server = startCairn(['serve', handbookCopy()])
  server.child.stdin.write(INITIALIZE)
  await once(server.child.stdout, 'data')
  server.child.stdout.destroy()
  server.child.stderr.destroy()
  const exited = once(server.child, 'exit')
  let id = 1
  await vi.waitFor(() => {
    server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'ping' })}\n`)
    expect(server.child.exitCode).not.toBeNull()
  }, SOON)
  const [code] = await exited
  expect(code).toBe(0)
})

/** A process that has ended and that nobody has asked about yet is not there either. */
function isThere(pid: number): boolean {
  if (existsSync('/proc/self/stat')) {
    try {
      return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      return false
    }
  }
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
