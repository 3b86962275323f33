/** Serves the small test surface over HTTP for the conformance suite, until it is told to stop. */
import { serveHttp } from '../../src/transports/http/serve-http.ts'
import { smallSurface } from '../transports/small-surface.ts'

const server = await serveHttp({
  surfaces: [{ path: '/mcp', surface: smallSurface() }],
  port: 0,
  conformanceFixtures: process.argv.includes('--conformance-fixtures'),
})
console.log(`${server.url}/mcp`)
process.once('SIGTERM', () => void server.close())
