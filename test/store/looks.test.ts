/** Many look at a base while it changes: nobody takes an answer that was overtaken for another history. */
import { expect, it, onTestFinished } from 'vitest'
import { startPglite } from '../support/pglite-server.ts'
import { openedAt, putNote } from '../support/postgres-stores.ts'

const COMMITS = 10
const LOOKS = 10

it('keeps its epoch while one commits and others look at once', async () => {
  const database = await startPglite()
  onTestFinished(() => database.close())
  const url = `${database.url}?base=looked`
  const [writer, reader] = [await openedAt(url), await openedAt(url)]
  const { epoch } = await reader.stamps()
  for (let commit = 1; commit <= COMMITS; commit++) {
    const looks = Array.from({ length: LOOKS }, () => reader.stamps())
    await putNote(writer, commit)
    const more = Array.from({ length: LOOKS }, () => reader.stamps())
    const seen = await Promise.all([...looks, ...more])
    expect(new Set(seen.map((stamps) => stamps.epoch))).toEqual(new Set([epoch]))
  }
  expect((await writer.stamps()).epoch).toBe(epoch)
})
