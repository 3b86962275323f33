/** What a process that was killed in the middle left behind is settled by the next one. */
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Operation } from '../../src/core/history/history.ts'
import { openHistory } from '../../src/core/history/open-history.ts'
import { recoverWrites } from '../../src/core/operations/writing/change-files.ts'
import { appendToDocument } from '../support/edit-documents.ts'
import type { View } from '../../src/core/operations/view/view.ts'
import { listHistory } from '../../src/core/operations/writing/list-history.ts'
import { moveDocument } from '../../src/core/operations/writing/move-document.ts'
import { undoChanges } from '../../src/core/operations/writing/undo-changes.ts'
import { openSmallBase } from '../support/open-small-base.ts'

const options = { by: { client: 'test/1' } }

/** Runs a change that ends right after it was written down, as if the process had been killed. */
async function killed(kb: View, change: (kb: View) => Promise<unknown>): Promise<Operation> {
  const { history, lock } = kb.writing!
  let begun: Operation | undefined
  const dying: View = {
    ...kb,
    writing: {
      ...kb.writing!,
      lock,
      history: {
        ...history,
        unsettled: () => history.unsettled(),
        async begin(operation) {
          await history.begin(operation)
          begun = operation
          throw new Error('killed')
        },
      },
    },
  }
  await expect(change(dying)).rejects.toThrow('killed')
  return begun!
}

async function states(kb: View): Promise<string[]> {
  return (await listHistory(kb)).operations.map(({ state }) => state)
}

it('says that a change which was never made has failed', async () => {
  const { kb, folder } = await openSmallBase({ 'tea.md': 'x\n' })
  await killed(kb, (dying) => appendToDocument(dying, 'tea', 'lost', options))
  expect(await states(kb)).toEqual(['open'])
  await recoverWrites(kb)
  expect(await states(kb)).toEqual(['failed'])
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('x\n')
  await expect(undoChanges(kb, {}, options)).rejects.toMatchObject({ code: 'not_found' })
})

it('says that a change which was made is done, even if nobody could say so', async () => {
  const { kb, folder } = await openSmallBase({ 'tea.md': 'x\n' })
  await killed(kb, (dying) => appendToDocument(dying, 'tea', 'kept', options))
  writeFileSync(join(folder, 'tea.md'), 'x\n\nkept\n')
  // The next writer settles it before its own change.
  await appendToDocument(kb, 'tea', 'next', options)
  expect(await states(kb)).toEqual(['done', 'done'])
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('x\n\nkept\n\nnext\n')
  await undoChanges(kb, {}, options)
  await undoChanges(kb, {}, options)
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('x\n')
})

it.each([
  ['nothing', 0],
  ['the new file', 1],
  ['the new file and one link', 2],
  ['everything but the old file', 3],
])('finishes a move of which %s was done', async (_, steps) => {
  const { kb, folder } = await openSmallBase({
    'tea.md': '# Tea\n',
    'a.md': '[[tea]] a\n',
    'b.md': '[[tea]] b\n',
  })
  const { changes } = await killed(kb, (dying) => moveDocument(dying, 'tea', 'cha', options))
  expect(changes.map(({ path }) => path)).toEqual(['cha.md', 'a.md', 'b.md'])
  const writes = [
    ['cha.md', '# Tea\n'],
    ['a.md', '[[cha]] a\n'],
    ['b.md', '[[cha]] b\n'],
  ] as const
  for (const [path, text] of writes.slice(0, steps)) writeFileSync(join(folder, path), text)
  await recoverWrites(kb)
  const moved = steps > 0
  expect(existsSync(join(folder, 'tea.md'))).toBe(!moved)
  expect(existsSync(join(folder, 'cha.md'))).toBe(moved)
  for (const name of ['a', 'b']) {
    const text = `[[${moved ? 'cha' : 'tea'}]] ${name}\n`
    expect(readFileSync(join(folder, `${name}.md`), 'utf8')).toBe(text)
  }
  expect(await states(kb)).toEqual([moved ? 'done' : 'failed'])
})

