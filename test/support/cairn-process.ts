/** The built program as a process of its own, the way a shell or a client starts it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
export const CAIRN = resolve(ROOT, 'bin/cairn.js')

export interface StartOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** In a process group of its own, so that one can ask whether anything of it is left. */
  readonly detached?: boolean
}

export interface CairnProcess {
  readonly child: ChildProcessWithoutNullStreams
  readonly pid: number
  readonly stdout: () => string
  readonly stderr: () => string
  /** How it ended: exit code or signal. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** Nothing of the developer's own configuration reaches the process. */
export function cleanEnvironment(more: Readonly<Record<string, string>> = {}) {
  return {
    PATH: process.env['PATH'] ?? '',
    TMPDIR: process.env['TMPDIR'] ?? '/tmp',
    HOME: '/nobody',
    ...more,
  }
}

/** Ends with the test that started it, if not before. */
export function startCairn(args: readonly string[], options: StartOptions = {}): CairnProcess {
  const started = spawnCairn(args, options)
  onTestFinished(() => endCairn(started))
  return started
}

/** For hooks, which have to end it themselves. */
export function spawnCairn(args: readonly string[], options: StartOptions = {}): CairnProcess {
  const child = spawn(process.execPath, [CAIRN, ...args], {
    cwd: options.cwd ?? ROOT,
    env: cleanEnvironment(options.env),
    detached: options.detached ?? false,
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text))
  // Whoever is killed does not read what was written to it.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return { child, pid: child.pid!, stdout: () => out, stderr: () => err, ended }
}

export async function endCairn({ child, ended }: CairnProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await ended
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end. */
export async function runCairn(
  args: readonly string[],
  options: StartOptions = {},
): Promise<Finished> {
  const started = startCairn(args, options)
  started.child.stdin.end()
  const { code } = await started.ended
  return { code, stdout: started.stdout(), stderr: started.stderr() }
}

/** Runs a command with `--json` that must succeed, and returns what it printed. */
export async function cairnJson(
  args: readonly string[],
  options: StartOptions = {},
): Promise<Record<string, any>> {
  const { code, stdout, stderr } = await runCairn([...args, '--json'], options)
  if (code !== 0) throw new Error(`cairn ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

/** The sample handbook, to be changed at will. */
export function handbookCopy(): string {
  const folder = `${temporaryFolder()}/handbook`
  copyHandbook(folder)
  return folder
}

/** Without the index that whoever tried the README has left in it. */
export function copyHandbook(folder: string): void {
  cpSync(resolve(ROOT, 'examples/handbook'), folder, {
    recursive: true,
    filter: (path) => basename(path) !== '.cairn',
  })
}
