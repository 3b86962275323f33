/** The hook of a prompt, as a client runs it: by way of a server that runs, and without one. */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { askServer } from '../../src/keep/recall/recall-door.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CAIRN = resolve(import.meta.dirname, '../../bin/cairn.js')

it('answers a prompt with and without a server', async () => {
  const home = temporaryFolder({
    'notes/deploy.md': '# Deploying\n\nTo roll back a release, run `shipctl rollback`.\n',
  })
  const notes = join(home, 'notes')
  const state = join(notes, '.cairn')
  const base = ['--folder', `notes=${notes}`]
  const server = spawn(process.execPath, [CAIRN, 'serve', ...base], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise((done) => server.on('close', done))
  onTestFinished(() => void server.kill())
  const request = { moment: 'prompt', prompt: 'roll back a release', tokens: 400 } as const
  await vi.waitFor(async () => expect(await askServer(state, request)).toContain('shipctl'), {
    ...SOON,
    interval: 200,
  })
  const budget = ['--max-tokens', '400', '--at', state, '--wait', '60000']
  const hook = (...words: string[]) =>
    run(['recall', '--hook', 'codex', '--moment', 'prompt', ...words], {
      prompt: 'how do we roll back a release?',
    })
  // The settings name a folder that is not there: only the server can have answered.
  expect(await hook(...budget, '--folder', join(home, 'gone'))).toContain('shipctl rollback')
  server.stdin.end()
  await ended
  expect(await hook(...budget, ...base)).toContain('shipctl rollback')
  expect(await hook(...budget, '--folder', join(home, 'gone'))).toBe('')
})

function run(words: readonly string[], sent: object): Promise<string> {
  const child = spawn(process.execPath, [CAIRN, ...words], { stdio: ['pipe', 'pipe', 'ignore'] })
  let out = ''
  child.stdout.on('data', (part) => (out += part))
  child.stdin.end(JSON.stringify(sent))
  return new Promise((done, fail) =>
    child.on('close', (code) => (code === 0 ? done(out) : fail(new Error(`exit ${code}`)))),
  )
}
