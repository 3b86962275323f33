/** Whatever happens to the files of the history: nothing wrong is written, and writing goes on. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openHistory } from '../../src/core/history/open-history.ts'
import { deleteDocument } from '../../src/core/operations/writing/delete-document.ts'
import { appendToDocument, replaceDocument } from '../support/edit-documents.ts'
import { listHistory } from '../../src/core/operations/writing/list-history.ts'
import { restoreDocument, undoChanges } from '../../src/core/operations/writing/undo-changes.ts'
import { openTestBase } from '../support/open-test-base.ts'
import type { TestBase } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { takeMs, turnsDuring } from '../support/turns-during.ts'

const by = { by: { client: 'test/1' } }
const LONG = `${'A long text. '.repeat(3_000)}\n`

function segmentOf({ state }: TestBase, number = 1): string {
  return join(state, 'history', `${String(number).padStart(6, '0')}.jsonl`)
}

/** Flips one bit of the file at the first place where `text` stands. */
function flipAt(file: string, text: string): void {
  const bytes = readFileSync(file)
  const at = bytes.indexOf(text)
  expect(at).toBeGreaterThan(0)
  bytes[at] = bytes[at]! ^ 1
  writeFileSync(file, bytes)
}

const kindsOf = async ({ kb }: TestBase) =>
  (await listHistory(kb)).operations.map(({ kind, state }) => `${kind} ${state}`)

it('never undoes with a text that a flipped bit has changed', async () => {
  const base = await openTestBase({ 'tea.md': 'Original words.\n' })
  const { operation } = await replaceDocument(base.kb, 'tea', 'New words.\n', by)
  await appendToDocument(base.kb, 'tea', 'More.', by)
  flipAt(segmentOf(base), 'Original')
  await expect(undoChanges(base.kb, { operation }, by)).rejects.toMatchObject({ code: 'not_found' })
  expect(await kindsOf(base)).toEqual(['append done'])
  // The rest still works, and so do new writes.
  await undoChanges(base.kb, {}, by)
  await appendToDocument(base.kb, 'tea', 'Again.', by)
  expect(readFileSync(join(base.folder, 'tea.md'), 'utf8')).toContain('New words.\n')
  const { history } = base.kb.writing!
  expect(await history.examine()).toMatchObject({ damagedLines: 1, operations: 3 })
  await history.repair()
  expect(await history.examine()).toMatchObject({ damagedLines: 0, operations: 3 })
  expect(readdirSync(join(base.state, 'history/damaged'))).toHaveLength(1)
})

it('says that a line cannot be read, and does not take an older change for the last one', async () => {
  const base = await openTestBase({ 'tea.md': 'x\n' })
  const first = (await appendToDocument(base.kb, 'tea', 'one', by)).operation!
  const last = (await appendToDocument(base.kb, 'tea', 'two', by)).operation!
  // A line that a killed process has begun is none that anybody misses.
  writeFileSync(segmentOf(base), '{"op":"20260101T0000\n', { flag: 'a' })
  expect(await base.call('history', {})).not.toHaveProperty('warnings')
  flipAt(segmentOf(base), `{"op":"${last}`)
  const said = expect.stringContaining('1 line of the history cannot be read')
  const listed = await base.call('history', {})
  expect(listed).toMatchObject({ operations: [{ id: first }], warnings: [said] })
  for (const request of [{}, { id: 'tea' }]) {
    await expect(undoChanges(base.kb, request, by)).rejects.toMatchObject({
      message: said,
      hint: expect.stringContaining(first),
    })
  }
  await expect(undoChanges(base.kb, { operation: last }, by)).rejects.toMatchObject({
    code: 'not_found',
    message: said,
  })
  expect(readFileSync(join(base.folder, 'tea.md'), 'utf8')).toBe('x\n\none\n\ntwo\n')
  // What can be read is undone when it is meant, and so is the last change when it is known again.
  const { undone, warnings } = await undoChanges(base.kb, { since: 0 }, { ...by, dryRun: true })
  expect({ undone, warnings }).toMatchObject({ undone: [first], warnings: [{ message: said }] })
  await appendToDocument(base.kb, 'tea', 'three', by)
  expect((await undoChanges(base.kb, {}, by)).warnings).toEqual([])
})

