/**
 * The tokens of a base: who may call, and what each may do. The file holds digests, never a token; it
 * is looked at again when it changes, so that what is revoked is out at once.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type KnowledgeError,
  alreadyThere,
  invalid,
  notFound,
  quoted,
} from '../../core/domain/error.ts'
import type { Caller, Permission } from '../../core/domain/caller.ts'
import { amountTo, PERMISSIONS } from '../../core/domain/caller.ts'
import { callerFor } from './grant.ts'
import type { Grant } from './grant.ts'

export interface TokenEntry extends Grant {
  readonly id: string
  /** For people: whose it is, or what for. */
  readonly name: string
  /** Of the secret part, as hex. */
  readonly digest: string
  /** ISO instants. */
  readonly createdAt: string
  readonly expiresAt?: string
}

export interface Tokens {
  /** Whether callers have to show one: somebody has made one for this base, be it revoked since. */
  areNeeded(): boolean
  callerOf(token: string): Caller | undefined
  /** The entry of a token that is good now. */
  entryOf(token: string): TokenEntry | undefined
  /** Who holds the token with this id, as long as it is good. */
  callerById(id: string): Caller | undefined
  list(): readonly TokenEntry[]
  /** The token is told this once. */
  create(name: string, grant: TokenGrant): { readonly token: string; readonly entry: TokenEntry }
  /** By id or name. Throws `not_found`. */
  revoke(text: string): TokenEntry
}

export interface TokenGrant extends Grant {
  readonly expiresAt?: string
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const FORM = /^cairn_([a-z0-9]{8})_([A-Za-z0-9_-]{43})$/

export function openTokens(file: string, now: () => number = Date.now): Tokens {
  let seen: { readonly stamp: string; readonly entries: readonly TokenEntry[] } | undefined

  const load = (): readonly TokenEntry[] | undefined => {
    const stamp = stampOf(file)
    if (stamp === undefined) return undefined
    if (seen?.stamp !== stamp) seen = { stamp, entries: read(file) }
    return seen.entries
  }
  const save = (entries: readonly TokenEntry[]): void => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const beside = `${file}.${process.pid}`
    writeFileSync(beside, `${JSON.stringify({ tokens: entries }, undefined, 2)}\n`, { mode: 0o600 })
    renameSync(beside, file)
    seen = undefined
  }

  const isGood = ({ expiresAt }: TokenEntry): boolean =>
    expiresAt === undefined || Date.parse(expiresAt) > now()
  const entryOf = (token: string): TokenEntry | undefined => {
    const [, id, secret] = FORM.exec(token) ?? []
    if (id === undefined || secret === undefined) return undefined
    const entry = load()?.find((each) => each.id === id)
    // Also compared where there is none, so that the time tells nothing.
    const right = timingSafeEqual(digestOf(secret), Buffer.from(entry?.digest ?? NOBODY, 'hex'))
    return entry && right && isGood(entry) ? entry : undefined
  }

  return {
    areNeeded: () => load() !== undefined,
    callerOf: (token) => callerOfEntry(entryOf(token)),
    entryOf,
    callerById: (id) => callerOfEntry(load()?.find((each) => each.id === id && isGood(each))),
    list: () => load() ?? [],
    create(name, { may, see, hide, write = [], expiresAt }) {
      checkName(name, load() ?? [])
      const id = Array.from(randomBytes(8), (byte) => LETTERS[byte % LETTERS.length]).join('')
      const secret = randomBytes(32).toString('base64url')
      const entry: TokenEntry = {
        id,
        name,
        may,
        see,
        hide,
        ...(write.length > 0 && { write }),
        digest: digestOf(secret).toString('hex'),
        createdAt: new Date(now()).toISOString(),
        ...(expiresAt !== undefined && { expiresAt }),
      }
      save([...(load() ?? []), entry])
      return { token: `cairn_${id}_${secret}`, entry }
    },
    revoke(text) {
      const entries = load() ?? []
      const entry = entries.find(({ id, name }) => id === text || name === text)
      if (!entry) throw noSuchToken(text)
      // An empty list still asks everybody for a token: to take one back is not to open the door.
      save(entries.filter((each) => each !== entry))
      return entry
    },
  }
}

/** `read,write` as permissions, each once; `write` alone is both. */
export function parsePermissions(words: readonly string[]): readonly Permission[] {
  const unknown = words.find((word) => !PERMISSIONS.includes(word as Permission))
  if (unknown !== undefined) {
    throw invalid(
      `There is no permission ${quoted(unknown)}.`,
      `Say ${PERMISSIONS.join(', ')}, or several with commas between.`,
    )
  }
  return amountTo(PERMISSIONS.filter((each) => words.includes(each)))
}

function callerOfEntry(entry: TokenEntry | undefined): Caller | undefined {
  return entry && callerFor(`token:${entry.name}`, entry)
}

const NOBODY = '00'.repeat(32)

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function stampOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats && `${stats.mtimeNs} ${stats.ino} ${stats.size}`
}

/** What cannot be read lets nobody in. */
function read(file: string): readonly TokenEntry[] {
  try {
    const { tokens } = JSON.parse(readFileSync(file, 'utf8')) as { readonly tokens?: unknown }
    return Array.isArray(tokens) ? tokens.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is TokenEntry {
  const entry = value as Partial<Record<keyof TokenEntry, unknown>> | null
  const texts = (each: unknown) => Array.isArray(each) && each.every((x) => typeof x === 'string')
  return (
    typeof entry?.id === 'string' &&
    typeof entry.name === 'string' &&
    typeof entry.digest === 'string' &&
    /^[0-9a-f]{64}$/.test(entry.digest) &&
    [entry.may, entry.see, entry.hide, entry.write ?? []].every(texts)
  )
}

function checkName(name: string, entries: readonly TokenEntry[]): void {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._@-]{0,63}$/u.test(name)) {
    throw invalid(
      `${quoted(name)} cannot be the name of a token.`,
      'Use letters, digits, spaces, dots, hyphens and underscores, at most 64.',
    )
  }
  if (entries.some((each) => each.name === name)) {
    throw alreadyThere(
      `There is a token ${quoted(name)} already.`,
      'Choose another name, or revoke that one first.',
    )
  }
}

function noSuchToken(text: string): KnowledgeError {
  return notFound(`There is no token ${quoted(text)}.`, '"cairn token list" shows them.')
}
