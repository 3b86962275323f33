/** Settings files as others leave them: links out of a clone, other encodings, saves meanwhile. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NO_INPUT } from '../../src/serve/cli/input.ts'
import type { Input } from '../../src/serve/cli/input.ts'
import { app } from '../../src/serve/cli/plug-in.ts'
import { run } from '../../src/serve/cli/run.ts'
import { openTerminal } from '../../src/serve/cli/terminal.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

const ROUNDS = 10
const MINE = '{"mine":"precious"}\n'

/** A home with something of its owner's, and a clone of somebody's repository. */
function open(clone: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder({ 'mine/settings.json': MINE, 'notes/a.md': '# A\n' })
  const project = join(home, 'clone')
  mkdirSync(join(project, '.git'), { recursive: true })
  writeFiles(project, clone)
  const cairn = async (words: readonly string[], input: Input = NO_INPUT) => {
    const seen = { out: '', err: '' }
    const terminal = openTerminal(
      { write: (text) => (seen.out += text) },
      { write: (text) => (seen.err += text) },
      {},
    )
    const folder = words.includes('--remove') || words.includes('remove') ? [] : ['-f', project]
    const all = [...words, ...folder]
    const code = await run(all, { app, terminal, input, env: {}, cwd: project, home, onStop() {} })
    return { code, ...seen }
  }
  const link = (to: string, path: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    symlinkSync(to, join(project, path))
  }
  return { home, project, mine: join(home, 'mine'), cairn, link }
}

const HERE = ['--scope', 'project', '--yes']

const COMMANDS = [
  [['connect', 'claude-code', ...HERE], '.mcp.json', 'before-cairn'],
  [['connect', 'cursor', ...HERE], '.cursor/mcp.json', 'before-cairn'],
  [['connect', 'vscode', ...HERE], '.vscode/mcp.json', 'before-cairn'],
  [['connect', 'codex', ...HERE], '.codex/config.toml', 'before-cairn'],
  [['connect', 'claude-code', '--remove', ...HERE], '.mcp.json', 'before-cairn'],
  [['hook', 'install', 'claude-code', ...HERE], '.claude/settings.json', 'before-cairn-hooks'],
  [['hook', 'install', 'cursor', ...HERE], '.cursor/hooks.json', 'before-cairn-hooks'],
  [['hook', 'remove', 'gemini', ...HERE], '.gemini/settings.json', 'before-cairn-hooks'],
] as const

describe.each(COMMANDS)('%j in a clone', (words, file, backup) => {
  const own = file.endsWith('.toml') ? 'evil = 1\n' : '{"evil":1}\n'

  it('writes and reads nothing through a link that lies where the copy goes', async () => {
    const { cairn, link, project, mine } = open({ [file]: own })
    link(join(mine, 'settings.json'), `${file}.${backup}`)
    const { code, out, err } = await cairn(words)
    expect([code === 0, err]).toEqual([false, expect.stringContaining('is a symbolic link')])
    expect(out + err).not.toContain('precious')
    expect(readFileSync(join(mine, 'settings.json'), 'utf8')).toBe(MINE)
    expect(readdirSync(mine)).toEqual(['settings.json'])
    expect(readFileSync(join(project, file), 'utf8')).toBe(own)
  })

  it('leaves alone what settings lead to that are a link out of it', async () => {
    const { cairn, link, mine } = open()
    link(join(mine, 'settings.json'), file)
    const { code, out, err } = await cairn(words)
    expect([code === 0, err]).toEqual([false, expect.stringContaining('leads out of the project')])
    expect(out + err).not.toContain('precious')
    expect(readFileSync(join(mine, 'settings.json'), 'utf8')).toBe(MINE)
    expect(readdirSync(mine)).toEqual(['settings.json'])
  })

  it('makes nothing where a link leads that leads nowhere yet', async () => {
    const { cairn, link, mine } = open()
    link(join(mine, 'new.json'), file)
    const { code, err } = await cairn(words)
    expect([code === 0, err]).toEqual([false, expect.stringContaining('leads nowhere')])
    expect(readdirSync(mine)).toEqual(['settings.json'])
  })

  it.skipIf(!file.includes('/'))('does not go through a folder that is a link', async () => {
    const { cairn, link, mine } = open()
    link(mine, dirname(file))
    const { code, err } = await cairn(words)
    expect([code === 0, err]).toEqual([false, expect.stringContaining('leads out of the project')])
    expect(readFileSync(join(mine, 'settings.json'), 'utf8')).toBe(MINE)
    expect(readdirSync(mine)).toEqual(['settings.json'])
  })
})

it('follows a link that stays in the project', async () => {
  const { cairn, link, project } = open({ 'config/mcp.json': '{}\n' })
  link('config/mcp.json', '.mcp.json')
  expect(await cairn(['connect', 'claude-code', ...HERE])).toMatchObject({ code: 0 })
  expect(lstatSync(join(project, '.mcp.json')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(project, 'config/mcp.json'), 'utf8')).toContain('cairn-kb')
})