it('names a content that is damaged or missing, and undoes the rest', async () => {
  const base = await openTestBase({ 'long.md': LONG, 'tea.md': 'x\n' })
  const { operation } = await deleteDocument(base.kb, 'long', by)
  await appendToDocument(base.kb, 'tea', 'one', by)
  const contents = join(base.state, 'history/contents')
  const name = readdirSync(contents, { recursive: true, encoding: 'utf8' }).find((each) =>
    /[0-9a-f]{64}$/.test(each),
  )!
  flipAt(join(contents, name), 'long text')
  await expect(restoreDocument(base.kb, 'long', by)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('damaged'),
  })
  const { undone, conflicts } = await undoChanges(base.kb, { since: 0 }, by)
  expect(undone).toHaveLength(1)
  expect(conflicts).toMatchObject([{ operation, reason: expect.stringContaining('damaged') }])
  expect(readFileSync(join(base.folder, 'tea.md'), 'utf8')).toBe('x\n')
  expect(await base.kb.writing!.history.examine()).toMatchObject({ withoutContent: [operation] })
  // The same content is written anew when it comes again.
  writeFileSync(join(base.folder, 'long.md'), LONG)
  await deleteDocument(base.kb, 'long.md', by)
  await restoreDocument(base.kb, 'long.md', by)
  expect(readFileSync(join(base.folder, 'long.md'), 'utf8')).toBe(LONG)
})

it('writes on when the last operation cannot be read, or its content is gone', async () => {
  const base = await openTestBase({ 'long.md': LONG, 'tea.md': 'x\n' })
  await deleteDocument(base.kb, 'long', by)
  const segment = segmentOf(base)
  // As if killed before the end was said, and the content lost since.
  const lines = readFileSync(segment, 'utf8').split('\n')
  writeFileSync(segment, `${lines[0]}\n`)
  rmSync(join(base.state, 'history/contents'), { recursive: true })
  await appendToDocument(base.kb, 'tea', 'one', by)
  expect(await kindsOf(base)).toEqual(['append done', 'delete done'])
})

it('writes on beside a segment that cannot be opened, and sets it aside when asked', async () => {
  const base = await openTestBase({ 'tea.md': 'x\n' })
  await appendToDocument(base.kb, 'tea', 'one', by)
  rmSync(segmentOf(base))
  mkdirSync(segmentOf(base))
  await appendToDocument(base.kb, 'tea', 'two', by)
  expect(await kindsOf(base)).toEqual(['append done'])
  const { history } = base.kb.writing!
  expect(await history.repair()).toMatchObject({ unreadable: ['000001.jsonl'] })
  expect(await history.examine()).toMatchObject({ unreadable: [], operations: 1 })
})

it('writes on where the history or its contents are no folder, and says what was set aside', async () => {
  const base = await openTestBase({ 'long.md': LONG, 'tea.md': 'x\n' })
  const { history } = base.kb.writing!
  const folder = join(base.state, 'history')
  await appendToDocument(base.kb, 'tea', 'one', by)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'kept')
  expect(await history.examine()).toMatchObject({ unreadable: ['history'] })
  const { warnings } = await appendToDocument(base.kb, 'tea', 'two', by)
  expect(warnings).toMatchObject([{ message: expect.stringContaining('"history.damaged-') }])
  expect((await appendToDocument(base.kb, 'tea', 'three', by)).warnings).toEqual([])
  expect(await kindsOf(base)).toEqual(['append done', 'append done'])
  const [aside] = readdirSync(base.state).filter((name) => name.startsWith('history.damaged-'))
  expect(readFileSync(join(base.state, aside!), 'utf8')).toBe('kept')

  writeFileSync(join(folder, 'contents'), '')
  await deleteDocument(base.kb, 'long', by)
  await restoreDocument(base.kb, 'long', by)
  expect(await history.examine()).toMatchObject({ unreadable: [], withoutContent: [] })

  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  expect(await history.repair()).toMatchObject({ unreadable: ['history'] })
  expect(await history.examine()).toMatchObject({ unreadable: [], operations: 0 })
})

it('goes on from the last number when old segments were deleted', async () => {
  const folder = join(temporaryFolder(), 'history')
  mkdirSync(folder)
  const filler = `${JSON.stringify({ end: 'x', state: 'done', filler: 'x'.repeat(9_000_000) })}\n`
  writeFileSync(join(folder, '000007.jsonl'), filler)
  const history = openHistory(folder)
  const operation = { id: '20260101T000000-00000000', at: 0, kind: 'undo', by: {}, changes: [] }
  await history.begin({ ...operation, kind: 'undo' })
  expect(readdirSync(folder).toSorted()).toEqual(['000007.jsonl', '000008.jsonl'])
  rmSync(join(folder, '000007.jsonl'))
  await history.settle(operation.id, 'done')
  expect(await history.find(operation.id)).toMatchObject({ state: 'done' })
  expect(readdirSync(folder)).toEqual(['000008.jsonl'])
})

