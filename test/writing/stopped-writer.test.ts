/**
 * A writer that stands still (`SIGSTOP`) in the middle of a change: others take over, and when it
 * goes on it has lost the lock, changes nothing that is not its to change, and answers rightly.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServerProcess } from '../support/server-process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const STOPS = Number(process.env['TEST_STOPS'] ?? 3)
const TIMEOUT = { timeout: 600_000 + STOPS * 60_000 }
const SOON = { timeout: 300_000, interval: 20 }

const PRELOAD = new URL('../support/stop-at.ts', import.meta.url)

async function start(args: readonly string[], client: string, node: readonly string[] = []) {
  const server = await startServerProcess(args, client, node)
  onTestFinished(async () => {
    server.process.kill('SIGCONT')
    await server.kill()
  })
  return server
}

/** Starts a server that stops at this moment of the next change after it is armed. */
async function startStopping(args: readonly string[], moment: string) {
  const armed = join(temporaryFolder(), 'armed')
  const url = new URL(PRELOAD)
  url.search = new URLSearchParams({ moment, armed }).toString()
  const server = await start(args, 'stopping', ['--import', url.href])
  return {
    ...server,
    async stopIn(tool: string, call: Record<string, unknown>) {
      writeFileSync(armed, '')
      const answer = server.call(tool, call)
      await vi.waitFor(() => expect(isStopped(server)).toBe(true), SOON)
      return { answer, goOn: () => server.process.kill('SIGCONT') }
    },
  }
}

function isStopped({ process: { pid } }: ServerProcess): boolean {
  return / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''))
}

/** A file that rests is replaced in one step; one that was touched a moment ago is moved aside first. */
async function letRest(file: string): Promise<void> {
  await vi.waitFor(() => expect(Date.now() - statSync(file).ctimeMs).toBeGreaterThan(2_500), SOON)
}

interface Listed {
  readonly id: string
  readonly state?: string
}

async function statesOf({ call }: ServerProcess): Promise<Map<string, string>> {
  const { operations } = await call('history', { limit: 100 })
  return new Map(operations.map(({ id, state = 'done' }: Listed) => [id, state]))
}

const isLinux = process.platform === 'linux'

describe.skipIf(!isLinux)(`a stopped writer${isLinux ? '' : ' (needs /proc)'}`, () => {
  describe.each(['the same state', 'another state'])('beside one with %s', (whose) => {
    it.for([
      ['logging', 'in use'],
      ['placing', 'in use'],
      ['placing', 'at rest'],
      ['placed', 'at rest'],
      ['ending', 'in use'],
    ] as const)(
      'loses nothing and doubles nothing when it stopped while %s a file %s',
      TIMEOUT,
      async ([moment, use]) => {
        const folder = temporaryFolder({ 'log.md': '# Log\n\n- begin\n', 'new/a.md': 'x\n' })
        const own = join(folder, '.cairn')
        const other = whose === 'the same state' ? own : temporaryFolder()
        const one = await startStopping([`n=${folder}`, '--state', own], moment)
        const two = await start([`n=${folder}`, '--state', other], 'going on')
        const append = (content: string) => ({ action: 'append', id: 'n/log.md', content })
        if (use === 'at rest') await letRest(join(folder, 'log.md'))
        else writeFileSync(join(folder, 'log.md'), '# Log\n\n- begin\n')
        const { answer, goOn } = await one.stopIn('write', append('- from one'))
        const written = await two.call('write', append('- from two'))
        expect(written['error']).toBeUndefined()
        const made = await two.call('write', { action: 'create', id: 'n/new/b.md', content: 'y\n' })
        expect(made['error']).toBeUndefined()
        goOn()
        const late = await answer
        expect(late['error']).toBeUndefined()

        const lines = readFileSync(join(folder, 'log.md'), 'utf8').split('\n').toSorted()
        expect(lines).toEqual(['', '', '# Log', '- begin', '- from one', '- from two'])
        const states = [await statesOf(one), await statesOf(two)]
        const acknowledged = [late['operation'], written['operation'], made['operation']]
        for (const id of acknowledged) {
          expect(states.map((each) => each.get(id)).filter((each) => each !== undefined)).toContain(
            'done',
          )
        }
        expect(states.flatMap((each) => [...each.values()])).not.toContain('open')
        // Nothing of either is left, in the folder or beside the lock.
        const left = [...readdirSync(folder), ...readdirSync(join(folder, 'new'))]
        expect(left.filter((name) => name.startsWith('.cairn-tmp.'))).toEqual([])
        await two.call('write', append('- last'))
        expect(readdirSync(own).filter((name) => name.includes('.lost.'))).toEqual([])
      },
    )

    it.for(['moving aside', 'moved aside'])(
      'deletes nothing that was changed since when it stopped while %s',
      TIMEOUT,
      async (moment) => {
        const folder = temporaryFolder({ 'log.md': '# Log\n\n- begin\n' })
        const own = join(folder, '.cairn')
        const other = whose === 'the same state' ? own : temporaryFolder()
        const one = await startStopping([`n=${folder}`, '--state', own], moment)
        const two = await start([`n=${folder}`, '--state', other], 'going on')
        const digest = createHash('sha256')
          .update(readFileSync(join(folder, 'log.md')))
          .digest('hex')
        const deletion = { id: 'n/log.md', if_digest: digest }
        const { answer, goOn } = await one.stopIn('delete', deletion)
        const append = { action: 'append', id: 'n/log.md', content: '- from two' }
        expect((await two.call('write', append))['error']).toBeUndefined()
        goOn()
        expect((await answer)['error']).toMatchObject({ code: 'conflict' })
        const text = readFileSync(join(folder, 'log.md'), 'utf8')
        expect(text).toBe('# Log\n\n- begin\n- from two\n')
        expect(readdirSync(join(folder, '.cairn', 'aside'))).toEqual([])
      },
    )
  })

  it('keeps nobody waiting for as long as it stands, however often it does', TIMEOUT, async () => {
    const folder = temporaryFolder({ 'log.md': '# Log\n' })
    const [one, two] = [await start([`n=${folder}`], 'one'), await start([`n=${folder}`], 'two')]
    const acknowledged: string[] = []
    const refused: unknown[] = []
    const append = async (server: ServerProcess, key: string): Promise<void> => {
      const { error } = await server.call('write', {
        action: 'append',
        id: 'n/log.md',
        content: `- ${key}`,
      })
      if (error) refused.push(error)
      else acknowledged.push(key)
    }
    const over = new AbortController()
    const writing = (async () => {
      for (let n = 0; !over.signal.aborted; n++) await append(one, `one-${n}`)
    })()
    for (let stop = 0; stop < STOPS; stop++) {
      const begun = acknowledged.length
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(begun + 2), SOON)
      await sleep(Math.random() * 50)
      one.process.kill('SIGSTOP')
      for (let n = 0; n < 3; n++) await append(two, `two-${stop}-${n}`)
      one.process.kill('SIGCONT')
    }
    over.abort()
    await writing
    expect(refused).toEqual([])
    const lines = readFileSync(join(folder, 'log.md'), 'utf8').split('\n').slice(1, -1)
    expect(lines.toSorted()).toEqual(acknowledged.map((key) => `- ${key}`).toSorted())
    expect([...(await statesOf(two)).values()]).not.toContain('open')
  })
})
