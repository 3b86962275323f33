/** A PostgreSQL to hold contracts to: PGlite with npm alone, or a real server. */
import { startPglite } from './pglite-server.ts'
import { startPostgres } from './postgres-server.ts'

export interface Server {
  readonly url: string
  readonly run: (sql: string) => Promise<unknown>
  readonly close: () => Promise<void>
}

export async function pglite(): Promise<Server> {
  const { url, database, close } = await startPglite()
  return { url, run: (sql) => database.exec(sql), close }
}

export async function real(): Promise<Server> {
  const server = await startPostgres(['fsync=off'])
  const run = async (sql: string) => server.sql(sql)
  return { url: server.url(), run, close: async () => server.remove() }
}
