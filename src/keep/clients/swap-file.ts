/**
 * Compare and swap of a file that other programs save as well: it is replaced only if it says what
 * was expected, and a save that comes meanwhile stands.
 *
 * The file gets a second name first. Whoever is writing into it goes on writing to that one, so it
 * tells afterwards whether somebody did; then it takes its place again. There is always a file of
 * the name, the old one or the new one. What is left is a program that saves by renaming in the
 * microseconds between the last look and our own rename, into a file that nobody had touched for
 * some time: no system call that Node offers compares and renames at once.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { KnowledgeError, conflict, invalid } from '../../core/domain/error.ts'

/** Who a new file belongs to, and who may read it. Somebody's settings may hold keys. */
export type Owner = Pick<BigIntStats, 'mode' | 'uid' | 'gid'>

/** Undefined stands for no file, before and after. `file` is where it really is, and no link. */
export async function swapFile(
  file: string,
  before: string | undefined,
  after: string | undefined,
): Promise<void> {
  await untilRested(file)
  if (readText(file) !== before) throw changedMeanwhile(file)
  if (after === undefined) return takeAway(file, before)
  const staged = stageFile(file, after, statsOf(file))
  try {
    if (before === undefined) giveName(staged, file)
    else replace(staged, file, before)
  } finally {
    rmSync(staged, { force: true })
  }
}

/** Puts a file where only Cairn puts one; a link that has its name is replaced, never followed. */
export function putFile(file: string, text: string, owner: Owner | undefined): void {
  const staged = stageFile(file, text, owner)
  try {
    renameSync(staged, file)
  } finally {
    rmSync(staged, { force: true })
  }
  flushFolder(file)
}

/** An ordinary file of UTF-8; undefined where there is nothing. `file` is no link. */
export function readText(file: string): string | undefined {
  let opened: number
  try {
    opened = openSync(file, READ_FLAGS)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    if (!fstatSync(opened).isFile()) throw notAFile(file)
    return UTF8.decode(readFileSync(opened))
  } catch (error) {
    throw error instanceof TypeError ? notUtf8(file) : error
  } finally {
    closeSync(opened)
  }
}

/** No link, and no pipe that would be waited for. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Programs save in several steps, with less than this between them. */
const REST_MS = 100
const PATIENCE_MS = 5_000

async function untilRested(file: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const stats = statsOf(file)
    if (!stats || !isYounger(stats, REST_MS)) return
    if (performance.now() > until) throw changedMeanwhile(file)
    await sleep(REST_MS / 4)
  }
}

/** Clocks of network drives may run ahead. */
function isYounger({ mtimeNs, ctimeNs }: BigIntStats, ms: number): boolean {
  const touchedAt = Number(mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1e6
  return Math.abs(Date.now() - touchedAt) < ms
}

const PRIVATE = 0o600

function stageFile(file: string, text: string, owner: Owner | undefined): string {
  const staged = nameBeside(file)
  const opened = openSync(staged, 'wx', PRIVATE)
  try {
    if (owner) {
      keepOwner(opened, owner)
      fchmodSync(opened, Number(owner.mode) & 0o777)
    }
    writeFileSync(opened, text)
    fsyncSync(opened)
  } catch (error) {
    rmSync(staged, { force: true })
    throw error
  } finally {
    closeSync(opened)
  }
  return staged
}

function keepOwner(opened: number, { uid, gid }: Owner): void {
  try {
    fchownSync(opened, Number(uid), Number(gid))
  } catch {
    // Only the system's administrator may give files away.
  }
}

/** Nobody can have laid a link there: the name cannot be guessed. */
function nameBeside(file: string): string {
  return `${file}.cairn-${randomBytes(12).toString('hex')}`
}

function replace(staged: string, file: string, before: string): void {
  const own = statsOf(staged)
  const held = nameBeside(file)
  const isHeld = giveSecondName(file, held)
  try {
    const isSame = isHeld ? isSameFile(statsOf(held), statsOf(file)) : true
    if (!isSame || readText(isHeld ? held : file) !== before) throw changedMeanwhile(file)
    renameSync(staged, file)
    for (const wait of [() => {}, () => flushFolder(file)]) {
      wait()
      if (!isHeld || saysStill(held, before)) continue
      // Who has saved again since has a file of its own there.
      if (isSameFile(statsOf(file), own)) renameSync(held, file)
      throw changedMeanwhile(file)
    }
  } finally {
    rmSync(held, { force: true })
  }
}

/** Half a save is not what it was either, whatever it can be read as. */
function saysStill(held: string, before: string): boolean {
  try {
    return readText(held) === before
  } catch (error) {
    if (error instanceof KnowledgeError) return false
    throw error
  }
}

/** What is taken away is looked at once more where nobody else finds it. */
function takeAway(file: string, before: string | undefined): void {
  if (before === undefined) return
  const held = nameBeside(file)
  renameSync(file, held)
  if (!saysStill(held, before)) {
    // Where that name is taken again, both are left.
    giveName(held, file)
    rmSync(held, { force: true })
    throw changedMeanwhile(file)
  }
  rmSync(held)
  flushFolder(file)
}

/** A name that somebody took in the last moment is not overwritten. */
function giveName(staged: string, file: string): void {
  try {
    linkSync(staged, file)
  } catch (error) {
    if (statsOf(file)) throw changedMeanwhile(file)
    if (!CANNOT_LINK.has(codeOf(error))) throw error
    renameSync(staged, file)
  }
  flushFolder(file)
}

/** False where files cannot have two names. */
function giveSecondName(file: string, held: string): boolean {
  try {
    linkSync(file, held)
    return true
  } catch (error) {
    if (CANNOT_LINK.has(codeOf(error))) return false
    throw codeOf(error) === 'ENOENT' ? changedMeanwhile(file) : error
  }
}

const CANNOT_LINK: ReadonlySet<string> = new Set([
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
])

/** A rename is on disk when its folder is. Not every system lets a folder be flushed. */
function flushFolder(file: string): void {
  let opened: number | undefined
  try {
    opened = openSync(dirname(file), 'r')
    fsyncSync(opened)
  } catch {
    // What it can promise, it has promised.
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

export function statsOf(file: string): BigIntStats | undefined {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false })
}

function isSameFile(a: BigIntStats | undefined, b: BigIntStats | undefined): boolean {
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function changedMeanwhile(file: string): KnowledgeError {
  return conflict(
    `${file} was changed in the meantime.`,
    'What another program has saved stands. Run the command again when that program rests.',
  )
}

function notUtf8(file: string): KnowledgeError {
  return invalid(
    `${file} is not UTF-8 text.`,
    'It was left as it is. Save it as UTF-8 in your editor, then run the command again.',
  )
}

function notAFile(file: string): KnowledgeError {
  return invalid(`${file} is not a regular file.`, 'It was left as it is.')
}
