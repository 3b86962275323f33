/**
 * The longest wait of a second client of a base of very many notes, while a first one asks for what
 * has to do with all of them. A wait counts as far as the server's own thread was at work. Fails
 * above 100 ms.
 *
 *     npm run build && node bench/waits-many.ts [--notes 200000] [--only TEXT] [--keep FOLDER]
 *
 * `--keep` leaves the notes and their index in a folder and takes them from there the next time,
 * where the first call of every kind is one after a start.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openSecondClient } from '../test/waits/second-client.ts'
import { serveVictim } from '../test/waits/start-victim.ts'

const MOST_MS = 100
const IN_A_FOLDER = 500
const { values } = parseArgs({
  options: {
    notes: { type: 'string', default: '200000' },
    only: { type: 'string', default: '' },
    keep: { type: 'string' },
  },
})
const notes = Number(values.notes)
if (values.keep) mkdirSync(values.keep, { recursive: true })
const root = realpathSync(values.keep ?? mkdtempSync(join(tmpdir(), 'cairn-many-')))
const folder = join(root, 'notes')
process.once('SIGTERM', () => process.exit(1))
process.once('SIGINT', () => process.exit(1))

const WORDS = 'tea kettle leaf water cup steam garden winter river stone letter window'.split(' ')
const word = (n: number): string => WORDS[n % WORDS.length]!
const pathOf = (n: number): string => `part-${Math.floor(n / IN_A_FOLDER)}/note-${n}.md`

/** Each links to its neighbour, to a note far away and, one of two hundred, to the hub. */
function noteOf(n: number): string {
  const links = [n + 1, (n * 7919) % notes].map((other) => `[[note-${other}]]`)
  const hub = n % 200 === 0 ? ' See [[hub]].' : ''
  return `---\ntags: [${word(n)}]\n---\n# Note ${n}\n\nAbout ${word(n * 5)} and ${word(n * 3 + 1)}, number ${n}. ${links.join(' ')}${hub}\n`
}

function writeNotes(): void {
  for (let n = 0; n < notes; n++) {
    if (n % IN_A_FOLDER === 0) {
      mkdirSync(join(folder, `part-${n / IN_A_FOLDER}`), { recursive: true })
    }
    writeFileSync(join(folder, pathOf(n)), noteOf(n))
  }
  writeFileSync(join(folder, 'tea.md'), '# Tea\n')
  writeFileSync(join(folder, 'hub.md'), '# Hub\n')
}

if (!existsSync(join(folder, 'hub.md')) && !existsSync(join(folder, 'center.md'))) writeNotes()
console.log(`${notes} notes are written.`)
const started = performance.now()
const victim = await serveVictim(root, folder, ['native', 'nexus', 'roux'], {
  readyMs: 3_600_000,
  keep: values.keep !== undefined,
})
console.log(`Served after ${((performance.now() - started) / 1_000).toFixed(0)} s.`)

async function send(path: string, body: unknown): Promise<string> {
  const response = await fetch(`${victim.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-cairn': '1',
    },
    body: JSON.stringify(body),
  })
  return response.text()
}

const post = async (path: string, body: unknown): Promise<number> =>
  Buffer.byteLength(await send(path, body))

/** Until an answer no longer says that the index is behind: links are followed only then. */
async function caughtUp(): Promise<void> {
  for (let tries = 0; tries < 3_600; tries++) {
    const answer = await send('/web/call/fetch', { id: 'notes/tea.md' })
    if (!answer.includes('"indexing"')) return
    await sleep(1_000)
  }
}

const native = (tool: string, args: object) => () => post(`/web/call/${tool}`, args)
const nexus = (tool: string, input: object) => () => post('/api/mcp', { tool, input })
const get = (path: string) => async () =>
  (await (await fetch(`${victim.url}${path}`)).arrayBuffer()).byteLength

/** A base that was kept may have them where the last run moved them to. */
const either = (one: string, other: string): readonly [here: string, there: string] =>
  existsSync(join(folder, one)) ? [one, other] : [other, one]
const hub = either('hub.md', 'center.md')
const note = either(pathOf(5), 'moved.md')
const move = ([here, there]: readonly [string, string]) =>
  native('write', { action: 'move', id: `notes/${here}`, to: `notes/${there}` })

const hostile = `${'*a'.repeat(60)}*/${'**/'.repeat(30)}{${'a,'.repeat(80)}b}?*`
/** In the order in which whoever comes first pays for what is kept. */
const calls: Readonly<Record<string, () => Promise<number>>> = {
  'nexus get_page, the first': nexus('get_page', { slug: 'note-5' }),
  'nexus get_page': nexus('get_page', { slug: 'note-77' }),
  'nexus list_pages': nexus('list_pages', {}),
  'nexus list_pages over MCP': () =>
    post('/api/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_pages', arguments: {} },
    }),
  'nexus search': nexus('search', { query: 'kettle' }),
  'nexus search, again': nexus('search', { query: 'garden' }),
  'nexus get_connections': nexus('get_connections', { slug: hub[0].slice(0, -3) }),
  'GET /api/notes': get('/api/notes'),
  'GET /api/notes?limit=100': get('/api/notes?limit=100'),
  'search, the first': native('search', { query: 'kettle in winter' }),
  search: native('search', { query: 'steam of tea' }),
  'list a glob': native('list', { path: '**/note-1*.md' }),
  'list a hostile glob': native('list', { path: hostile }),
  'search a hostile glob': native('search', { query: 'tea', path: hostile }),
  'list by where': native('list', { where: 'tags = tea' }),
  'list by where, by title': native('list', { where: 'tags = tea', sort: 'title' }),
  'eight lists at once': async () => {
    const lists = WORDS.slice(0, 8).map((tag) => native('list', { where: `tags = ${tag}` })())
    return (await Promise.all(lists)).reduce((sum, bytes) => sum + bytes, 0)
  },
  'neighbors of the hub': native('neighbors', { id: `notes/${hub[0]}` }),
  'move the hub': move(hub),
  'move a note': move(note),
  'append to a note': native('write', {
    action: 'append',
    id: `notes/${pathOf(9)}`,
    content: 'More.',
  }),
  'search after writing': native('search', { query: 'stone letter' }),
  'insights: overview': native('insights', {}),
  'insights: broken links': native('insights', { report: 'broken_links' }),
  'insights: duplicates': native('insights', { report: 'duplicates' }),
  'insights: coverage': native('insights', { report: 'coverage' }),
  'the graph of the page': get('/web/graph'),
  'list everything': native('list', {}),
}

await caughtUp()
console.log(`Caught up after ${((performance.now() - started) / 1_000).toFixed(0)} s.`)
const second = await openSecondClient(victim.url, victim.pid)
let tooLong = 0
try {
  for (const [name, send] of Object.entries(calls)) {
    if (!name.includes(values.only)) continue
    const began = performance.now()
    let tookMs = 0
    const { result: bytes, waitMs } = await second.during(async () => {
      const length = await send()
      tookMs = performance.now() - began
      return length
    })
    if (waitMs > MOST_MS) tooLong++
    console.log(
      `${waitMs.toFixed(1).padStart(8)} ms waited, ${tookMs.toFixed(0).padStart(6)} ms taken, ` +
        `${(bytes / 1_000).toFixed(1).padStart(9)} KB  ${name}`,
    )
  }
  console.log(`${tooLong} kept it waiting for more than ${MOST_MS} ms.`)
  if (tooLong > 0) process.exitCode = 1
} finally {
  await second.close()
  await victim.close()
}
