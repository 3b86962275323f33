/** The map of the house, executable: which folder may import which. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { verifies } from './support/verifies.ts'

/**
 * A room of a wing, and the rooms it may import. A wing's name stands for all of its rooms that
 * anybody may import; whoever needs more names it.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'core/kit': [],
  'core/domain': ['core/kit'],
  'core/parsing': ['core/domain', 'core/kit'],
  'core/graph': ['core/kit'],
  'core/search': ['core/domain', 'core/kit'],
  'core/sources': ['core/domain', 'core/kit'],
  'core/store': ['core/domain', 'core/kit'],
  'core/models': ['core/domain', 'core/kit'],
  'core/editing': ['core/domain', 'core/kit', 'core/parsing'],
  'core/history': ['core/domain', 'core/kit'],
  'core/indexing': [
    'core/domain',
    'core/kit',
    'core/models',
    'core/parsing',
    'core/search',
    'core/store',
  ],
  'core/operations': ['core'],
  'serve/door': ['core'],
  'serve/native': ['core', 'serve/door'],
  'serve/transports': ['core', 'serve/door'],
  'serve/observers': ['core', 'serve/door'],
  'serve/access': ['core'],
  'serve/config': ['core', 'serve/door', 'vocabularies/list'],
  'serve/parts': [
    'core',
    'serve/access',
    'serve/config',
    'serve/observers',
    'team',
    'vocabularies/list',
  ],
  'serve/lifecycle': ['core', 'serve/config', 'serve/parts'],
  'serve/wiring': ['core', 'serve', 'vocabularies', 'explorer', 'keep'],
  'serve/cli': ['core', 'serve', 'vocabularies', 'keep'],
  'vocabularies/list': ['core', 'serve'],
  vocabularies: ['core', 'serve/door', 'serve/transports', 'keep/operations'],
  'vocabularies/start': ['core', 'serve', 'keep'],
  'team/homes': ['core'],
  'team/postgres': ['core', 'team/homes'],
  'team/replica': ['core'],
  'team/database': ['core'],
  'explorer/layout': ['core'],
  'explorer/rendering': [],
  'explorer/wire': [],
  'explorer/operations': ['core', 'explorer/layout', 'explorer/rendering', 'explorer/wire'],
  'explorer/surface': ['core', 'explorer/operations', 'serve/door', 'serve/native'],
  'explorer/routes': ['core', 'explorer/surface', 'serve/door', 'serve/transports'],
  'explorer/live': ['core', 'explorer/surface', 'serve/door'],
  'explorer/page': ['core/domain', 'core/editing', 'explorer/wire'],
  'keep/operations': ['core'],
  'keep/archives': ['core'],
  'keep/clients': ['core'],
  'keep/recipes': ['core'],
  'keep/backup': ['core', 'serve', 'keep/archives', 'keep/doctor'],
  'keep/doctor': ['core', 'serve/config', 'serve/parts', 'team', 'vocabularies/list'],
  'keep/moving': ['core', 'serve/config', 'serve/lifecycle', 'serve/parts', 'keep/operations'],
  'keep/evaluation': [
    'core',
    'keep',
    'serve/config',
    'serve/lifecycle',
    'serve/native',
    'serve/observers',
    'serve/parts',
  ],
  'keep/tools': ['core', 'keep/operations', 'serve/door', 'serve/native'],
  'keep/recall': ['core', 'serve/config', 'serve/native', 'serve/parts'],
  keep: ['core', 'keep/backup', 'keep/recipes'],
}

/**
 * Rooms whose subfolders are ways of doing one thing, behind the contract at the root. A subfolder
 * knows its root and not its siblings; where it does know one, that is said here.
 */
const SIBLINGS: Record<string, Readonly<Record<string, readonly string[]>>> = {
  'core/store': {},
  // Both look at files, and say in the same words what is wrong with one.
  'core/sources': { jsonl: ['folder'] },
  // What words mean in general is mixed with what the base's own text teaches.
  'core/models': { answerers: ['http'], general: ['corpus'], openai: ['http'] },
  // What is made from a file is Markdown; what is not made is text.
  'core/parsing': { convert: ['markdown', 'text'] },
  'serve/transports': { http: ['mcp', 'sse'], sse: ['mcp'], stdio: ['mcp'] },
}

/** Implementations are named by `serve/parts/` and what plugs them in; others say here which. */
const IMPLEMENTATIONS = ['core/store', 'core/sources', 'core/models']
const PLUGS_IN = ['serve/parts', 'serve/wiring', 'vocabularies/start', 'keep/backup']
const NAMED_ELSEWHERE: Record<string, readonly string[]> = {
  // Learning from the base's own text is a part of indexing it, not a provider among others.
  'core/indexing': ['core/models/corpus', 'core/models/general'],
  // Marks of processes are files, locked as the index is.
  'serve/lifecycle': ['core/store/sqlite'],
  'keep/doctor': ['core/sources/folder'],
  'keep/moving': ['core/sources/folder', 'core/sources/jsonl'],
  // Paths in a database are judged as those of files, which they can become at any time.
  'team/database': ['core/sources/folder'],
}

