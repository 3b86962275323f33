/** The door that every call of every surface goes through. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../core/domain/caller.ts'
import { invalid } from '../../core/domain/error.ts'
import { openPassage, serveRows, STEPS, unknownTool } from './serve-rows.ts'
import type { CallRecord } from './observer.ts'
import type { DoorOptions, Row } from './serve-rows.ts'
import { readArguments } from './tool.ts'

function row(name: string, own: Partial<Row> = {}): Row {
  return {
    name,
    title: name,
    description: name,
    access: 'read',
    input: z.strictObject({ word: z.string().optional() }),
    output: z.object({}),
    run: async (subject, { word }) => `${subject} ${word ?? 'nothing'}`,
    present: (result) => ({ said: result }),
    ...own,
  }
}

function open(rows: readonly Row[], options: Partial<DoorOptions> = {}) {
  const records: CallRecord[] = []
  const bugs: unknown[] = []
  const door = serveRows(
    {
      surface: 'test',
      rows,
      offers: ({ needs }) => !needs,
      subject: ({ caller }) => caller?.principal ?? 'anyone',
      read: readArguments,
      show: (shown) => ({ texts: [JSON.stringify(shown)] }),
      fail: ({ code, message }) => ({ texts: [`${code}: ${message}`], isError: true }),
      unknown: (name, names) => {
        throw unknownTool(name, names)
      },
    },
    {
      log: (bug) => bugs.push(bug),
      observers: [{ ended: (record) => records.push(record) }],
      ...options,
    },
  )
  const call = async (
    name: string,
    args: unknown = {},
    caller?: Caller,
    stop?: AbortController,
  ) => {
    const { signal } = stop ?? new AbortController()
    const context = { signal, client: 'test/1', progress: () => {}, ...(caller && { caller }) }
    return (await door.call(name, args, context)).texts[0]
  }
  const outcomes = () => records.map(({ tool, outcome }) => `${tool} ${outcome}`)
  const names = (caller?: Caller) => door.tools(caller).map(({ name }) => name)
  return { door, call, names, records, outcomes, bugs }
}

const READER: Caller = { principal: 'ada', may: ['read'] }
const WRITER: Caller = { principal: 'bob', may: ['read', 'write'] }

it('runs a row on what the caller sees, and tells who watches', async () => {
  const { call, records } = open([row('echo')])
  expect(await call('echo', { word: 'tea' })).toBe('{"said":"anyone tea"}')
  expect(await call('echo', { word: 'tea' }, READER)).toBe('{"said":"ada tea"}')
  expect(records).toMatchObject([
    { surface: 'test', tool: 'echo', client: 'test/1', principal: undefined, outcome: 'ok' },
    { surface: 'test', tool: 'echo', client: 'test/1', principal: 'ada', outcome: 'ok' },
  ])
  expect(records[0]?.durationMs).toBeGreaterThanOrEqual(0)
  // What was said in a call is nobody's business.
  expect(JSON.stringify(records)).not.toContain('tea')
})

it('names the tools there are to who asks for another, and counts no made-up names', async () => {
  const { call, outcomes } = open([row('echo'), row('save', { access: 'write' })])
  await expect(call('ehco')).rejects.toMatchObject({
    code: 'not_found',
    hint: 'The tools are: echo, save.',
  })
  await expect(call('ehco', {}, READER)).rejects.toMatchObject({ hint: 'The tools are: echo.' })
  expect(outcomes()).toEqual(['undefined not_found', 'undefined not_found'])
})

it('lists what is offered and allowed, and refuses the rest', async () => {
  const { names, call, outcomes } = open([
    row('echo'),
    row('save', { access: 'write' }),
    row('drop', { access: 'delete' }),
    row('tend', { access: 'maintain' }),
    row('dream', { needs: ['embedder'] }),
  ])
  expect(names()).toEqual(['echo', 'save', 'drop', 'tend'])
  expect(names(READER)).toEqual(['echo'])
  expect(names(WRITER)).toEqual(['echo', 'save', 'drop'])
  expect(await call('drop', {}, READER)).toMatch(/^forbidden: ada may not call drop: .*"write"/)
  expect(await call('tend', {}, WRITER)).toMatch(/^forbidden: .*"maintain"/)
  expect(await call('drop', {}, WRITER)).toBe('{"said":"bob nothing"}')
  expect(await call('dream')).toBe('{"said":"anyone nothing"}')
  expect(outcomes()).toEqual(['drop forbidden', 'tend forbidden', 'drop ok', 'dream ok'])
})

it('says what is wrong with arguments, and nothing of a bug', async () => {
  const { call, bugs, outcomes } = open([
    row('echo', {
      run: async (_, { word }) => {
        if (word === 'bug') throw new TypeError('secret path')
        throw invalid('Not this word.', 'Another.')
      },
    }),
  ])
  expect(await call('echo', { wrd: 1 })).toMatch(/unknown argument "wrd"/)
  expect(await call('echo', { word: 'x' })).toBe('invalid: Not this word.')
  expect(await call('echo', { word: 'bug' })).toBe(
    'internal: Something went wrong inside the server.',
  )
  expect(bugs).toMatchObject([{ message: 'secret path' }])
  expect(outcomes()).toEqual(['echo invalid', 'echo invalid', 'echo internal'])
})

it('tells a call that was given up from one that was answered', async () => {
  const stop = new AbortController()
  const { call, outcomes } = open([row('wait', { run: async () => void stop.abort() })])
  await call('wait', {}, undefined, stop)
  expect(outcomes()).toEqual(['wait cancelled'])
})

it('answers when the time is up, and when nobody waits any more, although the work goes on', async () => {
  const told: boolean[] = []
  let began = Promise.withResolvers<void>()
  const endless = row('endless', {
    run: (_subject, _input, { signal }) => {
      began.resolve()
      return new Promise(() => signal.addEventListener('abort', () => told.push(true)))
    },
  })
  const late = open([endless], { timeLimitMs: 20 })
  expect(await late.call('endless')).toContain('unavailable: This took longer')
  const { call, outcomes } = open([endless])
  const stop = new AbortController()
  began = Promise.withResolvers<void>()
  const answer = call('endless', {}, undefined, stop)
  await began.promise
  stop.abort()
  expect(await answer).toContain('cancelled')
  expect([outcomes(), told]).toEqual([['endless cancelled'], [true, true]])
})

it('holds routes to the same rules', async () => {
  const records: CallRecord[] = []
  const pass = openPassage('test', {
    log: () => {},
    observers: [{ ended: (record) => records.push(record) }],
  })
  const context = { signal: new AbortController().signal, progress: () => {} }
  const write = { name: 'POST /notes', access: 'write' } as const
  expect(await pass(write, { ...context, caller: WRITER }, async () => 'written')).toBe('written')
  const refused = pass(write, { ...context, caller: READER }, async () => 'written')
  await expect(refused).rejects.toThrow('ada may not call POST /notes')
  expect(records.map(({ tool, outcome, principal }) => [tool, outcome, principal])).toEqual([
    ['POST /notes', 'ok', 'bob'],
    ['POST /notes', 'forbidden', 'ada'],
  ])
})

it('answers for a route when the time is up', async () => {
  const pass = openPassage('test', { log: () => {}, timeLimitMs: 20 })
  const call = { signal: new AbortController().signal, progress: () => {} }
  const endless = () => new Promise<never>(() => {})
  const read = { name: 'GET /notes', access: 'read' } as const
  await expect(pass(read, call, endless)).rejects.toThrow('took longer')
})

it('takes the steps that ARCHITECTURE.md draws, in that order', () => {
  const page = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, drawn = ''] = /```\n(transport[^`]*)```/.exec(page) ?? []
  const named = [...drawn.matchAll(/^ +\| +\d+ (\w+)/gm)].map(([, name]) => name)
  expect(named).toEqual(STEPS.map(({ name }) => name))
})

it('has only what the operator leaves and the client asks for, save for what a tool calls itself', async () => {
  const rows: readonly Row[] = [
    row('echo'),
    row('save', { access: 'write' }),
    row('both', {
      run: async (_subject, _input, context) => (await door.call('save', {}, context)).texts[0],
    }),
  ]
  const { door, call, names, outcomes } = open(rows, { tools: { only: [], exclude: ['save'] } })
  expect(names()).toEqual(['echo', 'both'])
  expect(door.names()).toEqual(['echo', 'save', 'both'])
  await expect(call('save')).rejects.toMatchObject({
    code: 'not_found',
    hint: 'The tools are: echo, both.',
  })
  expect(await call('both')).toContain('anyone nothing')
  const asked = { only: ['echo', 'save'], exclude: [] }
  expect(door.tools(undefined, asked).map(({ name }) => name)).toEqual(['echo'])
  const context = { signal: new AbortController().signal, progress: () => {}, tools: asked }
  await expect(door.call('both', {}, context)).rejects.toMatchObject({
    hint: 'The tools are: echo.',
  })
  expect(outcomes()).toEqual(['undefined not_found', 'save ok', 'both ok', 'undefined not_found'])
})

it('tells the observers of its surface, gives the tool what they know, and is not disturbed by them', async () => {
  const told: string[] = []
  const { call, bugs } = open([row('echo', { run: async (_, __, { client }) => client })], {
    observers: [
      { surface: 'other', began: () => ({ client: 'wrong' }), ended: () => told.push('wrong') },
      { began: () => ({ client: 'known' }) },
      {
        began: () => {
          throw new Error('at the beginning')
        },
        ended: () => {
          throw new Error('at the end')
        },
      },
      {
        surface: 'test',
        ended: ({ client, outcome }, { args, texts }) =>
          told.push(JSON.stringify([client, outcome, args, texts])),
      },
    ],
  })
  expect(await call('echo', { word: 'tea' })).toBe('{"said":"known"}')
  expect(told).toEqual(['["known","ok",{"word":"tea"},["{\\"said\\":\\"known\\"}"]]'])
  expect(bugs).toMatchObject([{ message: 'at the beginning' }, { message: 'at the end' }])
})

it('tells of the first call alone whoever wants no more', async () => {
  const told: string[] = []
  const { call } = open([row('echo', {})], {
    observers: [
      { once: true, ended: () => told.push('once') },
      { ended: () => told.push('always') },
    ],
  })
  await call('echo', { word: 'tea' })
  await call('echo', { word: 'tea' })
  expect(told).toEqual(['once', 'always', 'always'])
})

it('makes a value safe and then writes it down, so that both forms of a reply are the same', async () => {
  const key = `AKIA${'ABCDEFGHIJKLMNOP'}`
  const door = serveRows(
    {
      surface: 'test',
      rows: [row('echo', { present: () => [`a ${key} \u202e`] })],
      subject: () => '',
      read: readArguments,
      show: (shown) => ({ structured: shown, under: 'items' }),
      fail: ({ message }) => ({ texts: [message], isError: true }),
      unknown: (name) => ({ texts: [name], isError: true }),
    },
    { log: () => {} },
  )
  const context = { signal: new AbortController().signal, progress: () => {} }
  const items = ['a [masked AWS key] ⟨U+202E⟩']
  expect(await door.call('echo', {}, context)).toEqual({
    texts: [JSON.stringify(items)],
    structured: { items },
  })
  expect(await door.perform('echo', {}, context)).toEqual(items)
  // What is not there may be called anything.
  expect((await door.call(key, {}, context)).texts).toEqual(['[masked AWS key]'])
})
