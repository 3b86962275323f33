/**
 * System calls that fail now and then, as on a network drive. A call that is refused has changed
 * nothing, or says what it changed; what is acknowledged is there; and after a restart the files are
 * what the history says.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CAN_FAIL_CALLS, failingCalls, WHY_NOT } from '../support/failing-calls.ts'
import type { Failing } from '../support/failing-calls.ts'
import { openSession } from '../support/stdio-session.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NOTES = 10
const CALLS = Number(process.env['TEST_FAILING_CALLS'] ?? 45)
const TIMEOUT = { timeout: 600_000 + CALLS * 2_000 }

const NOTE = '/notes/'

const SCENARIOS: Record<string, readonly Failing[]> = {
  'rename fails': [{ call: 'rename', error: 'ESTALE', percent: 30, part: NOTE }],
  'rename reports an error and is done': [
    { call: 'rename', error: 'EIO', percent: 30, part: NOTE, after: true },
  ],
  'link fails': [{ call: 'link', error: 'EIO', percent: 30, part: NOTE }],
  'there are no links': [{ call: 'link', error: 'EPERM', percent: 100, part: NOTE }],
  'unlink fails': [{ call: 'unlink', error: 'EIO', percent: 30, part: NOTE }],
  'fsync fails': [{ call: 'fsync', error: 'EIO', percent: 20, part: '/notes' }],
  'write fails': [{ call: 'write', error: 'ENOSPC', percent: 30, part: '/notes' }],
  'open fails': [{ call: 'open', error: 'EACCES', percent: 5, part: '.md' }],
  'the history cannot be written': [
    { call: 'write', error: 'ENOSPC', percent: 30, part: '/history' },
    { call: 'fsync', error: 'EIO', percent: 10, part: '/history' },
  ],
  'everything fails a little': (['rename', 'link', 'unlink', 'fsync', 'write'] as const).flatMap(
    (call): Failing[] => [
      { call, error: 'EIO', percent: 5, part: NOTE },
      { call, error: 'EIO', percent: 4, part: NOTE, after: true },
      { call, error: 'EIO', percent: 3, part: '/history' },
    ],
  ),
}

type Files = Map<string, Buffer>

function filesIn(folder: string): Files {
  const files: Files = new Map()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const entry of names) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (!entry.isFile() || path.startsWith('.cairn') || entry.name.startsWith('.cairn-tmp.')) {
      continue
    }
    files.set(path, readFileSync(join(folder, path)))
  }
  return files
}

const digestOf = (bytes: Buffer | undefined) =>
  bytes && createHash('sha256').update(bytes).digest('hex')

function changedBetween(before: Files, after: Files): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => digestOf(before.get(name)) !== digestOf(after.get(name)))
}

interface Line {
  readonly op?: string
  readonly end?: string
  readonly state?: string
  readonly instead_of?: string
  readonly changes: readonly {
    readonly path: string
    readonly from?: string
    readonly before?: string
    readonly after?: string
    readonly at: number
    readonly removed: string
    readonly added: string
  }[]
}

function historyIn(state: string): {
  readonly lines: Line[]
  readonly states: Map<string, string>
} {
  const folder = join(state, 'history')
  const segments = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    : []
  const texts = segments
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  const lines: Line[] = []
  for (const text of texts) {
    try {
      lines.push(JSON.parse(text))
    } catch {
      // Cut off when the disk failed.
    }
  }
  const states = new Map<string, string>()
  const say = (id: string | undefined, state: string): void => {
    if (id !== undefined && !states.has(id)) states.set(id, state)
  }
  for (const { op, end, state = '', instead_of } of lines) {
    say(end, state)
    say(instead_of, 'failed')
    if (instead_of !== undefined) say(op, 'done')
  }
  return { lines, states }
}

/** What the files must be, from what they were first and what the history says was done. */
function replayed(first: Files, state: string): { readonly files: Files; readonly gaps: string[] } {
  const { lines, states } = historyIn(state)
  const files = new Map(first)
  const gaps: string[] = []
  for (const { op, changes } of lines) {
    if (op === undefined || states.get(op) !== 'done') continue
    for (const { path, from = path, before, after, at, removed, added } of changes) {
      const old = files.get(from)
      if (digestOf(old) !== before) gaps.push(`${op} ${path}`)
      const bytes = old ?? Buffer.alloc(0)
      const behind = bytes.subarray(at + Buffer.byteLength(removed))
      if (from !== path) files.delete(from)
      if (after === undefined) files.delete(path)
      else files.set(path, Buffer.concat([bytes.subarray(0, at), Buffer.from(added), behind]))
    }
  }
  return { files, gaps }
}

