/**
 * Snapshot read: documents as they stood at a moment, by one walk through Cairn's history and one
 * tree of git, however many are read. docs/decisions/0096-as-of.md says who knows best.
 */
import { createHash } from 'node:crypto'
import { documentId } from '../../domain/document.ts'
import type { DocNo, DocumentRecord, Place } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import type { FileHistory } from '../../sources/work-tree.ts'
import { isPrivate } from '../../sources/private-notes.ts'
import type { View } from '../view/view.ts'
import { changedAfter } from '../writing/past-versions.ts'
import type { ChangedAfter } from '../writing/past-versions.ts'
import type { LiveDocument } from './read-document.ts'
import { describePast } from './read-past.ts'
import { whenOf } from './when-of.ts'

/** `absent`: it was not there, or was private. `unknown`: nobody knows what it said. */
export type Then = LiveDocument | 'absent' | 'unknown'

export interface BaseThen {
  readonly moment: number
  /** Documents that may have been otherwise, the newest changes first among each kind. */
  readonly changed: readonly DocNo[]
  /** What Cairn deleted since. */
  readonly gone: readonly Place[]
  /** More have changed than are named. */
  readonly more: boolean
  /** In the order they are given. What git has is asked for in one call for many of them. */
  read(wanted: readonly (LiveDocument | Place)[]): AsyncGenerator<StoodThen>
}

export interface StoodThen {
  /** As it is now; undefined where it is gone. */
  readonly now: LiveDocument | undefined
  readonly was: Then
}

export interface ThenOptions {
  /** So many changed documents are named. */
  readonly most: number
  readonly signal?: AbortSignal | undefined
}

export async function openBaseThen(
  kb: View,
  moment: number,
  asOf: string,
  { most, signal }: ThenOptions,
): Promise<BaseThen> {
  const byCairn = await changedAfter(kb, moment, { most: 2 * most, signal })
  const changed = new Set<DocNo>()
  const gone: Place[] = []
  for (const place of byCairn.places) {
    const record = await kb.store.findByPath(place.source, place.path)
    if (record) changed.add(record.no)
    else gone.push(place)
  }
  const page = { offset: 0, limit: most }
  const after = new Date(moment).getTime()
  const { documents, total } = await kb.store.list({ updatedAfter: after }, 'updated', page)
  for (const { no } of documents) changed.add(no)
  return {
    moment,
    changed: [...changed],
    gone,
    more: byCairn.more || total > most,
    read: await pastReader(kb, moment, asOf, { byCairn, signal }),
  }
}

/** What its author dates later was not said yet. */
export function notYet(record: DocumentRecord, moment: number): boolean {
  return (whenOf(record)?.at ?? -Infinity) > moment
}

interface Tree {
  readonly git: FileHistory
  readonly files: ReadonlyMap<string, string>
}

/** Cairn's history, the file where it is older, then one tree of git. */
async function pastReader(
  kb: View,
  moment: number,
  asOf: string,
  { byCairn, signal }: { readonly byCairn: ChangedAfter; readonly signal: AbortSignal | undefined },
): Promise<BaseThen['read']> {
  const known = new Set(byCairn.places.map(documentId))
  const trees = new Map<string, Promise<Tree | undefined>>()
  const treeOf = (source: string): Promise<Tree | undefined> => {
    const found = trees.get(source) ?? findTree(kb, source, moment)
    trees.set(source, found)
    return found
  }
  const contentIn = contentsOf(treeOf)
  const described = async (place: Place, bytes: Uint8Array, no: DocNo): Promise<Then> => {
    if (isPrivate(Buffer.from(bytes).toString('utf8'))) return 'absent'
    return describePast(kb, { place, bytes }, no).catch(orAbsent)
  }
  const isInGit = (place: Place, now: LiveDocument | undefined): boolean => {
    if (known.has(documentId(place)) || (now && isEntityPath(place.path))) return false
    return !now || (now.modifiedAt > moment && !kb.formatOf(place.path).made)
  }
  const readOne = async (place: Place, now: LiveDocument | undefined): Promise<Then> => {
    const no = now?.record.no ?? -1
    if (known.has(documentId(place))) {
      const version = await byCairn.versionOf(place, asOf).catch(orAbsent)
      return version === 'absent' ? version : described(version.place, version.bytes, no)
    }
    if (now && !isInGit(place, now)) return now
    const found = await contentIn(place, now)
    if (!found) return now ? 'unknown' : 'absent'
    if (found === 'absent') return 'absent'
    return found === 'same' ? now! : described(place, found, no)
  }
  return async function* (wanted) {
    for (let at = 0; at < wanted.length; at += AT_ONCE) {
      const some = wanted.slice(at, at + AT_ONCE).map((each) => {
        const now = 'record' in each ? each : undefined
        const { source, path } = 'record' in each ? each.record : each
        return { place: { source, path }, now }
      })
      signal?.throwIfAborted()
      await contentIn.ready(some.filter(({ place, now }) => isInGit(place, now)))
      for (const { place, now } of some) {
        // Whoever asked has gone, or hears that it took too long.
        signal?.throwIfAborted()
        yield { now, was: await readOne(place, now) }
      }
    }
  }
}

/** Documents whose contents are in memory at a time. */
const AT_ONCE = 50

interface Wanted {
  readonly place: Place
  readonly now: LiveDocument | undefined
}

/** What git has of a file; `same` where that is what it holds now, undefined where nobody knows. */
interface ContentsInGit {
  (place: Place, now: LiveDocument | undefined): Promise<Uint8Array | 'same' | 'absent' | undefined>
  /** Asks for all of these in one call. */
  ready(wanted: readonly Wanted[]): Promise<void>
}

function contentsOf(treeOf: (source: string) => Promise<Tree | undefined>): ContentsInGit {
  let contents: ReadonlyMap<string, Uint8Array> = new Map()
  const blobOf = (tree: Tree, { place, now }: Wanted): string | undefined => {
    const blob = tree.files.get(place.path)
    return now && blob === gitName(Buffer.from(now.text)) ? 'same' : blob
  }
  const find: ContentsInGit = async (place, now) => {
    const tree = await treeOf(place.source)
    if (!tree) return undefined
    const blob = blobOf(tree, { place, now })
    if (blob === undefined) return 'absent'
    return blob === 'same' ? blob : contents.get(`${place.source} ${blob}`)
  }
  find.ready = async (wanted) => {
    const found = new Map<string, Uint8Array>()
    for (const [source, some] of Map.groupBy(wanted, ({ place }) => place.source)) {
      const tree = await treeOf(source)
      const blobs = tree ? some.map((each) => blobOf(tree, each)) : []
      const ids = blobs.flatMap((blob) => (blob === undefined || blob === 'same' ? [] : [blob]))
      if (!tree || ids.length === 0) continue
      const read = await tree.git.contents([...new Set(ids)])
      for (const [blob, bytes] of read) found.set(`${source} ${blob}`, bytes)
    }
    contents = found
  }
  return find
}

async function findTree(kb: View, source: string, moment: number): Promise<Tree | undefined> {
  const git = await kb.base.fileHistoryOf?.(source)
  const tree = await git?.treeAt(moment)
  return git && tree && { git, files: tree.files }
}

function orAbsent(error: unknown): 'absent' {
  if (error instanceof KnowledgeError) return 'absent'
  throw error
}

/** The name that git gives to a content. */
function gitName(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
