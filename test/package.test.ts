/** What the published package needs besides Node: nothing. */
import { readFileSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const PROGRAM = join(ROOT, 'dist', 'program')
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** Specifiers of static imports, exports and dynamic imports with a literal, as rolldown prints them. */
const IMPORTS =
  /^(?:import|export)\b[^'"\n]*?\bfrom\s*["']([^"']+)["']|^import\s*["']([^"']+)["']/gm

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(PROGRAM, file), 'utf8')
  return [...text.matchAll(IMPORTS)].map(([, from, bare]) => from ?? bare ?? '')
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

  it('declares no dependency', () => {
    expect(MANIFEST.dependencies).toBeUndefined()
  })

  it('carries the licences of the libraries inside', () => {
    const notices = readFileSync(join(ROOT, 'dist', 'THIRD-PARTY.md'), 'utf8')
    for (const name of ['@modelcontextprotocol/server', 'hono', 'yaml', 'zod']) {
      expect(notices).toContain(`## ${name} `)
    }
  })
})
