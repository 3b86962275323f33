/** The door that every call of every surface goes through. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../core/domain/caller.ts'
import { invalid } from '../../core/domain/error.ts'
import { openPassage, serveRows, unknownTool } from './serve-rows.ts'
import type { CallRecord, Row } from './serve-rows.ts'
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

function open(rows: readonly Row[], timeLimitMs?: number) {
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
      observe: (record) => records.push(record),
      ...(timeLimitMs !== undefined && { timeLimitMs }),
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
  return { door, call, records, outcomes, bugs }
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
  const { door, call, outcomes } = open([
    row('echo'),
    row('save', { access: 'write' }),
    row('drop', { access: 'delete' }),
    row('tend', { access: 'maintain' }),
    row('dream', { needs: ['embedder'] }),
  ])
  const names = (caller?: Caller) => door.tools(caller).map(({ name }) => name)
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
  const late = open([endless], 20)
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
  const pass = openPassage('test', { log: () => {}, observe: (record) => records.push(record) })
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
