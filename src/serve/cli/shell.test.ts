import { describe, expect, it, onTestFinished } from 'vitest'
import { KnowledgeError } from '../../core/domain/error.ts'
import { openerOf } from './commands/open.ts'
import { tasksIn } from '../../core/operations/reading/find-tasks.ts'
import { asRun, baseWords, programOf, repeated, runAs, shellLine } from './shell-words.ts'
import { inWordsOfTheShell } from './tool-errors.ts'
import { toolCommand } from './tool-command.ts'

it('writes lines that a shell reads as they were meant', () => {
  expect(shellLine(['cairn', 'search', "what's new", 'a;b', 'x.md'])).toBe(
    `cairn search 'what'\\''s new' 'a;b' x.md`,
  )
})

it('keeps which base was meant in a hint', () => {
  const words = ['search', 'tea', '-f', 'my notes', '--json', '--state=/x', '--config', 'c.yaml']
  expect(baseWords(words)).toEqual(['-f', 'my notes', '--state=/x', '--config', 'c.yaml'])
})

it('repeats a line with another cursor', () => {
  expect(repeated(['search', 'a b', '--cursor', 'old', '-n', '2'], '--cursor', 'new')).toBe(
    `cairn search 'a b' -n 2 --cursor new`,
  )
  expect(repeated(['search', '--', '-x'], '--cursor', 'c')).toBe('cairn search --cursor c -- -x')
})

it('turns words of the wire into words of the shell', () => {
  const options = {
    'updated-after': { kind: 'text', argument: 'updated_after', summary: '' },
    section: { kind: 'text', argument: 'section', summary: '' },
  } as const
  const said = (message: string, hint = '') => {
    const error = inWordsOfTheShell(new KnowledgeError('invalid', message, hint), 'fetch', options)
    return [error.message, error.hint]
  }
  expect(said('updated_after is no date.', 'Its arguments are: id, ids.')).toEqual([
    '--updated-after is no date.',
    'See "cairn fetch --help".',
  ])
  expect(said('Cut.', 'Read on with fetch(id="a b.md", lines="2-3").')[1]).toBe(
    `Read on with cairn fetch 'a b.md' --lines 2-3.`,
  )
  expect(said('fetch cannot be called like this: x.')[0]).toBe(
    'cairn fetch cannot be run like this: x.',
  )
})

it('makes a command of a tool nobody has prepared', () => {
  const command = toolCommand({
    name: 'weigh',
    title: 'Weigh documents',
    description: '',
    inputSchema: {
      type: 'object',
      required: ['what'],
      properties: {
        what: { type: 'string' },
        units: { type: 'array', items: { type: 'string' } },
        at_most: { type: 'integer', default: 7, description: 'Upper bound' },
        kind: { enum: ['net', 'gross'] },
        extra: { type: 'object' },
        fast: { type: 'boolean' },
      },
    },
  })
  expect(command).toMatchObject({ name: 'weigh', summary: 'Weigh documents.' })
  expect(command.positionals).toMatchObject([{ name: 'WHAT', required: true }])
  expect(command.options).toMatchObject({
    unit: { kind: 'list', argument: 'units' },
    'at-most': { kind: 'integer', argument: 'at_most', summary: 'Upper bound (default: 7)' },
    kind: { kind: 'text', choices: ['net', 'gross'] },
    extra: { kind: 'json' },
    fast: { kind: 'flag' },
  })
})

it('finds tasks as Markdown and Logseq write them, and none in code', () => {
  const text = [
    '- [ ] call Ada',
    '  1. [x] done',
    '> - [/] half way',
    '* [-] dropped',
    '- [] no task',
    '- [link](x)',
    '```',
    '- [ ] an example',
    '```',
    '- TODO water the plants',
    '- DONE sleep',
  ].join('\n')
  expect(tasksIn('a', text).map(({ line, done, text: said }) => [line, done, said])).toEqual([
    [1, false, 'call Ada'],
    [2, true, 'done'],
    [3, false, 'half way'],
    [4, true, 'dropped'],
    [10, false, 'water the plants'],
    [11, true, 'sleep'],
  ])
})

it.each([
  [{ EDITOR: 'vim' }, 3, ['vim', '+3', '/a.md']],
  [{ VISUAL: 'code --wait', EDITOR: 'vi' }, 3, ['code', '--wait', '--goto', '/a.md:3']],
  [{ EDITOR: '/usr/bin/hx' }, 3, ['/usr/bin/hx', '/a.md:3']],
  [{ EDITOR: 'nano' }, undefined, ['nano', '/a.md']],
  [{}, 3, ['xdg-open', '/a.md']],
])('opens with %j', (env, line, expected) => {
  expect(openerOf('/a.md', line, env as Record<string, string>, 'linux')).toEqual(expected)
})

describe('whoever came by npx', () => {
  it.each([
    [{}, '/usr/lib/node_modules/cairn-kb/bin/cairn.js', 'cairn'],
    [{ npm_command: 'exec' }, '/home/me/.npm/_npx/1f/node_modules/.bin/cairn-kb', 'npx cairn-kb'],
    [{ npm_command: 'exec' }, '/home/me/cairn/node_modules/.bin/cairn', 'npx cairn'],
    [{ npm_command: 'run-script' }, '/home/me/cairn/bin/cairn.js', 'cairn'],
  ])('%j, started as %s, types %s', (env, launcher, typed) => {
    expect(programOf(env, launcher)).toBe(typed)
  })

  it('gets advice that runs there', () => {
    onTestFinished(() => runAs('cairn'))
    const advice =
      'Run "cairn index": then cd x && cairn search y; /bin/cairn z, cairn.yaml, a cairn.'
    expect(asRun(advice)).toBe(advice)
    runAs('npx cairn-kb')
    expect(asRun(advice)).toBe(
      'Run "npx cairn-kb index": then cd x && npx cairn-kb search y; /bin/cairn z, cairn.yaml, a cairn.',
    )
  })
})
