/** Whatever a user can set, call or type is written down somewhere a user reads. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allCommands } from '../src/serve/cli/commands.ts'
import { app } from '../src/serve/cli/plug-in.ts'
import { CLIENTS } from '../src/keep/clients/clients.ts'

const ROOT = resolve(import.meta.dirname, '..')
const files = (folder: string, ends: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ends.test(path))
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8'))

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
const documents = [readme, ...files('docs', /\.md$/)].join('\n')
const reference = readFileSync(join(ROOT, 'docs/reference.md'), 'utf8')

describe('documents', () => {
  it('name every environment variable that the program reads', () => {
    const sources = [...files('src', /(?<!\.test)\.ts$/), ...files('bin', /\.js$/)].join('\n')
    const read = [...sources.matchAll(/\benv(?:\[['"]|\.)([A-Z][A-Z0-9_]+)/g)].map(
      (match) => match[1]!,
    )
    expect(read.length).toBeGreaterThan(5)
    const known = new Set(documents.match(/\b[A-Z][A-Z0-9_]+\b/g))
    // The system's own.
    const system = ['PATH', 'HOME', 'TMPDIR']
    expect([...new Set(read)].filter((name) => !known.has(name) && !system.includes(name))).toEqual(
      [],
    )
  })

  it('have every command with every option', async () => {
    const commands = (await allCommands(app)).filter(({ hidden }) => !hidden)
    for (const { name, options } of commands) {
      expect(reference).toContain(`### \`cairn ${name}\``)
      for (const [option, { hidden }] of Object.entries(options)) {
        if (!hidden)
          expect([
            name,
            reference.includes(`--${option}`) || reference.includes(`--[no-]${option}`),
          ]).toEqual([name, true])
      }
    }
  })

  it('have every tool with every argument', async () => {
    for (const { name, inputSchema } of await app.tools()) {
      expect(reference).toContain(`#### \`${name}\``)
      for (const argument of Object.keys((inputSchema['properties'] ?? {}) as object)) {
        expect(reference).toContain(`\`${argument}\``)
      }
    }
  })

  it('name every metric', () => {
    const source = readFileSync(join(ROOT, 'src/serve/observers/metrics.ts'), 'utf8')
    const metrics = new Set(source.match(/\bcairn_[a-z_]+(?<!_bucket|_sum|_count)\b/g))
    expect(metrics.size).toBeGreaterThan(2)
    for (const metric of metrics) expect(documents).toContain(`\`${metric}\``)
  })

  it('say of every client where its settings are', () => {
    const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8')
    for (const { id, title } of CLIENTS) {
      expect(page).toContain(`\`${id}\``)
      expect(page).toContain(title)
    }
  })

  it('are reached from the README', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
    expect(pages.filter((name) => !documents.includes(`${name})`))).toEqual([])
  })
})
