/** What an acdc client sees: resources, prompts and the two tools. */
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { FIXTURE, oneLocation, openAcdc, resource } from './open-acdc.ts'
import type { Acdc } from './open-acdc.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

const DOCS = 'acdc://docs/guides/getting-started'
const OPS = 'acdc://ops/guides/getting-started'

async function failure(work: Promise<unknown>): Promise<{ code: number; message: string }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(McpError)
  const { code, message } = error as McpError
  return { code, message }
}

/** One that is asked and never changed. */
let asked: Acdc
beforeAll(async () => {
  const finished: (() => void | Promise<void>)[] = []
  asked = await openAcdc(FIXTURE, { onFinished: (clean) => finished.unshift(clean) })
  return async () => {
    for (const clean of finished) await clean()
  }
})

describe('the fixture of the contract', () => {
  it('introduces itself', async () => {
    verifies('acdc:check-1-initialize', 'acdc:instructions', 'acdc:config-file')
    const { client } = asked
    expect(client.getServerVersion()).toMatchObject({ name: 'KB', version: '1.0' })
    expect(client.getInstructions()).toBe('Use search first')
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {}, prompts: {} })
  })

  it('lists what says what it is, and warns about what does not', async () => {
    verifies('acdc:check-2-resources-list', 'acdc:resources-listed', 'acdc:resource-uri')
    verifies('acdc:content-path', 'acdc:resource-front-matter', 'acdc:resources-recursive')
    const { client, log } = asked
    const { resources } = await client.listResources()
    expect(resources).toEqual([
      {
        uri: DOCS,
        name: 'Getting Started',
        description: 'How to begin',
        mimeType: 'text/markdown',
      },
      { uri: OPS, name: 'Ops Start', description: 'Ops', mimeType: 'text/markdown' },
    ])
    expect(log.filter((line) => line.startsWith('warn:'))).toEqual([
      'warn: docs/mcp-resources/nameless.md: It is left out: its front matter has no description.',
    ])
  })

  it('repeats the beginning of a very long question or URI, and not all of it', async () => {
    const { call, client } = asked
    const long = `acdc://docs/${'x'.repeat(100_000)}`
    const text = await call('read', { uri: long })
    expect(text).toMatch(/^!unknown resource: acdc:\/\/docs\/x+… x+$/)
    expect(text.length).toBeLessThan(3_000)
    const missing = await client.readResource({ uri: long }).catch((error: McpError) => error)
    expect(JSON.stringify(missing).length).toBeLessThan(5_000)
    const found = await client.callTool({
      name: 'search',
      arguments: { query: `searching ${'y'.repeat(100_000)}`, source: 'z'.repeat(100_000) },
    })
    expect(JSON.stringify(found).length).toBeLessThan(12_000)
  })

  it('reads a resource, and nothing that is not one', async () => {
    verifies('acdc:check-3-read', 'acdc:read-input', 'acdc:read-output')
    const { call, client } = asked
    const body = '# Start\n\nThis is about searching capabilities.\n'
    expect(await call('read', { uri: DOCS })).toBe(body)
    expect((await client.readResource({ uri: DOCS })).contents).toEqual([
      { uri: DOCS, mimeType: 'text/markdown', text: body },
    ])
    for (const uri of [
      'acdc://docs/nope',
      'acdc://docs/nameless',
      'acdc://docs/../ops/guides/getting-started',
      'acdc://docs/%2e%2e/x',
      'file:///etc/passwd',
      'acdc://docs/guides/getting-started.md',
      '',
    ]) {
      expect(await call('read', { uri })).toBe(`!unknown resource: ${uri}`)
    }
    expect((await failure(client.readResource({ uri: 'acdc://docs/nope' }))).code).toBe(-32002)
    expect(await call('read', {})).toMatch(/^!invalid arguments: uri/)
    expect(await call('read', { uri: DOCS, more: 1 })).toMatch(/^!invalid arguments/)
  })

  it('prints results line by line', async () => {
    verifies('acdc:check-4-search-format', 'acdc:search-output', 'acdc:search-input')
    const { call } = asked
    const [header, gap, first, between, second, ...rest] = (
      await call('search', { query: 'search' })
    ).split('\n')
    expect([header, gap, between, rest]).toEqual(["Search results for 'search':", '', '', []])
    const form = /^- \[(docs|ops)\] \[.+\]\(acdc:\/\/.+\): .+ \(relevance: \d+\.\d{2}\)$/
    for (const item of [first, second]) expect(item).toMatch(form)
    expect(await call('search', { query: 'install' })).toMatch(
      /^Search results for 'install':\n\n- \[docs\] \[Getting Started\]\(acdc:\/\/docs\/guides\/getting-started\): How to begin \(relevance: \d+\.\d\d\)$/,
    )
    expect(await call('search', { query: 'capability' })).toContain(
      '# Start This is about searching **capabilities**. (relevance',
    )
    expect(await call('search', { query: '  ' })).toBe('!query must not be empty')
    expect(await call('search', {})).toMatch(/^!invalid arguments: query/)
    expect(await call('search', { query: 'x', limit: 3 })).toMatch(/^!invalid arguments/)
    expect(await call('search', { query: 'zzzzzz' })).toBe("No results found for 'zzzzzz'")
  })

  it('looks in one source when told', async () => {
    verifies('acdc:check-5-source-filter', 'acdc:search-source', 'acdc:search-unknown-source')
    const { call, names } = asked
    expect(await names('search', 'ops')).toEqual(['Ops Start'])
    expect(await call('search', { query: 'search', source: 'zzz' })).toBe(
      "No results found for 'search' in source 'zzz' (available sources: docs, ops)",
    )
    expect(await names('search', 'OPS')).toEqual([])
    expect(await names('search', '')).toHaveLength(2)
  })

  it('finds stems and typing mistakes', async () => {
    verifies('acdc:check-6-fuzzy-stem', 'acdc:search-fuzzy', 'acdc:search-fields')
    const { names } = asked
    const both = ['Getting Started', 'Ops Start']
    for (const query of ['serching', 'searches', 'search', 'Searched', '*', "search's"]) {
      expect([query, (await names(query)).toSorted()]).toEqual([query, both])
    }
    expect(await names('deploi')).toEqual(['Ops Start'])
    expect(await names('the')).toEqual([])
    expect(await names('the is about')).toEqual([])
    expect(await names('-search')).toHaveLength(2)
    expect(await names('nothing deploy')).toEqual(['Ops Start'])
  })

  it('lists and fills in prompts', async () => {
    verifies('acdc:check-9-prompts', 'acdc:prompt-name', 'acdc:prompt-arguments')
    verifies('acdc:prompt-template', 'acdc:prompts-folder')
    const { client } = asked
    const { prompts } = await client.listPrompts()
    expect(prompts).toEqual([
      {
        name: 'docs:code-review',
        description: 'Reviews code',
        arguments: [
          { name: 'commit', description: 'Which one', required: false },
          { name: 'lang', description: 'Which language', required: true },
        ],
      },
    ])
    const get = (args: Record<string, string>, name = 'docs:code-review') =>
      client.getPrompt({ name, arguments: args })
    expect(await get({ lang: 'Go' })).toEqual({
      description: 'Rendered prompt: docs:code-review',
      messages: [{ role: 'user', content: { type: 'text', text: 'Review Go all.' } }],
    })
    const [message] = (await get({ lang: 'Go', commit: 'abc' })).messages
    expect(message?.content).toMatchObject({ text: 'Review Go at abc.' })
    for (const args of [{}, { lang: '' }]) {
      const { code, message: said } = await failure(get(args as Record<string, string>))
      expect([code, said]).toEqual([
        -32602,
        expect.stringMatching(/missing required argument: lang$/),
      ])
    }
    const { code, message: said } = await failure(get({}, 'code-review'))
    expect([code, said]).toEqual([-32602, expect.stringMatching(/unknown prompt: code-review$/)])
  })
})

