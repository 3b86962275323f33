/**
 * Brings a base back from an archive, into a place that is empty or set aside first. The archive is
 * proved to be whole before anything is touched; then what its manifest counts is unpacked beside
 * the place, which it takes in one step.
 */
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
import type { RestorePlan } from '../../core/operations/keeping/backups.ts'
import { slugOf } from '../../serve/config/sources.ts'
import {
  KnowledgeError,
  alreadyThere,
  invalid,
  quoted,
  unavailable,
} from '../../core/domain/error.ts'
import { foldName } from '../../core/kit/fold-name.ts'
import { toolFolderIn } from '../../core/sources/folder/paths.ts'
import { isStatePath } from './backup-files.ts'
import { withoutServers } from '../../serve/lifecycle/serving-marks.ts'
import { openWorkFolder } from '../../serve/lifecycle/work-folder.ts'

export type { RestorePlan } from '../../core/operations/keeping/backups.ts'

export interface Restored extends RestorePlan {
  /** The folder or the configuration to open the base by. */
  readonly base: { readonly folder: string } | { readonly configFile: string }
  /** Where that is now which was there before. */
  readonly setAside: string | undefined
}

/** Reads the whole archive. Throws `invalid` with the reason where it cannot be restored. */
export async function planRestore(archive: string, into: string): Promise<RestorePlan> {
  return (await checkArchive(archive, into)).plan
}

/** What proved to be whole, and where it goes. */
export interface CheckedArchive {
  readonly plan: RestorePlan
  readonly manifest: Manifest
}

export async function checkArchive(archive: string, into: string): Promise<CheckedArchive> {
  const { manifest, bytes } = await readArchive(archive)
  requireKnownPaths(archive, manifest)
  const paths = Object.keys(manifest.files)
  const place = resolve(into)
  const plan = {
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
  return { plan, manifest }
}

export interface RestoreOptions {
  readonly replace: boolean
  /** Reads the configuration that is to take the place: what cannot be opened there is not put there. */
  readonly tryConfig: (file: string) => Promise<void>
}

export async function restoreBackup(
  { plan, manifest }: CheckedArchive,
  { replace, tryConfig }: RestoreOptions,
): Promise<Restored> {
  const { into } = plan
  if (plan.replaces && !replace) throw notEmpty(into)
  // Whoever has to stop a server first need not wait for the unpacking.
  if (plan.replaces) withoutServers(into, () => {})
  const above = dirname(into)
  try {
    mkdirSync(above, { recursive: true })
    requireRoom(above, plan)
    const work = openWorkFolder(above, 'restoring')
    try {
      const staged = join(work.path, 'base')
      mkdirSync(staged, { mode: 0o700 })
      await unpack(plan.archive, manifest, staged)
      const configFile = writeConfig(staged, into, manifest)
      if (configFile !== undefined) {
        await tryConfig(join(staged, configFile)).catch((error: unknown) => {
          throw error instanceof KnowledgeError ? cannotRestore(plan.archive, error.message) : error
        })
      }
      const setAside = takePlace(staged, into)
      return { ...plan, base: baseAt(into, configFile, manifest), setAside }
    } finally {
      work.close()
    }
  } catch (error) {
    throw explained(into, error)
  }
}

function baseAt(
  place: string,
  configFile: string | undefined,
  { sources: [source] }: Manifest,
): Restored['base'] {
  if (configFile !== undefined) return { configFile: join(place, configFile) }
  return { folder: source?.file === undefined ? place : join(place, source.file) }
}

const CONFIG = 'cairn.yaml'
const STATE = '.cairn'
const UNPACKED = '.unpacked'

/** Nothing is brought that no backup holds: a key, a lock, or the folder of another program. */
function requireKnownPaths(archive: string, { sources, files }: Manifest): void {
  const names = new Set(sources.map(({ name }) => name))
  for (const { name, file } of sources) {
    const path = `sources/${name}/${file}`
    if (file !== undefined && !Object.hasOwn(files, path)) throw strange(archive, path)
  }
  for (const path of Object.keys(files)) {
    const [top = '', name = '', ...below] = path.split('/')
    const isKnown =
      top === 'sources'
        ? names.has(name) && below.length > 0 && toolFolderIn(below) === undefined
        : isStatePath(path)
    if (!isKnown) throw strange(archive, path)
  }
}

/** What the manifest counts, and nothing else. */
async function unpack(archive: string, manifest: Manifest, folder: string): Promise<void> {
  mkdirSync(join(folder, UNPACKED), { mode: 0o700 })
  await readArchive(archive, {
    manifest,
    open: (header) => openSink(join(folder, UNPACKED, ...header.path.split('/')), header),
  })
  arrange(folder, manifest)
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
      ...rules,
      name,
      path: [alone ? '.' : `./${name}`, ...(file === undefined ? [] : [file])].join('/'),
    })),
    state: `./${STATE}`,
  }
  const name = freeName(folder)
  // JSON is YAML too.
  writeFileSync(join(folder, name), `${JSON.stringify(config, undefined, 2)}\n`, { flag: 'wx' })
  return name
}

/** One that came with the documents is theirs; so is what an earlier restoring has written. */
function freeName(folder: string): string {
  const taken = new Set(readdirSync(folder).map(foldName))
  for (let count = 0; ; count++) {
    const name = count === 0 ? CONFIG : `cairn.restored${count === 1 ? '' : `-${count}`}.yaml`
    if (!taken.has(name)) return name
  }
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
  return withoutServers(into, () => {
    renameSync(into, aside)
    try {
      renameSync(staged, into)
    } catch (error) {
      renameSync(aside, into)
      throw error
    }
    return aside
  })
}

function isFree(place: string): boolean {
  const stats = statSync(place, { throwIfNoEntry: false })
  return !stats || (stats.isDirectory() && readdirSync(place).length === 0)
}

/** Some room more, for the index to grow; the smallest file takes a block. */
function requireRoom(folder: string, { bytes, files }: RestorePlan): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize > (bytes + files * bsize) * 1.1) return
  throw unavailable(
    `There is no room for ${bytes} bytes at ${quoted(folder)}.`,
    'Nothing was changed. Make room, or restore into another place.',
  )
}

function strange(archive: string, path: string): KnowledgeError {
  return cannotRestore(archive, `${quoted(path)} is nothing that a backup holds.`)
}

function cannotRestore(archive: string, why: string): KnowledgeError {
  return invalid(
    `${quoted(archive)} cannot be restored: ${why}`,
    'Nothing was changed. Take another backup.',
  )
}

function notEmpty(into: string): KnowledgeError {
  return alreadyThere(
    `${quoted(into)} is not empty.`,
    'Nothing was changed. Name a folder that is empty or not there, or say --replace: what is there is set aside, not deleted.',
  )
}

function explained(into: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  return unavailable(
    `The base could not be brought to ${quoted(into)}: ${error.message}.`,
    'What was there is as it was. Give permission there, or name another folder.',
  )
}
