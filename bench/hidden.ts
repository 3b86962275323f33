/**
 * Does the time of an answer tell whether a note is hidden or missing?
 *
 *     npm run build && node bench/hidden.ts [--rounds 200]
 *
 * A guest asks in turn for notes that are hidden and for notes that never were, by every tool and
 * route that takes an id. Prints the medians of both, and of the same question asked twice, which is
 * how much chance alone makes of it.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { serveCopy } from './served.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    folder: { type: 'string', default: 'examples/handbook' },
  },
})
const rounds = Number(values.rounds)
const NOTES = 50

let token = ''
const server = await serveCopy(
  values.folder,
  ({ notes, state }) => {
    mkdirSync(join(notes, 'secret'))
    for (let n = 0; n < NOTES; n++) {
      const text = `# Scheme ${n}\n\n${'What nobody may know. '.repeat(200)}\n`
      writeFileSync(join(notes, 'secret', `scheme-${n}.md`), text)
    }
    const words = [
      'token',
      'create',
      'guest',
      '--folder',
      `notes=${notes}`,
      '--hide',
      'notes/secret',
    ]
    const said = execFileSync(
      process.execPath,
      [resolve(import.meta.dirname, '../bin/cairn.js'), ...words, '--state', state, '--json'],
      { encoding: 'utf8' },
    )
    token = (JSON.parse(said) as { token: string }).token
  },
  ['--surface', 'native,nexus,roux,acdc'],
)

type Ask = (n: number, folder: string, stem: string) => Promise<Response>

const tool =
  (surface: string, name: string, args: (id: string, stem: string) => object): Ask =>
  (n, folder, stem) =>
    rpc(surface, 'tools/call', {
      name,
      arguments: args(`notes/${folder}/${stem}-${n}.md`, `${stem}-${n}`),
    })
const web =
  (path: string): Ask =>
  (n, folder, stem) =>
    send(`/web/read/${path}`, { id: `notes/${folder}/${stem}-${n}.md` })

const QUESTIONS: Readonly<Record<string, Ask>> = {
  'native fetch': tool('native', 'fetch', (id) => ({ id })),
  'native fetch by name': tool('native', 'fetch', (_, stem) => ({ id: stem })),
  'native neighbors': tool('native', 'neighbors', (id) => ({ id })),
  'native path': tool('native', 'path', (id) => ({ from: 'notes/index.md', to: id })),
  'native history': tool('native', 'history', (id) => ({ action: 'list', id })),
  'roux get_node': tool('roux', 'get_node', (id) => ({ id: id.slice('notes/'.length) })),
  'nexus get_page': tool('nexus', 'get_page', (_, stem) => ({ slug: stem })),
  'acdc read': tool('acdc', 'read', (id) => ({ uri: `acdc://${id.slice(0, -3)}` })),
  'kb:// resource': (n, folder, stem) =>
    rpc('native', 'resources/read', { uri: `kb://notes/${folder}/${stem}-${n}.md` }),
  'GET /api/notes/…': (n, _, stem) => send(`/api/notes/${stem}-${n}`),
  '/web/read/note': web('note'),
  '/web/read/source': web('source'),
  '/web/read/backlinks': web('backlinks'),
}

try {
  console.log(`medians of ${rounds} rounds in ms: hidden, missing, missing again`)
  for (const [name, ask] of Object.entries(QUESTIONS)) console.log(await compared(name, ask))
} finally {
  await server.stop()
}

async function compared(name: string, ask: Ask): Promise<string> {
  const times: [number[], number[], number[]] = [[], [], []]
  for (let round = -20; round < rounds; round++) {
    const n = Math.abs(round) % NOTES
    // In another order every time: whoever comes first may find things cold.
    for (let turn = 0; turn < 3; turn++) {
      const kind = (turn + Math.abs(round)) % 3
      const started = performance.now()
      const response = await (kind === 0 ? ask(n, 'secret', 'scheme') : ask(n, 'absent', 'schema'))
      const text = await response.text()
      if (round >= 0) times[kind]!.push(performance.now() - started)
      if (/nobody may know/i.test(text)) throw new Error(`${name} tells: ${text.slice(0, 200)}`)
    }
  }
  return `${name.padEnd(22)} ${times.map((each) => median(each).toFixed(2).padStart(7)).join(' ')}`
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
}

function rpc(surface: string, method: string, params: Record<string, unknown>): Promise<Response> {
  const revision = '2026-07-28'
  const named = params['name'] ?? params['uri']
  return send(
    `/mcp/${surface}`,
    {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { 'mcp-protocol-version': revision, 'mcp-method': method, 'mcp-name': String(named) },
  )
}

function send(path: string, body?: object, headers: object = {}): Promise<Response> {
  return fetch(new URL(path, server.url), {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-cairn': '1',
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}
