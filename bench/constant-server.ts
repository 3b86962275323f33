/** The same wires and the same SDK with nothing behind them: what an answer costs at the least. */
import { readFileSync } from 'node:fs'
import type { Surface, ToolResult } from '../src/serve/door/surface.ts'
import { serveHttp } from '../src/serve/transports/http/serve-http.ts'

const ANSWER = {
  results: Array.from({ length: 10 }, (_, n) => ({
    id: `notes/document-${n}.md`,
    title: `Document ${n}`,
    url: `kb://notes/document-${n}.md`,
    snippet: 'Some words around the ones that were looked for, as long as a snippet is.',
  })),
}

/** A short answer, or one that was written down. */
function answer(file: string | undefined): ToolResult {
  if (file === undefined) return { texts: [JSON.stringify(ANSWER)], structured: ANSWER }
  const { content, structured } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly content: readonly { readonly text: string }[]
    readonly structured: Readonly<Record<string, unknown>>
  }
  return { texts: content.map(({ text }) => text), structured }
}

const reply = answer(process.argv[2])

const constant: Surface = {
  name: 'constant',
  serverInfo: { name: 'constant', version: '0' },
  tools: () => [
    {
      name: 'search',
      title: 'Search',
      description: 'The same answer, whatever is asked.',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    },
  ],
  names: () => ['search'],
  call: async () => reply,
  subscribe: () => () => {},
}

const server = await serveHttp({ port: 0, surfaces: [{ path: '/mcp', surface: constant }] })
process.once('SIGTERM', () => void server.close())
console.log(`${server.url}/mcp`)
