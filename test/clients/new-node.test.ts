/** A Node that a package manager keeps in a folder of its version, behind a name that stays. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { cleanEnvironment, ROOT } from '../support/cairn-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A second name is enough where the file system has one. */
function install(folder: string, version: string): void {
  const node = join(folder, 'Cellar', 'node', version, 'bin', 'node')
  mkdirSync(dirname(node), { recursive: true })
  try {
    linkSync(process.execPath, node)
  } catch {
    copyFileSync(process.execPath, node)
  }
  rmSync(join(folder, 'bin', 'node'), { force: true })
  symlinkSync(node, join(folder, 'bin', 'node'))
}

it.skipIf(process.platform === 'win32')('connects by a name that survives a new Node', () => {
  const folder = temporaryFolder({ 'notes/a.md': '# A\n', 'bin/.keep': '' })
  install(folder, '24.1.0')
  const node = join(folder, 'bin', 'node')
  const started = (command: string, ...words: string[]) =>
    execFileSync(command, [join(ROOT, 'bin/cairn.js'), ...words], {
      cwd: folder,
      env: { ...cleanEnvironment({ HOME: folder }), PATH: `${join(folder, 'bin')}:/usr/bin:/bin` },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const entry = JSON.parse(started(node, 'connect', 'cursor', '--print', '--folder', 'notes'))
  const { command } = entry.mcpServers.cairn
  expect(command).toBe(node)
  expect(started(node, 'hook', 'install', 'cursor', '--print', '--folder', 'notes')).toContain(
    `"command": "${node} `,
  )
  rmSync(join(folder, 'Cellar'), { recursive: true })
  install(folder, '26.0.0')
  expect(started(command, '--version')).toMatch(/^\d/)
})
