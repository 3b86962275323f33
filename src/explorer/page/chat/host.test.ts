import { expect, it } from 'vitest'
import { openHostDoor } from './host-door.ts'
import { openHost } from './host.ts'
import { placeFor } from './start.ts'

function chat(patienceMs?: number) {
  const said: any[] = []
  let hear: (message: unknown) => void = () => {}
  const host = openHost(
    { post: (message) => void said.push(message), listen: (listener) => void (hear = listener) },
    patienceMs,
  )
  return { host, said, say: (message: unknown) => hear(message) }
}

it('knows which answer belongs to which question', async () => {
  const { host, said, say } = chat()
  const [first, second] = [host.request('a', {}), host.request('b', {})]
  say({ jsonrpc: '2.0', id: said[1].id, result: 2 })
  say({ jsonrpc: '2.0', id: said[0].id, error: { code: 1, message: 'Not here' } })
  expect(await second).toBe(2)
  await expect(first).rejects.toThrow('Not here')
})

it('does not stumble over what makes no sense', async () => {
  const { host, said, say } = chat()
  const asked = host.request('a', {})
  for (const message of [undefined, null, 'x', 7, [], { id: 1 }, { jsonrpc: '2.0', id: 99 }])
    say(message)
  say({ jsonrpc: '2.0', method: 'nobody/listens' })
  say({ jsonrpc: '2.0', id: said[0].id, result: 'there' })
  expect(await asked).toBe('there')
})

it('does not wait for ever', async () => {
  await expect(chat(1).host.request('a', {})).rejects.toThrow('does not answer')
})

it('tells the chat what is no longer wanted', async () => {
  const { host, said } = chat()
  const gone = new AbortController()
  const asked = host.request('a', {}, gone.signal)
  gone.abort()
  await expect(asked).rejects.toThrow()
  expect(said[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } })
})

it.each([
  ['an empty answer', { contents: [] }],
  ['no answer at all', undefined],
  ['an answer that is no JSON', { contents: [{ text: '<html>' }] }],
])('says that %s makes no sense', async (_, result) => {
  const { host, said, say } = chat()
  const asked = openHostDoor(host, Promise.resolve()).read('facts', {})
  await expect.poll(() => said.length).toBe(1)
  say({ jsonrpc: '2.0', id: said[0].id, result })
  await expect(asked).rejects.toMatchObject({ code: 'internal', hint: 'Try again.' })
})

it('shows the error of a tool in the words of the server', async () => {
  const { host, said, say } = chat()
  const asked = openHostDoor(host, Promise.resolve()).call('history', {})
  await expect.poll(() => said.length).toBe(1)
  const text = JSON.stringify({
    error: { code: 'conflict', message: 'It changed.', hint: 'Look.' },
  })
  say({ jsonrpc: '2.0', id: said[0].id, result: { isError: true, content: [{ text }] } })
  await expect(asked).rejects.toMatchObject({ code: 'conflict', hint: 'Look.' })
})

it.each([
  ['search', { query: 'tea' }, { view: 'search', q: 'tea', more: {} }],
  ['kb_search', { query: 7 }, { view: 'search', q: '', more: {} }],
  [
    'neighbors',
    { id: 'a.md', depth: 9 },
    { view: 'graph', q: '', more: { node: 'a.md', depth: '3' } },
  ],
  ['path', { from: 'a', to: 'b' }, { view: 'graph', q: '', more: { node: 'a', to: 'b' } }],
  ['history', {}, { view: 'history', q: '', more: {} }],
  ['write', {}, undefined],
])('shows what %s was called with', (tool, args, expected) => {
  expect(placeFor(tool, args)).toEqual(expected)
})
