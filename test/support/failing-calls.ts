/** Has system calls of a process fail: a library that is loaded before it, compiled when it is needed. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary-folder.ts'

const SOURCE = fileURLToPath(new URL('./failing-calls.c', import.meta.url))

function hasCompiler(): boolean {
  if (process.platform !== 'linux') return false
  return spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0
}

export const CAN_FAIL_CALLS = hasCompiler()
export const WHY_NOT = 'needs Linux and a C compiler called cc'

export const ERRNO = { EIO: 5, EACCES: 13, ENOSPC: 28, EPERM: 1, ESTALE: 116 } as const

export interface Failing {
  readonly call: 'rename' | 'link' | 'unlink' | 'fsync' | 'write' | 'open'
  readonly error: keyof typeof ERRNO
  /** Of the calls whose path contains `part`. */
  readonly percent: number
  readonly part: string
  /** The call is made all the same. */
  readonly after?: boolean
  /** So many go through first. */
  readonly skip?: number
}

export interface FailingCalls {
  /** For the environment of the process. */
  readonly env: Readonly<Record<string, string>>
  /** From now on these calls fail; none of them: all is well again. */
  fail(...calls: readonly Failing[]): void
}

export function failingCalls(seed: number): FailingCalls {
  const folder = temporaryFolder()
  const library = join(folder, 'failing-calls.so')
  const compiled = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE])
  if (compiled.status !== 0) throw new Error(String(compiled.stderr))
  const rules = join(folder, 'rules')
  const fail = (...calls: readonly Failing[]): void => {
    const lines = calls.map(({ call, error, percent, part, after = false, skip = 0 }) =>
      [call, ERRNO[error], percent, Number(after), skip, part].join(' '),
    )
    writeFileSync(rules, lines.map((line) => `${line}\n`).join(''))
  }
  fail()
  return {
    env: { LD_PRELOAD: library, FAILING_CALLS: rules, FAILING_SEED: String(seed) },
    fail,
  }
}
