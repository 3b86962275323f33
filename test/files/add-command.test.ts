/** The same from a shell, with the program's own base: files, pipes, names and refusals. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { openInput } from '../../src/serve/cli/input.ts'
import { app } from '../../src/serve/cli/plug-in.ts'
import { run } from '../../src/serve/cli/run.ts'
import { openTerminal } from '../../src/serve/cli/terminal.ts'
import { makePdf, pdfLines } from '../support/make-pdf.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function openShell(more: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder({ 'notes/a.md': '# A\n', 'elsewhere/tea.md': '# Tea\n', ...more })
  const cairn = async (words: readonly string[], piped: string | Uint8Array = '') => {
    const seen = { out: '', err: '' }
    const terminal = openTerminal(
      { write: (text) => (seen.out += text) },
      { write: (text) => (seen.err += text) },
      {},
    )
    const input = openInput(() => Readable.from([Buffer.from(piped)]), false, process.stderr)
    const cwd = join(home, 'notes')
    const state = join(home, 'state')
    const line = [...words, '--folder', cwd, '--state', state]
    const code = await run(line, { app, terminal, input, env: {}, cwd, home, onStop() {} })
    return { code, ...seen }
  }
  const inbox = join(home, 'notes', 'inbox')
  return { home, inbox, cairn, read: (name: string) => readFileSync(join(inbox, name), 'utf8') }
}

it('adds a file and what is piped in, and undoes it', async () => {
  const { cairn, home, inbox, read } = openShell()
  expect(await cairn(['add', '../elsewhere/tea.md'])).toEqual({
    code: 0,
    out: 'Added notes/inbox/tea.md.\n',
    err: '',
  })
  expect(read('tea.md')).toContain('origin: "~/elsewhere/tea.md"\nadded: ')
  expect((await cairn(['add', '-'], 'A thought.')).code).toBe(0)
  const [thought] = readdirSync(inbox).filter((name) => name.startsWith('added-'))
  expect(thought).toMatch(/^added-\d{4}-\d\d-\d\d-\d{6}\.md$/)
  expect(read(thought!)).toMatch(/^---\norigin: stdin\nadded: .*\n---\nA thought\.$/)
  const pdf = makePdf([pdfLines(['Descale it.'])])
  writeFileSync(join(home, 'elsewhere/report.pdf'), pdf)
  await cairn(['add', '../elsewhere/report.pdf', '--name', '2026/may'])
  expect(readFileSync(join(inbox, '2026/may.pdf')).equals(pdf)).toBe(true)
  await cairn(['add', '-', '--name', 'piped.pdf'], pdf)
  expect(readFileSync(join(inbox, 'piped.pdf')).equals(pdf)).toBe(true)
  expect((await cairn(['fetch', 'piped.pdf#page=1'])).out).toContain('Descale it.')
  expect((await cairn(['undo'])).code).toBe(0)
  expect(readdirSync(inbox).toSorted()).toEqual(['2026', thought, 'tea.md'])
})

it('says why nothing was added', async () => {
  const { cairn, home, inbox } = openShell({ 'notes/inbox/tea.md': '# Mine\n' })
  const why = async (words: readonly string[], piped?: string | Uint8Array) => {
    const { code, err } = await cairn(['add', ...words], piped)
    expect(code).toBeGreaterThan(0)
    return err
  }
  expect(await why(['../elsewhere/tea.md'])).toContain('There is already "notes/inbox/tea.md"')
  expect(await why(['../elsewhere/none.md'])).toContain('cannot be read')
  expect(await why(['../elsewhere'])).toContain('is no ordinary file')
  expect(await why(['-'])).toContain('Nothing was piped in')
  expect(await why(['-'], Buffer.from([0xff, 0xfe, 0x00]))).toContain('--name report.pdf')
  if (process.platform !== 'win32') {
    execFileSync('mkfifo', [join(home, 'elsewhere/pipe.md')])
    expect(await why(['../elsewhere/pipe.md'])).toContain('is no ordinary file')
  }
  expect(readdirSync(inbox)).toEqual(['tea.md'])
})

it('goes by the setting, and changes nothing of a base for reading', async () => {
  const { cairn, home, inbox } = openShell({ 'notes/cairn.yaml': 'inbox: new\n' })
  const config = ['--config', join(home, 'notes/cairn.yaml')]
  expect((await cairn(['add', '../elsewhere/tea.md', ...config])).out).toBe(
    'Added notes/new/tea.md.\n',
  )
  expect(readdirSync(join(home, 'notes'))).not.toContain('inbox')
  writeFileSync(join(home, 'notes/cairn.yaml'), 'readOnly: true\n')
  const refused = await cairn(['add', '../elsewhere/tea.md', ...config])
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(/read/)
  expect(readdirSync(join(inbox, '..'))).not.toContain('inbox')
})