it.each([
  ['none', 'x\n', ['failed', 'failed', 'failed']],
  ['all', 'x\n\none\n\ntwo\n', ['done', 'done', 'failed']],
])('tells of edits that were written together that %s were made', async (_, text, expected) => {
  const { kb, folder } = await openSmallBase({ 'tea.md': 'x\n', 'cha.md': 'y\n' })
  const texts = ['x\n', 'x\n\none\n', 'x\n\none\n\ntwo\n'].map((each) => Buffer.from(each))
  const steps = [
    { path: 'tea.md', before: texts[0]!, after: texts[1]! },
    { path: 'tea.md', before: texts[1]!, after: texts[2]! },
    { path: 'cha.md', before: Buffer.from('y\n'), after: Buffer.from('y\n\nmore\n') },
  ]
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const begun = steps.map(({ path, before, after }, index) => ({
    id: `20260101T00000${index}-00000000`,
    at: index,
    kind: 'append' as const,
    by: {},
    changes: [
      {
        source: 'notes',
        path,
        before: digest(before),
        after: digest(after),
        diff: '',
        splice: { at: before.length, removed: Buffer.of(), added: after.subarray(before.length) },
      },
    ],
  }))
  await (
    await kb.writing!.history.begin(...begun)
  ).flushed
  // The file shows the last of them alone.
  writeFileSync(join(folder, 'tea.md'), text)
  await recoverWrites(kb)
  expect((await states(kb)).toReversed()).toEqual(expected)
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe(text)
  expect(readFileSync(join(folder, 'cha.md'), 'utf8')).toBe('y\n')
})

it('does not touch a file that someone edited after the kill', async () => {
  const { kb, folder } = await openSmallBase({ 'tea.md': '# Tea\n', 'a.md': '[[tea]]\n' })
  await killed(kb, (dying) => moveDocument(dying, 'tea', 'cha', options))
  writeFileSync(join(folder, 'cha.md'), '# Tea\n')
  writeFileSync(join(folder, 'a.md'), 'by hand\n')
  await recoverWrites(kb)
  expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('by hand\n')
  expect(existsSync(join(folder, 'tea.md'))).toBe(false)
})

it('removes temporary files of dead processes, and only those', async () => {
  const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
  const { pid: dead } = spawnSync(process.execPath, ['-e', ''])
  const stray = `.cairn-tmp.${dead}.${host}.0123456789ab`
  const living = `.cairn-tmp.${process.ppid}.${host}.0123456789ab`
  const elsewhere = `.cairn-tmp.${dead}.00000000.0123456789ab`
  const similar = '.cairn-tmp.notes.md'
  const { kb, folder } = await openSmallBase({
    'x/tea.md': 'x\n',
    [`x/${stray}`]: '',
    [`x/${living}`]: '',
    [`x/${elsewhere}`]: '',
    [`x/${similar}`]: '',
  })
  const { writer } = kb.sources.get('notes')!
  expect(await writer!.strays()).toEqual([`x/${stray}`])
  expect(await writer!.sweep(['x/other.md'])).toBe(1)
  expect(readdirSync(join(folder, 'x')).toSorted()).toEqual(
    [living, elsewhere, similar, 'tea.md'].toSorted(),
  )
  const longAgo = new Date(Date.now() - 48 * 60 * 60 * 1000)
  utimesSync(join(folder, 'x', elsewhere), longAgo, longAgo)
  expect(await writer!.sweep()).toBe(1)
})

it('reads a log whose last line was torn, and goes on with it', async () => {
  const { kb, state } = await openSmallBase({ 'tea.md': 'x\n' })
  await appendToDocument(kb, 'tea', 'one', options)
  const segment = join(state, 'history', '000001.jsonl')
  writeFileSync(segment, `${readFileSync(segment, 'utf8')}{"op":"20260101T0000`)
  expect(await states(kb)).toEqual(['done'])
  await appendToDocument(kb, 'tea', 'two', options)
  expect(await states(kb)).toEqual(['done', 'done'])
})

it('keeps long and binary contents out of the log, and gives them back', async () => {
  const { kb, state, folder } = await openSmallBase({ 'tea.md': `${'long '.repeat(10_000)}\n` })
  const before = readFileSync(join(folder, 'tea.md'))
  await kb.writing!.history.begin({
    id: '20260101T000000-00000000',
    at: 0,
    kind: 'delete',
    by: {},
    changes: [
      {
        source: 'notes',
        path: 'tea.md',
        before: 'x',
        after: undefined,
        diff: '',
        splice: { at: 0, removed: before, added: new Uint8Array([0xff, 0xfe]) },
      },
    ],
  })
  expect(readFileSync(join(state, 'history', '000001.jsonl')).length).toBeLessThan(1000)
  const again = openHistory(join(state, 'history'))
  const [change] = await again.changesOf((await again.unsettled())[0]!)
  expect(Buffer.compare(Buffer.from(change!.splice.removed), before)).toBe(0)
  expect([...change!.splice.added]).toEqual([0xff, 0xfe])
})

it('keeps history when the index is deleted', async () => {
  const { kb, state, store } = await openSmallBase({ 'tea.md': 'x\n' })
  await appendToDocument(kb, 'tea', 'one', options)
  await store.close()
  for (const name of readdirSync(state)) {
    if (name.startsWith('index.db')) rmSync(join(state, name))
  }
  const again = openHistory(join(state, 'history'))
  const kinds: string[] = []
  await again.each(({ kind }) => kinds.push(kind) > 0)
  expect(kinds).toEqual(['append'])
})