/** A third-party library has one home (or a few, where it is a shared vocabulary). */
const LIBRARY_HOMES: Record<string, readonly string[]> = {
  '@codemirror/autocomplete': ['explorer/page'],
  '@codemirror/commands': ['explorer/page'],
  '@codemirror/language': ['explorer/page'],
  '@codemirror/search': ['explorer/page'],
  '@codemirror/state': ['explorer/page'],
  '@codemirror/view': ['explorer/page'],
  '@lezer/highlight': ['explorer/page'],
  '@lezer/markdown': ['explorer/page'],
  '@modelcontextprotocol/server': ['serve/transports', 'vocabularies'],
  'highlight.js': ['explorer/rendering'],
  htmlparser2: ['core/parsing'],
  'postal-mime': ['core/parsing'],
  unpdf: ['core/parsing'],
  croner: ['keep/backup', 'vocabularies/start'],
  hono: ['serve/transports', 'explorer/routes', 'vocabularies'],
  ignore: ['core/sources'],
  jose: ['serve/access'],
  'markdown-it': ['explorer/rendering'],
  pg: ['team/postgres'],
  picomatch: ['core/sources'],
  '@preact/signals': ['explorer/page'],
  preact: ['explorer/page'],
  temml: ['explorer/rendering'],
  yaml: ['core/parsing', 'serve/config', 'vocabularies/start', 'keep/clients', 'keep/recipes'],
  'smol-toml': ['keep/clients'],
  'onnxruntime-node': ['core/models'],
  '@huggingface/tokenizers': ['core/models'],
  zod: ['serve', 'explorer', 'vocabularies', 'vocabularies/start', 'keep/tools'],
  'node:sqlite': ['core/store', 'keep'],
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

/** What a file imports of `src/`. */
const neighboursOf = (file: string): string[] =>
  importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolve(dirname(file), specifier))

const partsOf = (file: string): string[] => relative(SRC, file).split(/[\\/]/)

/**
 * `src/core/store/sqlite/x.ts` is in the room `core/store`. Of a vocabulary, what speaks is one room
 * and what starts it and reads its settings another; the list of them stands above both.
 */
function roomOf(file: string): string {
  const [wing = '', room = '', below = ''] = partsOf(file)
  if (wing === 'vocabularies' && below === '') return 'vocabularies/list'
  if (wing === 'vocabularies') return START.includes(below) ? 'vocabularies/start' : 'vocabularies'
  return partsOf(file).length > 2 ? `${wing}/${room}` : wing
}
const START = ['start', 'commands']

/** `src/core/store/sqlite/x.ts` is `sqlite` inside its room; `src/core/store/store.ts` is at its root. */
const cornerOf = (file: string): string =>
  partsOf(file).length > 3 ? (partsOf(file)[2] ?? '') : ''

function allows(allowed: readonly string[], target: string): boolean {
  const [wing = '', name = ''] = partsOf(target)
  return [roomOf(target), wing, `${wing}/${name}`].some((each) => allowed.includes(each))
}

/** What a file imports of rooms that its own may not know. */
function strayImports(file: string): string[] {
  const room = roomOf(file)
  const allowed = MAY_IMPORT[room]
  if (!allowed) return [`${relative(SRC, file)}: the room ${room} is not on the map`]
  const [wing, vocabulary] = partsOf(file)
  return neighboursOf(file)
    .filter((target) => {
      const [otherWing, other] = partsOf(target)
      const listed = [file, target].some((each) => roomOf(each) === 'vocabularies/list')
      if (wing === 'vocabularies' && otherWing === wing) return !listed && other !== vocabulary
      return roomOf(target) !== room && !allows(allowed, target)
    })
    .map((target) => `${relative(SRC, file)} imports ${relative(SRC, target)}`)
}

function strayLibraries(file: string): string[] {
  return importsOf(file).flatMap((specifier) => {
    if (specifier.startsWith('.')) return []
    const library = specifier.startsWith('@')
      ? specifier.split('/').slice(0, 2).join('/')
      : specifier.startsWith('node:')
        ? specifier
        : (specifier.split('/')[0] ?? specifier)
    const homes = LIBRARY_HOMES[library]
    if (specifier.startsWith('node:') && !homes) return []
    const at = [roomOf(file), partsOf(file)[0] ?? '']
    const isHome = homes?.some(
      (home) => at[0] === home || (at[1] === home && home !== 'vocabularies'),
    )
    return isHome ? [] : [`${relative(SRC, file)} imports ${specifier}`]
  })
}

