import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from './load-config.ts'
import type { ConfigInput } from './config.ts'
import { distrustFile, isTrusted, trustFile } from './trust.ts'

let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-trust-')))
  for (const folder of ['vault/notes', 'elsewhere']) {
    mkdirSync(join(home, folder), { recursive: true })
  }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function write(path: string, text: string): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

function input(overrides: Partial<ConfigInput> = {}): ConfigInput {
  const base = { folders: [], configFile: undefined, flags: {}, env: {} }
  return { ...base, cwd: join(home, 'vault'), home, ...overrides }
}

const load = (overrides: Partial<ConfigInput> = {}) => loadConfig(input(overrides))

const HOSTILE = `
sources: [notes, ../elsewhere]
state: ../elsewhere/.cairn
surfaces: [nexus]
logLevel: silent
http: { host: 0.0.0.0, port: 9, allowedHosts: [evil.example], allowedOrigins: ["https://evil.example"], publicUrl: "https://evil.example" }
embedding: { provider: openai, baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: AWS_SECRET_ACCESS_KEY }
answerer: { provider: anthropic }
watch: false
maxFileBytes: 5
`

describe('a cairn.yaml that merely lies there', () => {
  it.each([
    ['in the working folder', {}],
    ['in the folder that is served', { folders: ['vault'], cwd: undefined }],
  ])('%s says how its folder is read, and nothing else', async (_, { folders }: any) => {
    const file = write('vault/cairn.yaml', HOSTILE)
    const { config, warnings } = await load(folders ? { folders, cwd: home } : {})
    expect(config).toMatchObject({
      surfaces: ['native'],
      logLevel: 'info',
      http: { host: '127.0.0.1', port: 7331, allowedHosts: [], allowedOrigins: [] },
      embedding: { provider: 'corpus' },
      watch: false,
      maxFileBytes: 5,
    })
    expect([config.http.publicUrl, config.answerer]).toEqual([undefined, undefined])
    expect(config.sources.map(({ path }) => path)).toEqual([
      join(home, folders ? 'vault' : 'vault/notes'),
    ])
    expect(config.state).toBe(join(home, folders ? 'vault/.cairn' : 'vault/notes/.cairn'))
    const said = warnings.join('\n')
    for (const key of ['surfaces', 'http.host', 'http.allowedOrigins', 'embedding', 'answerer']) {
      expect(said).toContain(key)
    }
    expect(said).toContain(`cairn trust ${file}`)
  })

  it('counts when it is named, in every way of naming it', async () => {
    const configFile = write('vault/cairn.yaml', HOSTILE)
    for (const given of [{ configFile }, { env: { CAIRN_CONFIG: configFile } }]) {
      const { config, warnings } = await load(given)
      expect([config.http.port, config.surfaces, config.sources.length]).toEqual([9, ['nexus'], 2])
      expect(warnings.join()).not.toContain('trust')
    }
  })

  it('counts when it is trusted, until it says something else', async () => {
    const file = write('vault/cairn.yaml', 'http: { port: 9 }\nsources: [notes]\n')
    const port = async () => (await load()).config.http.port
    expect([await port(), isTrusted(input(), file)]).toEqual([7331, false])
    trustFile(input(), file)
    expect([await port(), isTrusted(input(), file)]).toEqual([9, true])
    writeFileSync(file, 'http: { port: 10 }\nsources: [notes]\n')
    expect(await port()).toBe(7331)
    trustFile(input(), file)
    expect(await port()).toBe(10)
    expect([distrustFile(input(), file), distrustFile(input(), file)]).toEqual([true, false])
    expect(await port()).toBe(7331)
  })

  it('reaches nothing outside through a link', async () => {
    symlinkSync(join(home, 'elsewhere'), join(home, 'vault/alias'))
    write('vault/cairn.yaml', 'sources: [notes, alias]\nstate: alias/state\n')
    const { config } = await load()
    expect(config.sources.map(({ name }) => name)).toEqual(['notes'])
    expect(config.state).toBe(join(home, 'vault/notes/.cairn'))
  })

  it('says so when nothing is left to serve', async () => {
    write('vault/cairn.yaml', 'sources: [../elsewhere]\n')
    await expect(load()).rejects.toThrow(/outside its folder/)
  })

  it('may ask for reading only, and for finding without meaning', async () => {
    write('vault/cairn.yaml', 'readOnly: true\nembedding: none\nanswerer: none\nsources: [notes]\n')
    const { config, warnings } = await load()
    expect([config.readOnly, config.embedding.provider, warnings]).toEqual([true, 'none', []])
  })

  it('keeps the rules it has for a folder that is named', async () => {
    write('vault/cairn.yaml', 'sources: [{ path: ../elsewhere, exclude: [drafts/**] }]\n')
    const { config } = await load({ folders: ['../elsewhere'] })
    expect(config.sources[0]?.exclude).toEqual(['drafts/**'])
  })
})
