import { rmSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { haveNoMoreThreads } from '../../../../test/support/failing-threads.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import type { Conversion } from '../../domain/conversion.ts'
import { decodeText } from '../../domain/format.ts'
import { NAMES_DESCRIPTORS } from './held-folder.ts'
import { openReadElsewhere } from './read-elsewhere.ts'
import type { ReadAhead } from './read-elsewhere.ts'
import { readFiles } from './read.ts'
import { compileRules } from './rules.ts'
import type { Tree } from './scan.ts'

const MANY = 400

function folder(): { tree: Tree; paths: readonly string[] } {
  const notes = Array.from({ length: MANY }, (_, at) => [`a${at}/n.md`, `# Note ${at}\n\ntea ü\n`])
  const root = temporaryFolder({
    ...(Object.fromEntries(notes) as Record<string, string>),
    'wide.md': Buffer.from('\uFEFFGrüße', 'utf16le'),
    'binary.md': Buffer.from([1, 0, 2]),
    'empty.md': '',
    'large.md': 'x'.repeat(5_000_000),
    'real/linked.md': 'linked',
  })
  truncateSync(join(root, 'large.md'), 4_500_000)
  symlinkSync('real/linked.md', join(root, 'link.md'))
  symlinkSync('/etc/hostname', join(root, 'out.md'))
  symlinkSync('real', join(root, 'way'))
  const others = ['wide.md', 'binary.md', 'empty.md', 'large.md', 'link.md', 'out.md', 'gone.md']
  const tree: Tree = {
    name: 'notes',
    root,
    rules: compileRules({ extensions: ['.md'] }),
    decode: (_path, bytes) => decodeText(bytes),
    maxFileBytes: 4_600_000,
    ignoresCase: false,
    heedsIgnoreFiles: true,
  }
  const paths = [...notes.map(([path]) => path!), ...others, 'way/linked.md', '../x.md', 'real']
  return { tree, paths: paths.toSorted() }
}

vi.mock('node:worker_threads', async (original) => {
  const { failing } = await import('../../../../test/support/failing-threads.ts')
  return failing(original)
})

/** When its thread has started. */
async function untilRead(
  elsewhere: ReturnType<typeof openReadElsewhere>,
  paths: readonly string[],
): Promise<ReadAhead> {
  let reading = elsewhere.read(paths)
  for (; !reading; reading = elsewhere.read(paths)) await sleep(5)
  return reading
}

it.runIf(NAMES_DESCRIPTORS)('reads on its thread what is read without it', async () => {
  const { tree, paths } = folder()
  const elsewhere = openReadElsewhere(tree)
  const { files: ahead, release } = await untilRead(elsewhere, paths)
  expect(ahead.filter((file) => file !== undefined)).toHaveLength(MANY + 4)
  expect(await readFiles(tree, paths, { ahead })).toEqual(await readFiles(tree, paths))
  // The same with a buffer that was used before.
  release()
  const { files: next } = await elsewhere.read(paths)!
  expect(await readFiles(tree, paths, { ahead: next })).toEqual(await readFiles(tree, paths))
  // A file that is too large for its source, and one that went away.
  const smaller = { ...tree, maxFileBytes: 1_000 }
  rmSync(join(tree.root, 'empty.md'))
  const { files: rest } = await untilRead(openReadElsewhere(smaller), paths)
  expect(rest.filter((file) => file !== undefined)).toHaveLength(MANY + 2)
  expect(await readFiles(smaller, paths, { ahead: rest })).toEqual(await readFiles(smaller, paths))
})

it('reads a few files without a thread', () => {
  const { tree, paths } = folder()
  const elsewhere = openReadElsewhere(tree)
  for (let times = 0; times < 100; times++) {
    expect(elsewhere.read(paths.slice(0, 100))).toBeUndefined()
  }
})

it.runIf(NAMES_DESCRIPTORS)(
  'leaves it alone where a file among notes becomes text first',
  async () => {
    const { tree, paths } = folder()
    const conversion = { converts: (path: string) => path.endsWith('.pdf') } as Conversion
    const elsewhere = openReadElsewhere({ ...tree, conversion })
    await untilRead(elsewhere, paths)
    expect(elsewhere.read([...paths, 'report.pdf'])).toBeUndefined()
  },
)

it.runIf(NAMES_DESCRIPTORS)('does not end its thread while that is reading', async () => {
  const { tree, paths } = folder()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const elsewhere = openReadElsewhere(tree)
  await untilRead(elsewhere, paths)
  const reading = elsewhere.read(paths)!
  vi.advanceTimersByTime(60_000)
  expect((await reading).files).toHaveLength(paths.length)
  vi.advanceTimersByTime(60_000)
  expect(elsewhere.read(paths)).toBeUndefined()
})

it('has files read without a thread where none can be started', () => {
  haveNoMoreThreads()
  const { tree, paths } = folder()
  const elsewhere = openReadElsewhere(tree)
  for (let times = 0; times < 10; times++) expect(elsewhere.read(paths)).toBeUndefined()
})