/** What a file reaches into past the contract at a room's root. */
function strayCorners(file: string): string[] {
  const room = roomOf(file)
  return neighboursOf(file).flatMap((target) => {
    const corner = cornerOf(target)
    const other = roomOf(target)
    if (corner === '' || (other === room && corner === cornerOf(file))) return []
    const stray = [`${relative(SRC, file)} imports ${relative(SRC, target)}`]
    if (other === room) {
      const known = SIBLINGS[room]?.[cornerOf(file)] ?? []
      return SIBLINGS[room] && !known.includes(corner) ? stray : []
    }
    if (!IMPLEMENTATIONS.includes(other) || PLUGS_IN.includes(room)) return []
    return NAMED_ELSEWHERE[room]?.includes(`${other}/${corner}`) ? [] : stray
  })
}

it('keeps imports pointing inwards, from wing to wing and from room to room', () => {
  verifies('roux:thin-tools')
  expect(sourceFiles().flatMap(strayImports)).toEqual([])
})

it('gives every library a home', () => {
  expect(sourceFiles().flatMap(strayLibraries)).toEqual([])
})

it('names implementations where they are plugged in, and keeps siblings apart', () => {
  expect(sourceFiles().flatMap(strayCorners)).toEqual([])
})

it('lists nothing that nobody needs any more', () => {
  const files = sourceFiles()
  const steps = files.flatMap((file) =>
    neighboursOf(file).map((target) => ({ file, target, from: roomOf(file), to: roomOf(target) })),
  )
  const rooms = Object.entries(MAY_IMPORT).flatMap(([from, allowed]) =>
    allowed
      .filter((each) => !steps.some((step) => step.from === from && allows([each], step.target)))
      .map((each) => `${from} does not import ${each}`),
  )
  const siblings = Object.entries(SIBLINGS).flatMap(([room, corners]) =>
    Object.entries(corners).flatMap(([corner, others]) =>
      others
        .filter(
          (other) =>
            !steps.some(
              ({ file, target, from, to }) =>
                from === room &&
                to === room &&
                cornerOf(file) === corner &&
                cornerOf(target) === other,
            ),
        )
        .map((other) => `${room}: ${corner} does not know ${other}`),
    ),
  )
  const elsewhere = Object.entries(NAMED_ELSEWHERE).flatMap(([room, corners]) =>
    corners
      .filter(
        (corner) =>
          !steps.some(
            ({ from, to, target }) => from === room && `${to}/${cornerOf(target)}` === corner,
          ),
      )
      .map((corner) => `${room} does not name ${corner}`),
  )
  expect([...rooms, ...siblings, ...elsewhere]).toEqual([])
  expect(steps.length).toBeGreaterThan(1_000)
})

/** Whoever reads files of a source and takes no secrets out of them says here why. */
const READS_TEXTS: Readonly<Record<string, string>> = {
  'core/operations/view/narrow-base.ts': 'hands on',
  'core/operations/writing/put-into-index.ts': 'hands on to what indexes',
  'keep/backup/backup-files.ts': 'bytes for an archive',
  'keep/doctor/doctor.ts': 'compares digests',
  'keep/moving/export-documents.ts': 'bytes for a folder',
}

it('takes secrets out of texts wherever texts are read', () => {
  const reading = sourceFiles().filter((file) => {
    const isReader = /^(core\/(indexing|operations)|serve|vocabularies|explorer|keep)/.test(
      roomOf(file),
    )
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

/** The tables of ARCHITECTURE.md: a room, and what it may import. */
function writtenMap(page: string): Map<string, readonly string[]> {
  const rows = page.matchAll(/^\| `([a-z]+\/[a-z/*]*)` +\|[^|]*\| ([^|]*?) *\|$/gm)
  return new Map(
    [...rows].map(([, room = '', imports = '']) => [
      room.replace('*/', '').replace(/\/$/, ''),
      imports === 'nothing' ? [] : imports.split(', ').toSorted(),
    ]),
  )
}

it('is the map that ARCHITECTURE.md shows, with every room of the operations', () => {
  const page = readFileSync(resolve(SRC, '../ARCHITECTURE.md'), 'utf8')
  const map = Object.entries(MAY_IMPORT).map(([room, allowed]) => [room, allowed.toSorted()])
  expect(Object.fromEntries(writtenMap(page))).toEqual(Object.fromEntries(map))
  const [rooms = ''] = /`operations\/` has a room for each .*?\./.exec(page) ?? []
  for (const room of readdirSync(join(SRC, 'core/operations'))) {
    expect(rooms).toContain(`\`${room}/\``)
  }
})
