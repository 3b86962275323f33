/** Hooks of clients: installed beside others, removed without a trace. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readJsonc } from '../../src/keep/clients/edit-jsonc.ts'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FILES = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  cursor: '.cursor/hooks.json',
} as const

const EVENTS = {
  'claude-code': ['SessionStart', 'UserPromptSubmit'],
  codex: ['SessionStart', 'UserPromptSubmit'],
  gemini: ['SessionStart', 'BeforeAgent'],
  cursor: ['sessionStart'],
} as const

type Id = keyof typeof FILES
const IDS = Object.keys(FILES) as Id[]

function open(id: Id, text?: string) {
  const home = temporaryFolder({ 'notes/a.md': '# A\n' })
  const file = join(home, FILES[id])
  if (text !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const notes = ['--folder', join(home, 'notes')]
  return {
    home,
    file,
    text: () => readFileSync(file, 'utf8'),
    install: (...more: string[]) =>
      runCairn(home, 'hook', 'install', id, '--yes', ...notes, ...more),
    remove: (...more: string[]) => runCairn(home, 'hook', 'remove', id, '--yes', ...more),
  }
}

const OTHERS: Record<string, (event: string) => string> = {
  'another hook of the same event': (event) =>
    `{\n  "hooks": {\n    "${event}": [\n      { "hooks": [{ "type": "command", "command": "echo hi" }] }\n    ]\n  }\n}\n`,
  'remarks, tabs and trailing commas': (event) =>
    `// mine\n{\n\t"model": "x", // the big one\n\t"hooks": {\n\t\t/* on purpose */\n\t\t"${event}": [\n\t\t\t{ "command": "a" }, // first\n\t\t\t{ "command": "b" }, // last\n\t\t],\n\t},\n}\n`,
  'an empty list, and no line break at the end': (event) => `{"hooks": {"${event}": []}}`,
  'an empty object': () => '{\n  "hooks": {},\n  "theme": "dark"\n}\n',
  'everything on one line': (event) => `{ "a": 1, "hooks": { "${event}": [{ "command": "a" }] } }`,
  'line breaks of Windows': () => '{\r\n  "a": [1, 2]\r\n}\r\n',
}

describe.each(IDS)('%s', (id) => {
  const [event] = EVENTS[id]

  it('gets a file of its own, which goes again', async () => {
    const { install, remove, file, text, home } = open(id)
    expect((await install()).code).toBe(0)
    const { hooks } = readJsonc(text()) as { hooks: Record<string, unknown[]> }
    expect(Object.keys(hooks)).toEqual(EVENTS[id])
    for (const [moment, list] of Object.values(hooks).entries()) {
      expect(JSON.stringify(list)).toMatch(
        new RegExp(`recall --hook ${id} --moment ${moment === 0 ? 'start' : 'prompt'} `),
      )
    }
    if (id === 'cursor') expect(readJsonc(text())).toMatchObject({ version: 1 })
    expect((await remove()).code).toBe(0)
    expect(existsSync(file)).toBe(false)
    expect(readdirSync(dirname(join(home, FILES[id])))).toEqual([])
  })

  it.each(Object.keys(OTHERS))('leaves %s as it was', async (name) => {
    const before = OTHERS[name]!(event)
    const { install, remove, text, file } = open(id, before)
    const { code, out } = await install('--checkpoint')
    expect([code, out.startsWith(`--- ${file}\n+++ ${file}\n`)]).toEqual([0, true])
    const installed = text()
    expect(installed).not.toBe(before)
    expect(JSON.stringify(readJsonc(installed))).toContain(`recall --hook ${id}`)
    // Again changes nothing; another budget changes ours alone.
    expect((await install('--checkpoint')).code).toBe(0)
    expect(text()).toBe(installed)
    expect((await install('--checkpoint', '--max-tokens', '300')).code).toBe(0)
    expect(text().match(/recall --hook/g)).toHaveLength(installed.match(/recall --hook/g)!.length)
    expect((await remove()).code).toBe(0)
    expect(text()).toBe(before)
    expect(readdirSync(dirname(file))).toEqual([FILES[id].split('/')[1]])
  })

  it('keeps what was edited since', async () => {
    const { install, remove, text, file } = open(
      id,
      OTHERS['remarks, tabs and trailing commas']!(event),
    )
    await install()
    writeFileSync(file, text().replace('"x"', '"y"'))
    await remove()
    expect(text()).toContain('"y", // the big one')
    expect(text()).toContain('// last')
    expect(text()).not.toContain('recall --hook')
    expect(() => readJsonc(text())).not.toThrow()
  })

  it('leaves a file alone that it cannot read', async () => {
    for (const bad of ['{ "hooks": ', `{ "hooks": { "${event}": "mine" } }`, '[]']) {
      const { install, text } = open(id, bad)
      expect((await install()).code).not.toBe(0)
      expect(text()).toBe(bad)
    }
  })
})