describe("a user's own settings", () => {
  const WORDS = ['connect', 'cursor', '--yes'] as const

  it('are not made where a link leads nowhere', async () => {
    const { cairn, home } = open()
    mkdirSync(join(home, '.cursor'))
    symlinkSync(join(home, 'nowhere.json'), join(home, '.cursor/mcp.json'))
    const { code, err } = await cairn(WORDS)
    expect([code, err]).toEqual([1, expect.stringContaining('leads nowhere')])
    expect(lstatSync(join(home, '.cursor/mcp.json')).isSymbolicLink()).toBe(true)
    expect(existsSync(join(home, 'nowhere.json'))).toBe(false)
  })

  it.each([
    ['Latin-1', Buffer.from('{"name":"caf\u00e9","mcpServers":{}}\n', 'latin1')],
    ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le')],
    ['half a letter', Buffer.from([...Buffer.from('{"a":"'), 0xc3])],
  ])('are left as they are in %s', async (_, bytes) => {
    const { cairn, home } = open()
    const file = join(home, '.cursor/mcp.json')
    writeFiles(home, { '.cursor/mcp.json': bytes })
    for (const words of [WORDS, [...WORDS, '--remove']]) {
      const { code, err } = await cairn(words)
      expect([code, err]).toEqual([1, expect.stringContaining('is not UTF-8')])
      expect(readFileSync(file).equals(bytes)).toBe(true)
      expect(readdirSync(dirname(file))).toEqual(['mcp.json'])
    }
  })

  it('keep their mark of UTF-8 and their line breaks', async () => {
    const { cairn, home } = open()
    const text = '\ufeff{\r\n  "a": 1\r\n}\r\n'
    writeFiles(home, { '.cursor/mcp.json': text })
    await cairn(WORDS)
    const file = join(home, '.cursor/mcp.json')
    expect(readFileSync(file, 'utf8').startsWith('\ufeff{\r\n  "a": 1,')).toBe(true)
    await cairn([...WORDS, '--remove'])
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  const SAVES = {
    'in its place': writeFileSync,
    'by renaming': (file: string, text: string) => {
      writeFileSync(`${file}~`, text)
      renameSync(`${file}~`, file)
    },
  }

  it.each(Object.keys(SAVES))('are what another program saved %s meanwhile', async (way) => {
    const { cairn, home } = open()
    const file = join(home, '.cursor/mcp.json')
    writeFiles(home, { '.cursor/mcp.json': '{"n":1}\n' })
    const ask = async () => {
      SAVES[way as keyof typeof SAVES](file, '{"n":2}\n')
      return 'y'
    }
    const input: Input = {
      isTerminal: true,
      text: async () => '',
      bytes: async () => new Uint8Array(),
      ask,
    }
    const { code, err } = await cairn(['connect', 'cursor'], input)
    expect([code, err]).toEqual([1, expect.stringContaining('in the meantime')])
    expect(readFileSync(file, 'utf8')).toBe('{"n":2}\n')
    expect(readdirSync(dirname(file))).toEqual(['mcp.json'])
  })

  // One and two files beside: while the copy is made, and between the last look and the rename.
  it.each([1, 2])(
    'keep a save that comes while they are written (%i beside)',
    async (beside) => {
      let saves = 0
      for (let round = 0; round < ROUNDS; round++) {
        const { cairn, home } = open()
        writeFiles(home, { '.cursor/mcp.json': `{"n":"${'x'.repeat(round * 20_000)}"}\n` })
        const file = join(home, '.cursor/mcp.json')
        const text = `{"n":"saved in round ${round}"}\n`
        const saver = await startSaver(file, text, beside, join(home, 'stop'))
        const { code } = await cairn(WORDS)
        writeFileSync(join(home, 'stop'), '')
        const didSave = await saver.ended
        if (didSave) saves++
        const isSaved = readFileSync(file, 'utf8') === text
        expect({ round, code, isSaved }).toEqual({ round, code, isSaved: didSave })
        const left = code === 0 ? ['mcp.json', 'mcp.json.before-cairn'] : ['mcp.json']
        expect(readdirSync(dirname(file)).toSorted()).toEqual(left)
      }
      console.log(`${saves} of ${ROUNDS} saves came in time`)
      // The second moment is short, and may pass while the other program has no turn.
      if (beside === 1) expect(saves).toBeGreaterThan(0)
    },
    300_000,
  )
})

const SAVER = fileURLToPath(new URL('../support/late-saver-process.ts', import.meta.url))

async function startSaver(file: string, text: string, beside: number, stop: string) {
  const child = spawn(process.execPath, [SAVER, file, text, String(beside), stop], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (more) => (said += more))
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  await expect.poll(() => said, SOON).toContain('looking')
  return { ended: closed.then(() => said.includes('saved')) }
}
