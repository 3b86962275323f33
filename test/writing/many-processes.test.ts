/** Several servers on one base, as several MCP clients start them, all writing at once. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startServerProcess, writeThrough } from '../support/server-process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROCESSES = 4
const EACH = 50

/** For a machine on which a write takes a second. */
vi.setConfig({ testTimeout: 600_000 })

async function startAll(folder: string): Promise<ServerProcess[]> {
  const servers = await Promise.all(
    Array.from({ length: PROCESSES }, (_, index) => startServerProcess([folder], `client${index}`)),
  )
  onTestFinished(async () => {
    for (const server of servers) await server.kill()
  })
  return servers
}

it('keeps 200 parallel writes of 4 processes: every one there once, none torn', async () => {
  const folder = temporaryFolder({ 'log.md': '# Log\n' })
  const servers = await startAll(folder)
  const started = performance.now()
  const results = await Promise.all(
    servers.flatMap((server, process) =>
      Array.from({ length: EACH }, (_, index) => {
        const text = `${process}-${index} ${'x'.repeat(200)}`
        return index % 2 === 0
          ? writeThrough(server, { action: 'append', id: 'log', content: `- ${text}` })
          : writeThrough(server, {
              action: 'create',
              id: `new/n${process}-${index}.md`,
              content: `# Note ${text}\n`,
            })
      }),
    ),
  )
  const elapsed = performance.now() - started
  console.log(`200 writes from ${PROCESSES} processes: ${Math.round(elapsed)} ms`)
  expect(results.filter(({ error }) => error)).toEqual([])
  expect(new Set(results.map(({ operation }) => operation)).size).toBe(200)

  const lines = readFileSync(join(folder, 'log.md'), 'utf8').split('\n')
  expect(lines[0]).toBe('# Log')
  expect(lines.at(-1)).toBe('')
  const expected = [...Array(PROCESSES).keys()].flatMap((process) =>
    Array.from({ length: EACH / 2 }, (_, index) => `- ${process}-${index * 2} ${'x'.repeat(200)}`),
  )
  expect(lines.slice(1, -1).toSorted()).toEqual(expected.toSorted())
  const made = readdirSync(join(folder, 'new'))
  expect(made).toHaveLength(100)
  for (const name of made) {
    const [, key] = /^n(.*)\.md$/.exec(name)!
    expect(readFileSync(join(folder, 'new', name), 'utf8')).toBe(
      `# Note ${key} ${'x'.repeat(200)}\n`,
    )
  }
  // Every process sees all of it at once, whoever wrote it.
  for (const server of servers) {
    expect((await server.call('list', { path: 'new/', limit: 1 })).total).toBe(100)
  }
  const history = await servers[0]!.call('history', { by: 'client3', limit: 100 })
  expect(history['operations']).toHaveLength(EACH)
})

it('lets exactly one of several win for one digest, and tells the others', async () => {
  const folder = temporaryFolder({ 'page.md': 'round 0\n' })
  const servers = await startAll(folder)
  for (let round = 1; round <= 10; round++) {
    const preview = { action: 'append', id: 'page.md', content: '', dry_run: true }
    const { digest } = await servers[0]!.call('write', preview)
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        writeThrough(servers[index % PROCESSES]!, {
          action: 'replace',
          id: 'page.md',
          content: `round ${round} by ${index}\n`,
          if_digest: digest,
        }),
      ),
    )
    const winners = results.flatMap((result, index) => (result['error'] ? [] : [index]))
    expect(winners).toHaveLength(1)
    for (const { error } of results) if (error) expect(error.code).toBe('conflict')
    expect(readFileSync(join(folder, 'page.md'), 'utf8')).toBe(`round ${round} by ${winners[0]}\n`)
  }
})
