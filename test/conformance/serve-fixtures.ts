/**
 * Serves what the official conformance suite expects and nothing else, over the product's own
 * wires: `node test/conformance/serve-fixtures.ts` prints the address. With a key behind it, every request has to show that key.
 */
import { invalid } from '../../src/core/domain/error.ts'
import type { Surface } from '../../src/serve/door/surface.ts'
import { serveHttp } from '../../src/serve/transports/http/serve-http.ts'
import { conformanceFixtures } from './fixtures.ts'

const empty: Surface = {
  name: 'fixtures',
  serverInfo: { name: 'cairn-fixtures', version: '0.0.0' },
  tools: () => [],
  names: () => [],
  call: () => Promise.reject(invalid('There is no such tool.', 'List what there is.')),
  subscribe: () => () => {},
}

const [key] = process.argv.slice(2)
const server = await serveHttp({
  port: 0,
  ...(key !== undefined && { auth: { kind: 'apikey', keys: [key] } }),
  surfaces: [{ path: '/mcp', surface: empty }],
  extension: conformanceFixtures,
})
process.once('SIGTERM', () => void server.close())
console.log(`${server.url}/mcp`)
