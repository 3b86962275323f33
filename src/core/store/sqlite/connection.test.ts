/** What the oldest Node we run on does differently, tried on every one. */
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { bindable, Connection } from './connection.ts'

function open(): { connection: Connection; database: DatabaseSync } {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE blobs (name TEXT PRIMARY KEY, data BLOB NOT NULL)')
  const connection = new Connection(database)
  onTestFinished(() => connection.close())
  return { connection, database }
}

it('binds an empty view as an empty blob, never as NULL', () => {
  // Node 22.13 takes a view without bytes for NULL when its buffer is elsewhere or has no place.
  const views = [new Uint8Array(0), new Uint8Array(8).subarray(3, 3), Buffer.alloc(0)]
  for (const view of views) {
    const bound = bindable(view) as Uint8Array
    expect([bound.length, bound.buffer.byteLength]).toEqual([0, 0])
  }
  const full = Uint8Array.of(1, 2)
  expect(bindable(full)).toBe(full)
  const { connection } = open()
  for (const [place, view] of views.entries()) {
    connection.run('INSERT INTO blobs VALUES (?, ?)', String(place), view)
  }
  expect(connection.all('SELECT length(data) AS n FROM blobs')).toEqual(views.map(() => ({ n: 0 })))
})

it('lists the columns of every row in order, also where statements make objects', () => {
  const { setReturnArrays } = StatementSync.prototype
  onTestFinished(() => {
    StatementSync.prototype.setReturnArrays = setReturnArrays
  })
  for (const asLists of [setReturnArrays, undefined]) {
    StatementSync.prototype.setReturnArrays = asLists!
    const { connection } = open()
    connection.run('INSERT INTO blobs VALUES (?, ?)', 'b', Uint8Array.of(2, 2))
    connection.run('INSERT INTO blobs VALUES (?, ?)', 'a', Uint8Array.of(1))
    const sql = "SELECT name, 'x', NULL, length(data) FROM blobs WHERE name >= ? ORDER BY name"
    expect(connection.lists(sql, 'a')).toEqual([
      ['a', 'x', null, 1],
      ['b', 'x', null, 2],
    ])
    expect(connection.lists(sql, 'c')).toEqual([])
    // The same statement asked for rows makes rows.
    expect(connection.all(sql, 'b')).toHaveLength(1)
    expect(connection.all(sql, 'b')[0]).toMatchObject({ name: 'b' })
  }
})

function withoutIsTransaction(database: DatabaseSync): DatabaseSync {
  return new Proxy(database, {
    get(target, name) {
      if (name === 'isTransaction') throw new Error('Node 22.13 has no isTransaction')
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

it('rolls back without asking whether a transaction is open, which older Nodes cannot tell', async () => {
  const { database } = open()
  const connection = new Connection(withoutIsTransaction(database))
  const failing = connection.transaction(() => {
    connection.run('INSERT INTO blobs VALUES (?, ?)', 'a', Uint8Array.of(1))
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(connection.count('SELECT count(*) AS n FROM blobs')).toBe(0)
  // One that SQLite has ended by itself is over, and says what went wrong.
  const ended = connection.transaction(() => {
    database.exec('ROLLBACK')
    throw new Error('the first error')
  })
  await expect(ended).rejects.toThrow('the first error')
  await connection.transaction(() =>
    connection.run('INSERT INTO blobs VALUES (?, ?)', 'b', Uint8Array.of(1)),
  )
  expect(connection.count('SELECT count(*) AS n FROM blobs')).toBe(1)
})

it('reads a column of numbers, of any length', () => {
  const { connection } = open()
  const read = (list: string) =>
    connection.numbers('SELECT value AS number FROM json_each(?) ORDER BY key', list)
  for (const list of [[], [0], [7], [0, 0, 10, 4_294_967_295, 3], [100, 20, 3]]) {
    expect([...read(JSON.stringify(list))]).toEqual(list)
  }
  const many = Array.from({ length: 50_000 }, (_, n) => n * 3)
  expect([...read(JSON.stringify(many))]).toEqual(many)
})

it('has another version after every commit, its own and those of others, and after what was undone', async () => {
  const file = join(temporaryFolder(), 'index.db')
  const [own, other] = [1, 2].map(() => {
    const database = new DatabaseSync(file)
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS blobs (name TEXT)')
    const connection = new Connection(database)
    onTestFinished(() => connection.close())
    return connection
  }) as [Connection, Connection]
  const put = (connection: Connection) => (): void =>
    connection.run('INSERT INTO blobs VALUES (?)', 'a')
  const seen = [own.version()]
  const isNew = (): boolean => {
    const isKnown = seen.includes(own.version())
    seen.push(own.version())
    return !isKnown
  }
  expect(isNew()).toBe(false)
  own.all('SELECT * FROM blobs')
  other.all('SELECT * FROM blobs')
  expect(isNew()).toBe(false)
  await other.transaction(put(other))
  expect(isNew()).toBe(true)
  await own.transaction(put(own))
  expect(isNew()).toBe(true)
  put(own)()
  expect(isNew()).toBe(true)
  const failing = own.transaction(() => {
    put(own)()
    expect(isNew()).toBe(true)
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(isNew()).toBe(true)
  expect(isNew()).toBe(false)
})
