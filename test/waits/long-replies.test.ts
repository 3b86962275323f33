/**
 * Whatever is sent, and however long the names in the base are, a reply is bounded, and that of a
 * failure is short: over every tool of every surface, every resource, prompt and route.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { longNames } from './hostile-base.ts'
import { allAttempts, openClient } from './measure-waits.ts'
import type { Answer, Client } from './measure-waits.ts'
import { startVictim } from './start-victim.ts'
import type { Victim } from './start-victim.ts'

const LENGTH = 1_000_000
/** A failure is told in 2,000 characters; in JSON inside JSON some are written with two or four. */
const MOST_OF_FAILURE = 6_000
const MOST = 100_000
/** Clients of these have sent the whole text, or ask for it. */
const IS_WHOLE = /^http P(?:UT|OST) \/api\/notes/

const plain = '# Plain\n\nSee [[tea]].\n\n## Part\n\nText.\n'
const LINE = `${'word '.repeat(32)}\n`
const FILES = {
  'plain.md': `---\nname: Plain\ndescription: A note\ntags: [tea]\n---\n${plain}`,
  'tea.md': '---\nname: Tea\ndescription: A drink\n---\n# Tea\n\nSee [[plain]].\n',
  'long-names.md': longNames(LENGTH),
  'hidden.md': '\u202e\u200b'.repeat(LENGTH / 4),
  'prose.md': 'A word of many.\n'.repeat(LENGTH / 10),
  'knowledge/entities/concepts.jsonl':
    '{"id":"e7","type":"tech","name":"Entity","desc":"About","tags":["a"],"updated_at":"2026-01-01T00:00:00"}\n',
  ...Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`back/b${n}.md`, `${LINE}See [[target]].\n${LINE}`]),
  ),
  'target.md': '# Target\n',
}

let victim: Victim
let client: Client
beforeAll(async () => {
  victim = await startVictim(FILES)
  client = openClient(victim.url)
}, 600_000)
afterAll(async () => {
  client?.close()
  await victim?.close()
})

function isFailure({ status, text }: Answer): boolean {
  return status >= 400 || /"isError":true|^(?:event: message\ndata: )?\{"error":/.test(text)
}

const call = (tool: string, args: object): Promise<Answer> =>
  client.send('POST', `/web/call/${tool}`, JSON.stringify(args))

it('answers a million characters with few', { timeout: 600_000 }, async () => {
  const attempts = await allAttempts(client, [{ name: 'long', text: 'a'.repeat(LENGTH) }])
  const tooLong: string[] = []
  let made = 0
  for (const { name, send } of attempts) {
    if (!/ (?:long|notes\/long-names\.md)$/.test(name)) continue
    made++
    const answer = await send()
    const most = isFailure(answer) ? MOST_OF_FAILURE : IS_WHOLE.test(name) ? Infinity : MOST
    if (answer.text.length > most) tooLong.push(`${answer.text.length} ${name}`)
  }
  expect(tooLong).toEqual([])
  expect(made).toBeGreaterThan(500)
})

const EDIT = { action: 'append', id: 'notes/tea.md', content: 'a', ['a'.repeat(LENGTH / 2)]: 1 }

it.each([
  ['a section that is not there', 'fetch', { section: 'nope' }],
  ['a section of which there are two', 'fetch', { section: `i ${'i'.repeat(LENGTH)}` }],
  ['an argument of an edit that there is not', 'write', { edits: [EDIT], id: undefined }],
  ['an edit of no section', 'write', { action: 'edit_section', section: 'nope', content: 'a' }],
  ['a text that is not there', 'write', { action: 'find_replace', find: 'nope', replace: 'a' }],
])('tells of %s in a note of long names with few words', async (_, tool, args) => {
  const answer = await call(tool, { id: 'notes/long-names.md', ...args })
  expect(answer.text.length).toBeLessThan(3_000)
  expect(JSON.parse(answer.text).error).toMatchObject({ code: expect.any(String) })
})

it('shows the changes of a move a part at a time', { timeout: 600_000 }, async () => {
  const moved = await call('write', { action: 'move', id: 'notes/target.md', to: 'notes/aim.md' })
  const { operation } = JSON.parse(moved.text).structured
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < 50; page++) {
    const { text } = await call('history', { action: 'diff', id: operation, cursor })
    expect(text.length).toBeLessThan(60_000)
    const { diff, next_cursor: next } = JSON.parse(text).structured
    for (const [name] of String(diff).matchAll(/(?<=^\+\+\+ )notes\/back\/.+$/gm)) seen.add(name)
    cursor = next
    if (cursor === undefined) break
  }
  expect(seen.size).toBe(300)
})

/** A session of the older protocol, whose headers repeat nothing of a request. */
async function openReader(): Promise<(uri: string) => Promise<Answer>> {
  const post = (method: string, params: object, headers = {}): Promise<Answer> =>
    client.send('POST', '/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers)
  const { headers } = await post('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'long', version: '1' },
  })
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
  return (uri) => post('resources/read', { uri }, session)
}

it('reads a resource within the bounds of a reply, and says how to read on', async () => {
  const read = await openReader()
  const prose = await read('kb://notes/prose.md')
  expect(prose.text.length).toBeLessThan(MOST)
  const [, next = ''] = /Read on with (.+?)\]/.exec(prose.text) ?? []
  expect((await read(next)).text).toContain('"text":"A word of many.\\nA word')
  expect((await read('kb://notes/hidden.md')).text.length).toBeLessThan(LENGTH)
})

it('takes no address of a resource for one that is longer than any path', async () => {
  const read = await openReader()
  const { text } = await read(`kb://notes/tea.md?more=${'a'.repeat(LENGTH)}`)
  expect(text).toContain('There is no resource')
  expect(text.length).toBeLessThan(MOST_OF_FAILURE)
})
