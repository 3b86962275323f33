import { expect, it } from 'vitest'
import { openHistory } from '../../history/open-history.ts'
import type { Change } from '../../history/history.ts'
import { takeMs, turnsDuring } from '../../../../test/support/turns-during.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { operationOf } from './carry-out.ts'
import type { FileEdit } from './carry-out.ts'

const MANY = 200

function slowly<Each extends object>(each: Each): Each {
  return new Proxy(each, {
    get(target, key) {
      if (key === 'path') takeMs(0.2)
      return Reflect.get(target, key) as unknown
    },
  })
}

const edits = Array.from({ length: MANY }, (_, n): FileEdit => {
  const after = Buffer.from(`See [[center]], ${n}.\n`)
  return { source: 'notes', path: `from/${n}.md`, before: undefined, after }
})

it('lets others have a turn while it says what becomes of very many files', async () => {
  const plain = await operationOf('move', {}, { edits })
  const turns = await turnsDuring(async () => {
    const { changes } = await operationOf('move', {}, { edits: edits.map(slowly) })
    expect(changes).toEqual(plain.changes)
  })
  expect(plain.changes.map(({ path }) => path)).toEqual(edits.map(({ path }) => path))
  // At least forty milliseconds of work.
  expect(turns).toBeGreaterThan(2)
})

it('lets others have a turn while very many changes are written down', async () => {
  const history = openHistory(temporaryFolder())
  const operation = await operationOf('move', {}, { edits })
  const changes: readonly Change[] = operation.changes.map(slowly)
  const turns = await turnsDuring(() => history.begin({ ...operation, changes }))
  expect(turns).toBeGreaterThan(2)
  expect((await history.unsettled())[0]?.changes).toHaveLength(MANY)
})
