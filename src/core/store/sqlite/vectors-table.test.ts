/** Vectors are read one by one, so that nobody waits for those of a large base. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { takeMs, turnsDuring } from '../../../../test/support/turns-during.ts'
import { Connection } from './connection.ts'
import { SCHEMA } from './schema.ts'
import { addBlocks, mergeSmallBlocks, strikeOut } from './vector-blocks.ts'
import type { DocumentVectors } from './vector-blocks.ts'
import { vectorTable } from './vectors-table.ts'

/** Documents 0 … count - 1, seven to a stamp, of which the last has very many. */
function manyVectors(count: number): Connection {
  const database = new DatabaseSync(':memory:')
  database.exec(SCHEMA)
  const connection = new Connection(database)
  for (let from = 0; from < Math.min(count, 99 * 7); from += 7) {
    addBlocks(connection, 'a', 1 + from / 7, vectorsOf(from, Math.min(7, count - from)))
  }
  if (count > 99 * 7) addBlocks(connection, 'a', 100, vectorsOf(99 * 7, count - 99 * 7))
  connection.run("INSERT INTO meta VALUES ('vector_stamp', '100')")
  return connection
}

function vectorsOf(first: number, count: number): DocumentVectors[] {
  return Array.from({ length: count }, (_, at) => ({ doc: first + at, data: dataOf(first + at) }))
}

function dataOf(doc: number): Uint8Array {
  return Uint8Array.from({ length: 1 + (doc % 5) }, () => doc % 251)
}

async function seen(connection: Connection, stamp = 0): Promise<Map<number, Uint8Array>> {
  const visited = new Map<number, Uint8Array>()
  await vectorTable(connection).vectorsSince('a', stamp, (doc, data) => {
    expect(visited.has(doc)).toBe(false)
    visited.set(doc, data)
  })
  return visited
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

it('gives every document its own bytes, whatever was struck out beside it', async () => {
  const connection = manyVectors(50)
  for (let doc = 0; doc < 50; doc += 3) strikeOut(connection, doc)
  const visited = await seen(connection)
  const left = Array.from({ length: 50 }, (_, doc) => doc).filter((doc) => doc % 3 !== 0)
  expect([...visited.keys()]).toEqual(left)
  for (const [doc, data] of visited) expect([...data]).toEqual([...dataOf(doc)])
  expect([...(await vectorTable(connection).vectorDocs('a'))]).toEqual(left)
})

it('forgets a block with its last document', async () => {
  const connection = manyVectors(14)
  for (let doc = 0; doc < 7; doc++) strikeOut(connection, doc, 'a')
  strikeOut(connection, 8, 'another embedder')
  expect(connection.count('SELECT count(*) AS n FROM vector_blocks')).toBe(1)
  expect([...(await seen(connection)).keys()]).toEqual([7, 8, 9, 10, 11, 12, 13])
})

it('puts the blocks of many edits together, and shows them to those who knew them before', async () => {
  const connection = manyVectors(0)
  addBlocks(connection, 'a', 1, vectorsOf(1_000, 600))
  for (let doc = 0; doc < 70; doc++) addBlocks(connection, 'a', 2 + doc, vectorsOf(doc, 1))
  // Documents of the large one: it has less than half left.
  for (let doc = 1_000; doc < 1_400; doc++) strikeOut(connection, doc)
  mergeSmallBlocks(connection, 'a', 101)
  const visited = await seen(connection)
  expect(visited.size).toBe(270)
  for (const [doc, data] of visited) expect([...data]).toEqual([...dataOf(doc)])
  expect(connection.count('SELECT count(*) AS n FROM vector_blocks')).toBe(2)
  expect((await seen(connection, 100)).size).toBe(182)
})
