/**
 * Whom does the user stand behind? A folder of notes from somewhere may bring its own `cairn.yaml`.
 * Such a file may say how its folder is read, and nothing else, until the user names it
 * (`--config`) or trusts it (`cairn trust`). What is trusted is the content: whoever changes the
 * file has to be trusted again.
 */
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { orElse } from '../../core/kit/or-else.ts'
import { readUserFile, writeUserFile } from './user-folder.ts'
import type { Surrounding } from './user-folder.ts'

type Raw = Readonly<Record<string, unknown>>

const TRUSTED = 'trusted.json'
/** More than anybody has; the oldest are forgotten. */
const KEPT = 200

/** Stands behind the file as it is now. */
export function trustFile(around: Surrounding, file: string): void {
  const path = realpathSync(file)
  const others = trustedFiles(around).filter(([known]) => known !== path)
  writeUserFile(around, TRUSTED, {
    files: [[path, digestOf(path)], ...others].slice(0, KEPT),
  })
}

/** Tells whether it was trusted. */
export function distrustFile(around: Surrounding, file: string): boolean {
  const all = trustedFiles(around)
  const rest = all.filter(([known]) => known !== realPath(file))
  if (rest.length < all.length) writeUserFile(around, TRUSTED, { files: rest })
  return rest.length < all.length
}

export function isTrusted(around: Surrounding, file: string): boolean {
  const path = realPath(file)
  const known = trustedFiles(around).find(([each]) => each === path)
  return known !== undefined && known[1] === digestOf(path)
}

export function trustedFiles(around: Surrounding): readonly (readonly [string, string])[] {
  const content = readUserFile(around, TRUSTED) as { readonly files?: unknown } | undefined
  const files = Array.isArray(content?.files) ? (content.files as unknown[]) : []
  return files.filter(
    (each): each is readonly [string, string] =>
      Array.isArray(each) && each.length === 2 && each.every((part) => typeof part === 'string'),
  )
}

/** A line for whoever starts with a file that nobody stands behind. */
export function notTrusted(file: string, keys: readonly string[]): string {
  return `${file} was found, not named, so it only says how its folder is read. Not used: ${keys.join(', ')}. If you stand behind it: cairn trust ${file}`
}

export interface Limited {
  readonly raw: Raw
  /** What it said besides, and is not listened to. */
  readonly ignored: readonly string[]
}

/** What of a file that was merely found counts. Its paths are absolute already. */
export function limitFound(raw: Raw, file: string): Limited {
  const kept: Record<string, unknown> = {}
  const ignored: string[] = []
  const home = dirname(file)
  for (const [key, value] of Object.entries(raw)) {
    switch (key) {
      case 'inbox':
      case 'maxFileBytes':
      case 'protect':
      case 'watch':
        kept[key] = value
        break
      case 'readOnly':
        // It may ask for less than is usual, not for more.
        if (value === true) kept[key] = value
        break
      case 'state':
        if (isBelow(home, value)) kept[key] = value
        else ignored.push(key)
        break
      case 'sources': {
        const sources = value as readonly { readonly path: string }[]
        kept[key] = sources.filter(({ path }) => isBelow(home, path))
        const outside = sources.filter(({ path }) => !isBelow(home, path))
        ignored.push(...outside.map(({ path }) => `sources (${path})`))
        break
      }
      case 'embedding':
      case 'answerer':
        if (staysHere(value)) kept[key] = { provider: (value as { provider: unknown }).provider }
        else ignored.push(key)
        break
      case 'http':
        ignored.push(...Object.keys(value as Raw).map((inner) => `http.${inner}`))
        break
      default:
        ignored.push(key)
    }
  }
  return { raw: kept, ignored }
}

/** Providers that send nothing anywhere and run nothing that was brought along. */
function staysHere(value: unknown): boolean {
  const { provider, ...rest } = value as Raw
  return ['corpus', 'none'].includes(String(provider)) && Object.keys(rest).length === 0
}

/** Whether a path, wherever links lead on the way, stays in a folder. */
export function isBelow(home: string, path: unknown): boolean {
  const below = relative(realPath(home), realPath(String(path)))
  return below === '' || (below.split(sep)[0] !== '..' && !isAbsolute(below))
}

/** Links are followed as far as there is something; what is not there yet is a plain name. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPath(above), basename(path))
  }
}

function digestOf(file: string): string {
  return orElse(() => createHash('sha256').update(readFileSync(file)).digest('hex'), '')
}
