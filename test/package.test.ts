/** What the published package needs besides Node: nothing. */
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const PROGRAM = join(ROOT, 'dist', 'program')
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const MANIFEST_NAMES = { name: MANIFEST.name, version: MANIFEST.version }

/** Among what is inside; the last ones come prebuilt inside the first. */
const LIBRARIES = [
  '@modelcontextprotocol/server',
  'hono',
  'ignore',
  'picomatch',
  'yaml',
  'zod',
  'ajv',
  'ajv-formats',
  'content-type',
  'fast-deep-equal',
  'fast-uri',
  'json-schema-traverse',
]

/** What files read as they are loaded, as rolldown prints it. */
const ASKED_FOR = /^(?:\(function [^{]*\{)?(?:const|let|var) \w+ = require\("([^"]+)"\)/gm

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(PROGRAM, file), 'utf8')
  return [...text.matchAll(ASKED_FOR)].map(([, name]) => name!)
}

describe('the built program', () => {
  const files = readdirSync(PROGRAM).filter((name) => name.endsWith('.js'))
  const specifiers = new Set(files.flatMap(importsOf))

  it('imports nothing that would have to be installed', () => {
    const outside = [...specifiers].filter(
      (name) =>
        !name.startsWith('./') && !name.startsWith('node:') && !builtinModules.includes(name),
    )
    expect(specifiers).toContain('node:sqlite')
    expect(outside).toEqual([])
  })

  it('has every file that it starts as a thread or a process', () => {
    expect(files).toEqual(
      expect.arrayContaining(['main.js', 'indexing-worker.js', 'indexing-process.js']),
    )
  })

  it('lets threads that index hold no tools, no schemas and no search', () => {
    const held = new Set<string>()
    for (const next of ['indexing-worker-part.js', 'indexing-process-part.js']) held.add(next)
    for (const file of held) {
      for (const name of importsOf(file)) if (name.startsWith('./')) held.add(name.slice(2))
    }
    const parts = [...held].map((file) => file.replace(/-[\w-]{8}\.js$/, ''))
    expect(parts).toContain('indexing')
    for (const part of ['tools', 'schemas', 'reading', 'server']) expect(parts).not.toContain(part)
  })

  it('declares no dependency', () => {
    expect(MANIFEST.dependencies).toBeUndefined()
  })

  it('carries the licences of the libraries inside', () => {
    const notices = readFileSync(join(ROOT, 'dist', 'THIRD-PARTY.md'), 'utf8')
    for (const name of LIBRARIES) expect(notices).toContain(`## ${name} `)
    expect(notices).not.toContain('No licence text')
  })

  it('carries a bill of materials with a version and a licence for each', () => {
    const bill = JSON.parse(readFileSync(join(ROOT, 'dist', 'sbom.cdx.json'), 'utf8'))
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: MANIFEST_NAMES } })
    const components: { name: string; version: string; licenses: object[] }[] = bill.components
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(LIBRARIES))
    for (const { version, licenses } of components) {
      expect(version).toMatch(/^\d+\.\d+\.\d+/)
      expect(licenses).toEqual([{ license: { id: expect.stringMatching(/^[\w.-]+$/) } }])
    }
  })
})

describe('the package', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    }),
  ) as { files: { path: string }[]; size: number; unpackedSize: number }[]
  const paths = packed!.files.map(({ path }) => path)

  it('has a name of its own and both commands', () => {
    expect(MANIFEST.name).toBe('cairn-kb')
    expect(MANIFEST.bin).toEqual({ cairn: 'bin/cairn.js', 'cairn-kb': 'bin/cairn.js' })
  })

  it('carries everything its README links to', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const targets = [...readme.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map((match) => match[1]!)
    expect(targets.length).toBeGreaterThan(5)
    for (const target of targets) {
      expect(paths.some((path) => path === target || path.startsWith(`${target}/`))).toBe(true)
    }
  })

  it('carries no index and nothing of the development tree', () => {
    const strays = /(^|\/)(\.cairn|\.roux|node_modules|src|test)\/|\.ts$/
    expect(paths.filter((path) => strays.test(path))).toEqual([])
  })

  it('is at most 7 MB to download and 15 MB on disk', () => {
    expect(packed!.size).toBeLessThan(7_000_000)
    expect(packed!.unpackedSize).toBeLessThan(15_000_000)
  })
})

it('engines, README and launcher name the same oldest Node', () => {
  const launcher = readFileSync(join(ROOT, 'bin', 'cairn.js'), 'utf8')
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  expect(MANIFEST.engines.node).toBe('^22.13.0 || >=23.4.0')
  for (const text of [launcher, readme]) expect(text).toContain('Node 22.13 (or 23.4) or newer')
})

it('brings a Node for development without an install script, pinned with its integrity', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  const { optionalDependencies } = lock['scripts/node']
  for (const [name, version] of Object.entries(optionalDependencies)) {
    expect(lock[`node_modules/${name}`]).toMatchObject({
      version,
      integrity: expect.stringContaining('sha512-'),
      optional: true,
    })
  }
  const withScripts = Object.keys(lock).filter((path) => lock[path].hasInstallScript)
  // Watching files on a Mac; without it the tests poll.
  expect(withScripts.filter((path) => path !== 'node_modules/fsevents')).toEqual([])
})

describe('PostgreSQL', () => {
  it('is read only when it is asked for', () => {
    const files = readdirSync(PROGRAM).filter((name) => name.endsWith('.js'))
    const holding = files.filter((file) =>
      readFileSync(join(PROGRAM, file), 'utf8').includes('node_modules/pg/lib/client.js'),
    )
    expect(holding).toHaveLength(1)
    // Nobody imports it in passing: only a dynamic import leads there.
    expect(files.flatMap(importsOf).filter((name) => name.endsWith(holding[0]!))).toEqual([])
  })
})
