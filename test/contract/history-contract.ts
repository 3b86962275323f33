/** What every history promises, wherever it is kept. One is done when this passes. */
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  Change,
  History,
  HistoryKeep,
  LoggedOperation,
  Operation,
} from '../../src/core/domain/history.ts'
import { newOperationId } from '../../src/core/history/open-history.ts'

export interface HistoryPlace {
  /** Opens it; a second time as another process does. */
  open(keep?: HistoryKeep): Promise<History>
  /** Another base, kept in the same place as far as there is one place for several. */
  readonly neighbour: History
  /** Changes a letter in what is kept, wherever this text stands in it. */
  damage(text: string): Promise<void>
  /** Loses the content that begins like this, which is longer than 16 KB. */
  loseContent(beginning: string): Promise<void>
  close(): Promise<void>
}

const DAY_MS = 24 * 3_600_000

export function describeHistory(name: string, place: () => Promise<HistoryPlace>): void {
  describe(`history in ${name}`, () => {
    let kept: HistoryPlace
    let history: History
    let beside: unknown
    beforeEach(async () => {
      kept = await place()
      history = await kept.open()
      await write(kept.neighbour, edit('tea.md', 'x', 'y'))
      await kept.neighbour.begin(edit('open.md', 'x', 'y'))
      beside = await everythingIn(kept.neighbour)
    })
    afterEach(async () => {
      // Whatever was done to the history, the one beside it knows nothing of it.
      expect(await everythingIn(kept.neighbour)).toEqual(beside)
      await kept.close()
    })

    it('has nothing at first', async () => {
      expect(await listed(history)).toEqual([])
      expect(await history.unsettled()).toEqual([])
      expect(await history.find('20260101T000000-00000000')).toBeUndefined()
      expect(await history.stateOf('20260101T000000-00000000')).toBeUndefined()
      expect(await history.names()).toMatchObject({ documents: new Set(), authors: new Set() })
      expect(await history.isOutgrown()).toBe(false)
      expect(await history.prune({ bytes: 0 })).toEqual({ operations: 0, bytes: 0, kept: 0 })
      expect(await history.examine()).toEqual(WHOLE)
    })

    it('lists operations newest first, to every process, and stops when told to', async () => {
      const all = [edit('a.md', '', 'one'), edit('b.md', '', 'two'), edit('c.md', '', 'three')]
      for (const operation of all) await write(history, operation)
      const newest = all.toReversed().map(({ id }) => id)
      expect(await listed(history)).toEqual(newest)
      const other = await kept.open()
      expect(await listed(other)).toEqual(newest)
      const seen: string[] = []
      await other.each(({ id }) => seen.push(id) < 2)
      expect(seen).toEqual(newest.slice(0, 2))
      // What one adds, the other has at once.
      const later = edit('d.md', '', 'four')
      await write(other, later)
      expect((await listed(history))[0]).toBe(later.id)
    })

    it('gives back an operation as it was written down', async () => {
      const operation: Operation = {
        ...edit('tea.md', 'green', 'black'),
        kind: 'move',
        by: { client: 'agent/1.0', principal: 'ada' },
        changes: [
          {
            ...change('drinks/tea.md', 'green', 'black'),
            from: 'tea.md',
            attributes: { mode: 0o640, uid: 1, gid: 2 },
            link: '../else.md',
            around: { before: bytes('before '), behind: bytes(' behind') },
          },
          { ...change('gone.md', 'all of it', ''), after: undefined },
          { ...change('new.md', '', 'fresh'), before: undefined },
        ],
      }
      await write(history, operation)
      const found = (await (await kept.open()).find(operation.id))!
      expect(found).toEqual({
        ...operation,
        changes: operation.changes.map(({ splice: _splice, around: _around, ...rest }) => rest),
        state: 'done',
        undoneBy: undefined,
      })
      const other = await kept.open()
      const again = (await other.find(operation.id))!
      expect((await other.changesOf(again)).map(plain)).toEqual(operation.changes.map(plain))
    })

    it('keeps any bytes and any text, long and odd', async () => {
      const odd = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      const long = bytes('A long text. '.repeat(3_000))
      const operation: Operation = {
        ...edit('x.md', '', ''),
        changes: [
          {
            ...change('odd \u0000\u0001 "quoted" \\ \ud83d\ude00.md', '', ''),
            splice: splice(odd, long),
          },
          { ...change(`${'p'.repeat(3_000)}.md`, '', ''), diff: '+a\u0000b\n' },
          { ...change('big.md', '', ''), splice: splice(long, bytes('B'.repeat(20_000))) },
        ],
      }
      await write(history, operation)
      const other = await kept.open()
      const found = (await other.find(operation.id))!
      expect(found.changes.map(({ path }) => path)).toEqual(
        operation.changes.map(({ path }) => path),
      )
      expect((await other.changesOf(found)).map(plain)).toEqual(operation.changes.map(plain))
      expect((await other.names()).documents).toContain(`notes/${operation.changes[0]!.path}`)
      expect(await other.examine()).toEqual({ ...WHOLE, operations: 1 })
    })

    it('says which operation nobody said the end of, until somebody does', async () => {
      await write(history, edit('tea.md', 'x', 'y'))
      const operation = edit('tea.md', 'y', 'z')
      await history.begin(operation)
      const other = await kept.open()
      const open = (await other.unsettled())[0]!
      expect(open).toMatchObject({ id: operation.id, state: 'open' })
      expect(await other.stateOf(operation.id)).toBe('open')
      expect((await other.changesOf(open)).map(plain)).toEqual(operation.changes.map(plain))
      await other.settle(operation.id, 'failed')
      expect(await history.unsettled()).toEqual([])
      expect((await history.find(operation.id))?.state).toBe('failed')
      expect(await history.stateOf(operation.id)).toBe('failed')
      // What was said first counts.
      await history.settle(operation.id, 'done')
      expect((await history.find(operation.id))?.state).toBe('failed')
    })

    it('finds each of several that are open, whatever was ended behind them', async () => {
      const all = ['a.md', 'b.md', 'c.md'].map((path) => edit(path, 'x', 'y'))
      await (
        await history.begin(...all)
      ).flushed
      const other = await kept.open()
      expect(await listed(other)).toEqual(all.toReversed().map(({ id }) => id))
      await write(other, edit('d.md', 'x', 'y'))
      await history.settle(all[2]!.id, 'done')
      for (const reader of [other, history, await kept.open()]) {
        expect((await reader.unsettled())[0]?.id).toBe(all[0]!.id)
      }
      await other.settle(all[0]!.id, 'failed')
      expect((await history.unsettled())[0]?.id).toBe(all[1]!.id)
      await history.settle([all[1]!.id], 'done')
      expect(await other.unsettled()).toEqual([])
    })

    it('says in one step what happened instead of an operation', async () => {
      const [whole, part] = [edit('a.md', 'x', 'y'), edit('b.md', 'x', 'y')]
      await history.begin(whole)
      await history.amend(whole.id, part)
      for (const reader of [history, await kept.open()]) {
        expect(await reader.unsettled()).toEqual([])
        expect((await reader.find(whole.id))?.state).toBe('failed')
        const found = (await reader.find(part.id))!
        expect(found).toMatchObject({ state: 'done', kind: part.kind })
        expect((await reader.changesOf(found)).map(plain)).toEqual(part.changes.map(plain))
        expect(await listed(reader)).toEqual([part.id, whole.id])
      }
    })

    it('knows what was taken back, and what had that taken back again', async () => {
      const first = edit('tea.md', 'x', 'y')
      const undo: Operation = { ...edit('tea.md', 'y', 'x'), kind: 'undo', undoes: [first.id] }
      const failed: Operation = { ...edit('tea.md', 'y', 'x'), kind: 'undo', undoes: [first.id] }
      await write(history, first)
      await write(history, failed, 'failed')
      expect((await history.find(first.id))?.undoneBy).toBeUndefined()
      await write(history, undo)
      expect((await history.find(first.id))?.undoneBy).toBe(undo.id)
      const redo: Operation = { ...edit('tea.md', 'x', 'y'), kind: 'undo', undoes: [undo.id] }
      await write(history, redo)
      expect((await history.find(undo.id))?.undoneBy).toBe(redo.id)
      expect((await history.find(first.id))?.undoneBy).toBeUndefined()
      const states = new Map<string, string | undefined>()
      await history.each(({ id, undoneBy }) => states.set(id, undoneBy).size > 0)
      expect([first, undo, redo].map(({ id }) => states.get(id))).toEqual([
        undefined,
        redo.id,
        undefined,
      ])
    })

    it('passes over what cannot mention a text, and nothing that does', async () => {
      const quoted = edit('say "hi" \\ there.md', 'x', 'y')
      for (const path of ['a.md', 'b.md', 'c.md']) await write(history, edit(path, 'x', 'y'))
      await write(history, quoted)
      const seen: string[] = []
      await history.each(({ id }) => seen.push(id) > 0, 'say "hi" \\ there.md')
      expect(seen).toEqual([quoted.id])
    })

    it('reads a log of many pages in order', async () => {
      const ids: string[] = []
      for (let n = 0; n < 60; n++) {
        const operation = edit(`n${n % 7}.md`, `${n}`, `${n + 1}`)
        await history.begin(operation)
        await history.settle(operation.id, 'done')
        ids.push(operation.id)
      }
      expect(await listed(await kept.open())).toEqual(ids.toReversed())
    })

    it('names every document and author, also after moves and from others', async () => {
      await write(history, { ...edit('a.md', 'x', 'y'), by: { client: 'one/1', principal: 'ada' } })
      const names = await history.names()
      expect([...names.documents]).toEqual(['notes/a.md'])
      expect([...names.authors].toSorted()).toEqual(['ada', 'one/1'])
      const moved: Operation = {
        ...edit('b.md', 'x', 'y'),
        by: { client: 'two/1' },
        changes: [{ ...change('c.md', 'x', 'x'), from: 'b.md' }],
      }
      await write(await kept.open(), moved)
      const more = await history.names()
      expect([...more.documents].toSorted()).toEqual(['notes/a.md', 'notes/b.md', 'notes/c.md'])
      expect([...more.authors].toSorted()).toEqual(['ada', 'one/1', 'two/1'])
    })

    it('forgets the oldest, by age and by size, and says what it would forget', async () => {
      const now = Date.now()
      const ages = [30, 20, 10, 0]
      const all = ages.map((days) => edit(`d${days}.md`, 'x', 'y', now - days * DAY_MS))
      for (const operation of all) await write(history, operation)
      const dry = await history.prune({ ageMs: 15 * DAY_MS }, { dryRun: true })
      expect(dry).toMatchObject({ operations: 2, kept: 2 })
      expect(dry.bytes).toBeGreaterThan(0)
      expect(await listed(history)).toHaveLength(4)
      expect(await history.names()).toMatchObject({ documents: { size: 4 } })
      expect(await history.prune({ ageMs: 15 * DAY_MS })).toEqual(dry)
      expect(await listed(history)).toEqual([all[3]!.id, all[2]!.id])
      expect([...(await history.names()).documents].toSorted()).toEqual([
        'notes/d0.md',
        'notes/d10.md',
      ])
      expect(await history.prune({})).toEqual({ operations: 0, bytes: 0, kept: 2 })
      expect(await history.prune({ bytes: 0 })).toMatchObject({ operations: 2, kept: 0 })
      expect(await listed(await kept.open())).toEqual([])
    })

    it('forgets nothing young for what a clock that was wrong for a while has dated', async () => {
      const now = Date.now()
      // Begun without a clock, before it was set for the second time, and far ahead.
      const ages = [30, 20_000, 3, 20_000, 2, -4_000, 1]
      const all = ages.map((days, at) => edit(`d${at}.md`, 'x', 'y', now - days * DAY_MS))
      for (const operation of all) await write(history, operation)
      expect(await history.prune({ ageMs: 15 * DAY_MS })).toMatchObject({ operations: 2, kept: 5 })
      expect(await listed(history)).toEqual(
        all
          .slice(2)
          .toReversed()
          .map(({ id }) => id),
      )
    })

    it('keeps a long content as long as one operation needs it', async () => {
      const long = bytes('Long enough. '.repeat(2_000))
      const withLong = (path: string, at: number): Operation => ({
        ...edit(path, '', '', at),
        changes: [{ ...change(path, '', ''), splice: splice(new Uint8Array(), long) }],
      })
      const now = Date.now()
      const old = withLong('old.md', now - 20 * DAY_MS)
      const young = withLong('young.md', now)
      await write(history, old)
      await write(history, young)
      const { bytes: freed } = await history.prune({ ageMs: 10 * DAY_MS })
      expect(freed).toBeLessThan(long.length)
      const found = (await history.find(young.id))!
      expect((await history.changesOf(found)).map(plain)).toEqual(young.changes.map(plain))
      expect((await history.prune({ bytes: 0 })).bytes).toBeGreaterThan(long.length)
      expect(await history.examine()).toEqual(WHOLE)
    })

    it('knows when it is older than what is kept', async () => {
      const limited = await kept.open({ ageMs: 5 * DAY_MS })
      await write(history, edit('a.md', 'x', 'y', Date.now() - 6 * DAY_MS))
      expect(await limited.isOutgrown()).toBe(true)
      expect(await history.isOutgrown()).toBe(false)
      expect(await limited.prune()).toMatchObject({ operations: 1, kept: 0 })
      await write(limited, edit('a.md', 'x', 'y'))
      expect(await limited.isOutgrown()).toBe(false)
    })

    it('leaves out what is damaged, says so, and sets it aside', async () => {
      const [before, hit, after] = [
        edit('before.md', 'x', 'y'),
        edit('unmistakable.md', 'x', 'y'),
        edit('after.md', 'x', 'y'),
      ]
      for (const operation of [before, hit, after]) await write(history, operation)
      await kept.damage('unmistakable.md')
      const other = await kept.open()
      expect(await listed(other)).toEqual([after.id, before.id])
      expect(await other.find(hit.id)).toBeUndefined()
      const damage = { operations: 2, damagedLines: 1, unreadable: [], withoutContent: [] }
      expect(await other.examine()).toEqual(damage)
      expect(await other.repair()).toEqual(damage)
      expect(await other.examine()).toEqual({ ...WHOLE, operations: 2 })
      await write(other, edit('again.md', 'x', 'y'))
      expect(await listed(history)).toHaveLength(3)
    })

    it('lists what has lost its content, refuses to give it, and keeps it when it comes again', async () => {
      const long = bytes('Missing soon. '.repeat(2_000))
      const withLong = (): Operation => ({
        ...edit('long.md', '', ''),
        changes: [{ ...change('long.md', '', ''), splice: splice(long, new Uint8Array()) }],
      })
      const first = withLong()
      await write(history, first)
      await kept.loseContent('Missing soon')
      const other = await kept.open()
      const found = (await other.find(first.id))!
      await expect(other.changesOf(found)).rejects.toMatchObject({ code: 'unavailable' })
      expect(await other.examine()).toEqual({
        ...WHOLE,
        operations: 1,
        withoutContent: [first.id],
      })
      await write(other, withLong())
      expect((await other.changesOf(found)).map(plain)).toEqual(first.changes.map(plain))
    })
  })
}