/** What `patch` makes of a file. */
function patched(before: string, diff: string): string {
  const copy = temporaryFolder({ 'before.json': before, 'shown.diff': diff })
  const words = ['-s', '-o', join(copy, 'after.json'), join(copy, 'before.json')]
  execFileSync('patch', [...words, join(copy, 'shown.diff')])
  return readFileSync(join(copy, 'after.json'), 'utf8')
}

const HAS_PATCH = spawnSync('patch', ['--version']).status === 0

describe('the change that is shown', () => {
  const before = `{
  "model": "opus",
  "hooks": {
    "UserPromptSubmit": [
      { "hooks": [{ "type": "command", "command": "echo hi" }] }
    ],
    "PostToolUse": [
      { "hooks": [{ "type": "command", "command": "echo 1" }] }
    ],
    "SessionStart": [
      { "hooks": [{ "type": "command", "command": "echo start" }] }
    ]
  },
  "theme": "dark"
}
`

  it('has every line that changes, to its end, and no other', async () => {
    const { install, text } = open('claude-code', before)
    const { out } = await install('--checkpoint')
    const marked = (mark: string, other: string) =>
      out.split('\n').filter((line) => line.startsWith(mark) && !line.startsWith(other))
    const [old, now] = [before, text()].map((each) => new Set(each.split('\n')))
    for (const line of marked('+', '+++')) expect(now).toContain(line.slice(1))
    for (const line of marked('-', '---')) expect(old).toContain(line.slice(1))
    // Others' lines get a comma at most.
    expect(marked('-', '---').map((line) => line.trim().slice(-4))).toEqual(['}] }', '}] }'])
    expect(out).not.toContain('echo 1')
    expect(out).not.toContain('…')
  })

  it.skipIf(!HAS_PATCH)('makes exactly what is written of what was there', async () => {
    const { install, remove, text, file } = open('claude-code', before)
    const installed = await install()
    expect(patched(before, installed.out)).toBe(text())
    const now = text()
    writeFileSync(file, now.replace('"opus"', '"haiku"'))
    const removed = await remove()
    expect(patched(now.replace('"opus"', '"haiku"'), removed.out)).toBe(text())
  })

  it('says where a file is new, and where it goes', async () => {
    const { install, remove, file } = open('codex')
    expect((await install()).out).toMatch(new RegExp(`^--- /dev/null\n\\+\\+\\+ ${file}\n`))
    expect((await remove()).out).toMatch(new RegExp(`^--- ${file}\n\\+\\+\\+ /dev/null\n`))
  })
})

it('keeps the copy from before the first change, and brings nothing back from it', async () => {
  const before = '{\n  "model": "opus",\n  "theme": "dark"\n}\n'
  const { install, remove, text, file } = open('claude-code', before)
  const copy = `${file}.before-cairn-hooks`
  await install()
  writeFileSync(file, '{}\n')
  await install()
  expect(readFileSync(copy, 'utf8')).toBe(before)
  await remove()
  expect(existsSync(copy)).toBe(false)
  expect(existsSync(file) ? text() : '').not.toContain('opus')
})

it('says where a client asks before it runs a hook', async () => {
  const { install } = open('codex')
  expect((await install()).err).toContain('/hooks')
  const project = await open('gemini').install('--scope', 'project')
  expect(project.err).toContain('trust')
})

it('asks before it writes, and names what it knows', async () => {
  const { home, file } = open('codex')
  const notes = ['--folder', join(home, 'notes')]
  expect((await runCairn(home, 'hook', 'install', 'codex', ...notes)).code).toBe(1)
  const shown = await runCairn(home, 'hook', 'install', 'codex', '--print', ...notes)
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('UserPromptSubmit')])
  expect(existsSync(file)).toBe(false)
  const other = await runCairn(home, 'hook', 'install', 'emacs', ...notes)
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('claude-code')])
})
