/** The subsystems a repository says it has, and which of them a file belongs to. */
import { isObject } from '../../kit/is-object.ts'
import { codeLanguageOf } from '../../domain/code.ts'
import { compileGlob } from '../../kit/compile-glob.ts'

export interface CatalogueEntry {
  readonly name: string
  readonly description: string | undefined
  readonly criticality: string | number | undefined
  readonly owner: string | undefined
  readonly domain: string | undefined
  readonly tags: readonly string[]
  readonly labels: readonly string[]
  /** Beginnings of paths, or globs. */
  readonly paths: readonly string[]
  readonly dependencies: readonly string[]
}

export interface Catalogue {
  readonly entries: readonly CatalogueEntry[]
  /** What could not be read, and is left out. */
  readonly warnings: readonly string[]
}

export const NO_CATALOGUE: Catalogue = { entries: [], warnings: [] }

/** Where it is looked for, in this order. It is no artifact itself. */
export const CATALOGUE_PATHS = ['.metadata/subsystems.json', 'docs/subsystems.json'] as const

const MOST_ENTRIES = 10_000

/** A part that is malformed is left out with a warning; the rest holds. */
export function parseCatalogue(text: string): Catalogue {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { entries: [], warnings: [`The catalogue of subsystems is no JSON: ${why}.`] }
  }
  if (!isObject(value)) {
    return { entries: [], warnings: ['The catalogue of subsystems is no object of names.'] }
  }
  const warnings: string[] = []
  const entries: CatalogueEntry[] = []
  for (const [key, entry] of Object.entries(value).slice(0, MOST_ENTRIES)) {
    const name = key.trim()
    if (name === '') warnings.push('A subsystem without a name is left out.')
    else if (!isObject(entry)) warnings.push(`The subsystem ${name} is no object and left out.`)
    else entries.push(entryOf(name, entry))
  }
  return { entries, warnings }
}

function entryOf(name: string, entry: Readonly<Record<string, unknown>>): CatalogueEntry {
  const { criticality } = entry
  return {
    name,
    description: text(entry['description']),
    criticality: typeof criticality === 'number' ? criticality : text(criticality),
    owner: text(entry['owner']),
    domain: text(entry['domain']),
    tags: texts(entry['tags']),
    labels: texts(entry['labels']),
    paths: texts(entry['paths'] ?? entry['includes']),
    dependencies: texts(entry['dependencies'] ?? entry['depends_on']),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function texts(value: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.flatMap((each) => text(each) ?? [])
}

/** Low 0.2 up to critical 1.0, or a number between 0 and 1. */
export function criticalityScore(criticality: string | number | undefined): number {
  if (typeof criticality === 'number') return clamp(criticality)
  const known = LEVELS[(criticality ?? '').toLowerCase()]
  if (known !== undefined) return known
  const number = Number(criticality)
  return criticality !== undefined && Number.isFinite(number) ? clamp(number) : 0
}

const LEVELS: Readonly<Record<string, number>> = { low: 0.2, medium: 0.5, high: 0.8, critical: 1 }

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0
}

/**
 * Says for every path which subsystem it belongs to; undefined where nothing tells. Without a
 * catalogue the folders that hold code tell, wherever they lie; `paths` are all there are.
 */
export function subsystemFinder(
  { entries }: Catalogue,
  packages: readonly string[] = [],
  paths: readonly string[] = [],
): (path: string) => string | undefined {
  const folderName = entries.length > 0 ? undefined : folderFinder(paths)
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry.name]))
  const patterns = entries.flatMap(({ name, paths }) =>
    paths.map((pattern) => ({ name, matches: pathMatcher(pattern) })),
  )
  const listed = (path: string): string | undefined =>
    patterns.find(({ matches }) => matches(path))?.name
  return (path) => {
    const inferred = inferredName(path, packages) ?? folderName?.(path)
    const known = inferred === undefined ? undefined : byName.get(inferred.toLowerCase())
    return known ?? listed(path) ?? (inferred === undefined ? undefined : capitalised(inferred))
  }
}

/** A plain pattern is the beginning of a path; one with stars is a glob. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const bare = pattern.replace(/^\.?\//, '')
  if (!/[*?[\]{}]/.test(bare)) return (path) => path.startsWith(bare)
  const glob = compileGlob(bare)
  return (path) => glob(path)
}

/**
 * The segment behind the longest source prefix: `src`, every `src/<package>` and named packages.
 * A file directly in a package has the package's name.
 */
function inferredName(path: string, packages: readonly string[]): string | undefined {
  const parts = path.split('/')
  const inSource = parts[0] === 'src' && parts.length > 2
  const prefixes = [...packages, ...(inSource ? [`src/${parts[1]}`] : [])]
  const longest = prefixes
    .filter((prefix) => path.startsWith(`${prefix}/`))
    .toSorted((a, b) => b.length - a.length)[0]
  if (longest === undefined) return undefined
  const rest = path.slice(longest.length + 1).split('/')
  return rest.length > 1 ? rest[0] : longest.slice(longest.lastIndexOf('/') + 1)
}

/** Folders of what is about a program, or beside it, and no part of it. */
const BESIDE = /^(?:\..*|docs?|tests?|__tests__|specs?|examples?|scripts?|tools?|bin)$/i
/** Folders that only hold the parts. */
const HOLDERS = /^(?:packages|apps|libs|services|modules|crates|internal|cmd|pkg)$/i

/** The top folder; where one alone holds all the code, or such folders are kept in it, those in it. */
function folderFinder(paths: readonly string[]): (path: string) => string | undefined {
  const tops = new Set(
    paths.flatMap((path) => {
      const [top = '', ...rest] = path.split('/')
      return rest.length > 0 && !BESIDE.test(top) && codeLanguageOf(path) ? [top] : []
    }),
  )
  return (path) => {
    const [top = '', next, ...rest] = path.split('/')
    // Those in `src` are known by their packages.
    if (next === undefined || top === 'src' || !tops.has(top)) return undefined
    const isHolder = tops.size === 1 || HOLDERS.test(top)
    return isHolder && rest.length > 0 ? next : top
  }
}

function capitalised(name: string): string {
  return name === name.toLowerCase() ? name.charAt(0).toUpperCase() + name.slice(1) : name
}

/** First path segment, or the second under `src/`. */
export function namespaceOf(path: string): string {
  const parts = path.split('/')
  const at = parts[0] === 'src' && parts.length > 2 ? 1 : 0
  return parts.length > 1 ? parts[at]! : ''
}
