/**
 * What looks like a secret stays in its file. A base is full of secrets, in every place where a
 * document can have one; every tool of every surface, every route, the hook and the command line are
 * asked in every way there is, and no answer has twelve letters of a secret in a row. Nor can an
 * answer tell a right guess from a wrong one.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { inflateRawSync } from 'node:zlib'
import { acdcTools } from '../../src/vocabularies/acdc/tools.ts'
import { askServer } from '../../src/keep/recall/recall-door.ts'
import { cortexTools } from '../../src/vocabularies/cortex/tools.ts'
import { duskmantleTools } from '../../src/vocabularies/duskmantle/tools.ts'
import { nativeTools } from '../../src/serve/native/tools.ts'
import { nexusTools } from '../../src/vocabularies/nexus/tools.ts'
import { rouxTools } from '../../src/vocabularies/roux/tools.ts'
import type { ToolDescription } from '../../src/serve/door/tool.ts'
import { runCairn } from '../support/run-cairn.ts'
import { SOON } from '../support/soon.ts'
import { callsOf } from './probes.ts'
import { bearer, messageOf, serveWorld } from './world.ts'
import type { Credentials, World } from './world.ts'

/** Looks like a key and is none; the same in every run, so that no guess is a word by chance. */
function madeUpKey(kind: string, lines: number): string {
  const body = Array.from({ length: lines }, (_, at) =>
    createHash('sha384').update(`${kind} ${at}`).digest('base64'),
  )
  return [`-----BEGIN ${kind}-----`, ...body, `-----END ${kind}-----`, ''].join('\n')
}

const PEM = madeUpKey(`PRIVATE ${'KEY'}`, 26)
const OTHER_PEM = madeUpKey(`EC PRIVATE ${'KEY'}`, 6)
const BASE64 = PEM.split('\n').slice(1, -2)
// Put together here, so that nobody takes this file for one that holds any.
const AWS = `AKIA${'JQ7WZK3M5XN2PV4T'}`
const GITHUB = `ghp_${'aZ3xK9bQ'.repeat(4)}wwww`
const JWT = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'}`
const SLACK = `xoxb-${'482915736402-QmWnEbRvTcYx'}`
const SECRETS = [PEM, OTHER_PEM, AWS, GITHUB, JWT, SLACK]

const WORDS = 'The narwhal deploys with a key that nobody reads aloud. '
const NOTES = {
  'deploy.md': `# Deploy narwhal\n\n${WORDS.repeat(3)}\n\nThe key is ${AWS} for deploys, the token ${GITHUB}.\n\n- [ ] rotate ${AWS} before June\n\n\`${JWT}\`\n`,
  'certificate.md': `# Certificate narwhal\n\n${WORDS}\n\n${PEM}\nThe certificate ends here, see [[deploy]].\n\n## Second\n\n    ${OTHER_PEM.replaceAll('\n', '\n    ')}\n\n${WORDS.repeat(30)}\n`,
  'front.md': `---\nname: Front\ndescription: Uses ${SLACK} and more\naws: ${AWS}\npem: |\n  ${PEM.trim().replaceAll('\n', '\n  ')}\ntags: [ops, ${AWS}]\naliases: ["${GITHUB}"]\ncreated: 2026-01-03\n---\n# Front ${AWS}\n\n## Heading ${SLACK}\n\nLinks to [[${GITHUB}]] and [a page](${JWT}.md) and [[certificate]]. #${AWS}\n`,
  'cut.md': `# Cut narwhal\n\nHalf a key:\n${PEM.split('\n').slice(0, 12).join('\n')}\n\nThe other half:\n${PEM.split('\n').slice(12).join('\n')}\n`,
  'code.py': `AWS = "${AWS}"\nPEM = "${PEM.replaceAll('\n', '\\n')}"\n\ndef deploy_narwhal():\n    """Uses ${SLACK}"""\n    return "${GITHUB}"\n`,
  'split.md': `# Split narwhal\n\nkey: ${AWS.slice(0, 12)}\u200b${AWS.slice(12)} and AKIA\\\n${AWS.slice(4)} and <b>AKIA</b>${AWS.slice(4)}\n`,
  'mcp-resources/runbook.md': `---\nname: Runbook\ndescription: Keys of the narwhal, ${SLACK}\n---\n${WORDS}\n${PEM}\n`,
  'mcp-prompts/ask.md': `---\nname: ask\ndescription: Ask about ${AWS}\narguments: []\n---\nTell me about ${GITHUB} and\n${PEM}\n`,
  'prompts/tell.md': `---\ntype: prompt\ndescription: About ${AWS}\n---\nTell me about ${JWT}.\n`,
  'plain.md':
    '# Plain\n\nNothing to hide. A key begins with -----BEGIN PRIVATE KEY----- and so on.\n',
}
const GRAPH = {
  'knowledge/entities/concepts.jsonl': [
    { id: 'vault', type: 'concept', name: `Vault ${SLACK}`, desc: `The narwhal key is ${AWS}.` },
    {
      id: 'pem',
      type: 'concept',
      name: 'Certificate',
      desc: `narwhal ${PEM}`,
      more: { token: JWT },
    },
  ]
    .map(
      (line) =>
        `${JSON.stringify({ ...line, tags: ['ops'], updated_at: '2026-02-14T09:00:00.000Z' })}\n`,
    )
    .join(''),
  'knowledge/relations/2026-02.jsonl': `${JSON.stringify({ src: 'vault', rel: 'holds', dst: 'pem', context: `by ${GITHUB}`, created_at: '2026-02-15T10:33:00.000Z' })}\n`,
}