it('forgets by age and by size, and the contents that nobody needs any more', async () => {
  const base = await openTestBase({ 'long.md': LONG, 'tea.md': 'x\n' })
  const { history } = base.kb.writing!
  await deleteDocument(base.kb, 'long', by)
  for (const line of ['one', 'two', 'three']) await appendToDocument(base.kb, 'tea', line, by)
  expect(await history.prune({})).toMatchObject({ operations: 0, kept: 4 })
  expect(await history.prune({ bytes: 2_000 }, { dryRun: true })).toMatchObject({ operations: 1 })
  expect(await kindsOf(base)).toHaveLength(4)
  await history.prune({ bytes: 2_000 })
  expect(await kindsOf(base)).toEqual(['append done', 'append done', 'append done'])
  const contents = readdirSync(join(base.state, 'history/contents'), { recursive: true })
  expect(contents.filter((name) => String(name).length > 10)).toEqual([])
  await undoChanges(base.kb, {}, by)
  expect(await history.prune({ ageMs: 60_000 })).toMatchObject({ operations: 0, kept: 4 })
  expect(await history.prune({ ageMs: -60_000 })).toMatchObject({ operations: 4, kept: 0 })
  await appendToDocument(base.kb, 'tea', 'four', by)
  expect(await kindsOf(base)).toEqual(['append done'])
})

it('is cut when it has outgrown its room, with some to spare, and not looked through before', async () => {
  const folder = join(temporaryFolder(), 'history')
  mkdirSync(folder)
  const idOf = (index: number) => `20260101T000000-${index.toString(16).padStart(8, '0')}`
  const at = '2026-01-01T00:00:00.000Z'
  const change = { source: 'notes', path: 'a.md', diff: '', at: 0, removed: '' }
  const added = 'x'.repeat(15_000)
  const lines = Array.from({ length: 600 }, (_, index) => [
    JSON.stringify({
      op: idOf(index),
      at,
      kind: 'append',
      by: {},
      changes: [{ ...change, added }],
    }),
    JSON.stringify({ end: idOf(index), state: 'done' }),
  ])
  const segment = join(folder, '000001.jsonl')
  writeFileSync(segment, `${lines.flat().join('\n')}\n`)
  const full = statSync(segment).size
  const next = (index: number) =>
    ({ id: idOf(index), at: Date.now(), kind: 'undo', by: {}, changes: [] }) as const
  // There is room for one more segment: not one byte of the old one is touched.
  const { ino } = statSync(segment)
  await (
    await openHistory(folder, { keep: { bytes: full * 2 } }).begin(next(700))
  ).flushed
  expect(statSync(segment)).toMatchObject({ ino, size: full })
  rmSync(join(folder, '000002.jsonl'))
  await (
    await openHistory(folder, { keep: { bytes: full - 1 } }).begin(next(701))
  ).flushed
  const { size } = statSync(segment)
  expect(size).toBeLessThan(full * 0.91)
  expect(size).toBeGreaterThan(full * 0.85)
  const left: string[] = []
  await openHistory(folder).each(({ id }) => left.push(id) > 0)
  expect(left.slice(0, 2)).toEqual([idOf(701), idOf(599)])
})

it('lets others have their turn while it looks through a long history', async () => {
  const folder = join(temporaryFolder(), 'history')
  mkdirSync(folder)
  const line = (index: number) =>
    `${JSON.stringify({
      op: `20260101T000000-${index.toString(16).padStart(8, '0')}`,
      at: '2026-01-01T00:00:00.000Z',
      kind: 'append',
      by: { client: 'agent/1' },
      changes: [
        {
          source: 'notes',
          path: `n${index}.md`,
          diff: 'x'.repeat(200),
          at: 0,
          removed: '',
          added: 'y',
        },
      ],
    })}\n${JSON.stringify({ end: `20260101T000000-${index.toString(16).padStart(8, '0')}`, state: 'done' })}\n`
  const count = 40_000
  const lines = Array.from({ length: count }, (_, index) => line(index))
  writeFileSync(join(folder, '000001.jsonl'), lines.slice(0, count / 2).join(''))
  writeFileSync(join(folder, '000002.jsonl'), lines.slice(count / 2).join(''))
  const history = openHistory(folder)
  let seen = 0
  const turns = await turnsDuring(async () => {
    expect(await history.find('20260101T000000-00000001')).toMatchObject({ state: 'done' })
    await history.each(() => {
      // On a fast machine it would be over before anybody had to wait.
      if (++seen % 1_000 === 0) takeMs(8)
      return true
    })
    expect((await history.names()).documents.size).toBe(count)
  })
  expect(seen).toBe(count)
  expect(turns).toBeGreaterThan(10)
})

it.skipIf(process.platform === 'win32')('keeps what it holds to its owner', async () => {
  const base = await openTestBase({ 'long.md': LONG })
  chmodSync(join(base.folder, 'long.md'), 0o600)
  await deleteDocument(base.kb, 'long', by)
  const modes = readdirSync(join(base.state, 'history'), { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(base.state, 'history', name)).mode & 0o077,
  )
  expect(modes.every((mode) => mode === 0)).toBe(true)
  await restoreDocument(base.kb, 'long', by)
  expect(statSync(join(base.folder, 'long.md')).mode & 0o777).toBe(0o600)
  expect(existsSync(join(base.folder, '.cairn/replaced'))).toBe(true)
})
