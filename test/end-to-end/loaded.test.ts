/** What a command reads of the program before it answers: counted, because it is paid every time. */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = join(ROOT, 'dist/program')
const NOTING = `const fs = require('node:fs')
const { readFileSync } = fs
fs.readFileSync = (file, ...rest) => {
  fs.appendFileSync(process.env.LOADED, file + '\\n')
  return readFileSync(file, ...rest)
}
`

/** The parts of the program that a command loads, by name, and their bytes. */
function loadedBy(...args: readonly string[]) {
  const folder = temporaryFolder({ 'notes/tea.md': '# Tea\n\nBoil water in a kettle.\n' })
  const [noting, loaded] = [join(folder, 'noting.cjs'), join(folder, 'loaded')]
  writeFileSync(noting, NOTING)
  writeFileSync(loaded, '')
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--require', noting, join(ROOT, 'bin/cairn.js'), ...args],
    { env: { ...process.env, LOADED: loaded, HOME: folder }, cwd: folder, encoding: 'utf8' },
  )
  const files = readFileSync(loaded, 'utf8')
    .split('\n')
    .filter((file) => file.startsWith(PROGRAM) && file.endsWith('.js'))
  return {
    status,
    stdout,
    parts: files.map((file) => basename(file, '.js').replace(/-[\w-]{8}$/, '')),
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
  }
}

it('says its version without loading an index, tools or a server', () => {
  const { status, parts, bytes } = loadedBy('--version')
  expect(status).toBe(0)
  expect(parts).toContain('main')
  for (const part of ['indexing', 'reading', 'tools', 'schemas', 'server']) {
    expect(parts).not.toContain(part)
  }
  expect(bytes).toBeLessThan(250_000)
})

it('answers a question from a shell without loading a server', () => {
  const { status, stdout, parts, bytes } = loadedBy('search', 'kettle', '-f', 'notes')
  expect([status, stdout]).toEqual([0, expect.stringContaining('tea.md')])
  expect(parts).toContain('tools')
  for (const part of ['server', 'yaml']) expect(parts).not.toContain(part)
  expect(parts.length).toBeLessThanOrEqual(16)
  expect(bytes).toBeLessThan(2_060_000)
})
