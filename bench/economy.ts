/**
 * What a piece of work costs an agent in tokens: two searches, two fetches by lines and one ask, and
 * what every session pays before it begins, the list of tools and the instructions. Only the text a
 * model reads is counted, characters divided by four.
 *
 *     node bench/economy.ts [SET] [--tasks N] [-- COMMAND...]
 *
 * A set is a folder with docs/ and queries.jsonl; without one, questions about examples/handbook are
 * asked. COMMAND starts an MCP server over standard input and output; this version unless said.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

/** What the same work cost before texts were made for reading, and the share it may still cost. */
const BEFORE = 4_240
const AIM = 0.6

const HANDBOOK = [
  'how do we roll back a release?',
  'who approves a release?',
  'how do we rotate the signing keys?',
  'what happens after an incident?',
  'how are backups restored?',
  'what does a new colleague need on the first day?',
]

interface Reply {
  readonly content?: readonly { readonly text?: string }[]
  readonly structuredContent?: Readonly<Record<string, any>>
  readonly tools?: unknown
  readonly instructions?: string
}

const split = process.argv.indexOf('--')
const own = process.argv.slice(2, split < 0 ? undefined : split)
const { positionals, values } = parseArgs({
  args: own,
  allowPositionals: true,
  options: { tasks: { type: 'string', default: '20' } },
})
const root = resolve(import.meta.dirname, '..')
const [set] = positionals
const docs = set === undefined ? join(root, 'examples/handbook') : join(set, 'docs')
const questions = set === undefined ? HANDBOOK : questionsOf(join(set, 'queries.jsonl'))
const state = mkdtempSync(join(tmpdir(), 'cairn-economy-'))
const command =
  split < 0
    ? [process.execPath, join(root, 'bin/cairn.js'), 'serve', docs, '--state', state]
    : process.argv.slice(split + 1)

const server = spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] })
const waiting = new Map<number, (reply: Reply) => void>()
createInterface({ input: server.stdout }).on('line', (line) => {
  const message = JSON.parse(line) as { id?: number; result?: Reply; error?: unknown }
  if (message.error) throw new Error(JSON.stringify(message.error))
  waiting.get(message.id ?? -1)?.(message.result ?? {})
})
let asked = 0

try {
  const { instructions = '' } = await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'economy', version: '1' },
  })
  send({ method: 'notifications/initialized' })
  const { tools } = await request('tools/list', {})
  for (let tries = 0; tries < 600; tries++) {
    const { structuredContent } = await call('search', { query: 'a' })
    if (!structuredContent?.['indexing']) break
    await new Promise((done) => setTimeout(done, 500))
  }
  // Meaning is learned a moment after the words.
  await new Promise((done) => setTimeout(done, 3_000))
  const tasks: Record<string, number>[] = []
  for (let at = 0; at + 1 < questions.length && tasks.length < Number(values.tasks); at += 2) {
    tasks.push(await task(questions[at]!, questions[at + 1]!))
  }
  const mean = (name: string): number =>
    Math.round(tasks.reduce((sum, each) => sum + each[name]!, 0) / tasks.length)
  const total = mean('searches') + mean('fetches') + mean('ask')
  console.table([
    {
      tasks: tasks.length,
      searches: mean('searches'),
      fetches: mean('fetches'),
      ask: mean('ask'),
      total,
      aim: BEFORE * AIM,
      'of before': `${Math.round((100 * total) / BEFORE)} %`,
    },
  ])
  const list = tokensOf(JSON.stringify(tools))
  const told = tokensOf(instructions)
  console.table([{ tools: list, instructions: told, total: list + told }])
} finally {
  server.stdin.end()
  server.kill()
  rmSync(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
}

/** An agent looks twice, reads the passage at the top each time, and lets the question be answered. */
async function task(first: string, second: string) {
  const searches = [await call('search', { query: first }), await call('search', { query: second })]
  let fetches = 0
  for (const search of searches) {
    const place = placeIn(search)
    if (place) fetches += costOf(await call('fetch', place))
  }
  const answer = await call('ask', { question: first })
  return {
    searches: searches.reduce((sum, each) => sum + costOf(each), 0),
    fetches,
    ask: costOf(answer),
  }
}

/** Where a model would read on: the address at the top of the text; of a JSON text, the first hit. */
function placeIn({ content = [], structuredContent }: Reply): object | undefined {
  const [hit] = structuredContent?.['results'] ?? []
  if (hit?.lines === undefined) return undefined
  const shown = /^1 .*?:(\d+-\d+)(?: |$)/m.exec(content[0]?.text ?? '')
  return { id: hit.id, lines: shown?.[1] ?? hit.lines }
}

function call(name: string, args: object): Promise<Reply> {
  return request('tools/call', { name, arguments: args })
}

function request(method: string, params: object): Promise<Reply> {
  const id = ++asked
  send({ id, method, params })
  return new Promise((done) => waiting.set(id, done))
}

function send(message: object): void {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

function costOf({ content = [] }: Reply): number {
  return tokensOf(content.map(({ text = '' }) => text).join('\n'))
}

function tokensOf(text: string): number {
  return Math.round([...text].length / 4)
}

function questionsOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => (JSON.parse(line) as { readonly text: string }).text)
}
