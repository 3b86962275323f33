/**
 * Does this server have the same folders as the one that keeps the index, or copies of them at the
 * same path? Whoever follows lays a question into the folder; whoever leads looks there each time
 * before it renews its lease, and answers. A leader that has renewed it again and again and has not
 * seen the question looks into another folder. Nothing is concluded from one that is slow, frozen or
 * gone: its lease is not renewed.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceConfig } from '../config/config.ts'
import { makeStateFolder } from '../../core/store/state-folder.ts'

export interface Leader {
  readonly owner: string
  /** How long its lease lasts, by the store's clock; later each time it is renewed. */
  readonly until: number
}

export interface SameFolders {
  /** For whoever follows: the sources whose folder is another copy than the leader's. */
  look(): Promise<readonly string[]>
  /** For whoever leads, before its lease is renewed. */
  answer(): void
  close(): void
}

export interface SameFoldersParts {
  readonly sources: readonly Pick<SourceConfig, 'name' | 'path' | 'kind'>[]
  /** Who leads at the moment, unless it is this server. */
  readonly leader: () => Promise<Leader | undefined>
  /** So long a leader is waited for: a network drive may show a new file this late. */
  readonly patienceMs?: number
}

const PATIENCE_MS = 75_000
/** The question may have been laid down between a leader's look and its renewal. */
const RENEWALS = 3
const QUESTION = /^same-[0-9a-f]{16}\.asked$/
const ANSWER = /^same-[0-9a-f]{16}\.yes$/
/** Whoever asked is gone. */
const STALE_MS = 600_000

interface Asked {
  readonly owner: string
  readonly file: string
  /** Undefined until the leader was looked at with the question in place. */
  from: number | undefined
  last: number
  renewals: number
}

export function openSameFolders(parts: SameFoldersParts): SameFolders {
  const { leader, patienceMs = PATIENCE_MS } = parts
  const folders = parts.sources.filter(isFolder)
  const same = new Set<string>()
  const others = new Set<string>()
  const asked = new Map<string, Asked>()

  const withdraw = (name: string): void => {
    const { file } = asked.get(name) ?? {}
    if (file !== undefined) quietly(() => rmSync(file, { force: true }))
    asked.delete(name)
  }

  const follow = (name: string, place: string, { owner, until }: Leader): void => {
    const question = asked.get(name)
    const yes = question?.file.replace(/asked$/, 'yes')
    if (yes !== undefined && existsSync(yes)) {
      quietly(() => rmSync(yes, { force: true }))
      asked.delete(name)
      same.add(name)
      others.delete(name)
    } else if (question?.owner !== owner || !existsSync(question.file)) {
      withdraw(name)
      const file = ask(place)
      const nothing = { from: undefined, last: 0, renewals: 0 }
      if (file !== undefined) asked.set(name, { owner, file, ...nothing })
    } else if (question.from === undefined) {
      question.from = question.last = until
    } else if (until > question.last) {
      question.last = until
      question.renewals++
      const isLong = question.last - question.from >= patienceMs
      if (isLong && question.renewals >= RENEWALS) others.add(name)
    }
  }

  return {
    async look() {
      const open = folders.filter(({ name }) => !same.has(name))
      const found = open.length > 0 ? await leader() : undefined
      // Where nobody leads nobody can be asked, and what was found out holds.
      if (found) for (const { name, path } of open) follow(name, path, found)
      return [...others]
    },
    answer() {
      for (const { path } of folders) answerIn(join(path, '.cairn'))
    },
    close() {
      for (const name of asked.keys()) withdraw(name)
    },
  }
}

function isFolder({ kind, path }: Pick<SourceConfig, 'path' | 'kind'>): boolean {
  return kind !== 'database' && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
}

/** Undefined where nothing can be written: nobody asks there. */
function ask(folder: string): string | undefined {
  const place = join(folder, '.cairn')
  const file = join(place, `same-${randomBytes(8).toString('hex')}.asked`)
  try {
    makeStateFolder(place)
    writeFileSync(file, '', { mode: 0o600 })
    return file
  } catch {
    return undefined
  }
}

function answerIn(place: string): void {
  quietly(() => {
    for (const name of readdirSync(place)) {
      const file = join(place, name)
      if (QUESTION.test(name)) quietly(() => renameSync(file, file.replace(/asked$/, 'yes')))
      else if (ANSWER.test(name)) quietly(() => removeStale(file))
    }
  })
}

function removeStale(file: string): void {
  const { mtimeMs = Infinity } = statSync(file, { throwIfNoEntry: false }) ?? {}
  if (mtimeMs < Date.now() - STALE_MS) rmSync(file, { force: true })
}

/** A folder that is gone, or somebody else's, is asked about again at the next look. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // See above.
  }
}

export function sayOtherCopies(sources: readonly string[]): string {
  const names = sources.join(' and ')
  return `this server has another copy of ${names} than the server that keeps the index: its files are neither indexed nor written here. Give all servers the same folder, such as a volume, and start this one again`
}
