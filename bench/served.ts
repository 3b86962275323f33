/** Servers for loads, each a process of its own: Cairn on a copy of a folder, and a constant answer. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

export interface ServedProcess {
  readonly url: string
  readonly folder: string
  /** Resident memory in MiB, open descriptors and processor time, where the system tells. */
  measure(): Measured
  /** What is left of its memory when what nobody needs is thrown away, in its own words. */
  left(): Promise<string>
  stop(): Promise<void>
}

export interface Prepared {
  readonly notes: string
  readonly state: string
}

/** `prepare` may add files and tokens before it starts; `more` is said behind its flags. */
export interface Measured {
  readonly mebibytes: number
  readonly descriptors: number
  readonly cpuMs: number
}

export async function serveCopy(
  folder: string,
  prepare: (place: Prepared) => void = () => {},
  more: readonly string[] = ['--no-web'],
): Promise<ServedProcess> {
  const scratch = mkdtempSync(join(tmpdir(), 'cairn-load-'))
  const notes = join(scratch, 'notes')
  const state = join(scratch, 'state')
  cpSync(folder, notes, { recursive: true })
  prepare({ notes, state })
  const collecting = ['--expose-gc', '--import', './bench/collect-on-signal.ts']
  const words = [...collecting, 'bin/cairn.js', 'serve', `notes=${notes}`, '--http', '0', ...more]
  const flags = ['--state', state, '--log-level', 'error']
  return started([...words, ...flags], { scratch, folder: notes })
}

/** A short one, or the content and the structured result of a reply, in JSON. */
export function serveConstant(reply?: string): Promise<ServedProcess> {
  const scratch = mkdtempSync(join(tmpdir(), 'cairn-load-'))
  const file = join(scratch, 'reply.json')
  if (reply !== undefined) writeFileSync(file, reply)
  const words = ['bench/constant-server.ts', ...(reply === undefined ? [] : [file])]
  return started(words, { scratch, folder: scratch })
}

async function started(
  words: readonly string[],
  { scratch, folder }: { readonly scratch: string; readonly folder: string },
): Promise<ServedProcess> {
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = await announced(child)
  await ready(url)
  return {
    url,
    folder,
    measure: () => measured(child.pid ?? 0),
    async left() {
      const { promise, resolve: heard } = Promise.withResolvers<string>()
      const listen = (text: string): void => {
        const said = /left: .*/.exec(text)?.[0]
        if (said !== undefined) heard(said)
      }
      child.stderr?.on('data', listen)
      child.kill('SIGUSR2')
      const said = await promise
      child.stderr?.off('data', listen)
      return said
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

async function announced(child: ChildProcess): Promise<string> {
  const { promise, resolve: found, reject } = Promise.withResolvers<string>()
  let output = ''
  const look = (text: string): void => {
    output += text
    const url = /http:\/\/[^\s"'/]+\/[\w/-]+/.exec(output)?.[0]
    if (url) found(url)
  }
  child.stdout?.setEncoding('utf8').on('data', look)
  child.stderr?.setEncoding('utf8').on('data', look)
  child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)))
  return promise
}

async function ready(url: string): Promise<void> {
  for (let look = 0; look < 600; look++) {
    const { status } = await fetch(new URL('/readyz', url))
    // The constant server has nothing to get ready.
    if (status === 200 || status === 404) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The server does not get ready.')
}

/** Ticks of the clock that `/proc` counts in: a hundredth of a second everywhere but on Alpha. */
const TICK_MS = 10

function measured(pid: number): Measured {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    const descriptors = readdirSync(`/proc/${pid}/fd`).length
    const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const cpuMs = (Number(times[11]) + Number(times[12])) * TICK_MS
    return { mebibytes: Math.round((pages * 4) / 1024), descriptors, cpuMs }
  } catch {
    return { mebibytes: 0, descriptors: 0, cpuMs: 0 }
  }
}
