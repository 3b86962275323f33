/**
 * A copy of an index as it is at one moment, whoever is writing to it. It is made in a thread of
 * its own: a copy of a large index takes a second, in which a server has better things to do.
 */
import { Worker } from 'node:worker_threads'

/** A string, because a file of its own would have to be found in the bundle and out of it. */
const COPY = `
const { workerData } = require('node:worker_threads')
process.removeAllListeners('warning')
const { DatabaseSync } = require('node:sqlite')
const database = new DatabaseSync(workerData.file, { timeout: 10000, readOnly: true })
try {
  database.prepare('VACUUM INTO ?').run(workerData.to)
} finally {
  database.close()
}
const copy = new DatabaseSync(workerData.to)
copy.exec("DELETE FROM meta WHERE key = 'lease'")
copy.close()
`

/** Nobody has the right to index the copy. Throws what SQLite says. `to` must not exist. */
export async function copyIndex(file: string, to: string): Promise<void> {
  const worker = new Worker(COPY, { eval: true, workerData: { file, to }, stderr: true })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  worker.once('error', reject)
  worker.once('exit', (code) =>
    code === 0 ? resolve() : reject(new Error(`The copy of ${file} ended with ${code}.`)),
  )
  await promise
}