describe('tool descriptions', () => {
  it('have defaults that name the sources', async () => {
    verifies('acdc:tools-registered', 'acdc:tool-descriptions')
    const { tools } = await asked.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search', 'read'])
    for (const { description } of tools) {
      expect(description).toContain('- ops: The runbooks')
      expect(description!.length).toBeLessThan(1_024)
    }
  })

  it('can be replaced', async () => {
    verifies('acdc:check-10-description-override', 'acdc:tool-descriptions')
    const files = {
      ...FIXTURE,
      'cfg/mcp-metadata.yaml': `${FIXTURE['cfg/mcp-metadata.yaml']}tools: [{ name: search, description: X }, { name: other, description: Y }]\n`,
    }
    const { client, log } = await openAcdc(files)
    const { tools } = await client.listTools()
    expect(tools[0]?.description).toBe('X')
    expect(tools[1]?.description).toContain('in full')
    expect(log).toContain('warn: there is no tool other; its description is unused')
  })
})

describe('files', () => {
  it('are read as they are written', async () => {
    verifies('acdc:check-14-front-matter-edge', 'acdc:resource-front-matter', 'acdc:read-output')
    const { client, call, names, log } = await openAcdc(
      oneLocation({
        'mcp-resources/crlf.md': '---\r\nname: A\r\ndescription: B\r\n---\r\n# x\r\n\r\ny \r\n',
        'mcp-resources/bom.md': `\uFEFF${resource('Bom', 'marked\n')}`,
        'mcp-resources/unclosed.md': '--- \nname: A\ndescription: B\n',
        'mcp-resources/broken.md': '---\n: broken: [\n---\nx',
        'mcp-resources/bare.md': 'no front matter\n',
        'mcp-resources/empty.md': '---\n---\n',
        'mcp-resources/list.md': '---\n- a\n---\n',
        'mcp-resources/keywords.md': resource('Words', 'text\n', { keywords: 'alpha,beta' }),
        'mcp-resources/mixed.md': resource('Mixed', '\n\n  text', { keywords: '[gamma, 7, [x]]' }),
        'mcp-resources/UPPER.MD': resource('Upper', ''),
        'mcp-resources/.hidden.md': resource('Hidden', ''),
        'mcp-resources/other.txt': 'x',
        'mcp-resources/number.md': resource('7', ''),
        'mcp-resources/twice.md': resource('A', '', { description: 'x\nname: B' }),
        'mcp-prompts/bad.md': resource('bad', '{{template "x"}}'),
        'mcp-prompts/b/twice.md': resource('twice', 'second'),
        'mcp-prompts/a/twice.md': resource('twice', 'first'),
      }),
    )
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(
      ['bom', 'crlf', 'keywords', 'mixed'].map((name) => `acdc://docs/${name}`),
    )
    expect(await call('read', { uri: 'acdc://docs/crlf' })).toBe('# x\n\ny \n')
    expect(await call('read', { uri: 'acdc://docs/bom' })).toBe('marked\n')
    expect(await call('read', { uri: 'acdc://docs/mixed' })).toBe('\n\n  text')
    expect(await names('alpha')).toEqual([])
    expect(await names('gamma')).toEqual(['Mixed'])
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['docs:twice'])
    const { messages } = await client.getPrompt({ name: 'docs:twice' })
    expect(messages[0]?.content).toMatchObject({ text: 'first' })
    const warned = log.filter((line) => line.startsWith('warn:')).map((line) => line.split(':')[1])
    expect(warned.map((line) => line?.trim()).toSorted()).toEqual([
      'docs/mcp-prompts/b/twice.md',
      'docs/mcp-prompts/bad.md',
      'docs/mcp-resources/bare.md',
      'docs/mcp-resources/broken.md',
      'docs/mcp-resources/empty.md',
      'docs/mcp-resources/list.md',
      'docs/mcp-resources/number.md',
      'docs/mcp-resources/twice.md',
      'docs/mcp-resources/unclosed.md',
    ])
    expect(log.join('\n')).toContain('number.md: It is left out: its name is not a text.')
    expect(log.join('\n')).toContain('has the key "name" twice.')
  })

  it('are named when they cannot be read at all', async () => {
    const outside = temporaryFolder({ 'x.md': resource('Outside', '') })
    const files = oneLocation({
      'mcp-resources/huge.md': resource('Huge', 'word '.repeat(2_200_000)),
      'mcp-resources/fine.md': resource('Fine', ''),
    })
    const folder = temporaryFolder(files)
    const place = join(folder, 'docs-src/mcp-resources')
    writeFileSync(join(place, 'latin.md'), Buffer.from(resource('Latin', 'caf\xe9'), 'latin1'))
    symlinkSync(join(outside, 'x.md'), join(place, 'link.md'))
    const flags = { config: join(folder, 'cfg/mcp-metadata.yaml') }
    const { client, log } = await openAcdc({}, { flags })
    const { resources } = await client.listResources()
    expect(resources.map(({ name }) => name)).toEqual(['Fine'])
    const warned = log.filter((line) => line.startsWith('warn:')).toSorted()
    expect(warned).toEqual([
      expect.stringMatching(/^warn: docs\/mcp-resources\/huge\.md: It is left out: .*10/),
      expect.stringMatching(/^warn: docs\/mcp-resources\/latin\.md: It is left out: .*UTF-8/),
      expect.stringMatching(/^warn: docs\/mcp-resources\/link\.md: It is left out: .*out/),
    ])
  })

  it('are served whether git ignores them or not', async () => {
    const { client } = await openAcdc(
      oneLocation({
        '.gitignore': 'generated\n',
        'mcp-resources/generated/api.md': resource('API', ''),
        'mcp-resources/.gitignore': '*.md\n',
      }),
    )
    const { resources } = await client.listResources()
    expect(resources.map(({ name }) => name)).toEqual(['API'])
  })

  it('cannot share a URI', async () => {
    const { client, log } = await openAcdc(
      oneLocation({
        'mcp-resources/ä.md': resource('Composed', ''),
        'mcp-resources/a\u0308.md': resource('Decomposed', ''),
      }),
    )
    const { resources } = await client.listResources()
    expect(resources).toHaveLength(1)
    expect(log.join('\n')).toContain('Another file has the URI acdc://docs/%C3%A4.')
  })

  it('may have any name', async () => {
    verifies('acdc:resource-uri')
    const { client, call } = await openAcdc(
      oneLocation({
        'mcp-resources/My Guides/ä & 100%.md': resource('Odd', 'odd\n'),
        'mcp-resources/a/b/c/d.e.md': resource('Deep', 'deep\n'),
      }),
    )
    const { resources } = await client.listResources()
    const [odd, deep] = resources.map(({ uri }) => uri)
    expect(odd).toBe('acdc://docs/My%20Guides/%C3%A4%20&%20100%25')
    expect(deep).toBe('acdc://docs/a/b/c/d.e')
    for (const uri of [odd, 'acdc://docs/My Guides/ä%20& 100%25']) {
      expect(await call('read', { uri })).toBe('odd\n')
    }
    expect((await client.readResource({ uri: odd! })).contents[0]).toMatchObject({ text: 'odd\n' })
  })

  it('may be missing altogether', async () => {
    verifies('acdc:prompts-folder', 'acdc:resources-folder')
    const { client, call } = await openAcdc(oneLocation({}))
    expect((await client.listResources()).resources).toEqual([])
    expect((await client.listPrompts()).prompts).toEqual([])
    expect(await call('search', { query: '*' })).toBe("No results found for '*'")
  })
})

