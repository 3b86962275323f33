/** Runs a command line of the real program in this process. */
import { NO_INPUT } from '../../src/serve/cli/input.ts'
import { app } from '../../src/serve/cli/plug-in.ts'
import { run } from '../../src/serve/cli/run.ts'
import { openTerminal } from '../../src/serve/cli/terminal.ts'

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
  const surroundings = { app, terminal, env: {}, cwd, home: cwd, input: NO_INPUT, onStop: () => {} }
  const code = await run(words, surroundings)
  return { code, ...seen }
}
