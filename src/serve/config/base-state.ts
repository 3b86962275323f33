/**
 * Which part of a state folder is this base's own? A folder named for several bases keeps them
 * apart: whoever comes first has it, and the others a folder inside it. A base is known by its first
 * source, by the place where that really is.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { orElse } from '../../core/kit/or-else.ts'
import { type KnowledgeError, conflict, quoted } from '../../core/domain/error.ts'

interface NamedPlace {
  readonly name: string
  readonly path: string
}

/** Whose state it is, as it says itself. */
export interface Claim {
  /** Where the first source really is. */
  readonly folder: string
  /** Its name in ids when the state was made. */
  readonly name: string
}

const USUAL = '.cairn'
const CLAIM = 'base.json'

/**
 * A state folder that the user has named may be reached through a link: it is known by where that
 * leads. One of the usual name is a link by the user's word here, and by nobody's anywhere else.
 */
export function namedState(state: string): string {
  return basename(state) === USUAL && isLink(state) ? realPath(state) : state
}

function isLink(place: string): boolean {
  // Whoever opens it says what is wrong.
  return orElse(() => lstatSync(place).isSymbolicLink(), false)
}

/** The state folder of a base, below the one that was named where that is another base's. */
export function resolveState(state: string, sources: readonly NamedPlace[]): string {
  const folder = firstFolder(sources)
  if (folder === undefined || isInside(realPath(state), folder)) return state
  const claim = readClaim(state)
  if (!claim || claim.folder === folder || !existsSync(claim.folder)) return state
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 8)
  return join(state, 'bases', `${basename(folder)}-${digest}`)
}

/**
 * What a folder was called when its state was made. Whoever comes to it by another way, through a
 * symbolic link or spelled otherwise, finds the same base: one index, one history, one name in ids.
 */
export function knownName(state: string, path: string): string | undefined {
  const claim = readClaim(state)
  return claim?.folder === realPath(path) ? claim.name : undefined
}

/** Says whose the folder is, once it is there. */
export function claimState(state: string, sources: readonly NamedPlace[]): void {
  const folder = firstFolder(sources)
  const [first] = sources
  if (folder === undefined || !first) return
  const claim = readClaim(state)
  if (claim?.folder === folder) return
  const text = `${JSON.stringify({ folder, name: first.name } satisfies Claim)}\n`
  if (claim && !isInside(realPath(state), folder) && existsSync(claim.folder)) {
    // Another base was first, a moment ago.
    throw takenState(state, claim.folder)
  }
  const winner = putClaim(state, text, claim === undefined)
  if (winner && winner.folder !== folder) throw takenState(state, winner.folder)
}

/**
 * In one step, so that nobody reads half of it. Of several who come first at the same time one wins;
 * gives who did. What cannot be read is nobody's, and is replaced.
 */
function putClaim(state: string, text: string, isFirst: boolean): Claim | undefined {
  const place = join(state, CLAIM)
  const beside = `${place}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(beside, text, { mode: 0o600 })
  try {
    if (isFirst) linkSync(beside, place)
    else renameSync(beside, place)
  } catch (error) {
    const winner = readClaim(state)
    if (winner) return winner
    if (!isFirst) throw error
    // Damaged, or a file system without links.
    renameSync(beside, place)
  } finally {
    rmSync(beside, { force: true })
  }
  return readClaim(state)
}

/** Undefined where nobody has said it, or not so that one can read it. */
export function readClaim(state: string): Claim | undefined {
  try {
    const { folder, name } = JSON.parse(readText(join(state, CLAIM))) as Partial<Claim>
    return typeof folder === 'string' && typeof name === 'string' ? { folder, name } : undefined
  } catch {
    return undefined
  }
}

/** An ordinary file: a link may lead anywhere, and a pipe would be waited for. */
function readText(file: string): string {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const opened = openSync(file, flags)
  try {
    return fstatSync(opened).isFile() ? readFileSync(opened, 'utf8') : ''
  } finally {
    closeSync(opened)
  }
}

function firstFolder([first]: readonly NamedPlace[]): string | undefined {
  return first && realPath(first.path)
}

function realPath(path: string): string {
  return orElse(() => realpathSync.native(path), path)
}

function isInside(place: string, folder: string): boolean {
  const below = relative(folder, place)
  return below !== '' && below.split(sep)[0] !== '..' && !isAbsolute(below)
}

function takenState(state: string, folder: string): KnowledgeError {
  return conflict(
    `The state folder ${quoted(state)} belongs to another base, of ${quoted(folder)}.`,
    'Nothing was changed. Start again, and this base gets a folder of its own there; or name another one with --state DIR.',
  )
}
