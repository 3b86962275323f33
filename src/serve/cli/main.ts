/** Entry of the `cairn` program: the process around `run`. */
import { Console } from 'node:console'
import { homedir } from 'node:os'
import { isatty } from 'node:tty'
import { keepCode } from '../lifecycle/code-cache.ts'
import { NO_INPUT, openInput } from './input.ts'
import { app } from './plug-in.ts'
import { run } from './run.ts'
import { asRun, programOf, runAs } from './shell-words.ts'
import { openTerminal } from './terminal.ts'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** `piped` is what was read of standard input already. */
export async function main({ piped }: { readonly piped?: string } = {}): Promise<void> {
  // A stray console.log, ours or a library's, must never reach stdout: it may carry a protocol.
  globalThis.console = new Console(process.stderr, process.stderr)
  const stopping = stopListeners()
  const terminal = openTerminal(process.stdout, process.stderr, process.env)
  // Where it really lies: npx runs a clone through a link among those it has fetched.
  runAs(programOf(process.env, import.meta.filename))
  const code = await run(process.argv.slice(2), {
    app,
    terminal: { ...terminal, err: (text) => terminal.err(asRun(text)) },
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    input:
      piped === undefined
        ? openInput(() => process.stdin, isatty(0), process.stderr)
        : { ...NO_INPUT, text: async () => piped },
    onStop: stopping.add,
  })
  await flushed(process.stdout)
  keepCode()
  process.exit(code)
}

/**
 * Ctrl-C, SIGTERM and a reader that went away (`cairn search x | head -1`) all mean "stop". A
 * command that has something to close listens; every other one ends there and then.
 */
function stopListeners(): { add(listener: () => void, onHangUp?: () => void): void } {
  let listener: (() => void) | undefined
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      // A full disk, for one. What was not printed is lost, and no command may end as if it were not.
      process.stderr.write(`error: Standard output cannot be written: ${error.message}.\n`)
      process.exit(1)
    }
    if (listener) listener()
    else process.exit(0)
  })
  process.stderr.on('error', () => {
    // Nobody reads the notes; the work goes on.
  })
  return {
    add(stop, onHangUp) {
      listener = stop
      if (onHangUp) process.on('SIGHUP', onHangUp)
      for (const signal of STOP_SIGNALS) {
        if (signal === 'SIGHUP' && onHangUp) continue
        process.once(signal, () => {
          stop()
          // A second Ctrl-C does not wait.
          process.once(signal, () => process.exit(1))
        })
      }
    },
  }
}

/** `process.exit` drops what a pipe has not taken yet. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}
