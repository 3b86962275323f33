/** What a connection has been shown is named instead of repeated, and never something new. */
import { expect, it } from 'vitest'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { openGovernor } from '../../src/serve/observers/governor.ts'
import { openTestBase } from '../support/open-test-base.ts'

const NOTES = {
  'boat.md': '# Boat\n\nThe hull of the boat is painted blue every spring by Ada.\n',
  'shed.md': '# Shed\n\nThe shed keeps the paint for the hull of the boat.\n',
  'tea.md': '# Tea\n\nBoil the water first, then wait three minutes.\n',
}

async function open({ governor = true } = {}) {
  const base = await openTestBase(NOTES)
  const counted: { client: string | undefined; saved: number }[] = []
  const surface = openNativeSurface(base.base, {
    version: '0',
    log: console.error,
    observers: [
      ...(governor ? [openGovernor()] : []),
      { ended: ({ client }, { saved = 0 }) => counted.push({ client, saved }) },
    ],
  })
  const say = async (
    tool: string,
    args: object,
    connection?: object,
    { client = 'agent/1', signal = new AbortController().signal } = {},
  ) => {
    const call = {
      signal,
      progress: () => {},
      client,
      ...(connection && { connection }),
    }
    const { texts, structured } = await surface.call(tool, args, call)
    return { text: texts.join(''), structured: structured as Record<string, any> }
  }
  return { ...base, say, counted }
}

const PAINTED = 'painted blue every spring'

it('names what was shown when the same subject is searched again', async () => {
  const { say, counted } = await open()
  const connection = {}
  const first = await say('search', { query: 'who paints the hull of the boat' }, connection)
  expect(first.text).toContain(PAINTED)
  const again = await say('search', { query: 'hull boat painted when' }, connection)
  expect(again.text).not.toContain(PAINTED)
  expect(again.text.length).toBeLessThan(first.text.length)
  expect(again.text).toMatch(/seen: \d notes\/boat\.md/)
  expect(again.structured['results'].find(({ id }: any) => id === 'notes/boat.md').seen).toBe(true)
  expect(again.structured['results'][0].snippet).not.toBe('')
  expect(counted.map(({ saved }) => saved > 0)).toEqual([false, true])
  expect(counted[0]).toMatchObject({ client: 'agent/1' })
  const asked = await say('search', { query: 'hull boat painted', again: true }, connection)
  expect(asked.text).toContain(PAINTED)
})

it('shows to another question, to another connection and to lone calls what it has shown', async () => {
  const { say } = await open()
  const connection = {}
  const query = 'who paints the hull of the boat'
  await say('search', { query }, connection)
  const other = await say('search', { query: 'what does Ada do in spring' }, connection)
  expect(other.text).toContain(PAINTED)
  expect((await say('search', { query }, {})).text).toContain(PAINTED)
  expect((await say('search', { query })).text).toContain(PAINTED)
  expect((await say('search', { query })).text).toContain(PAINTED)
})

it('knows what was fetched, and gives it to who fetches it again', async () => {
  const { say } = await open()
  const connection = {}
  await say('fetch', { id: 'boat' }, connection)
  expect((await say('search', { query: 'hull of the boat' }, connection)).text).not.toContain(
    PAINTED,
  )
  expect((await say('fetch', { id: 'boat' }, connection)).text).toContain(PAINTED)
})

it('never hides something new', async () => {
  const { say, folder, sync } = await open()
  const connection = {}
  await say('search', { query: 'hull of the boat' }, connection)
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${folder}/boat.md`, '# Boat\n\nThe hull of the boat is painted green now.\n')
  await sync()
  const { text } = await say('search', { query: 'hull of the boat' }, connection)
  expect(text).toContain('painted green now')
})

it('can be turned off', async () => {
  const { say } = await open({ governor: false })
  const connection = {}
  for (const _ of [1, 2]) {
    const { text } = await say('search', { query: 'hull of the boat' }, connection)
    expect(text).toContain(PAINTED)
  }
})

it('names quotes that a search has shown, and says the answer in short', async () => {
  const { say, counted } = await open()
  const connection = {}
  const question = 'what keeps the paint for the hull of the boat, which is painted blue'
  const alone = await say('ask', { question }, {})
  await say('search', { query: question }, connection)
  const after = await say('ask', { question }, connection)
  expect(after.text).toMatch(/\(seen: notes\/(?:boat|shed)\.md:3-3\)/)
  expect(after.text).toMatch(/^seen: notes\/(?:boat|shed)\.md:3-3$/m)
  expect(after.text.length).toBeLessThan(alone.text.length)
  expect(after.structured).toEqual(alone.structured)
  expect(counted.at(-1)!.saved).toBeGreaterThan(0)
  const again = await say('ask', { question, again: true }, connection)
  expect(again.text).toBe(alone.text)
})

it('names in a search what an answer has quoted', async () => {
  const { say } = await open()
  const connection = {}
  await say('ask', { question: 'who paints the hull of the boat' }, connection)
  const { text } = await say('search', { query: 'who paints the hull of the boat' }, connection)
  expect(text).not.toContain(PAINTED)
})

it('does not take the same words of another document, or another number, for seen', async () => {
  const { say, folder, sync } = await open()
  const connection = {}
  await say('fetch', { id: 'boat' }, connection)
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${folder}/dory.md`, NOTES['boat.md'].replace('# Boat', '# Dory'))
  writeFileSync(`${folder}/pump.md`, '# Pump\n\nThe pump takes 1.5 bar of pressure and no more.\n')
  await sync()
  const { text } = await say('search', { query: 'hull of the boat' }, connection)
  expect(text).toContain(PAINTED)
  await say('fetch', { id: 'pump' }, connection)
  writeFileSync(`${folder}/pump.md`, '# Pump\n\nThe pump takes 15 bar of pressure and no more.\n')
  await sync()
  const pump = await say('search', { query: 'pressure of the pump' }, connection)
  expect(pump.text).toContain('15 bar')
})

it('counts nothing as shown by a call that was given up', async () => {
  const { say } = await open()
  const connection = {}
  const query = 'who paints the hull of the boat'
  const given = new AbortController()
  const call = say('search', { query }, connection, { signal: given.signal })
  given.abort()
  await call
  expect((await say('search', { query }, connection)).text).toContain(PAINTED)
})

it('spares nothing to a client that reads JSON, and says so', async () => {
  const { say, counted } = await open()
  const connection = {}
  for (const _ of [1, 2]) {
    const options = { client: 'openai-mcp/1' }
    const { text } = await say('search', { query: 'hull of the boat' }, connection, options)
    expect(text).toContain(PAINTED)
  }
  expect(counted.map(({ saved }) => saved)).toEqual([0, 0])
})
