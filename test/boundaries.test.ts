/** The map of the house, executable: which folder may import which. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { verifies } from './support/verifies.ts'

const CORE = [
  'domain',
  'parsing',
  'graph',
  'search',
  'sources',
  'store',
  'models',
  'indexing',
  'editing',
  'history',
] as const

const MAY_IMPORT: Record<string, readonly string[]> = {
  domain: [],
  parsing: ['domain'],
  graph: ['domain'],
  search: ['domain'],
  sources: ['domain'],
  store: ['domain'],
  models: ['domain'],
  editing: ['domain', 'parsing'],
  history: ['domain', 'editing'],
  indexing: ['domain', 'parsing', 'search', 'sources', 'store', 'models'],
  operations: CORE,
  surfaces: ['domain', 'operations'],
  transports: ['domain', 'surfaces'],
  config: ['domain', 'surfaces'],
  app: [...CORE, 'operations', 'surfaces', 'transports', 'config'],
  clients: ['domain', 'editing'],
  cli: ['app', 'config', 'clients', 'operations', 'domain'],
  web: ['domain'],
}

/** A third-party library has one home (or a few, where it is a shared vocabulary). */
const LIBRARY_HOMES: Record<string, readonly string[]> = {
  '@modelcontextprotocol/server': ['transports'],
  hono: ['transports'],
  ignore: ['sources'],
  picomatch: ['sources'],
  yaml: ['parsing', 'config', 'clients'],
  'smol-toml': ['clients'],
  'onnxruntime-node': ['models'],
  '@huggingface/tokenizers': ['models'],
  zod: ['surfaces', 'transports', 'config'],
  'node:sqlite': ['store'],
}

const SRC = resolve(import.meta.dirname, '../src')

function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join(SRC, path))
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  // A text that happens to be 'from' is no import.
  const pattern = /(?<!')\b(?:from|import|import\()\s*'([^'\n]+)'/g
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}

/** `src/store/sqlite/x.ts` lives in the folder `store`; files at the root belong to `app`. */
function folderOf(file: string): string {
  const parts = relative(SRC, file).split(/[\\/]/)
  return parts.length > 1 ? (parts[0] ?? 'app') : 'app'
}

function strayImports(file: string): string[] {
  const folder = folderOf(file)
  const allowed = MAY_IMPORT[folder]
  if (!allowed) return [`${relative(SRC, file)}: the folder ${folder} is not on the map`]
  return importsOf(file).flatMap((specifier) => {
    const stray = `${relative(SRC, file)} imports ${specifier}`
    if (specifier.startsWith('.')) {
      const target = folderOf(resolve(dirname(file), specifier))
      return target === folder || allowed.includes(target) ? [] : [stray]
    }
    const library = specifier.startsWith('@')
      ? specifier.split('/').slice(0, 2).join('/')
      : specifier.startsWith('node:')
        ? specifier
        : (specifier.split('/')[0] ?? specifier)
    const homes = LIBRARY_HOMES[library]
    if (specifier.startsWith('node:') && !homes) return []
    return homes?.includes(folder) ? [] : [stray]
  })
}

it('keeps imports pointing inwards', () => {
  verifies('roux:thin-tools')
  expect(sourceFiles().flatMap(strayImports)).toEqual([])
})

it('reads the imports it judges', () => {
  const all = sourceFiles().flatMap(importsOf)
  expect(all.length).toBeGreaterThan(5)
})
