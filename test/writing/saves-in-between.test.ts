/** What an editor does to a file at the worst moment of a write. */
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { SourceWriter } from '../../src/core/domain/source.ts'
import { recoverWrites } from '../../src/core/operations/writing/change-files.ts'
import { appendToDocument, findAndReplace } from '../support/edit-documents.ts'
import { listHistory } from '../../src/core/operations/writing/list-history.ts'
import { restoreDocument } from '../../src/core/operations/writing/undo-changes.ts'
import { clockMovesOn } from '../support/clock-moves-on.ts'
import { openTestBase } from '../support/open-test-base.ts'
import { SOON } from '../support/soon.ts'

const agent = { by: { client: 'agent/1' } }

/** The same thing with another part. */
function withPart<Thing extends object, Key extends keyof Thing>(
  thing: Thing,
  key: Key,
  part: Thing[Key],
): Thing {
  return new Proxy(thing, { get: (it, name) => (name === key ? part : Reflect.get(it, name)) })
}

/** An editor that has the file open and writes into it later. */
function openEditor(file: string): (text: string) => Promise<void> {
  const descriptor = openSync(file, 'r+')
  onTestFinished(() => closeSync(descriptor))
  return async (text) => {
    // Within one step it would look untouched until the last look, which may be minutes away.
    await clockMovesOn(fstatSync(descriptor).ctimeMs)
    ftruncateSync(descriptor, 0)
    writeSync(descriptor, text, 0)
  }
}

it('waits until an editor has written the file that it emptied', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': '# Tea\n' })
  const file = join(folder, 'tea.md')
  writeFileSync(file, '')
  // For as long as the editor is at it, no time goes by: a busy machine would make it a pause.
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => statSync(file).mtimeMs)
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => void vi.restoreAllMocks())
  const nextLook = (): Promise<void> => {
    const before = clock.mock.calls.length
    return vi.waitFor(() => expect(clock.mock.calls.length).toBeGreaterThan(before), SOON)
  }
  const write = appendToDocument(kb, 'tea.md', 'From the agent.', agent)
  await nextLook()
  writeFileSync(file, '# Tea\n\nFrom the pers')
  await nextLook()
  writeFileSync(file, '# Tea\n\nFrom the person.\n')
  vi.restoreAllMocks()
  await write
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('# Tea\n\nFrom the person.\n')
  expect(text).toContain('From the agent.')
})

it('keeps nobody out of other notes while it waits for one that is being saved', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': '# Tea\n', 'log.md': '# Log\n' })
  const { lock } = kb.writing!
  let isHeld = false
  const hold = lock.hold.bind(lock)
  vi.spyOn(lock, 'hold').mockImplementation((folders, work) =>
    hold(folders, async () => {
      isHeld = true
      return work().finally(() => (isHeld = false))
    }),
  )
  onTestFinished(() => void vi.restoreAllMocks())
  const looks: boolean[] = []
  const notes = kb.sources.get('notes')!
  const load: SourceWriter['load'] = async (path) => {
    const file = await notes.writer!.load(path)
    looks.push(isHeld)
    return file && { ...file, unrested: looks.length < 5 }
  }
  const sources = new Map([
    ['notes', withPart(notes, 'writer', withPart(notes.writer!, 'load', load))],
  ])
  // What has to be made for the first write is made.
  await appendToDocument(kb, 'log.md', '- one', agent)
  await appendToDocument({ ...kb, sources }, 'tea.md', '- one', agent)
  // The first look finds that it does not rest; those that wait for it are without the lock.
  expect(looks.slice(0, 6)).toEqual([true, false, false, false, false, true])
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('# Tea\n- one\n')
})

it('puts what was saved to the replaced file into the new one', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': '# Tea\n\nGreen.\n\n- one\n' })
  const file = join(folder, 'tea.md')
  const hourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(file, hourAgo, hourAgo)
  const save = openEditor(file)
  await appendToDocument(kb, 'tea.md', '- two', agent)
  await save('# Tea\n\nBlack.\n\n- one\n')
  await vi.waitFor(
    () => expect(readFileSync(file, 'utf8')).toBe('# Tea\n\nBlack.\n\n- one\n- two\n'),
    SOON,
  )
  const { operations } = await listHistory(kb)
  expect(operations.map(({ kind, by }) => [kind, by.client])).toEqual([
    ['merge', 'another program'],
    ['append', 'agent/1'],
  ])
  // A second save to the same file is not forgotten either.
  await save('# Tea\n\nWhite.\n\n- one\n')
  await vi.waitFor(
    () => expect(readFileSync(file, 'utf8')).toBe('# Tea\n\nWhite.\n\n- one\n- two\n'),
    SOON,
  )
  const replaced = join(folder, '.cairn/replaced')
  await vi.waitFor(() => expect(readdirSync(replaced)).toEqual([]), SOON)
})

