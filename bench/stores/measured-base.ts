/**
 * One server on a base, in a process of its own that is told what to do: memory, processor and
 * round trips of one store do not mix with those of another. See `base-process.ts`.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'

export interface Opening {
  readonly folder: string
  readonly state: string
  /** Address of the database; without one the index is a file in the state folder. */
  readonly store?: string
}

/** What a process is asked to do, by name; see `base-process.ts` for what it answers. */
export interface Tasks {
  /** Brings the index up to date as `cairn index` does. */
  index: { readonly takes: object; readonly gives: Indexed }
  /** Carries a finished index over. */
  move: {
    readonly takes: { readonly to: string }
    readonly gives: { readonly documents: number; readonly ms: number }
  }
  open: { readonly takes: object; readonly gives: { readonly ms: number } }
  /** A tool as clients call it. */
  call: {
    readonly takes: { readonly tool: string; readonly args: Record<string, unknown> }
    readonly gives: Answered
  }
  /** Which documents answer a question, without their texts. */
  rank: { readonly takes: { readonly query: string }; readonly gives: Answered }
  memory: {
    readonly takes: object
    readonly gives: { readonly rss: number; readonly peak: number }
  }
}

export interface Indexed {
  readonly documents: number
  readonly ms: number
  /** Of this process and those it started. */
  readonly cpuMs: number
}

export interface Answered {
  readonly ms: number
  readonly cpuMs: number
  /** Messages to the database. */
  readonly trips: number
  readonly answer: string
}

export interface MeasuredBase {
  do<Name extends keyof Tasks>(
    task: Name,
    takes: Tasks[Name]['takes'],
  ): Promise<Tasks[Name]['gives']>
  close(): Promise<void>
}

type Reply = { readonly result: unknown } | { readonly trouble: string }

export function startBase(opening: Opening): MeasuredBase {
  const script =
    process.env['CAIRN_BENCH_BASE_PROCESS'] ?? join(import.meta.dirname, 'base-process.ts')
  const child = fork(script, [JSON.stringify(opening)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    do(task, takes) {
      return new Promise((resolve, reject) => {
        const gone = (code: number | null): void => reject(new Error(`A process ended (${code}).`))
        child.once('exit', gone)
        child.once('message', (reply: Reply) => {
          child.off('exit', gone)
          if ('trouble' in reply) reject(new Error(reply.trouble))
          else resolve(reply.result as never)
        })
        child.send({ task, takes })
      })
    },
    async close() {
      child.disconnect()
      await ended
    },
  }
}