const TABLES: Readonly<Record<string, readonly ToolDescription[]>> = {
  native: nativeTools,
  roux: rouxTools,
  nexus: nexusTools,
  acdc: acdcTools,
  cortex: cortexTools,
  duskmantle: duskmantleTools,
}

const PIECE = 12
const PIECES = new Set(
  SECRETS.flatMap((secret) =>
    secret
      .split('\n')
      .filter((line) => !line.startsWith('-----'))
      .flatMap((line) =>
        Array.from({ length: Math.max(0, line.length - PIECE + 1) }, (_, at) =>
          line.slice(at, at + PIECE),
        ),
      ),
  ),
)

/** Pieces of secrets in an answer that were not in the question. */
function leaksIn(answer: unknown, asked: unknown = ''): string[] {
  const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')
  const question = JSON.stringify(asked)
  const found: string[] = []
  for (let at = 0; at + PIECE <= text.length; at++) {
    const piece = text.slice(at, at + PIECE)
    if (PIECES.has(piece) && !question.includes(piece)) found.push(piece)
  }
  return found.slice(0, 3)
}

let world: World
let reader: Credentials
let repository: World

/** One for all questions: it is asked a few thousand of them, and changed by none. */
beforeAll(async () => {
  const finish: (() => unknown)[] = []
  const options = { onFinished: (work: () => unknown) => void finish.push(work) }
  const flags = { watch: false }
  world = await serveWorld({
    sources: { notes: NOTES, brain: GRAPH },
    surfaces: ['native', 'roux', 'nexus', 'acdc', 'cortex'],
    flags,
    ...options,
  })
  repository = await serveWorld({
    sources: { notes: NOTES },
    surfaces: ['duskmantle'],
    flags,
    ...options,
  })
  reader = bearer(world.token('reader', { may: ['read', 'write'] }))
  return async () => {
    for (const work of finish.toReversed()) await work()
  }
}, SOON.timeout)

const served = (surface: string): { readonly world: World; readonly who: Credentials } =>
  surface === 'duskmantle' ? { world: repository, who: {} } : { world, who: reader }

async function ask(surface: string, tool: string, args: object): Promise<unknown> {
  const { world: asked, who } = served(surface)
  const response = await asked.rpc(surface, who, 'tools/call', { name: tool, arguments: args })
  const { result, error } = await messageOf(response)
  return { result, error }
}