const WHOLE = { operations: 0, damagedLines: 0, unreadable: [], withoutContent: [] }

async function listed(history: History): Promise<string[]> {
  const ids: string[] = []
  await history.each(({ id }) => ids.push(id) > 0)
  return ids
}

async function everythingIn(history: History): Promise<unknown> {
  const operations: LoggedOperation[] = []
  await history.each((operation) => operations.push(operation) > 0)
  const changes = []
  for (const operation of operations) changes.push((await history.changesOf(operation)).map(plain))
  const { documents, authors } = await history.names()
  const open = (await history.unsettled())[0]?.id
  return { operations, changes, documents: [...documents], authors: [...authors], open }
}

async function write(
  history: History,
  operation: Operation,
  state: 'done' | 'failed' = 'done',
): Promise<void> {
  await history.begin(operation)
  await history.settle(operation.id, state)
}

function edit(path: string, removed: string, added: string, at = Date.now()): Operation {
  const changes = [change(path, removed, added)]
  return { id: newOperationId(at), at, kind: 'replace', by: { client: 'test/1' }, changes }
}

function change(path: string, removed: string, added: string): Change {
  return {
    source: 'notes',
    path,
    before: createHash('sha256').update(removed).digest('hex'),
    after: createHash('sha256').update(added).digest('hex'),
    diff: `-${removed}\n+${added}\n`,
    splice: splice(bytes(removed), bytes(added)),
  }
}

function splice(removed: Uint8Array, added: Uint8Array) {
  return { at: 3, removed, added }
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Bytes as text, because buffers differ from each other in how they were made. */
function plain({ splice: { at, removed, added }, around, ...rest }: Change): unknown {
  const hex = (some: Uint8Array): string => Buffer.from(some).toString('hex')
  return {
    ...rest,
    at,
    removed: hex(removed),
    added: hex(added),
    around: around && [hex(around.before), hex(around.behind)],
  }
}
