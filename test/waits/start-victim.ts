/** The real program as a process of its own, with all its surfaces, over a hostile folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SURFACE_NAMES } from '../../src/serve/config/config.ts'

export interface Victim {
  readonly url: string
  readonly folder: string
  readonly pid: number
  /** What it said on stderr. */
  readonly said: () => string
  close(): Promise<void>
}

export interface VictimOptions {
  readonly readyMs?: number
  readonly keep?: boolean
  /** Arguments of Node itself. */
  readonly node?: readonly string[]
  /** Words behind `serve` besides those for the folder and the surfaces. */
  readonly more?: readonly string[]
}

const PROGRAM = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const READY_MS = 300_000

export async function startVictim(
  files: Readonly<Record<string, string>>,
  surfaces: readonly string[] = SURFACE_NAMES,
  options: VictimOptions = {},
): Promise<Victim> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-waits-')))
  const folder = join(root, 'notes')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return serveVictim(root, folder, surfaces, options)
}

/** Removes `root` when it is closed, unless it is to be kept. */
export async function serveVictim(
  root: string,
  folder: string,
  surfaces: readonly string[],
  { readyMs = READY_MS, keep = false, node = [], more = [] }: VictimOptions = {},
): Promise<Victim> {
  const words = ['serve', `notes=${folder}`, '--http', '0', '--state', join(root, 'state'), ...more]
  const child = spawn(
    process.execPath,
    [...node, PROGRAM, ...words, ...surfaces.flatMap((name) => ['--surface', name])],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', HOME: root, TMPDIR: tmpdir() },
    },
  )
  const ended = once(child, 'exit')
  // Whoever is stopped in the middle leaves no server behind.
  const stop = (): void => void child.kill('SIGKILL')
  process.once('exit', stop)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text))
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
    process.off('exit', stop)
    if (!keep) rmSync(root, { recursive: true, force: true })
  }
  try {
    const until = Date.now() + readyMs
    for (;;) {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
      const ready =
        url &&
        (await fetch(`${url}/readyz`)
          .then(({ ok }) => ok)
          .catch(() => false))
      if (url && ready) return { url, folder, pid: child.pid!, said: () => said, close }
      if (child.exitCode !== null || Date.now() > until)
        throw new Error(`It did not start: ${said}`)
      await sleep(50)
    }
  } catch (error) {
    await close()
    throw error
  }
}
