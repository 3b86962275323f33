import { expect, it } from 'vitest'
import type { Config } from '../config/config.ts'
import { keepServing } from './keep-serving.ts'
import type { Serving } from './keep-serving.ts'

const config = (port: number, more: object = {}, host = '127.0.0.1') =>
  ({ http: { port, host }, readOnly: false, ...more }) as unknown as Config

function open(failing = new Set<Config>()) {
  const log: string[] = []
  let count = 0
  const calls = new Map<number, Promise<void>>()
  const start = async (given: Config): Promise<Serving> => {
    const { readOnly, http } = given
    if ([...failing].some((bad) => bad.readOnly === readOnly)) throw new Error('no')
    const number = ++count
    const { promise: done, resolve } = Promise.withResolvers<void>()
    log.push(`start ${number} port ${http.port}`)
    return {
      url: `http://127.0.0.1:${http.port || 5000}/mcp`,
      done,
      idle: async () => calls.get(number),
      close: async () => {
        if (log.includes(`close ${number}`)) return
        log.push(`close ${number}`)
        resolve()
      },
      replaceWith: start,
    }
  }
  return { log, start, calls }
}

it('takes up what has changed, at the same address, and ends when it is told to', async () => {
  const { log, start, calls } = open()
  const inProgress = Promise.withResolvers<void>()
  calls.set(1, inProgress.promise)
  let now = config(0)
  const said: string[] = []
  const server = await keepServing(now, {
    start,
    load: async () => now,
    file: undefined,
    say: (message) => said.push(message),
  })
  await server.reload()
  now = config(0, { readOnly: true })
  await server.reload()
  // The first is closed when it has answered what it was asked.
  expect([log, server.url]).toEqual([
    ['start 1 port 0', 'start 2 port 5000'],
    'http://127.0.0.1:5000/mcp',
  ])
  expect(said).toEqual(['The configuration was read again.'])
  inProgress.resolve()
  await expect.poll(() => log.at(-1)).toBe('close 1')
  // The same port elsewhere is free when the one that has it is closed.
  now = config(0, {}, '0.0.0.0')
  await server.reload()
  expect(log.slice(3)).toEqual(['close 2', 'start 3 port 5000'])
  await server.close()
  await server.done
  expect(log.at(-1)).toBe('close 3')
})

it('does not wait for calls of one that was replaced when it is told to end', async () => {
  const { log, start, calls } = open()
  calls.set(1, new Promise(() => {}))
  let now = config(0)
  const said = (): void => {}
  const server = await keepServing(now, {
    start,
    load: async () => now,
    file: undefined,
    say: said,
  })
  now = config(0, { readOnly: true })
  await server.reload()
  await server.close()
  await server.done
  expect(log.slice(2).toSorted()).toEqual(['close 1', 'close 2'])
})

it('keeps what it has when the new configuration cannot be read or started', async () => {
  const bad = config(1, { readOnly: true })
  const { log, start } = open(new Set([bad]))
  let load: () => Promise<Config> = async () => {
    throw new Error('a typo')
  }
  const said: string[] = []
  const server = await keepServing(config(1), {
    start,
    load: () => load(),
    file: undefined,
    say: (message) => said.push(message),
  })
  await server.reload()
  load = async () => bad
  await server.reload()
  expect(log).toEqual(['start 1 port 1'])
  expect(said.map((text) => text.includes('nothing has changed'))).toEqual([true, true])
  await server.close()
  await server.done
})