it('puts a keyword before content that repeats the word, and a name too', async () => {
  verifies('acdc:check-7-boost')
  const others = Array.from({ length: 20 }, (_, n) => [
    `mcp-resources/other-${n}.md`,
    resource(`Other ${n}`, `Text ${n} on quite another matter, of ordinary length.\n`),
  ])
  const files = oneLocation({
    ...Object.fromEntries(others),
    'mcp-resources/content.md': resource('Repeats', `${'Deployment, '.repeat(5)}and so on.\n`),
    'mcp-resources/name.md': resource('Deployment of a site', 'Some steps.\n'),
    'mcp-resources/keyword.md': resource('Going live', 'A checklist for the day.\n', {
      keywords: '[release, deployment, rollout]',
    }),
  })
  const { names } = await openAcdc(files)
  expect(await names('deployment')).toEqual(['Going live', 'Deployment of a site', 'Repeats'])
  const turned = await openAcdc(files, { flags: { 'search-content-boost': '100' } })
  expect((await turned.names('deployment'))[0]).toBe('Repeats')
})

it('takes any number of results and any boost that makes sense', async () => {
  const flags = { 'search-max-results': '999999999', 'search-name-boost': '1000000' }
  const { names, call } = await openAcdc(FIXTURE, { flags })
  expect((await names('search')).toSorted()).toEqual(['Getting Started', 'Ops Start'])
  expect(await names('*')).toHaveLength(2)
  expect(await call('search', { query: 'started' })).toMatch(/\(relevance: \d+\.\d\d\)$/)
})

