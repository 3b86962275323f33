/**
 * Brings a base back from an archive, into a place that is empty or set aside first. The archive is
 * read twice: once to prove that it is whole, before anything is touched, and once to unpack it
 * beside the place, which it takes in one step.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Manifest } from '../archives/manifest.ts'
import { readArchive } from '../archives/read-archive.ts'
import type { Sink } from '../archives/read-archive.ts'
import type { TarHeader } from '../archives/tar.ts'
import type { RestorePlan } from '../operations/keeping/backups.ts'
import { slugOf } from '../config/sources.ts'
import { KnowledgeError, quoted } from '../domain/error.ts'

export type { RestorePlan } from '../operations/keeping/backups.ts'

export interface Restored extends RestorePlan {
  /** The folder or the configuration to open the base by. */
  readonly base: { readonly folder: string } | { readonly configFile: string }
  /** Where that is now which was there before. */
  readonly setAside: string | undefined
}

/** Reads the whole archive. Throws `invalid` with the reason where it cannot be restored. */
export async function planRestore(archive: string, into: string): Promise<RestorePlan> {
  const { manifest, bytes } = await readArchive(archive)
  const paths = Object.keys(manifest.files)
  const place = resolve(into)
  return {
    archive: resolve(archive),
    into: place,
    createdAt: manifest.createdAt,
    version: manifest.version,
    sources: manifest.sources.map(({ name }) => name),
    documents: paths.filter((path) => path.startsWith('sources/')).length,
    files: paths.length,
    bytes,
    replaces: !isFree(place),
  }
}

export async function restoreBackup(
  archive: string,
  into: string,
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<Restored> {
  const plan = await planRestore(archive, into)
  if (plan.replaces && !replace) throw notEmpty(plan.into)
  const above = dirname(plan.into)
  mkdirSync(above, { recursive: true })
  requireRoom(above, plan.bytes)
  const staged = join(above, `.cairn-restoring-${randomBytes(4).toString('hex')}`)
  try {
    mkdirSync(staged, { mode: 0o700 })
    const manifest = await unpack(archive, staged)
    const configFile = writeConfig(staged, plan.into, manifest)
    const setAside = takePlace(staged, plan.into)
    const base =
      configFile === undefined
        ? { folder: placeOfSource(plan.into, manifest) }
        : { configFile: join(plan.into, configFile) }
    return { ...plan, base, setAside }
  } catch (error) {
    rmSync(staged, { recursive: true, force: true })
    throw explained(plan.into, error)
  }
}

const CONFIGS = ['cairn.yaml', 'cairn.restored.yaml']
const STATE = '.cairn'
const UNPACKED = '.unpacked'

async function unpack(archive: string, folder: string): Promise<Manifest> {
  // Which files count is known at the end; what does not is removed then.
  const written = new Map<string, string>()
  const { manifest } = await readArchive(archive, {
    open(header) {
      const place = join(folder, UNPACKED, ...header.path.split('/'))
      written.set(header.path, place)
      return openSink(place, header)
    },
  })
  for (const [path, place] of written) if (!(path in manifest.files)) rmSync(place)
  arrange(folder, manifest)
  return manifest
}

/** A source alone has the place to itself; several get a folder each. */
function arrange(folder: string, { sources }: Manifest): void {
  const unpacked = join(folder, UNPACKED)
  for (const { name } of sources) {
    const from = join(unpacked, 'sources', name)
    mkdirSync(from, { recursive: true })
    if (sources.length > 1) renameSync(from, join(folder, name))
    else for (const each of readdirSync(from)) renameSync(join(from, each), join(folder, each))
  }
  rmSync(join(unpacked, 'sources'), { recursive: true, force: true })
  renameSync(unpacked, join(folder, STATE))
}

function placeOfSource(into: string, { sources: [source] }: Manifest): string {
  return source?.file === undefined ? into : join(into, source.file)
}

function openSink(place: string, { mode, modifiedAt, path }: TarHeader): Sink {
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  const isDocument = path.startsWith('sources/')
  // A second one of the same name replaces the first.
  const file = openSync(place, 'w', isDocument ? mode & 0o777 : 0o600)
  return {
    write(bytes) {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    },
    end() {
      futimesSync(file, new Date(), modifiedAt / 1000)
      closeSync(file)
    },
  }
}

/**
 * Ids begin with the name of a source, which a folder of another name would change; rules that are
 * not the usual ones, and several sources, have to be said as well. Undefined where all is as usual.
 */
function writeConfig(folder: string, into: string, { sources }: Manifest): string | undefined {
  const alone = sources.length === 1
  const usual = alone && !sources[0]!.rules && sources[0]!.name === slugOf(basename(into))
  if (usual) return undefined
  const config = {
    sources: sources.map(({ name, file, rules }) => ({
      name,
      path: [alone ? '.' : `./${name}`, ...(file === undefined ? [] : [file])].join('/'),
      ...rules,
    })),
    state: `./${STATE}`,
  }
  // One that came with the documents is theirs.
  const name = CONFIGS.find((each) => !existsSync(join(folder, each)))!
  // JSON is YAML too.
  writeFileSync(join(folder, name), `${JSON.stringify(config, undefined, 2)}\n`)
  return name
}

/** In one step where the place is free; else what was there is set aside, and comes back on failure. */
function takePlace(staged: string, into: string): string | undefined {
  if (isFree(into)) {
    if (existsSync(into)) rmdirSync(into)
    renameSync(staged, into)
    return undefined
  }
  const stamp = new Date().toISOString().replaceAll(/[-:]|\..*$/g, '')
  const aside = `${into}.before-restore-${stamp}`
  renameSync(into, aside)
  try {
    renameSync(staged, into)
  } catch (error) {
    renameSync(aside, into)
    throw error
  }
  return aside
}

function isFree(place: string): boolean {
  const stats = statSync(place, { throwIfNoEntry: false })
  return !stats || (stats.isDirectory() && readdirSync(place).length === 0)
}

/** Some room more, for the index to grow. */
function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize > bytes * 1.1) return
  throw new KnowledgeError(
    'unavailable',
    `There is no room for ${bytes} bytes at ${quoted(folder)}.`,
    'Nothing was changed. Make room, or restore into another place.',
  )
}

function notEmpty(into: string): KnowledgeError {
  return new KnowledgeError(
    'exists',
    `${quoted(into)} is not empty.`,
    'Nothing was changed. Name a folder that is empty or not there, or say --replace: what is there is set aside, not deleted.',
  )
}

function explained(into: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  return new KnowledgeError(
    'unavailable',
    `The base could not be brought to ${quoted(into)}: ${error.message}.`,
    'What was there is as it was. Give permission there, or name another folder.',
  )
}
