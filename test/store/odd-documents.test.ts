/** Documents with odd and huge contents: in PostgreSQL they are what they are in a file. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import type { Base } from '../../src/serve/wiring/open-base.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `odd documents${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`
const MB = 1024 * 1024
/** Usually a file of 20 MB is left out; reading it takes a while. */
const READS_HUGE: Record<string, number> =
  process.env['TEST_FAULTS'] === 'full' ? { 'max-file-bytes': 32 * MB } : {}

/** Letters that do not repeat themselves, so that nothing can pack them. */
function letters(count: number, seed: number): string {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return String.fromCharCode(97 + ((state >>> 16) % 26))
  }).join('')
}

const LONG = { tag: letters(9_000, 1), alias: letters(9_000, 2), title: letters(9_000, 3) }
const LINK = letters(9_000, 4)
const FOLDERS = Array.from({ length: 13 }, (_, at) => letters(240, 10 + at)).join('/')

const NOTES: Record<string, string> = {
  'nul.md': '---\ntitle: "A\\0B nul"\naliases: ["x\\0y"]\n---\nWords \0 between.\n',
  'surrogate.md': '---\ntitle: "A \\uD83D lone surrogate"\ntags: ["t\\uDC00"]\n---\nHalf a pair.\n',
  'long.md': `---\ntitle: ${LONG.title}\naliases: [${LONG.alias}]\ntags: [${LONG.tag}]\n---\nLong names.\n`,
  'linking.md': `# Linking\n\nTo [[${LINK}]], [[${LONG.alias}]] and [[nul]].\n`,
  [`${FOLDERS}/deep.md`]: '# Deep\n\nFar down, see [[linking]].\n',
  'many.md': `# Many\n\n${Array.from({ length: 20_000 }, (_, at) => `[[target ${at}]]`).join(' ')}\n`,
  'huge.md':
    `# Huge\n\n${'Quite a long sentence about tea and water. '.repeat(4).trim()}\n\n`.padEnd(
      20 * MB,
      'Another line that says little about a kettle.\n',
    ),
}

describe.skipIf(!POSTGRES_BIN)(title, { timeout: 900_000 }, () => {
  it('are told alike by both stores', async () => {
    const server = await startPostgres(['fsync=off'])
    onTestFinished(() => server.remove())
    const folder = temporaryFolder()
    for (const [path, text] of Object.entries(NOTES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const states = [temporaryFolder(), temporaryFolder()]
    const embedded = await opened(folder, { state: states[0]! })
    const shared = await opened(folder, { state: states[1]!, store: `${server.url()}?base=odd` })
    const [one, other] = [await everything(embedded), await everything(shared)]
    expect(other).toEqual(one)
    expect(JSON.stringify(one)).toContain('Deep')
    const { findings } = await shared.doctor({ repair: false })
    expect(findings.filter(({ level }) => level === 'error')).toEqual([])
  })
})

async function opened(folder: string, flags: Record<string, string>): Promise<Base> {
  const { config } = await loadConfig({
    folders: [`notes=${folder}`],
    configFile: undefined,
    flags: { ...flags, ...READS_HUGE, embedding: 'none' },
    env: {},
    cwd: folder,
    home: folder,
  })
  const base = await openBase(config)
  onTestFinished(() => base.close())
  await base.index({ waitForMeaning: false })
  return base
}

/** What the tools say of every one of them, errors included. */
async function everything(base: Base): Promise<unknown[]> {
  const told: unknown[] = []
  const ask = async (tool: string, args: Record<string, unknown>): Promise<void> => {
    const { structured, isError } = await base.call(tool, args)
    told.push({ tool, isError, structured })
  }
  for (const query of ['nul', 'half a pair', 'tea water kettle', 'far down', 'A\0B', '\uD83D']) {
    await ask('search', { query })
  }
  await ask('search', { query: `tag:${LONG.tag}` })
  await ask('search', { query: LONG.title })
  for (const id of [
    'nul.md',
    'surrogate.md',
    LONG.alias,
    'linking',
    'many.md',
    'deep',
    'huge.md',
  ]) {
    await ask('fetch', { id })
    await ask('neighbors', { id })
  }
  for (const report of ['tags', 'broken_links', 'coverage', 'orphans']) {
    await ask('insights', { report })
  }
  await ask('list', {})
  return told
}
