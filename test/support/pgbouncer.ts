/** pgbouncer in transaction mode before a real server, ended by its own pid. */
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './postgres-server.ts'
import type { PostgresServer } from './postgres-server.ts'

export const HAS_PGBOUNCER = hasPgbouncer()

function hasPgbouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

export interface Pgbouncer {
  /** Address of the database behind it, without parameters. */
  readonly url: string
  close(): void
}

export async function startPgbouncer(
  server: PostgresServer,
  settings: readonly string[] = [],
): Promise<Pgbouncer> {
  const port = await freePort()
  const file = join(server.folder, 'sockets', `pgbouncer-${port}.ini`)
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${server.port} user=postgres\n[pgbouncer]\n` +
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any\n` +
      `pool_mode = transaction\ndefault_pool_size = 2\nunix_socket_dir =\n${settings.join('\n')}\n`,
  )
  const isRoot = process.getuid?.() === 0
  const bouncer = isRoot
    ? spawn('runuser', ['-u', 'postgres', '--', 'pgbouncer', file])
    : spawn('pgbouncer', [file])
  for (let attempt = 0; !(await answers(port)); attempt++) {
    if (attempt > 600) throw new Error('pgbouncer did not start')
    await sleep(100)
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    close: () => void bouncer.kill(),
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
