/** The brief for whoever tends a graph: one that is active, and those that were, beside it. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { KnowledgeError, quoted, unavailable } from '../../domain/error.ts'
import { resolveInside } from '../folder/paths.ts'
import { codeOf, reasonOf } from '../folder/reasons.ts'

const ACTIVE = 'memories/MISSION_ACTIVE.md'
const ARCHIVE = 'memories/archive'
/** Several in one second get a number each. */
const SAME_SECOND = 1_000

export interface WrittenMission {
  /** Below the root. */
  readonly file: string
  /** Where the one that was active is now, if there was one. */
  readonly archived: string | undefined
}

/** At every moment there is the old brief or the new one, and the old one is never lost. */
export function replaceMission(root: string, text: string, now: Date): WrittenMission {
  try {
    const { real, stats } = resolveInside(root, ACTIVE, { forWriting: true })
    mkdirSync(dirname(real), { recursive: true })
    const archived = stats ? archive(root, real, now) : undefined
    put(real, text)
    return { file: ACTIVE, archived }
  } catch (error) {
    if (error instanceof KnowledgeError) throw error
    throw unavailable(
      `The brief ${quoted(ACTIVE)} cannot be written: ${reasonOf(error)}.`,
      'Make room, or allow writing there, and try again. A brief that was there still is.',
    )
  }
}

function archive(root: string, active: string, now: Date): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_')
  for (let count = 1; ; count++) {
    const file = `${ARCHIVE}/MISSION_${stamp}${count === 1 ? '' : `_${count}`}.md`
    const { real } = resolveInside(root, file, { forWriting: true })
    mkdirSync(dirname(real), { recursive: true })
    try {
      copyFileSync(active, real, constants.COPYFILE_EXCL)
      return file
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || count === SAME_SECOND) throw error
    }
  }
}

function put(place: string, text: string): void {
  const beside = `${place}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const descriptor = openSync(beside, 'wx')
    try {
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(beside, place)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
