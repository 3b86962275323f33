/** A server that is told to read its settings again, or to end, while calls are under way. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startCairn } from '../support/cairn-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { beginSession, modern, raw, rpc } from '../transports/http-raw.ts'

const TIMEOUT = 600_000
const PATIENCE = { timeout: 150_000, interval: 20 }

/** A language model that thinks until it is told to fail. */
async function heldModel() {
  const held: ServerResponse[] = []
  let released = false
  const fail = (response: ServerResponse): void => void response.writeHead(400).end('{}')
  const server = createServer((_, response) => {
    if (released) fail(response)
    else held.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    config: `answerer: { provider: openai, baseUrl: "${baseUrl}", model: m-1 }\n`,
    asked: () => held.length,
    release() {
      released = true
      for (const response of held) fail(response)
    },
  }
}

async function serve(config: string) {
  const folder = temporaryFolder({ 'tea.md': '# Tea\n\nMilk goes in last.\n' })
  const file = join(temporaryFolder(), 'cairn.yaml')
  writeFileSync(file, config)
  const cairn = startCairn(['serve', folder, '--http', '0', '--json', '--config', file])
  await expect.poll(cairn.stdout, PATIENCE).toContain('\n')
  const url = new URL(JSON.parse(cairn.stdout()).url).origin
  const isReady = async () => (await raw(url, { path: '/readyz', method: 'GET' })).status
  await expect.poll(isReady, PATIENCE).toBe(200)
  const question = { name: 'ask', arguments: { question: 'Is milk last?' } }
  return {
    ...cairn,
    url,
    file,
    ask: () => raw(url, modern('tools/call', question)),
    async tools(): Promise<string[]> {
      const { json } = await raw(url, modern('tools/list'))
      return json.result.tools.map(({ name }: { name: string }) => name)
    },
    reload(text: string) {
      writeFileSync(file, text)
      cairn.child.kill('SIGHUP')
    },
  }
}

it('takes up changed settings while it is asked all the time', { timeout: TIMEOUT }, async () => {
  const model = await heldModel()
  const cairn = await serve(model.config)
  expect(await cairn.tools()).toContain('write')
  let isAnswered = false
  const before = cairn.ask().finally(() => (isAnswered = true))
  await expect.poll(model.asked, PATIENCE).toBe(1)

  const over = new AbortController()
  const failed: unknown[] = []
  let answered = 0
  const asking = (async () => {
    while (!over.signal.aborted) {
      // Every time on a connection of its own.
      await raw(cairn.url, { path: '/health', method: 'GET' }).then(
        ({ status }) => (status === 200 ? answered++ : failed.push(status)),
        (error: unknown) => failed.push(error),
      )
    }
  })()
  cairn.reload(`${model.config}readOnly: true\n`)
  await expect.poll(cairn.tools, PATIENCE).not.toContain('write')
  expect(isAnswered).toBe(false)
  model.release()
  expect((await before).text).toContain('Milk goes in last')

  cairn.reload('readOnly: [perhaps\n')
  await expect.poll(cairn.stderr, PATIENCE).toContain('nothing has changed')
  // What cannot be opened is found out when it is tried.
  cairn.reload(`${model.config}state: ${cairn.file}/below\n`)
  await expect.poll(cairn.stderr, PATIENCE).toMatch(/nothing has changed: .*below/)
  expect(await cairn.tools()).not.toContain('write')
  cairn.reload(model.config)
  await expect.poll(cairn.tools, PATIENCE).toContain('write')
  over.abort()
  await asking
  expect(failed).toEqual([])
  expect(answered).toBeGreaterThan(0)
  cairn.child.kill('SIGTERM')
  expect(await cairn.ended).toEqual({ code: 0, signal: null })
})

it('tells a call that hangs when to come back, and ends', { timeout: TIMEOUT }, async () => {
  const model = await heldModel()
  const cairn = await serve(model.config)
  const hanging = cairn.ask()
  await expect.poll(model.asked, PATIENCE).toBe(1)
  cairn.child.kill('SIGTERM')
  const { status, headers, json } = await hanging
  expect([status, headers['retry-after']]).toEqual([503, '1'])
  expect(json.error.message).toContain('stopped before this was answered')
  expect(await cairn.ended).toEqual({ code: 0, signal: null })
})

it(
  'tells so within an answer that has begun, as those of sessions have',
  { timeout: TIMEOUT },
  async () => {
    const model = await heldModel()
    const cairn = await serve(model.config)
    const session = await beginSession(cairn.url)
    const body = rpc('tools/call', { name: 'ask', arguments: { question: 'Is milk last?' } }, 7)
    const hanging = raw(cairn.url, { headers: session, body })
    await expect.poll(model.asked, PATIENCE).toBe(1)
    cairn.child.kill('SIGTERM')
    const { status, json } = await hanging
    expect([status, json?.id]).toEqual([200, 7])
    expect(json.error.message).toContain('stopped before this was answered')
    expect(await cairn.ended).toEqual({ code: 0, signal: null })
  },
)
