/**
 * How long does a second client wait while a first one reads and changes notes of several
 * megabytes, and how much work do these calls make? A wait counts as far as the server's own thread
 * was at work; the work of a call is what that thread and the whole process have used the processor
 * for until the index has caught up. Fails above 100 ms.
 *
 *     npm run build && node bench/large-notes.ts [--only TEXT] [--profile FOLDER] [--no-watch]
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openSecondClient } from '../test/waits/second-client.ts'
import { serveVictim } from '../test/waits/start-victim.ts'

const MOST_MS = 100
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
    watch: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
process.once('SIGTERM', () => process.exit(1))
process.once('SIGINT', () => process.exit(1))

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

/** Sections of prose, 8 MB; the words differ, so that search has something to tell apart. */
const WORDS = ['kettle', 'harbour', 'lantern', 'meadow', 'granite', 'sparrow', 'violin', 'cedar']
const prose = (sections: number): string =>
  lines(sections, (n) => {
    const sentence = (m: number): string =>
      `The ${WORDS[(n + m) % 8]} of part ${n} stood by the ${WORDS[(n * 3 + m) % 8]}, and nobody knew why.`
    const paragraph = Array.from({ length: 6 }, (_, m) => sentence(m)).join(' ')
    return `## Part ${n}\n\n${paragraph}\n\n${paragraph}\n`
  })
const backlinks = 2_000
const files: Readonly<Record<string, string>> = {
  'tea.md': '# Tea\n\nA leaf in a cup.\n',
  'a.md': '# A\n\nA narwhal was here.\n',
  'lines.md': lines(200_000, (n) => `line ${n}`),
  'again.md': lines(200_000, (n) => `line ${n}`),
  'headings.md': lines(100_000, (n) => `# h ${n}`),
  'links.md': '[[a]]'.repeat(300_000),
  'dead.md': lines(100_000, (n) => `[[Nobody ${n}]]`),
  'prose.md': `---\ntags: [tea]\nstatus: draft\n---\n# Prose\n\n${prose(7_000)}`,
  'one-line.md': 'A word of many in one line. '.repeat(120_000),
  ...Object.fromEntries(
    Array.from({ length: backlinks }, (_, n) => [
      `back/b${n}.md`,
      `# B ${n}\n\nSee [[target]] and [[target#Part]] again.\n`,
    ]),
  ),
  'target.md': `# Target\n\n## Part\n\n${prose(1_000)}`,
}
const root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-large-')))
const folder = join(root, 'notes')
mkdirSync(join(folder, 'back'), { recursive: true })
for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)

const { profile } = values
const node = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`]
const victim = await serveVictim(root, folder, ['native', 'roux', 'nexus'], {
  node,
  more: values.watch ? [] : ['--no-watch'],
})
const { pid } = victim

const REVISION = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const ask = async (path: string, method: string, name: string, params: object) => {
  const response = await fetch(`${victim.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
  })
  return response.text()
}
const calling =
  (path: string) =>
  (tool: string, args: object): Promise<string> =>
    ask(path, 'tools/call', tool, { name: tool, arguments: args })