it(
  'waits for the other half of a save whose editor stood still in the middle of it',
  { timeout: 600_000 },
  async () => {
    const { kb, folder } = await openTestBase({ 'log.md': '# Log\n' })
    const file = join(folder, 'log.md')
    const lines = Array.from({ length: 1_000 }, (_, index) => `person ${index}`)
    const text = `# Log\n${lines.join('\n')}\n`
    const editor = openSync(file, 'w')
    onTestFinished(() => closeSync(editor))
    writeSync(editor, text.slice(0, text.length >> 1))
    await appendToDocument(kb, 'log.md', '- agent', agent)
    // Longer than what agents replace among themselves is looked at.
    await sleep(12_000)
    writeSync(editor, text.slice(text.length >> 1))
    await vi.waitFor(
      () => expect(readFileSync(file, 'utf8').split('\n')).toEqual(expect.arrayContaining(lines)),
      { timeout: 150_000, interval: 200 },
    )
    const merged = readFileSync(file, 'utf8').split('\n')
    expect(merged.filter((line) => line !== '')).toEqual(['# Log', ...lines, '- agent'])
  },
)

it('keeps in the history what cannot be merged, from where it is restored', async () => {
  const { kb, folder, call } = await openTestBase({ 'tea.md': 'Green.\n' })
  const file = join(folder, 'tea.md')
  const save = openEditor(file)
  await findAndReplace(kb, 'tea.md', { find: 'Green', replace: 'Agent' }, agent)
  await save('Person.\n')
  await vi.waitFor(async () => {
    const { operations } = await listHistory(kb)
    expect(operations.map(({ kind, state }) => [kind, state])).toEqual([
      ['overtaken', 'failed'],
      ['find_replace', 'done'],
    ])
  }, SOON)
  expect(readFileSync(file, 'utf8')).toBe('Agent.\n')
  const { operations } = await call('history')
  await restoreDocument(kb, operations[0].id, agent)
  expect(readFileSync(file, 'utf8')).toBe('Person.\n')
})

it('does not take an emptied file for a save', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': 'Green.\n' })
  const file = join(folder, 'tea.md')
  const save = openEditor(file)
  await appendToDocument(kb, 'tea.md', 'More.', agent)
  await save('')
  await vi.waitFor(
    async () => expect((await listHistory(kb)).operations[0]?.kind).toBe('overtaken'),
    SOON,
  )
  expect(readFileSync(file, 'utf8')).toContain('Green.\n')
})

it('gives a file its name back that a killed process had moved aside', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': 'Green.\n' })
  const file = join(folder, 'tea.md')
  await appendToDocument(kb, 'tea.md', 'More.', agent)
  const before = readFileSync(file)
  const id = '20260315T104233-9f2c41aa'
  await kb.writing!.history.begin({
    id,
    at: Date.now(),
    kind: 'append',
    by: {},
    changes: [
      {
        source: 'notes',
        path: 'tea.md',
        before: createHash('sha256').update(before).digest('hex'),
        after: 'never'.padEnd(64, '0'),
        diff: '',
        splice: { at: 0, removed: new Uint8Array(), added: Buffer.from('x') },
      },
    ],
  })
  const replaced = join(folder, '.cairn/replaced')
  mkdirSync(replaced, { recursive: true })
  const key = createHash('sha256').update('tea.md').digest('hex').slice(0, 24)
  renameSync(file, join(replaced, `${id}.${key}.1.1`))
  await recoverWrites(kb)
  expect(readFileSync(file)).toEqual(before)
  expect((await listHistory(kb)).operations[0]).toMatchObject({ id, state: 'failed' })
})

it('looks at what a process that is gone had replaced', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': 'Green.\n\n- one\n' })
  const file = join(folder, 'tea.md')
  const { operation } = await appendToDocument(kb, 'tea.md', '- two', agent)
  const replaced = join(folder, '.cairn/replaced')
  const [name] = readdirSync(replaced)
  expect(name).toContain(operation!)
  // As it is found after a restart: saved to, and left alone for long.
  const left = join(replaced, name!.replace(/\.\d+\.\d+(?:\.plain)?$/, '.7.7'))
  writeFileSync(left, 'Black.\n\n- one\n')
  const hourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(left, hourAgo, hourAgo)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  onTestFinished(() => void vi.restoreAllMocks())
  await recoverWrites(kb)
  expect(readFileSync(file, 'utf8')).toBe('Black.\n\n- one\n- two\n')
  expect(existsSync(left)).toBe(false)
})
