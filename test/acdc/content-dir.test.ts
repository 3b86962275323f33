/** One content directory, in every layout that ACDC has had, and a repository without any. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sectionsOf } from '../../src/vocabularies/acdc/curated/sections.ts'
import { parseMarkdown } from '../../src/core/parsing/markdown/parse-markdown.ts'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { FIXTURE, openAcdc, resource } from './open-acdc.ts'
import type { Acdc, AcdcOptions } from './open-acdc.ts'

const SERVER = 'server: { name: Sample, version: 1.0, instructions: Search first }\n'
const GUIDE = resource(
  'Getting Started',
  '# Start\n\nBegin here.\n\n## Installing\n\nRun the wizard.\n',
  { description: 'How to begin', keywords: '[setup]' },
)
const PROMPT = '---\nname: review\ndescription: Reviews code\n---\nReview it.\n'

const SINCE_0_8 = {
  'kb/.acdc/config.yaml': SERVER,
  'kb/.acdc/resources/guides/start.md': GUIDE,
  'kb/.acdc/resources/guides/nameless.md': 'No front matter.\n',
  'kb/.acdc/prompts/review.md': PROMPT,
  'kb/README.md': '# Not this one\n',
}

const BEFORE = {
  'kb/mcp-metadata.yaml': SERVER,
  'kb/mcp-resources/guides/start.md': GUIDE,
  'kb/mcp-prompts/review.md': PROMPT,
}

const DOCS = {
  'kb/docs/guide.md': '# The guide\n\nHow the *sample* works.\n\n## Rotating keys\n\nTurn them.\n',
  'kb/docs/deep/er/api.md': '---\nname: API\ndescription: Calls\nkeywords: [rest]\n---\nText.\n',
  'kb/docs/plain.md': 'A text without any heading.\n',
  'kb/docs/generated/out.md': '# Generated\n',
  'kb/docs/.hidden/no.md': '# Hidden\n',
  'kb/docs/broken.md': '---\nname: [\n---\n# Broken\n',
  'kb/README.md': '# Readme of it\n\n[![badge](x)](y)\n\nWhat it is for.\n',
}

function open(
  files: Readonly<Record<string, string>>,
  where: Readonly<Record<string, string>>,
  options: AcdcOptions = {},
): Promise<Acdc> {
  const folder = temporaryFolder(files)
  const flags = Object.entries(where).map(([name, path]) => [name, join(folder, path)])
  const none = { config: '', ...Object.fromEntries(flags) }
  return openAcdc({}, { ...options, flags: { ...none, ...options.flags } })
}

async function resourcesOf({ client }: Acdc): Promise<(string | undefined)[][]> {
  const { resources } = await client.listResources()
  return resources.map(({ uri, name, description }) => [uri, name, description])
}

const START = [['acdc://guides/start', 'Getting Started', 'How to begin']]

describe('a content directory', () => {
  it.each([
    ['since 0.8, by --content-dir', SINCE_0_8, { 'content-dir': 'kb' }],
    ['since 0.8, by -c', SINCE_0_8, { config: 'kb' }],
    ['since 0.8, by its file', SINCE_0_8, { config: 'kb/.acdc/config.yaml' }],
    ['before, by --content-dir', BEFORE, { 'content-dir': 'kb' }],
    ['before, by its file', BEFORE, { config: 'kb/mcp-metadata.yaml' }],
  ] as const)('is served in the layout %s', async (_, files, where) => {
    const acdc = await open(files, where)
    expect(acdc.client.getServerVersion()).toMatchObject({ name: 'Sample', version: '1.0' })
    expect(acdc.client.getInstructions()).toBe('Search first')
    expect(await resourcesOf(acdc)).toEqual(START)
    expect(await acdc.call('read', { uri: 'acdc://guides/start' })).toMatch(/^# Start\n\nBegin/)
    const { prompts } = await acdc.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['review'])
    const { messages } = await acdc.client.getPrompt({ name: 'review' })
    expect(messages[0]?.content).toMatchObject({ text: 'Review it.\n' })
    const { tools } = await acdc.client.listTools()
    const search = tools.find(({ name }) => name === 'search')!
    expect(Object.keys(search.inputSchema.properties!)).toEqual(['query'])
  })

  it('is named by a variable, by .env, and weaker than a flag', async () => {
    const folder = temporaryFolder({ ...SINCE_0_8, 'other/.acdc/resources/x.md': GUIDE })
    const kb = join(folder, 'kb')
    const env = { ACDC_MCP_CONTENT_DIR: kb }
    const acdc = await openAcdc({}, { flags: { config: '' }, env })
    expect(await resourcesOf(acdc)).toEqual(START)
    const dotenv = await openAcdc({ '.env': `content_dir=${kb}\n` }, { flags: { config: '' } })
    expect(await resourcesOf(dotenv)).toEqual(START)
    const flags = { config: '', 'content-dir': join(folder, 'other') }
    const [[uri] = []] = await resourcesOf(await openAcdc({}, { flags, env }))
    expect(uri).toBe('acdc://x')
  })

  it('is indexed by patterns, front matter or not', async () => {
    const index = `${SERVER}index: { include: [docs/**/*.md], exclude: [docs/generated/**] }\n`
    for (const file of ['.acdc/config.yaml', 'mcp-metadata.yaml']) {
      const acdc = await open({ ...DOCS, [`kb/${file}`]: index }, { 'content-dir': 'kb' })
      expect(await resourcesOf(acdc)).toEqual([
        ['acdc://docs/deep/er/api', 'API', 'Calls'],
        ['acdc://docs/guide', 'The guide', 'How the *sample* works.'],
        ['acdc://docs/plain', 'Plain', 'A text without any heading.'],
      ])
      expect(await acdc.names('rest')).toEqual(['API'])
      expect(acdc.log.join('\n')).toMatch(/warn: .*docs\/broken\.md: It is left out/)
    }
  })

  it('without any file is the README and the documents of a repository', async () => {
    const files = {
      ...DOCS,
      'kb/docs/node_modules/no.md': '# No\n',
      'kb/src/no.md': '# No\n',
      'kb/.acdc/prompts/review.md': PROMPT,
    }
    const acdc = await open(files, { config: 'kb' })
    expect(acdc.client.getServerVersion()?.name).toBe('kb Documentation')
    expect(acdc.client.getInstructions()).toContain('kb')
    expect((await resourcesOf(acdc)).map(([uri]) => uri)).toEqual([
      'acdc://README',
      'acdc://docs/deep/er/api',
      'acdc://docs/generated/out',
      'acdc://docs/guide',
      'acdc://docs/plain',
    ])
    expect((await resourcesOf(acdc))[0]).toEqual([
      'acdc://README',
      'Readme of it',
      'What it is for.',
    ])
    expect((await acdc.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['review'])
  })
})

describe('sections', () => {
  it('are what search finds and read gives, by their heading', async () => {
    const acdc = await open(DOCS, { 'content-dir': 'kb' })
    const found = await acdc.call('search', { query: 'turn' })
    expect(found.split('\n')).toEqual([
      "Search results for 'turn':",
      '',
      '- **The guide** · [acdc://docs/guide#rotating-keys](acdc://docs/guide#rotating-keys)',
      expect.stringMatching(
        /^ {2}- docs\/guide\.md > The guide > Rotating keys · lines 5-7 · score \d+\.\d\d$/,
      ),
      expect.stringContaining('**Turn** them.'),
    ])
    const read = (uri: string) => acdc.call('read', { uri })
    expect(await read('acdc://docs/guide#rotating-keys')).toBe('## Rotating keys\n\nTurn them.')
    expect(await read('acdc://docs/plain#document')).toBe('A text without any heading.')
    expect(await read('acdc://docs/guide#nope')).toBe('!unknown resource: acdc://docs/guide#nope')
    const { contents } = await acdc.client.readResource({ uri: 'acdc://docs/guide#the-guide' })
    expect(contents[0]).toMatchObject({ text: '# The guide\n\nHow the *sample* works.' })
    // A document that only its name finds is given from its beginning.
    expect(await acdc.call('search', { query: 'API' })).toContain(
      'acdc://docs/deep/er/api#document',
    )
  })

  it('come in full when told, under any scheme', async () => {
    const flags = { 'search-result-mode': 'content', 'uri-scheme': 'myorg' }
    const acdc = await open(DOCS, { 'content-dir': 'kb' }, { flags })
    const found = await acdc.call('search', { query: 'turn' })
    expect(found).toContain('(myorg://docs/guide#rotating-keys)')
    expect(found).toMatch(/\n\n## Rotating keys\n\nTurn them\.$/)
    expect(await acdc.call('read', { uri: 'myorg://docs/plain' })).toMatch(/^A text/)
  })

  it('are read by address in named locations too, where search gives whole resources', async () => {
    const { call } = await openAcdc(FIXTURE)
    const uri = 'acdc://docs/guides/getting-started'
    expect(await call('search', { query: 'capabilities' })).toContain(`(${uri}):`)
    expect(await call('read', { uri: `${uri}#start` })).toMatch(/^# Start\n\nThis is about/)
  })

  it('begin at every heading, have names of their own, and are cut where they are long', () => {
    const block = `${'word '.repeat(300)}\n\n`
    const code = `\`\`\`\n${'line\n\n'.repeat(900)}\`\`\`\n`
    const text = `---\na: 1\n---\nBefore.\n\n# A\n\nOne.\n\n### Deep\n\n# A\n\n# !!!\n\nx\n\n# Document\n\ny\n\n# Long\n\n${block.repeat(4)}${code}`
    const sections = sectionsOf(text, parseMarkdown(text, 'x.md').document)
    expect(sections.map(({ fragment }) => fragment)).toEqual([
      'document',
      'a',
      'deep',
      'a-1',
      'section',
      'document-1',
      'long~1',
      'long~2',
      'long~3',
    ])
    expect(sections[2]?.headingPath).toEqual(['A', 'Deep'])
    const texts = sections.map(({ start, end }) => text.slice(start, end))
    expect(texts.slice(0, 3)).toEqual(['Before.', '# A\n\nOne.', '### Deep'])
    expect(texts.at(-1)).toBe(code.trimEnd())
    for (const { whole, start, end } of sections.slice(6, 8)) {
      expect(whole).toBe('long')
      expect(end - start).toBeLessThanOrEqual(4_000)
    }
  })
})

describe('the start', () => {
  it.each<[string, string[], string]>([
    ['no such directory', ['--content-dir', 'nope'], 'content directory not found'],
    ['both', ['--content-dir', 'kb', '--config', 'x.yaml'], 'mutually exclusive'],
    ['a pattern that leads out', ['-c', 'out'], 'must stay below the content directory'],
    ['no pattern', ['-c', 'none'], 'index.include is required'],
    ['a bad scheme', ['-c', 'kb', '-s', '1x'], 'uri-scheme must be'],
    ['a bad mode', ['-c', 'kb', '--search-result-mode', 'x'], 'search-result-mode must be'],
    ['nothing at all', [], 'config file is required'],
  ])('is refused with %s', async (_, words, message) => {
    const folder = temporaryFolder({
      ...SINCE_0_8,
      'out/.acdc/config.yaml': `${SERVER}index: { include: [../x/*.md] }\n`,
      'none/mcp-metadata.yaml': `${SERVER}index: { include: [] }\n`,
    })
    const { code, out, err } = await runCairn(folder, 'acdc', ...words)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(message)
  })

  it('needs no word in a directory that is set up', async () => {
    const folder = temporaryFolder({ 'broken/.acdc/config.yaml': 'server: [\n' })
    const { code, err } = await runCairn(join(folder, 'broken'), 'acdc')
    expect([code, err]).toEqual([1, expect.stringContaining('failed to parse metadata')])
  })
})
