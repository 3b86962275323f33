/**
 * `docs/moving.md` followed literally: every block of shell lines is typed into a shell whose home
 * holds what people of the five systems have, and the server that it starts is asked in their words.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CAIRN } from './support/cairn-process.ts'
import { COMPILED } from './support/server-process.ts'
import { SOON } from './support/soon.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const PAGE = readFileSync(new URL('../docs/moving.md', import.meta.url), 'utf8')

const SERVER = 'server: { name: KB, version: 1.0, instructions: Search first }\n'
const RESOURCE = '---\nname: Start\ndescription: How to begin\n---\n# Start\n\nFill the kettle.\n'
const NOTES = {
  'Tea.md': '---\ntitle: Tea\ntags: [drink]\n---\nNeeds a [[kettle]].\n',
  'kettle.md': 'Boils water.\n',
}

/** What people have at home, by folder. */
const HOME: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  notes: { ...NOTES, 'roux.yaml': 'providers: { store: { type: docstore } }\n' },
  vault: NOTES,
  acdc: {
    'mcp-metadata.yaml': `${SERVER}content: [{ name: docs, description: Docs, path: ../located }]\n`,
  },
  located: { 'mcp-resources/start.md': RESOURCE },
  handbook: { '.acdc/config.yaml': SERVER, '.acdc/resources/start.md': RESOURCE },
  before: { 'mcp-metadata.yaml': SERVER, 'mcp-resources/start.md': RESOURCE },
  wiki: { ...NOTES, 'nexus.config.yaml': 'site: { name: Wiki }\n' },
  'project/docs/brain': {
    'knowledge/entities/patterns.jsonl':
      '{"id":"kettle","type":"pattern","name":"Kettle","desc":"Boils water","tags":[],"updated_at":"2026-02-14T09:00:00.000000"}\n',
    'knowledge/relations/2026-02.jsonl': '',
  },
  repository: {
    '.git/HEAD': 'ref: refs/heads/main\n',
    'README.md': '# Kitchen\n\nWhat it is for.\n',
    'docs/start.md': '# Start\n\nFill the kettle.\n',
    'src/kettle/boil.py': 'def boil():\n    return "steam"\n',
  },
}

interface Asked {
  /** The text that a tool gives. */
  call(name: string, args: Record<string, unknown>): Promise<string>
}

/** What each of them would ask first: the kettle is in the answer, and not in the question. */
const QUESTIONS: Readonly<Record<string, (server: Asked) => Promise<string>>> = {
  Roux: ({ call }) => call('get_node', { id: 'tea.md', depth: 1 }),
  ACDC: ({ call }) => call('search', { query: 'fill' }),
  NEXUS: ({ call }) => call('get_page', { slug: 'tea' }),
  'NEXUS CORTEX': ({ call }) => call('search_knowledge', { query: 'boils' }),
  Duskmantle: ({ call }) => call('km-search', { query: 'how to fill it' }),
}

interface Block {
  readonly system: string
  readonly lines: string
}

function blocksOf(page: string): readonly Block[] {
  return page.split(/^### From /m).flatMap((part, index) => {
    const system = part.slice(0, part.indexOf('\n'))
    const blocks = [...part.matchAll(/^```sh\n(.*?)^```$/gms)].map((found) => found[1]!)
    return index === 0 ? [] : blocks.map((lines) => ({ system, lines: lines.trim() }))
  })
}

interface Shell {
  readonly env: Record<string, string>
  readonly home: string
}

/** A home of one's own, and a `cairn` on the path. */
function newShell(): Shell {
  const files = Object.entries(HOME).flatMap(([folder, texts]) =>
    Object.entries(texts).map(([path, text]) => [`home/${folder}/${path}`, text]),
  )
  const folder = temporaryFolder({ ...Object.fromEntries(files), 'bin/cairn': '' })
  const cairn = join(folder, 'bin/cairn')
  writeFileSync(cairn, `#!/bin/sh\nexec "${process.execPath}" "${CAIRN}" "$@"\n`)
  chmodSync(cairn, 0o755)
  const home = join(folder, 'home')
  const path = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`
  const env = { HOME: home, PATH: path, NODE_COMPILE_CACHE: COMPILED, CAIRN_HTTP_PORT: '0' }
  return { env, home }
}

/** What still runs when the test is over is ended, and whatever it has started. */
function type({ env, home }: Shell, lines: string): ChildProcess {
  const shell = spawn('bash', ['-e', '-c', lines], { env, cwd: home, detached: true })
  onTestFinished(async () => {
    if (shell.exitCode !== null || shell.signalCode !== null) return
    const ended = once(shell, 'exit')
    process.kill(-shell.pid!, 'SIGTERM')
    await ended
  })
  return shell
}

function printed(shell: ChildProcess): () => string {
  let text = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream!.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  }
  return () => text
}

async function overStandardInput({ env, home }: Shell, lines: string): Promise<Asked> {
  const client = new Client({ name: 'test', version: '1' })
  const args = ['-e', '-c', lines]
  await client.connect(
    new StdioClientTransport({ command: 'bash', args, env, cwd: home, stderr: 'ignore' }),
  )
  onTestFinished(() => client.close())
  return {
    async call(name, given) {
      const result = await client.callTool({ name, arguments: given })
      return (result.content as { text: string }[]).map(({ text }) => text).join('\n')
    },
  }
}

/** Both that listen take a question in a plain request, each in its own form. */
async function overHttp(shell: Shell, lines: string): Promise<Asked> {
  const process = type(shell, lines)
  const said = printed(process)
  const address = await vi.waitFor(() => {
    const found = /http:\/\/[^\s/]+/.exec(said())
    if (!found && process.exitCode === null) throw new Error('no address yet')
    return found?.[0]
  }, SOON)
  if (address === undefined) throw new Error(`It has ended: ${said()}`)
  return {
    async call(name, input) {
      const isNexus = lines.includes('nexus')
      const path = isNexus ? '/api/mcp' : '/api/v1/search'
      const body = JSON.stringify(isNexus ? { tool: name, input } : input)
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(address + path, { method: 'POST', headers, body })
      return answer.text()
    },
  }
}

const blocks = blocksOf(PAGE)

it('has lines for each of the five', () => {
  expect([...new Set(blocks.map(({ system }) => system))]).toEqual(Object.keys(QUESTIONS))
})

describe.each(blocks)('from $system: $lines', ({ system, lines }) => {
  const last = lines.split('\n').at(-1)!

  it('does what the page says', async () => {
    const shell = newShell()
    if (/ status /.test(last)) {
      const process = type(shell, lines)
      const said = printed(process)
      const [code] = await once(process, 'close')
      expect([code, said()]).toEqual([0, expect.stringMatching(/nodes|entities/i)])
      return
    }
    const listens = last.includes('--http') || last.startsWith('cairn nexus')
    const server = await (listens ? overHttp : overStandardInput)(shell, lines)
    await vi.waitFor(
      async () => expect((await QUESTIONS[system]!(server)).toLowerCase()).toContain('kettle'),
      SOON,
    )
  })
})