const PROBES = [
  'notes/certificate.md',
  'certificate',
  'narwhal key',
  'front',
  'notes/front.md',
  'notes/code.py',
  'notes/cut.md',
  'entity:vault',
  'pem',
  'kb://notes/deploy.md',
  'acdc://notes/runbook',
  'ask',
  AWS,
  AWS.slice(0, 10),
  BASE64[7]!,
  `${GITHUB.slice(0, 12)}*`,
  'which key is for deploys?',
]
const OPTIONS_TRIED = 3

describe('no answer has a piece of a secret', () => {
  it.each(Object.keys(TABLES))('of any tool that reads: %s', async (surface) => {
    const leaks: unknown[] = []
    let asked = 0
    for (const row of TABLES[surface]!) {
      if (row.access !== 'read') continue
      for (const [place, probe] of PROBES.entries()) {
        for (const args of callsOf(row, probe, place < OPTIONS_TRIED)) {
          const found = leaksIn(await ask(surface, row.name, args), args)
          if (found.length > 0) leaks.push({ tool: row.name, args, found })
          asked++
        }
      }
    }
    expect(leaks.slice(0, 5)).toEqual([])
    expect(asked).toBeGreaterThan(10)
  })

  it('of a part, wherever it begins and ends', async () => {
    const leaks: unknown[] = []
    const check = async (args: object) => {
      const found = leaksIn(await ask('native', 'fetch', args), args)
      if (found.length > 0) leaks.push({ args, found })
    }
    for (const [path, text] of Object.entries(NOTES)) {
      const id = `notes/${path}`
      const lines = text.split('\n').length
      for (let from = 1; from <= lines; from += 3) {
        await check({ id, lines: `${from}-${from + 4}` })
        await check({ id, lines: `${from}:9-` })
      }
      for (const tokens of [50, 80, 150, 300, 600]) await check({ id, max_tokens: tokens })
      await check({ id: `${id}:7-12` })
      const uri = `kb://${id}?lines=8-14`
      const read = await messageOf(await world.rpc('native', reader, 'resources/read', { uri }))
      if (leaksIn(read).length > 0) leaks.push(uri)
    }
    expect(leaks.slice(0, 5)).toEqual([])
  })

  it('of any way to search', async () => {
    const ways = [
      {},
      { detail: 'detailed' },
      { match: 'text' },
      { match: 'regex' },
      { mode: 'lexical', explain: true },
      { max_tokens: 60 },
      { in: 'symbols' },
    ]
    const queries = [
      'narwhal',
      'key',
      'certificate',
      '[A-Za-z0-9+/]{20}',
      'AKIA',
      'def',
      '.',
      ...PROBES,
    ]
    const leaks: unknown[] = []
    for (const query of queries) {
      for (const way of ways) {
        const args = { query, ...way }
        const found = leaksIn(await ask('native', 'search', args), args)
        if (found.length > 0) leaks.push({ args, found })
      }
    }
    expect(leaks.slice(0, 5)).toEqual([])
  })

  it('of resources, prompts and completions', async () => {
    const requests: [string, string, Record<string, unknown>][] = [
      ...['native', 'roux', 'nexus', 'acdc', 'cortex'].flatMap((surface) =>
        ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'].map(
          (method): [string, string, Record<string, unknown>] => [surface, method, {}],
        ),
      ),
      ...Object.keys(NOTES).map((path): [string, string, Record<string, unknown>] => [
        'native',
        'resources/read',
        { uri: `kb://notes/${path}` },
      ]),
      ['native', 'resources/read', { uri: 'kb://entities/pem' }],
      ['native', 'resources/read', { uri: 'kb://notes/front.md?section=nothing' }],
      ['acdc', 'resources/read', { uri: 'acdc://notes/runbook' }],
      ['acdc', 'prompts/get', { name: 'notes:ask' }],
      ['native', 'prompts/get', { name: 'tell' }],
      ['native', 'prompts/get', { name: 'nothing' }],
      ['cortex', 'resources/read', { uri: 'knowledge://entities/concepts/pem' }],
      ['cortex', 'resources/read', { uri: 'knowledge://relations/2026/02' }],
      ...['', 'n'].map((value): [string, string, Record<string, unknown>] => [
        'native',
        'completion/complete',
        {
          ref: { type: 'ref/resource', uri: 'kb://{source}/{+path}' },
          argument: { name: 'path', value },
          context: { arguments: { source: 'notes' } },
        },
      ]),
    ]
    for (const [surface, method, params] of requests) {
      const response = await world.rpc(surface, reader, method, params)
      const leaks = leaksIn(await messageOf(response), params)
      expect([surface, method, params, leaks]).toEqual([surface, method, params, []])
    }
  })

  it('of any route', async () => {
    const web = { 'content-type': 'application/json', 'x-cairn': '1' }
    const ids = [
      'notes/deploy.md',
      'notes/certificate.md',
      'notes/front.md',
      'notes/code.py',
      'entity:pem',
    ]
    const routes: [string, string, unknown?][] = [
      ['GET', '/api/notes'],
      ['GET', '/api/notes/certificate'],
      ['GET', '/api/notes/front'],
      ['GET', '/api/export'],
      ['POST', '/api/search', { query: 'narwhal' }],
      ['POST', '/api/search', { query: BASE64[3] }],
      ['POST', '/api/mcp', { tool: 'get_page', input: { slug: 'certificate' } }],
      ['POST', '/api/mcp', { tool: 'get_page', input: { slug: 'AKIA' } }],
      ['POST', '/api/mcp', { tool: 'search', input: { query: 'key' } }],
      ['PUT', '/api/notes/nothing', { title: AWS }],
      ...['home', 'labels', 'ghosts', 'facts'].map((name): [string, string, unknown] => [
        'POST',
        `/web/read/${name}`,
        {},
      ]),
      ...['note', 'source', 'backlinks', 'mentions'].flatMap((name) =>
        ids.map((id): [string, string, unknown] => ['POST', `/web/read/${name}`, { id }]),
      ),
      ...['narwhal', 'key', 'certificate', AWS.slice(0, 8)].map(
        (query): [string, string, unknown] => [
          'POST',
          '/web/read/search',
          { query, titles: true, typing: true },
        ],
      ),
      ['POST', '/web/call/fetch', { id: 'notes/certificate.md', lines: '9-20' }],
      ['GET', '/web/graph'],
      ['GET', '/metrics'],
    ]
    for (const [method, path, body] of routes) {
      const response = await world.fetch(path, {
        method,
        headers: { ...reader, ...web },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const text = path === '/api/export' ? unzipped(bytes) : bytes.toString('utf8')
      expect([method, path, body, leaksIn(text, body)]).toEqual([method, path, body, []])
      if (path === '/api/export') expect(text).toContain('[masked private key]')
    }
  })

  it('of a change, tried or made, and of what is told about it', async () => {
    const own = await serveWorld({
      sources: { notes: NOTES },
      surfaces: ['native', 'roux', 'nexus'],
    })
    const writer = bearer(own.token('writer', { may: ['read', 'write'] }))
    const call = async (surface: string, tool: string, args: object): Promise<string> => {
      const response = await own.rpc(surface, writer, 'tools/call', { name: tool, arguments: args })
      const { result, error } = await messageOf(response)
      const text = JSON.stringify({ result, error })
      expect([tool, args, leaksIn(text)]).toEqual([tool, args, []])
      return text
    }
    const file = (path: string): string => readFileSync(join(own.root, 'notes', path), 'utf8')
    const write = (args: object) => call('native', 'write', args)
    for (const dry of [true, false]) {
      const more = { dry_run: dry }
      await write({ action: 'append', id: 'notes/certificate.md', content: 'More.', ...more })
      await write({ action: 'prepend', id: 'notes/front.md', content: 'First.', ...more })
      await write({
        action: 'find_replace',
        id: 'notes/deploy.md',
        find: 'The key is',
        replace: 'A key is',
        ...more,
      })
      await write({
        action: 'find_replace',
        id: 'notes/deploy.md',
        find: 'nothing like it',
        replace: 'x',
        ...more,
      })
      await write({ action: 'set_metadata', id: 'notes/front.md', set: { owner: 'me' }, ...more })
      await write({
        action: 'edit_section',
        id: 'notes/front.md',
        section: 'Nothing',
        content: 'x',
        ...more,
      })
      await write({ action: 'move', id: 'notes/code.py', to: 'notes/moved.py', ...more })
      await call('native', 'delete', { id: 'notes/mcp-resources/runbook.md', ...more })
    }
    // What was not named stays, to the letter.
    expect(file('certificate.md')).toBe(`${NOTES['certificate.md']}\nMore.\n`)
    expect(file('deploy.md')).toBe(NOTES['deploy.md'].replace('The key is', 'A key is'))
    expect(file('front.md')).toContain(`  ${PEM.trim().replaceAll('\n', '\n  ')}\n`)
    expect(file('front.md')).toContain(`tags: [ops, ${AWS}]`)
    expect(file('moved.py')).toBe(NOTES['code.py'])
    await call('native', 'history', {})
    for (const path of ['certificate', 'front', 'deploy', 'mcp-resources/runbook']) {
      await call('native', 'history', { action: 'diff', id: `notes/${path}.md` })
    }
    await call('native', 'history', { action: 'restore', id: 'notes/mcp-resources/runbook.md' })
    expect(file('mcp-resources/runbook.md')).toBe(NOTES['mcp-resources/runbook.md'])
    await call('native', 'history', { action: 'undo', id: 'notes/certificate.md' })
    expect(file('certificate.md')).toBe(NOTES['certificate.md'])
    await call('roux', 'update_node', { id: 'certificate.md', tags: ['x'] })
    expect(file('certificate.md')).toContain(PEM)
    // A section goes with the secrets in it, and nothing else.
    await write({
      action: 'edit_section',
      id: 'notes/certificate.md',
      section: 'Second',
      content: 'Gone.',
    })
    expect(file('certificate.md')).toContain(PEM)
    expect(file('certificate.md')).not.toContain(OTHER_PEM.split('\n')[2])
    // What was masked is not written back.
    const back = await write({
      action: 'find_replace',
      id: 'notes/deploy.md',
      find: 'A key is [masked AWS key] for',
      replace: 'It is',
    })
    expect(back).toContain('masked when it was read')
    const put = await own.fetch('/api/notes/deploy', {
      method: 'PUT',
      headers: { ...writer, 'content-type': 'application/json' },
      body: JSON.stringify({ tags: ['y'] }),
    })
    expect([put.status, leaksIn(await put.text())]).toEqual([200, []])
    expect(file('deploy.md')).toContain(AWS)
    // What was saved a moment ago was not indexed yet.
    writeFileSync(join(own.root, 'notes/plain.md'), `# Plain\n\nwords\n${PEM}\n${SLACK}\n`)
    await call('native', 'fetch', { id: 'notes/plain.md', lines: '5-15' })
    await call('native', 'search', { query: '[A-Za-z0-9+/]{30}', match: 'regex' })
    await call('native', 'search', { query: 'plain words' })
  })

  it('of the hook and of the command line', async () => {
    const base = [
      '--folder',
      `notes=${join(world.root, 'notes')}`,
      '--state',
      join(world.root, 'cli'),
    ]
    await runCairn(world.root, 'index', ...base)
    const commands = [
      ['recall', 'narwhal key for deploys'],
      ['recall', 'narwhal certificate'],
      ['recall', '--moment', 'start'],
      ['search', 'narwhal key'],
      ['search', 'certificate', '--json'],
      ['fetch', 'certificate', '--lines', '7-20'],
      ['fetch', 'notes/deploy.md'],
      ['grep', 'key'],
      ['grep', '[A-Za-z0-9+/]{40}', '--json'],
      ['grep', '-F', AWS.slice(0, 9)],
      ['tasks'],
      ['tasks', '--json'],
      ['list'],
      ['ask', 'which key is for deploys?'],
      ['insights', 'tags'],
      ['neighbors', 'front'],
      ['doctor', '--secrets'],
      ['status'],
    ]
    for (const words of commands) {
      const { out, err } = await runCairn(world.root, ...words, ...base)
      expect([words, leaksIn(out + err, words)]).toEqual([words, []])
    }
    const secrets = await runCairn(world.root, 'doctor', '--secrets', ...base)
    expect(secrets.out).toMatch(/certificate\.md:5 {2}private key/)
    for (const request of [
      { moment: 'prompt', prompt: 'narwhal key for deploys' },
      { moment: 'start', prompt: '' },
    ] as const) {
      const text = await askServer(
        join(world.root, 'state'),
        { ...request, tokens: 400 },
        SOON.timeout,
      )
      expect([request, leaksIn(text ?? '')]).toEqual([request, []])
    }
  })
})

/** The texts of the files in an archive. */
function unzipped(bytes: Buffer): string {
  let text = ''
  for (let at = bytes.indexOf('PK\x03\x04'); at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    const packed = bytes.readUInt16LE(at + 8) === 8
    text += packed
      ? inflateRawSync(bytes.subarray(start), { finishFlush: 2 }).toString('utf8')
      : bytes.subarray(start).toString('utf8')
  }
  return text
}

describe('no answer tells a right guess from a wrong one', () => {
  const wrong = (guess: string): string => {
    const last = guess.at(-1)!
    const isBig = last !== last.toLowerCase()
    const other = /\d/.test(last)
      ? last === '9'
        ? '8'
        : '9'
      : last.toLowerCase() === 'z'
        ? 'y'
        : 'z'
    return guess.slice(0, -1) + (isBig ? other.toUpperCase() : other)
  }
  // What stands behind a sign may be the beginning of a word.
  const line = BASE64.find((each) => /^[A-Za-z0-9]+$/.test(each))!
  const guesses = [AWS, GITHUB, SLACK, line].flatMap((secret) =>
    [5, 9, 14, secret.length].map((length) => secret.slice(0, length)),
  )
  const escaped = (text: string): string => text.replaceAll(/[+/]/g, '\\$&')

  const questions: [string, string, (guess: string) => object][] = [
    ['native', 'search', (guess) => ({ query: escaped(guess), match: 'regex' })],
    [
      'native',
      'search',
      (guess) => ({ query: `[${guess.at(-1)}]$`, match: 'regex', path: 'notes/code.py' }),
    ],
    ['native', 'search', (guess) => ({ query: guess, match: 'text' })],
    ['native', 'search', (guess) => ({ query: `+${guess.toLowerCase()}*`, limit: 3 })],
    ['native', 'search', (guess) => ({ query: `"${guess}"`, mode: 'lexical' })],
    ['native', 'list', (guess) => ({ where: `aws = "${guess}"` })],
    ['native', 'list', (guess) => ({ tags: [guess] })],
    ['native', 'fetch', (guess) => ({ id: 'notes/front.md', section: `Heading ${guess}` })],
    ['native', 'fetch', (guess) => ({ id: guess })],
    [
      'native',
      'write',
      (guess) => ({
        action: 'find_replace',
        id: 'notes/deploy.md',
        find: guess,
        replace: 'x',
        dry_run: true,
      }),
    ],
    [
      'native',
      'write',
      (guess) => ({
        action: 'edit_section',
        id: 'notes/front.md',
        section: guess,
        content: 'x',
        dry_run: true,
      }),
    ],
    ['roux', 'search', (guess) => ({ query: guess })],
    ['nexus', 'search', (guess) => ({ query: guess })],
    ['nexus', 'get_page', (guess) => ({ slug: guess })],
    ['acdc', 'search', (guess) => ({ query: guess })],
    ['cortex', 'search_knowledge', (guess) => ({ query: guess })],
    ['duskmantle', 'km-search', (guess) => ({ query: guess })],
  ]

  it.each(questions)('%s %s', async (surface, tool, question) => {
    for (const guess of guesses) {
      const other = wrong(guess)
      const said = (text: unknown, own: string): string =>
        (JSON.stringify(text) ?? '')
          .replaceAll(escaped(own).replaceAll('\\', '\\\\'), '<guess>')
          .replaceAll(own, '<guess>')
          .replaceAll(own.toLowerCase(), '<guess>')
          .replaceAll(/\[masked [A-Za-z ]+\]/g, '<guess>')
          .replaceAll(/\d+\.\d+(?:e-?\d+)?/g, '<score>')
          .replaceAll(/request_id\\?":\\?"[^"\\]+/g, '<id>')
      const right = said(await ask(surface, tool, question(guess)), guess)
      expect([guess, right]).toEqual([
        guess,
        said(await ask(surface, tool, question(other)), other),
      ])
    }
  })
})

it('masks the name of a file that is a key', async () => {
  const own = await serveWorld({
    sources: { notes: { [`named-${AWS}.md`]: 'The narwhal is here.\n' } },
    surfaces: ['native'],
  })
  const calls: [string, object][] = [
    ['search', { query: 'narwhal' }],
    ['search', { query: `+${AWS.slice(0, 7).toLowerCase()}*` }],
    ['list', {}],
    ['fetch', { id: `notes/named-${AWS.slice(0, 9)}.md` }],
    ['fetch', { id: 'named' }],
    ['insights', {}],
  ]
  for (const [name, args] of calls) {
    const params = { name, arguments: { ...args } }
    const answer = await messageOf(await own.rpc('native', {}, 'tools/call', params))
    expect([name, args, leaksIn(answer)]).toEqual([name, args, []])
  }
})

it('shows texts as they are to someone who may and asks for it', async () => {
  const operator = bearer(world.token('operator', { may: ['read', 'maintain'] }))
  const show = { ...operator, 'x-cairn-secrets': 'show' }
  const calls: [string, string, object, string][] = [
    ['native', 'fetch', { id: 'notes/certificate.md' }, BASE64[8]!],
    ['native', 'fetch', { id: 'notes/certificate.md', lines: '10-12' }, BASE64[5]!],
    ['native', 'search', { query: 'which key is for deploys' }, AWS],
    ['native', 'search', { query: AWS.slice(0, 10), match: 'text' }, AWS],
    ['roux', 'get_node', { id: 'deploy.md' }, AWS],
    ['nexus', 'get_page', { slug: 'deploy' }, AWS],
    ['acdc', 'read', { uri: 'acdc://notes/runbook' }, BASE64[8]!],
  ]
  for (const [surface, name, args, secret] of calls) {
    const texts = await Promise.all(
      [show, operator, { ...reader, 'x-cairn-secrets': 'show' }, show].map(async (who) => {
        const params = { name, arguments: { ...args } }
        return JSON.stringify(await messageOf(await world.rpc(surface, who, 'tools/call', params)))
      }),
    )
    const shown = texts.map((text) => text.includes(secret))
    expect([surface, name, args, shown]).toEqual([surface, name, args, [true, false, false, true]])
  }
})

it('lets who is shown secrets in the page edit the text that the page shows', async () => {
  const own = await serveWorld({ sources: { notes: NOTES }, surfaces: ['native'] })
  const post = async (path: string, body: object): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'x-cairn': '1' }
    return (await own.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  }
  const line = `The key is ${AWS} for deploys`
  expect(await post('/web/read/source', { id: 'notes/deploy.md' })).toContain(line)
  const change = { find: line, replace: `[[certificate]]: ${AWS}` }
  await post('/web/call/write', { action: 'find_replace', id: 'notes/deploy.md', ...change })
  expect(readFileSync(join(own.root, 'notes/deploy.md'), 'utf8')).toBe(
    NOTES['deploy.md'].replace(change.find, change.replace),
  )
})
