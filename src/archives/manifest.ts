/** What an archive says of itself, as its last file: whose base it is, and a digest of every file. */

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
  /** As in `cairn.yaml`; missing where they are as usual. */
  readonly rules?: Readonly<Record<string, unknown>>
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
  if (!Array.isArray(sources) || !sources.every(isSource) || !isObject(files)) return undefined
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSource(value: unknown): value is ArchivedSource {
  if (!isObject(value)) return false
  const { name, file, rules } = value
  const isName = (each: unknown): boolean =>
    typeof each === 'string' &&
    each !== '' &&
    each !== '.' &&
    each !== '..' &&
    !/[\\/\0]/.test(each)
  return (
    isName(name) && (file === undefined || isName(file)) && (rules === undefined || isObject(rules))
  )
}

function isFile(value: unknown): value is ArchivedFile {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['size']) &&
    typeof value['sha256'] === 'string' &&
    /^[0-9a-f]{64}$/.test(value['sha256'])
  )
}
