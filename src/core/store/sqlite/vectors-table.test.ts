/** Vectors are read one by one, so that nobody waits for those of a large base. */
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { takeMs, turnsDuring } from '../../../../test/support/turns-during.ts'
import { Connection } from './connection.ts'
import { vectorTable } from './vectors-table.ts'

const DATA = Uint8Array.of(1, 2, 3)

/** Documents 0 … count - 1, seven to a stamp, of which the last has very many. */
function manyVectors(count: number): Connection {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE vectors (embedder TEXT, doc INTEGER, stamp INTEGER, data BLOB, sum INTEGER);
    CREATE INDEX vectors_stamp ON vectors (embedder, stamp);
  `)
  const connection = new Connection(database)
  for (let doc = 0; doc < count; doc++) {
    const stamp = Math.min(1 + Math.floor(doc / 7), 100)
    connection.run('INSERT INTO vectors VALUES (?, ?, ?, ?, ?)', 'a', doc, stamp, DATA, crc32(DATA))
  }
  connection.run("INSERT INTO meta VALUES ('vector_stamp', '100')")
  return connection
}

it('visits every vector once', async () => {
  const visited: number[] = []
  const vectors = vectorTable(manyVectors(2_000))
  const upTo = await vectors.vectorsSince('a', 0, (doc) => visited.push(doc))
  expect(upTo).toBe(100)
  expect(visited).toEqual(Array.from({ length: 2_000 }, (_, doc) => doc))
})

it('lets others have a turn after any of them, and goes on behind it', async () => {
  const visited: number[] = []
  const vectors = vectorTable(manyVectors(60))
  const turns = await turnsDuring(async () => {
    await vectors.vectorsSince('a', 0, (doc) => {
      visited.push(doc)
      takeMs(2)
    })
  })
  expect(turns).toBeGreaterThan(5)
  expect(visited).toEqual(Array.from({ length: 60 }, (_, doc) => doc))
})

it('visits only what was put since', async () => {
  const connection = manyVectors(2_000)
  const visited: number[] = []
  await vectorTable(connection).vectorsSince('a', 99, (doc) => visited.push(doc))
  expect(visited).toEqual(Array.from({ length: 2_000 - 99 * 7 }, (_, at) => 99 * 7 + at))
  visited.length = 0
  await vectorTable(connection).vectorsSince('a', 100, (doc) => visited.push(doc))
  await vectorTable(connection).vectorsSince('b', 0, (doc) => visited.push(doc))
  expect(visited).toEqual([])
})
