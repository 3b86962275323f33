/** What an archive says of itself, as its last file: whose base it is, and a digest of every file. */
import { isObject } from '../../core/kit/is-object.ts'
import { foldName } from '../../core/kit/fold-name.ts'

export const MANIFEST = 'cairn-backup.json'
export const MANIFEST_FORMAT = 1

export interface Manifest {
  readonly format: number
  /** Of the program that wrote it. */
  readonly version: string
  /** ISO instant. */
  readonly createdAt: string
  readonly sources: readonly ArchivedSource[]
  /** Path of the copy of the index, where there is one. */
  readonly index?: string
  /** By path in the archive. What is not in here is not part of the base any more. */
  readonly files: Readonly<Record<string, ArchivedFile>>
}

/** A source below `sources/<name>/`, with the rules it is read by. */
export interface ArchivedSource {
  readonly name: string
  /** A graph may be a single file. */
  readonly file?: string
  /** Missing where they are as usual. */
  readonly rules?: ArchivedRules
}

/** As in `cairn.yaml`. Where a source is, an archive never says. */
export interface ArchivedRules {
  readonly kind?: 'notes' | 'graph' | 'both'
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly hidden?: boolean
}

export interface ArchivedFile {
  readonly size: number
  readonly sha256: string
}

/** Undefined for anything else. */
export function parseManifest(text: string): Manifest | undefined {
  const value = objectIn(text)
  if (!value || typeof value['format'] !== 'number') return undefined
  const { format, version, createdAt, sources, files, index } = value
  if (typeof version !== 'string' || typeof createdAt !== 'string') return undefined
  if (!isSources(sources) || !isObject(files)) return undefined
  if (!Object.values(files).every(isFile)) return undefined
  return {
    format: format as number,
    version,
    createdAt,
    sources,
    files: files as Manifest['files'],
    ...(typeof index === 'string' && { index }),
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** At least one, and no two whose names one folder would have on some systems. */
function isSources(value: unknown): value is ArchivedSource[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isSource)) return false
  return new Set(value.map(({ name }) => foldName(name))).size === value.length
}

function isSource(value: unknown): value is ArchivedSource {
  if (!isObject(value)) return false
  const { name, file, rules } = value
  // Beside the sources is the state folder, whose name begins with a dot.
  return (
    isName(name, /^\.|[\\/\0]/) &&
    (file === undefined || isName(file, /^\.{1,2}$|[\\/\0]/)) &&
    (rules === undefined || isRules(rules))
  )
}

function isName(value: unknown, odd: RegExp): value is string {
  return typeof value === 'string' && value !== '' && !odd.test(value)
}

const RULES: Readonly<Record<keyof ArchivedRules, (value: unknown) => boolean>> = {
  kind: (value) => value === 'notes' || value === 'graph' || value === 'both',
  include: isTexts,
  exclude: isTexts,
  hidden: (value) => typeof value === 'boolean',
}

function isRules(value: unknown): value is ArchivedRules {
  if (!isObject(value)) return false
  return Object.entries(value).every(
    ([key, rule]) => Object.hasOwn(RULES, key) && RULES[key as keyof ArchivedRules](rule),
  )
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isFile(value: unknown): value is ArchivedFile {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['size']) &&
    Number(value['size']) >= 0 &&
    typeof value['sha256'] === 'string' &&
    /^[0-9a-f]{64}$/.test(value['sha256'])
  )
}