const native = calling('/mcp')
const roux = calling('/mcp/roux')
const nexus = calling('/mcp/nexus')
const write = (args: object) => native('write', args)
const page = async (read: string, args: object): Promise<string> => {
  const response = await fetch(`${victim.url}/web/read/${read}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-cairn': '1' },
    body: JSON.stringify(args),
  })
  return response.text()
}
const get = async (path: string): Promise<string> => (await fetch(`${victim.url}${path}`)).text()
const other = lines(200_000, (n) => `enil ${n}`)
const someChanged = lines(200_000, (n) => (n % 150 === 0 ? `enil ${n}` : `line ${n}`))

const calls: Readonly<Record<string, () => Promise<string>>> = {
  'replace 2 MB by others': () =>
    write({ action: 'replace', id: 'notes/lines.md', content: other }),
  'replace 2 MB, dry': () =>
    write({ action: 'replace', id: 'notes/lines.md', content: someChanged, dry_run: true }),
  'replace 2 MB, 1,300 places': () =>
    write({ action: 'replace', id: 'notes/again.md', content: someChanged }),
  'diff of that': () => native('history', { action: 'diff', id: 'notes/again.md' }),
  'undo of that': () => native('history', { action: 'undo', id: 'notes/again.md' }),
  'replace 100,000 headings': () =>
    write({
      action: 'replace',
      id: 'notes/headings.md',
      content: lines(100_000, (n) => `# g ${n}`),
    }),
  'append to 300,000 links': () => write({ action: 'append', id: 'notes/links.md', content: 'x' }),
  'append to 100,000 dead links': () =>
    write({ action: 'append', id: 'notes/dead.md', content: 'x' }),
  'fetch of 300,000 links': () =>
    native('fetch', { id: 'notes/links.md', include: ['links', 'backlinks'] }),
  'neighbors of 300,000 links': () => native('neighbors', { id: 'notes/links.md' }),
  'neighbors of 100,000 dead links': () => native('neighbors', { id: 'notes/dead.md' }),
  'text of 1 MB': () => native('search', { match: 'text', query: 'narwhal '.repeat(125_000) }),
  'text in 8 MB': () => native('search', { match: 'text', query: 'nobody knew' }),
  'regex in 8 MB': () => native('search', { match: 'regex', query: 'part 69\\d+ stood' }),
  search: () => native('search', { query: 'why did the kettle stand by the harbour' }),
  'similar to 8 MB': () => native('search', { match: 'similar', query: 'notes/prose.md' }),
  ask: () => native('ask', { question: 'What stood by the lantern of part 6789?' }),
  fetch: () => native('fetch', { id: 'notes/prose.md' }),
  'fetch of lines': () => native('fetch', { id: 'notes/prose.md', lines: '20000-20040' }),
  'fetch of a section': () => native('fetch', { id: 'notes/prose.md', section: 'Part 6999' }),
  'fetch of one line': () => native('fetch', { id: 'notes/one-line.md' }),
  'list of outlines': () => native('list', { path: 'notes/prose.md', fields: ['outline'] }),
  'resources/read': () =>
    ask('/mcp', 'resources/read', 'kb://notes/prose.md', { uri: 'kb://notes/prose.md' }),
  edit_section: () =>
    write({ action: 'edit_section', id: 'notes/prose.md', section: 'Part 10', content: 'New.' }),
  'rename of a heading': () =>
    write({
      action: 'find_replace',
      id: 'notes/target.md',
      find: '## Part\n',
      replace: '## Piece\n',
    }),
  set_metadata: () =>
    write({ action: 'set_metadata', id: 'notes/prose.md', metadata: { status: 'done' } }),
  find_replace: () =>
    write({
      action: 'find_replace',
      id: 'notes/prose.md',
      find: 'nobody',
      replace: 'somebody',
      count: 83_988,
    }),
  prepend: () => write({ action: 'prepend', id: 'notes/prose.md', content: 'First.' }),
  'history of one': () => native('history', { id: 'notes/prose.md' }),
  'diff of one': () => native('history', { action: 'diff', id: 'notes/prose.md' }),
  'undo of one': () => native('history', { action: 'undo', id: 'notes/prose.md' }),
  'move with 2,000 backlinks': () =>
    write({ action: 'move', id: 'notes/target.md', to: 'notes/moved/aim.md' }),
  'undo of the move': () => native('history', { action: 'undo' }),
  delete: () => native('delete', { id: 'notes/one-line.md' }),
  restore: () => native('history', { action: 'restore', id: 'notes/one-line.md' }),
  'insights: broken links': () => native('insights', { report: 'broken_links' }),
  'roux get_node': () => roux('get_node', { id: 'prose.md' }),
  'roux update_node': () =>
    roux('update_node', { id: 'lines.md', content: lines(150_000, (n) => `node ${n}`) }),
  'nexus get_page': () => nexus('get_page', { slug: 'prose' }),
  'GET /api/notes/prose': () => get('/api/notes/prose'),
  'GET /n/notes/prose.md': () => get('/n/notes/prose.md'),
  'page note': () => page('note', { id: 'notes/prose.md' }),
  'page note of links': () => page('note', { id: 'notes/links.md' }),
  'page outline': () => page('outline', { id: 'notes/prose.md' }),
}

async function caughtUp(): Promise<void> {
  const until = Date.now() + 300_000
  while (Date.now() < until) {
    if (!(await native('list', { limit: 1 })).includes('indexing')) return
    await sleep(50)
  }
  throw new Error('The index does not catch up.')
}

/** A profile is written by a process that ends by itself. */
async function endGently(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM')
  for (let tries = 0; tries < 600; tries++) {
    await sleep(50)
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
  }
}

function shown(amount: number): string {
  return amount.toFixed(0).padStart(6)
}

/** What the answering thread, and the whole process, have used the processor for. */
function workedMs(): readonly [thread: number, process: number] {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return [Number(nanoseconds) / 1e6, ticks * 10]
}

let tooLong = 0
await caughtUp()
const second = await openSecondClient(victim.url, victim.pid)
for (const [name, send] of Object.entries(calls)) {
  if (!name.includes(values.only)) continue
  let tookMs = 0
  const before = workedMs()
  let answer = ''
  const started = performance.now()
  const { waitMs } = await second.during(async () => {
    answer = await send()
    tookMs = performance.now() - started
    // What follows in the background keeps others waiting just as well.
    await caughtUp()
  })
  if (waitMs > MOST_MS) tooLong++
  const [threadMs, processMs] = workedMs().map((now, index) => now - before[index]!)
  const failed = /"isError":true|"error":\{/.test(answer) ? answer.slice(0, 160) : ''
  console.log(
    `${shown(waitMs)} ms waited ${shown(threadMs!)} of ${shown(processMs!)} ms worked ${shown(tookMs)} ms taken ${shown(answer.length / 1000)} KB  ${name} ${failed}`,
  )
}
await second.close()
if (profile !== undefined) await endGently(victim.pid)
await victim.close()
console.log(`${tooLong} kept it waiting for more than ${MOST_MS} ms.`)
process.exitCode = tooLong > 0 ? 1 : 0
