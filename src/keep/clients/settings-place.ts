/**
 * Where the settings of a program really are, and whether they may be touched there. A user's own
 * may be links into a folder of dotfiles, and are followed. A project may be a clone of anybody's:
 * nothing in it leads out of it, and the place of a copy is never a link.
 */
import { lstatSync, realpathSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { type KnowledgeError, forbidden } from '../../core/domain/error.ts'

export interface SettingsPlace {
  readonly file: string
  /** What was in the file before Cairn wrote into it lies beside it under this name. */
  readonly backup: string
  /** Root of the project whose settings they are; undefined for a user's own. */
  readonly project: string | undefined
}

export function connectionPlace(file: string, project?: string): SettingsPlace {
  return { file, backup: `${file}.before-cairn`, project }
}

/** Hooks may stand in the file that names servers: each has a text of its own to go back to. */
export function hookPlace(file: string, project?: string): SettingsPlace {
  return { file, backup: `${file}.before-cairn-hooks`, project }
}

export interface RealPlace {
  readonly file: string
  /** Whether the name itself is a link. */
  readonly isLink: boolean
  readonly backup: string
}

/** Throws `forbidden` for what leads out of the project, and for links that lead nowhere. */
export function realPlace({ file, backup, project }: SettingsPlace): RealPlace {
  const found = locate(file, project)
  if (statsOf(backup)?.isSymbolicLink()) throw linkedCopy(backup)
  return { ...found, backup: locate(backup, project).file }
}

interface Located {
  readonly file: string
  readonly isLink: boolean
}

function locate(path: string, project: string | undefined): Located {
  if (project === undefined) return followed(path, path)
  const root = realpathSync.native(project)
  const names = relative(project, path).split(sep)
  let found: Located = { file: root, isLink: false }
  // One by one, so that a folder on the way that is a link is judged as well.
  for (const name of names) {
    found = followed(join(found.file, name), path)
    if (!isInside(root, found.file)) throw leadsOut(path, project)
  }
  return found
}

function followed(place: string, path: string): Located {
  const isLink = statsOf(place)?.isSymbolicLink() ?? false
  if (!isLink) return { file: place, isLink }
  try {
    return { file: realpathSync.native(place), isLink }
  } catch {
    throw leadsNowhere(path, place)
  }
}

function statsOf(place: string): Stats | undefined {
  return lstatSync(place, { throwIfNoEntry: false })
}

function isInside(root: string, place: string): boolean {
  const way = relative(root, place)
  return way.split(sep)[0] !== '..' && !isAbsolute(way)
}

function leadsOut(path: string, project: string): KnowledgeError {
  return forbidden(
    `${path} leads out of the project ${project} through a symbolic link.`,
    'Nothing was read or changed there. Remove the link; or write your own settings, with --scope user.',
  )
}

function leadsNowhere(path: string, link: string): KnowledgeError {
  const what = path === link ? 'is' : `goes through ${link},`
  return forbidden(
    `${path} ${what} a symbolic link that leads nowhere.`,
    'Nothing was changed. Remove the link, or make what it leads to.',
  )
}

function linkedCopy(backup: string): KnowledgeError {
  return forbidden(
    `${backup} is a symbolic link, and what was in a file before is not kept where a link leads.`,
    `Nothing was read or changed there. Look at who put it into ${dirname(backup)}, and remove it.`,
  )
}
