/**
 * Real PostgreSQL servers for tests: made with initdb in a temporary folder, on a free loopback
 * port, run as the user `postgres` where the tests are run by root, and stopped by their own pid.
 */
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { removeFolder } from './remove-folder.ts'

export { freePort } from './free-port.ts'

/** Where the programs of the server are; undefined where there are none. */
export const POSTGRES_BIN = findBin()
export const WHY_SKIPPED =
  'no PostgreSQL server here: CAIRN_POSTGRES names the folder of its programs'

function findBin(): string | undefined {
  const named = process.env['CAIRN_POSTGRES']
  if (named === '') return undefined
  const folder = named ?? configured()
  return folder !== undefined && existsSync(join(folder, 'initdb')) ? folder : undefined
}

function configured(): string | undefined {
  try {
    return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

export interface PostgresServer {
  readonly port: number
  readonly folder: string
  /** Address of a database in it, without parameters. */
  url(user?: string, database?: string): string
  sql(text: string, database?: string): string
  /** One of its programs, asked about this server. */
  tool(program: string, ...args: readonly string[]): string
  start(attempts?: number): void
  /** As a power cut would: no process of it gets to say anything. */
  kill(): void
  /** Every process of it stands still, and every connection stays open. */
  freeze(): void
  thaw(): void
  stop(): void
  /** A standby of this server, made from a copy of it. */
  standby(at?: { readonly port: number }): Promise<PostgresServer>
  promote(): void
  /** Makes a folder one of whoever runs the server. */
  own(path: string): void
  /** Stops it and removes its files. */
  remove(): void
}

const START_ATTEMPTS = 100
/** Ports that are tried: between the question for a free one and its use another may take it. */
const PORTS = 5
/** Guards against what hangs; a busy machine takes longer than the minute that is usual. */
const PATIENCE = ['-w', '-t', '300']

const isRoot = process.getuid?.() === 0

function asPostgres(program: string, args: readonly string[]): string {
  const path = join(POSTGRES_BIN!, program)
  const [command, all] = isRoot
    ? ['runuser', ['-u', 'postgres', '--', path, ...args]]
    : [path, [...args]]
  return execFileSync(command, all, { encoding: 'utf8', stdio: 'pipe', cwd: tmpdir() })
}

export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = newFolder()
  const data = join(folder, 'data')
  asPostgres('initdb', [
    '-D',
    data,
    '-A',
    'trust',
    '-U',
    'postgres',
    '--locale=C',
    '-E',
    'UTF8',
    '-k',
    // No machine is switched off in a test: what the system has is not lost.
    '--no-sync',
  ])
  for (let attempt = 1; ; attempt++) {
    const server = serverIn(folder, await freePort(), settings)
    try {
      server.start(1)
      return server
    } catch (error) {
      if (attempt === PORTS) throw error
    }
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-postgres-'))
  mkdirSync(join(folder, 'sockets'))
  for (const path of [folder, join(folder, 'sockets')]) own(path)
  return folder
}

function own(path: string): void {
  if (!isRoot) return
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  chownSync(path, id('-u'), id('-g'))
}

function serverIn(folder: string, port: number, settings: readonly string[]): PostgresServer {
  const data = join(folder, 'data')
  const options = [
    `-p ${port}`,
    '-c listen_addresses=127.0.0.1',
    `-c unix_socket_directories=${join(folder, 'sockets')}`,
    ...settings.map((setting) => `-c ${setting}`),
  ].join(' ')
  const pidOf = (): number | undefined => {
    const file = join(data, 'postmaster.pid')
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
  }
  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT'): void => {
    const pid = pidOf()
    if (pid === undefined) return
    // One that is stopped makes no more of them.
    for (const each of [pid, ...childrenOf(pid)]) signalTo(each, signal)
  }
  const ended = (): void => {
    // Where a test failed in the middle: one that stands still does not hear that it should end.
    signalAll('SIGCONT')
    try {
      asPostgres('pg_ctl', ['-D', data, '-m', 'immediate', ...PATIENCE, 'stop'])
    } catch {
      // It is not running.
    }
  }
  const server: PostgresServer = {
    port,
    folder,
    url: (user = 'postgres', database = 'postgres') =>
      `postgres://${user}@127.0.0.1:${port}/${database}`,
    sql: (text, database = 'postgres') =>
      asPostgres('psql', [
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'postgres',
        '-d',
        database,
        '-v',
        'ON_ERROR_STOP=1',
        '-qAtc',
        text,
      ]).trim(),
    tool: (program, ...args) =>
      asPostgres(program, ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', ...args]),
    start(attempts = START_ATTEMPTS) {
      const args = ['-D', data, ...PATIENCE, '-l', join(folder, 'log'), '-o', options, 'start']
      for (let attempt = 1; ; attempt++) {
        try {
          asPostgres('pg_ctl', args)
          return
        } catch (error) {
          // Processes of the one that was killed may still be there for a moment.
          if (attempt >= attempts) throw error
          execFileSync('sleep', ['0.25'])
        }
      }
    },
    kill() {
      const pid = pidOf()
      if (pid === undefined) return
      // Stopped, it begins no process for those who come back when theirs is gone.
      signalTo(pid, 'SIGSTOP')
      for (const each of [...childrenOf(pid), pid]) signalTo(each, 'SIGKILL')
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    stop: ended,
    async standby(at) {
      const copy = newFolder()
      asPostgres('pg_basebackup', [
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'postgres',
        '-D',
        join(copy, 'data'),
        '-R',
        '-d',
        'application_name=standby',
        '--checkpoint=fast',
        '--no-sync',
      ])
      const second = serverIn(copy, at?.port ?? (await freePort()), settings)
      second.start()
      return second
    },
    own,
    promote: () => void asPostgres('pg_ctl', ['-D', data, ...PATIENCE, 'promote']),
    remove() {
      ended()
      removeFolder(folder)
    },
  }
  return server
}

function signalTo(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It went before.
  }
}

function childrenOf(pid: number): number[] {
  try {
    const text = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number(line)]))
  } catch {
    return []
  }
}
