/**
 * Which versions does a manifest ask for? `package.json`, `pyproject.toml`, `requirements.txt`,
 * `Cargo.toml` and `go.mod`, as far as they say where a range begins; what says no such thing (`*`,
 * an address, a folder) is left out.
 */
import { isObject } from '../../kit/is-object.ts'
import { lastSegment } from '../../kit/paths.ts'
import { parseVersion } from '../../kit/versions.ts'
import type { Version } from '../../kit/versions.ts'
import { entriesOf, texts } from './named-packages.ts'

export interface Requirement {
  /** As the manifest writes it: `@angular/core`, `python`. */
  readonly name: string
  readonly range: string
  /** Where the range begins. */
  readonly lowest: Version
  /** So many numbers of it differ where what worked before may not work any more. */
  readonly depth: 1 | 2
  /** Whoever works on it has it; whoever uses it may have another one. */
  readonly isForWork: boolean
}

/** What is longer is written by a machine. */
const LONGEST = 256 * 1024
const MOST_REQUIREMENTS = 1_000

type Named = readonly [name: string, range: string, isForWork?: boolean]

/** Undefined for what is no manifest. One that is malformed asks for nothing. */
export function readManifest(path: string, text: string): readonly Requirement[] | undefined {
  const read = readerOf(path)
  if (!read) return undefined
  if (text.length > LONGEST) return []
  return read(text)
    .slice(0, MOST_REQUIREMENTS)
    .flatMap(([name, range, isForWork = false]): Requirement[] => {
      const lowest = lowestOf(range)
      return lowest ? [{ name, range, lowest, depth: depthOf(name, lowest), isForWork }] : []
    })
}

export function isManifest(path: string): boolean {
  return readerOf(path) !== undefined
}

function readerOf(path: string): ((text: string) => readonly Named[]) | undefined {
  const name = lastSegment(path)
  return /^requirements[\w.-]{0,40}\.txt$/.test(name) ? inRequirements : READERS.get(name)
}

const READERS: ReadonlyMap<string, (text: string) => readonly Named[]> = new Map([
  ['package.json', inPackageJson],
  ['pyproject.toml', inPyproject],
  ['Cargo.toml', inCargo],
  ['go.mod', inGoMod],
])

/** Of these the second number brings what breaks. */
const BY_MINOR = new Set(['python', 'go', 'rust'])

function depthOf(name: string, lowest: Version): 1 | 2 {
  return BY_MINOR.has(name) || lowest[0] === 0 ? 2 : 1
}

const SECTIONS = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
  'engines',
]

function inPackageJson(text: string): readonly Named[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  if (!isObject(value)) return []
  return SECTIONS.flatMap((section) => {
    const listed = value[section]
    if (!isObject(listed)) return []
    return Object.entries(listed).flatMap(([name, range]): Named[] =>
      typeof range === 'string' ? [[name, range, section === 'devDependencies']] : [],
    )
  })
}

function inPyproject(text: string): readonly Named[] {
  return [...entriesOf(text)].flatMap(([key, value]): Named[] => {
    const [first = ''] = texts(value)
    if (key === 'project.requires-python') return [['python', first]]
    if (key === 'project.dependencies' || key.startsWith('project.optional-dependencies.')) {
      return texts(value).flatMap(asPip)
    }
    const [, isForWork, name] =
      /^tool\.poetry\.(group\.[\w-]+\.|dev-)?dependencies\.([\w.-]+)$/.exec(key) ?? []
    return name === undefined ? [] : [[name, rangeOf(value), isForWork !== undefined]]
  })
}

function inRequirements(text: string): readonly Named[] {
  return text.split('\n').flatMap(asPip)
}

/** `django[argon2]>=4.2,<5 ; python_version > "3.8"` */
function asPip(line: string): Named[] {
  const [, name, range] =
    /^\s*([\w.-]{1,100})(?:\[[^\]]{0,200}\])?\s*([~=<>!][^;#]{1,100})/.exec(line) ?? []
  return name === undefined || range === undefined ? [] : [[name, range.trim()]]
}

function inCargo(text: string): readonly Named[] {
  return [...entriesOf(text)].flatMap(([key, value]): Named[] => {
    if (/^(?:workspace\.)?package\.rust-version$/.test(key))
      return [['rust', texts(value)[0] ?? '']]
    const [, isForWork, name, inner] =
      /^(?:[\w.-]+\.)??(dev-|build-)?dependencies\.([\w-]+)(?:\.(\w+))?$/.exec(key) ?? []
    if (name === undefined || (inner !== undefined && inner !== 'version')) return []
    return [[name, rangeOf(value), isForWork !== undefined]]
  })
}

/** `"1.0"`, or `{ version = "1.0", features = ["derive"] }`. */
function rangeOf(value: string): string {
  if (!value.trimStart().startsWith('{')) return texts(value)[0] ?? ''
  return /\bversion\s*=\s*["']([^"']{1,100})["']/.exec(value)?.[1] ?? ''
}

function inGoMod(text: string): readonly Named[] {
  const found: Named[] = []
  let block = ''
  for (const line of text.split('\n')) {
    const [, opens] = /^\s*(\w+)\s*\(/.exec(line) ?? []
    if (opens !== undefined) block = opens
    if (/^\s*\)/.test(line)) block = ''
    const [, version] = /^go\s+(\d[\d.]*)/.exec(line) ?? []
    if (version !== undefined) found.push(['go', version])
    const [, alone, name, wanted] = /^\s*(require\s+)?(\S{1,300})\s+(v\d\S{0,60})/.exec(line) ?? []
    if (name === undefined || (alone === undefined && block !== 'require')) continue
    found.push([name, wanted!])
  }
  return found
}

/** Any of several ranges will do, so the lowest of them all counts; a part without a beginning has all. */
function lowestOf(range: string): Version | undefined {
  let lowest: Version | undefined
  for (const part of range.slice(0, 200).split('||')) {
    const from = beginOf(part)
    if (!from) return undefined
    if (!lowest || isBelow(from, lowest)) lowest = from
  }
  return lowest
}

/** `^18.2.0`, `>=3.10,<4`, `~=1.4`, `==4.*`, `v1.2.3`, `1.0`, `16 - 18`. */
function beginOf(part: string): Version | undefined {
  for (const each of part.trim().split(/\s*,\s*|\s+(?![\d=<>])/)) {
    const [, operator = '', version] =
      /^(>=|>|<=|<|!=|~=|===?|=|\^|~>?)?\s*v?(\d[^\s-]*)/.exec(each) ?? []
    if (version !== undefined && !operator.startsWith('<') && operator !== '!=') {
      return parseVersion(version)
    }
  }
  return undefined
}

function isBelow(a: Version, b: Version): boolean {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [one = 0, other = 0] = [a[at], b[at]]
    if (one !== other) return one < other
  }
  return false
}
