/** What a killed backup or restore leaves is removed by the next one; what one at work uses is not. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cairnJson, startCairn } from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Long enough to pack and unpack that one can be stopped in the middle. */
function large(): string {
  const notes = Array.from({ length: 60 }, (_, number) => [
    `large/n${number}.md`,
    `# N${number}\n\n${randomBytes(300_000).toString('hex')}\n`,
  ])
  return join(temporaryFolder(Object.fromEntries(notes)), 'large')
}

const small = (): string => join(temporaryFolder({ 'small/a.md': '# A\n' }), 'small')

const workIn = (folder: string): string[] =>
  namesIn(folder).filter((name) => name.startsWith('.cairn-'))

/** One that has just made its folder, and has not locked it yet, makes another where it is gone. */
const isAtWork = (folder: string): boolean =>
  workIn(folder).some((name) => namesIn(join(folder, name)).length > 1)

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whoever is quick may be done before it is stopped; then another one is started. */
const ATTEMPTS = 10

/** A command that stands still in the middle of its work in a folder. */
async function stoppedAtWork(command: (folder: string) => readonly string[]) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const folder = join(temporaryFolder(), 'work')
    const started = startCairn(command(folder))
    let isDone = false
    void started.ended.then(() => (isDone = true))
    await expect.poll(() => isDone || isAtWork(folder), { ...SOON, interval: 1 }).toBe(true)
    started.child.kill('SIGSTOP')
    await expect.poll(() => isDone || isStopped(started.pid), SOON).toBe(true)
    if (workIn(folder).length === 1) return { ...started, folder }
    started.child.kill('SIGCONT')
    await started.ended
  }
  throw new Error('it was always done before it could be stopped')
}

/** The state stands behind the name, which may hold anything. */
function isStopped(pid: number): boolean {
  try {
    const [state] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!
    return state === 'T'
  } catch {
    return true
  }
}

describe('a backup', { timeout: 300_000 }, () => {
  it('that was killed is cleared away by the next, of whichever base', async () => {
    const notes = large()
    const args = (to: string) => ['backup', '--folder', notes, '--to', to]
    const { folder: to, ...killed } = await stoppedAtWork(args)
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(workIn(to)).toHaveLength(1)
    await cairnJson(['backup', '--folder', small(), '--to', to])
    expect(workIn(to)).toEqual([])
    expect(readdirSync(to)).toHaveLength(1)
    // Nor does it stand in the way of the next of its own.
    const made = await cairnJson(args(to))
    expect(await cairnJson(['restore', made['path'], '--into', '/nowhere', '--dry-run'])).toEqual(
      expect.objectContaining({ documents: 60 }),
    )
  })

  it('that stands still is left alone, and goes on', async () => {
    const notes = large()
    const args = (to: string) => ['backup', '--folder', notes, '--to', to, '--json']
    const { folder: to, ...stopped } = await stoppedAtWork(args)
    const before = workIn(to)
    await cairnJson(['backup', '--folder', small(), '--to', to])
    expect(workIn(to)).toEqual(before)
    await expect(cairnJson(args(to))).rejects.toThrow(/being made already/)
    stopped.child.kill('SIGCONT')
    expect((await stopped.ended).code).toBe(0)
    const { path } = JSON.parse(stopped.stdout())
    expect(await cairnJson(['restore', path, '--into', '/nowhere', '--dry-run'])).toEqual(
      expect.objectContaining({ documents: 60 }),
    )
    expect(workIn(to)).toEqual([])
  })
})

describe('a restore', { timeout: 300_000 }, () => {
  it('that was killed is cleared away by the next, and one that stands still is not', async () => {
    const [big, little] = [
      await cairnJson(['backup', '--folder', large()]),
      await cairnJson(['backup', '--folder', small()]),
    ]
    const { folder: above, ...stopped } = await stoppedAtWork((folder) => [
      'restore',
      big['path'],
      '--into',
      join(folder, 'one'),
    ])
    const restore = (name: string) =>
      cairnJson(['restore', little['path'], '--into', join(above, name)])
    const before = workIn(above)
    await restore('two')
    expect(workIn(above)).toEqual(before)
    stopped.child.kill('SIGKILL')
    await stopped.ended
    expect(workIn(above)).toEqual(before)
    await restore('three')
    expect(readdirSync(above).toSorted()).toEqual(['three', 'two'])
  })
})
