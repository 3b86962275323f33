/** The order of paths is read in pages, so that nobody waits for all of a large base. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { Connection } from './connection.ts'
import { documentTable } from './documents-table.ts'

const COUNT = 25_000

/** As much of a file as the order of paths is read from. */
function manyDocuments(): { connection: Connection; asked: number[] } {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
    INSERT INTO meta VALUES ('generation', '1');
    CREATE TABLE documents (no INTEGER PRIMARY KEY, source TEXT, path TEXT);
    CREATE UNIQUE INDEX documents_path ON documents (source, path);
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1})
    INSERT INTO documents SELECT i, 'source' || (i % 3), 'note-' || ((i * 7919) % ${COUNT}) FROM n;
  `)
  const asked: number[] = []
  class Counting extends Connection {
    override numbers(...given: Parameters<Connection['numbers']>): Uint32Array {
      const numbers = super.numbers(...given)
      asked.push(numbers.length)
      return numbers
    }
  }
  return { connection: new Counting(database), asked }
}

const inOrder = (connection: Connection): number[] =>
  connection.all('SELECT no FROM documents ORDER BY source, path').map(({ no }) => Number(no))

it('is the same as in one piece, and never asked for in one piece', async () => {
  const { connection, asked } = manyDocuments()
  expect([...(await documentTable(connection).pathOrder())]).toEqual(inOrder(connection))
  expect(Math.max(...asked)).toBeLessThanOrEqual(10_000)
})

it('is read again where documents came meanwhile', async () => {
  const { connection, asked } = manyDocuments()
  const reading = connection.numbers.bind(connection)
  connection.numbers = (...given) => {
    const numbers = reading(...given)
    if (asked.length === 1) {
      connection.run("INSERT INTO documents VALUES (?, 'a', 'first')", COUNT)
      connection.run("UPDATE meta SET value = '2' WHERE key = 'generation'")
    }
    return numbers
  }
  const order = await documentTable(connection).pathOrder()
  expect([...order]).toEqual(inOrder(connection))
  expect(order[0]).toBe(COUNT)
})