function notes(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: NOTES }, (_, n) => [
      `notes/n${n}.md`,
      `# N${n}\n\n[[n${(n + 1) % NOTES}]] [[n0]]\n\n- start\n`,
    ]),
  )
}

const KINDS = ['append', 'create', 'move', 'delete', 'undo'] as const

function nextCall(n: number, names: readonly string[]): [string, Record<string, unknown>] {
  const id = `n/${names[(n * 7) % names.length]}`
  const calls: Record<(typeof KINDS)[number], [string, Record<string, unknown>]> = {
    append: ['write', { action: 'append', id, content: `- k${n}` }],
    create: ['write', { action: 'create', id: `n/new${n}.md`, content: `# New ${n}\n` }],
    move: ['write', { action: 'move', id, to: `n/moved/m${n}.md` }],
    delete: ['delete', { id }],
    undo: ['history', { action: 'undo' }],
  }
  return calls[KINDS[n % KINDS.length]!]
}

describe.skipIf(!CAN_FAIL_CALLS)(`calls that fail${CAN_FAIL_CALLS ? '' : ` (${WHY_NOT})`}`, () => {
  it.for(Object.entries(SCENARIOS))('changes what it says where %s', TIMEOUT, async ([, rules]) => {
    const root = temporaryFolder(notes())
    const [folder, state] = [join(root, 'notes'), join(root, 'state')]
    const first = filesIn(folder)
    const calls = failingCalls(20_261_118)
    const words = [`n=${folder}`, '--state', state]
    const failing = await openSession(words, { env: calls.env })
    await failing.caughtUp()
    calls.fail(...rules)
    const acknowledged: string[] = []
    for (let n = 0; n < CALLS; n++) {
      const before = filesIn(folder)
      const [tool, args] = nextCall(n, [...before.keys()].toSorted())
      const { operation, error } = await failing.call(tool, args)
      const changed = changedBetween(before, filesIn(folder))
      if (operation) {
        acknowledged.push(operation)
        expect(changed, `${tool} ${JSON.stringify(args)} is acknowledged`).not.toEqual([])
        continue
      }
      expect(error.code, error.message).not.toBe('internal')
      const silent = changed.filter((path) => !`${error.message}`.includes(path))
      expect(silent, `${JSON.stringify(args)} was refused: ${error.message}`).toEqual([])
    }
    calls.fail()
    failing.child.kill('SIGKILL')
    await failing.ended

    const again = await openSession(words)
    const { operation } = await again.call('write', {
      action: 'create',
      id: 'n/last.md',
      content: 'x\n',
    })
    expect(operation).toEqual(expect.any(String))
    const { files, gaps } = replayed(first, state)
    expect(gaps).toEqual([])
    expect(changedBetween(files, filesIn(folder))).toEqual([])
    const { states } = historyIn(state)
    expect(acknowledged.filter((id) => states.get(id) !== 'done')).toEqual([])
  })

  it(
    'names what it could neither finish nor take back, and takes that back later',
    TIMEOUT,
    async () => {
      const root = temporaryFolder(notes())
      const [folder, state] = [join(root, 'notes'), join(root, 'state')]
      const first = filesIn(folder)
      const calls = failingCalls(1)
      const session = await openSession([`n=${folder}`, '--state', state], { env: calls.env })
      await session.caughtUp()
      // Some files get their new content, then nothing is renamed or linked any more.
      calls.fail(
        { call: 'rename', error: 'ESTALE', percent: 100, part: NOTE, skip: 3 },
        { call: 'link', error: 'ESTALE', percent: 100, part: '/notes/n' },
      )
      const move = { action: 'move', id: 'n/n0.md', to: 'n/moved/zero.md' }
      const { error } = await session.call('write', move)
      const changed = changedBetween(first, filesIn(folder))
      expect(changed.length).toBeGreaterThan(0)
      expect(changed.filter((path) => !error.message.includes(path))).toEqual([])
      expect(error.message).toContain('in part')
      const [recorded] = /\d{8}T\d{6}-[0-9a-f]+/.exec(error.hint)!
      expect(replayed(first, state).gaps).toEqual([])

      // A file that has lost its name has it again before the next change.
      calls.fail()
      const undone = await session.call('history', { action: 'undo', id: recorded })
      expect(undone['error']).toBeUndefined()
      expect(changedBetween(first, filesIn(folder))).toEqual([])
      expect(changedBetween(replayed(first, state).files, filesIn(folder))).toEqual([])
    },
  )
})
