/** Runs a command line of the real program in this process. */
import { app } from '../../src/cli/plug-in.ts'
import { run } from '../../src/cli/run.ts'
import { openTerminal } from '../../src/cli/terminal.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export async function runCairn(cwd: string, ...words: readonly string[]): Promise<Ran> {
  const seen = { out: '', err: '' }
  const terminal = openTerminal(
    { write: (text) => (seen.out += text) },
    { write: (text) => (seen.err += text) },
    {},
  )
  const surroundings = { app, terminal, env: {}, cwd, home: cwd, onStop: () => {} }
  const code = await run(words, surroundings)
  return { code, ...seen }
}
