/** Starts processes that append lines without end, and collects what was acknowledged. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { parseWhole } from './parse-whole.ts'
import { COMPILED } from './server-process.ts'

const PROCESS = fileURLToPath(new URL('./appending-process.ts', import.meta.url))

const EDITOR = fileURLToPath(new URL('./editor-process.ts', import.meta.url))

export interface Appending {
  readonly acknowledged: string[]
  readonly errors: string[]
  readonly ended: Promise<void>
  /** Resolves when this many lines were acknowledged in all. */
  reached(lines: number): Promise<void>
  kill(): Promise<void>
  /** Ends after the write that is under way: a killed one leaves its file to the next start. */
  stop(): Promise<void>
}

export function startAppending(
  folder: string,
  state: string,
  file: string,
  name: string,
): Appending {
  return start(PROCESS, [folder, state, file, name])
}

const DYING = fileURLToPath(new URL('./die-without-name.ts', import.meta.url))

/** The same, but killed as soon as the file has no name. */
export function startDying(folder: string, state: string, file: string, name: string): Appending {
  return start(PROCESS, [folder, state, file, name], ['--import', DYING])
}

/** A person's editor that saves a file in one of the ways editors do. */
export function startEditor(
  file: string,
  way: 'rename' | 'overwrite' | 'twice',
  pauseMs = 5,
  name = 'p',
): Appending {
  return start(EDITOR, [file, way, name, String(pauseMs)])
}

function start(
  program: string,
  args: readonly string[],
  options: readonly string[] = [],
): Appending {
  const child = spawn(process.execPath, [...options, program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  })
  const acknowledged: string[] = []
  const errors: string[] = []
  let waiting: (() => void)[] = []
  let ended = false
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      ended = true
      for (const wake of waiting) wake()
      resolve()
    })
  })
  createInterface({ input: child.stdout }).on('line', (text) => {
    const { line, error }: { line?: string; error?: string } = parseWhole(text) ?? {}
    if (line !== undefined) acknowledged.push(line)
    if (error !== undefined) errors.push(error)
    for (const wake of waiting) wake()
    waiting = []
  })
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await closed
  }
  const kill = (): Promise<void> => end('SIGKILL')
  onTestFinished(kill)
  return {
    acknowledged,
    errors,
    ended: closed,
    async reached(lines) {
      while (acknowledged.length < lines && errors.length === 0) {
        if (ended) throw new Error('the process ended')
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    kill,
    stop: () => end('SIGTERM'),
  }
}
