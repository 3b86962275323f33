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
  rendering: ['domain'],
  operations: [...CORE, 'rendering'],
  surfaces: ['domain', 'operations'],
  transports: ['domain', 'surfaces'],
  access: ['domain'],
  archives: ['domain'],
  config: ['domain', 'surfaces'],
  app: [
    ...CORE,
    'rendering',
    'operations',
    'surfaces',
    'transports',
    'access',
    'archives',
    'config',
  ],
  clients: ['domain', 'editing'],
  cli: ['app', 'access', 'config', 'clients', 'operations', 'domain'],
  web: ['domain'],
}

/**
 * Folders whose subfolders are ways of doing one thing, behind the contract at the root. A subfolder
 * knows its root and not its siblings; where it does know one, that is said here.
 */
const SIBLINGS: Record<string, Readonly<Record<string, readonly string[]>>> = {
  store: {},
  // Both look at files, and say in the same words what is wrong with one.
  // Paths in a database are judged as those of files, which they can become at any time.
  sources: { database: ['folder'], jsonl: ['folder'] },
  // What words mean in general is mixed with what the base's own text teaches.
  models: { answerers: ['http'], general: ['corpus'], openai: ['http'] },
  // A curated resource is Markdown with front matter of its own.
  parsing: { curated: ['markdown'] },
  // The page says in the words of the native surface how far the index is.
  surfaces: { explorer: ['native'] },
  transports: {
    duskmantle: ['http', 'mcp'],
    http: ['mcp', 'sse'],
    nexus: ['http', 'mcp'],
    sse: ['mcp'],
    stdio: ['mcp'],
    web: ['http', 'mcp'],
  },
}

/** Implementations are named by `app/`; whoever else names one is listed with what it names. */
const IMPLEMENTATIONS = ['store', 'sources', 'models']
const NAMED_ELSEWHERE: Record<string, readonly string[]> = {
  // Learning from the base's own text is a part of indexing it, not a provider among others.
  indexing: ['models/corpus', 'models/general'],
}

/** A third-party library has one home (or a few, where it is a shared vocabulary). */
const LIBRARY_HOMES: Record<string, readonly string[]> = {
  '@modelcontextprotocol/server': ['transports'],
  'highlight.js': ['rendering'],
  croner: ['app'],
  hono: ['transports'],
  ignore: ['sources'],
  jose: ['access'],
  'markdown-it': ['rendering'],
  pg: ['store'],
  picomatch: ['sources'],
  '@preact/signals': ['web'],
  preact: ['web'],
  temml: ['rendering'],
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
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
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

/** `src/store/sqlite/x.ts` is `sqlite` inside `store`; `src/store/store.ts` stands at its root. */
function roomOf(file: string): string {
  const parts = relative(SRC, file).split(/[\\/]/)
  return parts.length > 2 ? (parts[1] ?? '') : ''
}

/** What a file reaches into past the contract at a folder's root. */
function strayRooms(file: string): string[] {
  const folder = folderOf(file)
  return importsOf(file).flatMap((specifier) => {
    if (!specifier.startsWith('.')) return []
    const target = resolve(dirname(file), specifier)
    const room = roomOf(target)
    const other = folderOf(target)
    if (room === '' || (other === folder && room === roomOf(file))) return []
    const stray = [`${relative(SRC, file)} imports ${specifier}`]
    if (other === folder) {
      const known = SIBLINGS[folder]?.[roomOf(file)] ?? []
      return SIBLINGS[folder] && !known.includes(room) ? stray : []
    }
    if (!IMPLEMENTATIONS.includes(other) || folder === 'app') return []
    return NAMED_ELSEWHERE[folder]?.includes(`${other}/${room}`) ? [] : stray
  })
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

it('names implementations in app/ only, and keeps siblings apart', () => {
  expect(sourceFiles().flatMap(strayRooms)).toEqual([])
})

it('lists no exception that nobody needs any more', () => {
  const named = sourceFiles().flatMap((file) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => resolve(dirname(file), specifier))
      .map((target) => `${folderOf(file)}/${roomOf(file)} ${folderOf(target)}/${roomOf(target)}`),
  )
  const used = new Set(named)
  const siblings = Object.entries(SIBLINGS).flatMap(([folder, rooms]) =>
    Object.entries(rooms).flatMap(([room, others]) =>
      others.map((other) => `${folder}/${room} ${folder}/${other}`),
    ),
  )
  expect(siblings.filter((each) => !used.has(each))).toEqual([])
  const elsewhere = Object.entries(NAMED_ELSEWHERE).flatMap(([folder, rooms]) =>
    rooms.filter(
      (room) => !named.some((each) => each.startsWith(`${folder}/`) && each.endsWith(` ${room}`)),
    ),
  )
  expect(elsewhere).toEqual([])
})

it('reads the imports it judges', () => {
  const all = sourceFiles().flatMap(importsOf)
  expect(all.length).toBeGreaterThan(5)
})

/** Whoever reads files of a source and takes no secrets out of them says here why. */
const READS_TEXTS: Readonly<Record<string, string>> = {
  'app/backup-files.ts': 'bytes for an archive',
  'app/doctor.ts': 'compares digests',
  'app/export-documents.ts': 'bytes for a folder',
  'operations/view/narrow-base.ts': 'hands on',
  'operations/writing/put-into-index.ts': 'hands on to what indexes',
}

it('takes secrets out of texts wherever texts are read', () => {
  const reading = sourceFiles().filter((file) => {
    const isReader = ['indexing', 'operations', 'surfaces', 'app', 'cli'].includes(folderOf(file))
    return (
      isReader &&
      /\.read\((?!name|uri)[^)\n]*(?:path|some|slice|seen)/.test(readFileSync(file, 'utf8'))
    )
  })
  const careless = reading.filter(
    (file) => !/redact-file|domain\/secrets/.test(importsOf(file).join()),
  )
  expect(careless.map((file) => relative(SRC, file).replaceAll('\\', '/')).toSorted()).toEqual(
    Object.keys(READS_TEXTS),
  )
  expect(reading.length).toBeGreaterThan(10)
})

/** The table of ARCHITECTURE.md: a folder, and what it may import. */
function writtenMap(page: string): Map<string, string> {
  const rows = page.matchAll(/^\| `src\/(\w+)\/` +\|[^|]*\| ([^|]*?) *\|$/gm)
  return new Map([...rows].map(([, folder = '', imports = '']) => [folder, imports]))
}

it('is the map that ARCHITECTURE.md shows, with every room of the operations', () => {
  const page = readFileSync(resolve(SRC, '../ARCHITECTURE.md'), 'utf8')
  const written = writtenMap(page)
  const inWords: Record<string, string> = {
    domain: 'nothing',
    operations: 'all of the above',
    app: 'everything above',
    config: 'domain, surfaces (their defaults)',
    web: 'formats from domain; asks over HTTP or a chat',
  }
  for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
    const said = written.get(folder) ?? ''
    if (inWords[folder]) expect(said, folder).toBe(inWords[folder])
    else expect(said.split(', ').toSorted(), folder).toEqual(allowed.toSorted())
  }
  expect([...written.keys()].toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted())
  const above = (folder: string) =>
    [...written.keys()].slice(0, [...written.keys()].indexOf(folder))
  expect(MAY_IMPORT['operations']!.toSorted()).toEqual(above('operations').toSorted())
  const [rooms = ''] = /`operations\/` has a room for each .*?\./.exec(page) ?? []
  for (const room of readdirSync(join(SRC, 'operations'))) expect(rooms).toContain(`\`${room}/\``)
})
