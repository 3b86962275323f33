import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openTracing } from './tracing.ts'

const RECORD = {
  surface: 'native',
  access: 'read',
  tool: 'search',
  client: 'test/1',
  principal: 'token:a',
  startedAt: 1_700_000_000_000,
  durationMs: 12.5,
  outcome: 'ok',
} as const

async function collector(status = 200) {
  const got: { path: string | undefined; body: any }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      got.push({ path: request.url, body: JSON.parse(text) })
      response.writeHead(status).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { got, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

it('sends calls as spans below the one that the client names', async () => {
  const { got, endpoint } = await collector()
  const tracing = openTracing({ endpoint, warn: () => {} })
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  tracing.ended?.({ ...RECORD, traceparent: `00-${trace}-${parent}-01` }, {})
  tracing.ended?.({ ...RECORD, tool: undefined, outcome: 'forbidden', traceparent: 'nonsense' }, {})
  await tracing.close?.()
  expect(got.map(({ path }) => path)).toEqual(['/v1/traces'])
  const [first, second] = got[0]!.body.resourceSpans[0].scopeSpans[0].spans
  expect(first).toMatchObject({
    traceId: trace,
    parentSpanId: parent,
    name: 'tools/call search',
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000000012500000',
    status: { code: 1 },
  })
  expect(second).toMatchObject({ name: 'tools/call unknown', status: { code: 2 } })
  expect(second.parentSpanId).toBeUndefined()
})

it('warns once about a collector that does not take them', async () => {
  const { endpoint } = await collector(500)
  const warnings: string[] = []
  const tracing = openTracing({ endpoint, warn: (message) => warnings.push(message) })
  for (let batch = 0; batch < 2; batch++) {
    tracing.ended?.(RECORD, {})
    await tracing.close?.()
  }
  expect(warnings).toEqual([expect.stringContaining('it answered 500')])
})
