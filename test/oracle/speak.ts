/** The built program as a process, spoken to in plain messages; replies are kept as bytes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Surroundings {
  /** `bin/cairn.js` of the build that is looked at. */
  readonly program: string
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** A guard, longer than anything takes on a busy machine. */
const PATIENCE_MS = 60_000

export interface Started {
  /** Sends a request of MCP over standard input and resolves to the line that answers it. */
  request(id: number | string, method: string, params: unknown): Promise<string>
  notify(method: string): void
  /** The first match in what was said on standard error. */
  said(pattern: RegExp): Promise<RegExpMatchArray>
  /** Ends it as its client would: the end of standard input, or a signal to a server over HTTP. */
  close(how: 'input' | 'signal'): Promise<void>
}

function spawnProgram({ program, cwd, env }: Surroundings, words: readonly string[]) {
  return spawn(process.execPath, [program, ...words], {
    cwd,
    // Nothing of whoever runs this reaches the program.
    env: {
      PATH: process.env['PATH'],
      TMPDIR: process.env['TMPDIR'] ?? '/tmp',
      HOME: cwd,
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      ...env,
    },
  })
}

export function start(surroundings: Surroundings, words: readonly string[]): Started {
  const child = spawnProgram(surroundings, words)
  const waiting = new Map<number | string, (line: string) => void>()
  const listeners = new Set<() => void>()
  let errors = ''
  const ended = once(child, 'close')
  child.stdin.on('error', () => {})
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
    for (const listener of listeners) listener()
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const id = idOf(line)
    if (id === undefined) return
    waiting.get(id)?.(line)
    waiting.delete(id)
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  const within = <Value>(what: string, wait: (resolve: (value: Value) => void) => void) =>
    new Promise<Value>((resolve, reject) => {
      const fail = (why: string) => {
        clearTimeout(guard)
        reject(new Error(`cairn ${words.join(' ')}: ${what}: ${why}\n${errors}`))
      }
      const guard = setTimeout(() => fail('nothing came'), PATIENCE_MS)
      void ended.then(() => fail('the program has ended'))
      wait((value) => {
        clearTimeout(guard)
        resolve(value)
      })
    })
  return {
    request: (id, method, params) =>
      within(method, (resolve) => {
        waiting.set(id, resolve)
        send({ jsonrpc: '2.0', id, method, params })
      }),
    notify: (method) => void send({ jsonrpc: '2.0', method }),
    said: (pattern) =>
      within(String(pattern), (resolve) => {
        const look = () => {
          const found = pattern.exec(errors)
          if (found) resolve(found)
        }
        listeners.add(look)
        look()
      }),
    async close(how) {
      if (how === 'input') child.stdin.end()
      else child.kill('SIGTERM')
      const guard = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await ended
      clearTimeout(guard)
    },
  }
}

/** Undefined for what nobody has asked for; what is no protocol leaves a request without an answer. */
function idOf(line: string): number | string | undefined {
  try {
    return (JSON.parse(line) as { id?: number | string }).id
  } catch {
    return undefined
  }
}

/** Runs a command that must succeed, and returns what it printed. */
export async function runToEnd(
  surroundings: Surroundings,
  words: readonly string[],
  /** Codes that are no failure: 1 also means that nothing was found. */
  good: readonly (number | null)[] = [0],
): Promise<string> {
  const child = spawnProgram(surroundings, words)
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.end()
  const guard = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(guard)
  if (!good.includes(code)) throw new Error(`cairn ${words.join(' ')} ended with ${code}: ${err}`)
  return out
}
