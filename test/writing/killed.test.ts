/** Processes killed at random moments while they write. What they acknowledged is there. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import { parseWhole } from '../support/parse-whole.ts'
import { COMPILED, startServerProcess } from '../support/server-process.ts'
import { configOf } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KILLS = Number(process.env['TEST_KILLS'] ?? 200)
/** Several processes write at once, and one of them is killed at a time. */
const ALIVE = 2

interface Acknowledged {
  readonly operation: string
  readonly key: string
  readonly action: 'append' | 'create' | 'find_replace'
}

const WRITER = fileURLToPath(new URL('../support/writer-process.ts', import.meta.url))

/** Starts a process that writes on and on; resolves when its first write is acknowledged. */
async function startWriter(
  args: readonly string[],
  acknowledged: Acknowledged[],
  gaveUp: string[],
) {
  const child = spawn(process.execPath, [WRITER, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  })
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended.promise
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const received = parseWhole(line)
    if (received) acknowledged.push(received)
    begun.resolve()
  })
  child.once('close', (code) => {
    if (code !== null) gaveUp.push(`${args.at(-1)} ended with ${code}`)
    if (code !== null) begun.reject(new Error(`the writer ended with ${code}`))
    begun.resolve()
    ended.resolve()
  })
  await begun.promise
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended.promise
    },
  }
}

it(
  `loses nothing when writers are killed at ${KILLS} random moments`,
  { timeout: 600_000 + KILLS * 5_000 },
  async () => {
    const folder = temporaryFolder({ 'log.md': '# Log\n', 'page.md': 'count: 0\n' })
    const acknowledged: Acknowledged[] = []
    const gaveUp: string[] = []
    const state = join(folder, '.cairn')
    // A server indexes meanwhile, and is killed now and then as well.
    const serve = () => startServerProcess([`notes=${folder}`, '--state', state], 'server')
    let server = await serve()
    const started = performance.now()
    const start = (name: string) => startWriter([folder, state, name], acknowledged, gaveUp)
    const living = await Promise.all(
      Array.from({ length: ALIVE }, (_, index) => start(`s${index}`)),
    )
    const coming = new Set<Promise<unknown>>()
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(Math.random() * 80)
      if (kill % 20 === 19) {
        await server.kill()
        server = await serve()
        continue
      }
      while (living.length === 0) await Promise.race(coming)
      const [victim] = living.splice(Math.floor(Math.random() * living.length), 1)
      await victim!.kill()
      const next: Promise<unknown> = start(`k${kill}`).then((writer) => {
        coming.delete(next)
        living.push(writer)
      })
      coming.add(next)
    }
    await Promise.all(coming)
    for (const writer of living) await writer.kill()
    await server.kill()
    const seconds = Math.round((performance.now() - started) / 1000)
    console.log(`${KILLS} kills, ${acknowledged.length} acknowledged writes, ${seconds} s`)

    expect(gaveUp).toEqual([])

    const config = await configOf(folder, {}, { folders: [`notes=${folder}`] })
    const repairing = await openBase(config)
    expect((await repairing.doctor({ repair: true })).ok).toBe(true)
    await repairing.close()
    const base = await openBase(config)
    const diagnosis = await base.doctor({ repair: false })
    expect(diagnosis.findings.filter(({ level }) => level !== 'ok')).toEqual([])

    const log = readFileSync(join(folder, 'log.md'), 'utf8')
    expect(log.endsWith('\n')).toBe(true)
    const lines = log.split('\n').slice(1, -1)
    expect(lines.filter((line) => !/^- [sk]\d+-\d+ y{300}$/.test(line))).toEqual([])
    const appended = lines.map((line) => line.split(' ')[1]!)
    expect(new Set(appended).size).toBe(appended.length)
    const made = readdirSync(join(folder, 'new'))
    expect(made.filter((name) => !name.endsWith('.md'))).toEqual([])
    for (const name of made) {
      const text = readFileSync(join(folder, 'new', name), 'utf8')
      expect(text).toBe(`begin ${name.slice(0, -3)}\n${'z'.repeat(5000)}\nend\n`)
    }
    const counted = readFileSync(join(folder, 'page.md'), 'utf8').split(' count: 0')[0]!.split(' ')
    expect(new Set(counted).size).toBe(counted.length)
    const present: Record<Acknowledged['action'], ReadonlySet<string>> = {
      append: new Set(appended),
      create: new Set(made.map((name) => name.slice(0, -3))),
      find_replace: new Set(counted),
    }
    expect(acknowledged.filter(({ action, key }) => !present[action].has(key))).toEqual([])

    // The history says "done" of exactly what is in the files.
    const states = new Map<string, string>()
    const done = { append: 0, create: 0, find_replace: 0 }
    for (let cursor: unknown; ;) {
      const page = (await base.call('history', { limit: 100, cursor })).structured as any
      for (const { id, action, state = 'done' } of page.operations) {
        states.set(id, state)
        if (state === 'done') done[action as Acknowledged['action']]++
      }
      cursor = page.next_cursor
      if (cursor === undefined) break
    }
    expect(acknowledged.filter(({ operation }) => states.get(operation) !== 'done')).toEqual([])
    expect([...states.values()].filter((state) => state === 'open')).toEqual([])
    expect(done).toEqual({
      append: appended.length,
      create: made.length,
      find_replace: counted.length,
    })
    await base.close()
  },
)
