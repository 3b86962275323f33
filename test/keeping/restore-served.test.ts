/** Restoring over a folder in which servers of every kind are at work. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCairn } from '../support/run-cairn.ts'
import { startServerProcess, writeThrough } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function open() {
  const above = temporaryFolder({ 'notes/log.md': '# Log\n', 'notes/sub/b.md': '# B\n' })
  const notes = join(above, 'notes')
  const made = await runCairn('/', 'backup', '--folder', notes, '--json')
  const archive = join(temporaryFolder(), 'a.tgz')
  cpSync(JSON.parse(made.out).path, archive)
  const log = (): string => readFileSync(join(notes, 'log.md'), 'utf8')
  const restore = (...more: string[]) =>
    runCairn('/', 'restore', archive, '--into', notes, '--replace', ...more)
  return { above, notes, archive, log, restore }
}

type Opened = Awaited<ReturnType<typeof open>>

async function start(args: readonly string[]) {
  const server = await startServerProcess(args)
  onTestFinished(() => server.kill())
  // Whoever answers has opened the base.
  await server.call('list', {})
  return server
}

const SERVERS: Record<string, (opened: Opened) => readonly string[]> = {
  'its own state': ({ notes }) => [notes],
  'a state folder elsewhere': ({ notes }) => [notes, '--state', temporaryFolder()],
  'nothing to write': ({ notes }) => [notes, '--state', temporaryFolder(), '--read-only'],
  'rules of its own': ({ notes }) => {
    const file = join(temporaryFolder(), 'c.yaml')
    const source = { name: 'notes', path: notes, exclude: ['x/**'] }
    writeFileSync(file, JSON.stringify({ sources: [source] }))
    return ['--config', file]
  },
  'a vault above': ({ above }) => [`v=${above}`],
  'a folder below': ({ notes }) => [join(notes, 'sub')],
  'its state in it, and its notes elsewhere': ({ notes }) => [
    temporaryFolder({ 'c.md': '# C\n' }),
    '--state',
    join(notes, 'state'),
  ],
}

describe('restore --replace', { timeout: 300_000 }, () => {
  it.each(Object.keys(SERVERS))('is refused while a server works with %s', async (kind) => {
    const opened = await open()
    const { log, restore } = opened
    const server = await start(SERVERS[kind]!(opened))
    writeFileSync(join(opened.notes, 'log.md'), '# Log\n\nsince then\n')
    const refused = await restore()
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('at work on')])
    expect(log()).toContain('since then')
    // Killed, it is in nobody's way any more.
    await server.kill()
    const done = await restore()
    expect([done.code, done.err]).toEqual([0, ''])
    expect(log()).toBe('# Log\n')
  })

  it('is refused from the first write on where there was no state folder', async () => {
    const { archive } = await open()
    const notes = join(temporaryFolder({ 'notes/log.md': '# Log\n' }), 'notes')
    const server = await start([notes, '--state', temporaryFolder()])
    expect(existsSync(join(notes, '.cairn'))).toBe(false)
    const args = { action: 'append', id: 'notes/log.md', content: 'mine' }
    expect(await writeThrough(server, args)).toHaveProperty('operation')
    const { code, err } = await runCairn('/', 'restore', archive, notes, '--replace')
    expect([code, err]).toEqual([1, expect.stringContaining('at work on')])
    expect(readFileSync(join(notes, 'log.md'), 'utf8')).toContain('mine')
  })

  it('is refused while the server stands still', async () => {
    const { notes, log, restore } = await open()
    const server = await start([notes])
    server.process.kill('SIGSTOP')
    expect(await restore()).toMatchObject({ code: 1 })
    server.process.kill('SIGCONT')
    const args = { action: 'append', id: 'notes/log.md', content: 'mine' }
    expect(await writeThrough(server, args)).toHaveProperty('operation')
    expect(log()).toContain('mine')
  })

  it('goes beside a vault that is served, where nothing is replaced', async () => {
    const { above, archive } = await open()
    await start([above])
    mkdirSync(join(above, 'new'))
    const { code } = await runCairn('/', 'restore', archive, '--into', join(above, 'new'))
    expect(code).toBe(0)
  })
})
