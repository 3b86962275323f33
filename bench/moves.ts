/**
 * Notes that are hard to move: one with very many backlinks, and one with very many aliases of which
 * each is linked to. How long does a second client wait meanwhile, as far as the server's own thread
 * was at work, and is every link right afterwards? Fails above 100 ms, and for a single wrong link.
 *
 *     npm run build && node bench/moves.ts [--backlinks 1000] [--aliases 8000]
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openSecondClient } from '../test/waits/second-client.ts'
import { serveVictim } from '../test/waits/start-victim.ts'

const MOST_MS = 100
const { values } = parseArgs({
  options: {
    backlinks: { type: 'string', default: '1000' },
    aliases: { type: 'string', default: '8000' },
  },
})
const backlinks = Number(values.backlinks)
const aliases = Number(values.aliases)
process.once('SIGTERM', () => process.exit(1))
process.once('SIGINT', () => process.exit(1))

const root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-moves-')))
const folder = join(root, 'notes')
mkdirSync(join(folder, 'from'), { recursive: true })
const put = (path: string, text: string): void => writeFileSync(join(folder, path), text)
put('tea.md', '# Tea\n')
put('hub.md', '# Hub\n')
for (let n = 0; n < backlinks; n++)
  put(`from/${n}.md`, `# ${n}\n\nSee [[hub]] and [it](../hub.md).\n`)
const names = Array.from({ length: aliases }, (_, n) => `alias ${n}`)
put('many.md', `---\naliases: [${names.map((name) => `"${name}"`).join(', ')}]\n---\n# Many\n`)
put('uses.md', `# Uses\n\n${names.map((name) => `- [[${name}]]`).join('\n')}\n- [[many]]\n`)

const victim = await serveVictim(root, folder, ['native'])

async function call(tool: string, args: object): Promise<string> {
  const response = await fetch(`${victim.url}/web/call/${tool}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-cairn': '1' },
    body: JSON.stringify(args),
  })
  return response.text()
}

/** Links are followed only when all are known. */
for (let tries = 0; tries < 600; tries++) {
  if (!(await call('fetch', { id: 'notes/tea.md' })).includes('"indexing"')) break
  await sleep(500)
}

const second = await openSecondClient(victim.url, victim.pid)
let worst = 0
async function move(from: string, to: string): Promise<void> {
  const started = performance.now()
  const { waitMs, result } = await second.during(() =>
    call('write', { action: 'move', id: `notes/${from}`, to: `notes/${to}` }),
  )
  worst = Math.max(worst, waitMs)
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  const said = /"links_rewritten":\d+|"error".{0,200}/.exec(result)?.[0] ?? ''
  console.log(`${from} took ${seconds} s, others waited ${waitMs.toFixed(1)} ms  ${said}`)
}

await move('hub.md', 'moved/center.md')
await move('many.md', 'moved/lots.md')
await second.close()

const texts = Array.from({ length: backlinks }, (_, n) =>
  readFileSync(join(folder, `from/${n}.md`), 'utf8'),
)
const wrong = texts.filter(
  (text) => !text.includes('[[center]]') || !text.includes('](../moved/center.md)'),
)
const uses = readFileSync(join(folder, 'uses.md'), 'utf8')
// An alias goes with its note, so links to it stay as they are.
const stale = names.filter((name) => !uses.includes(`[[${name}]]`)).length
const own = uses.includes('[[lots]]') ? 0 : 1
await victim.close()
console.log(
  `${backlinks} backlinks and ${aliases} aliases: the longest wait ${worst.toFixed(1)} ms, ` +
    `${wrong.length + stale + own} wrong links`,
)
process.exitCode = worst > MOST_MS || wrong.length + stale + own > 0 ? 1 : 0