it('does not fill in a prompt whose file is gone, nor without an argument of any name', async () => {
  const front = 'name: p\ndescription: x\narguments: [{ name: constructor }]'
  const { client, folder } = await openAcdc(
    oneLocation({ 'mcp-prompts/p.md': `---\n${front}\n---\n{{.constructor}}` }),
  )
  const get = (args: Record<string, string>) =>
    failure(client.getPrompt({ name: 'docs:p', arguments: args }))
  expect((await get({})).message).toMatch(/missing required argument: constructor$/)
  rmSync(join(folder, 'docs-src/mcp-prompts/p.md'))
  expect((await get({ constructor: 'x' })).message).toMatch(/unknown prompt: docs:p$/)
})

it('completes arguments whose values the template knows', async () => {
  const body = '{{if eq .depth "quick" "thorough"}}x{{end}}{{.free}}'
  const { client } = await openAcdc(oneLocation({ 'mcp-prompts/p.md': resource('p', body) }))
  const complete = async (name: string, value: string) => {
    const ref = { type: 'ref/prompt' as const, name: 'docs:p' }
    return (await client.complete({ ref, argument: { name, value } })).completion.values
  }
  expect(await complete('depth', '')).toEqual(['quick', 'thorough'])
  expect(await complete('depth', 'T')).toEqual(['thorough'])
  expect(await complete('free', '')).toEqual([])
})

it('fills in a template with ranges, pipes and variables', async () => {
  verifies('acdc:go-templates')
  const body =
    '{{$n := len .lang}}{{with .lang}}{{. | printf "%q"}} ({{$n}}){{end}}{{range $k, $v := .}} {{$k}}={{$v}}{{end}}'
  const { client } = await openAcdc(
    oneLocation({
      'mcp-resources/a.md': resource('A', 'a\n'),
      'mcp-prompts/p.md': `---\nname: p\ndescription: d\narguments: [{ name: lang }]\n---\n${body}`,
      'mcp-prompts/q.md': `---\nname: q\ndescription: d\n---\n{{range .x}}{{end}}`,
    }),
  )
  const { messages } = await client.getPrompt({ name: 'docs:p', arguments: { lang: 'Go' } })
  expect(messages[0]!.content).toMatchObject({ text: '"Go" (2) lang=Go' })
  await expect(client.getPrompt({ name: 'docs:q' })).rejects.toThrow('cannot be filled in')
})
