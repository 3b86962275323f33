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
  read(wanted: LiveDocument | { readonly place: Place }): Promise<Then>
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
  const described = async (place: Place, bytes: Uint8Array, no: DocNo): Promise<Then> => {
    if (isPrivate(Buffer.from(bytes).toString('utf8'))) return 'absent'
    return describePast(kb, { place, bytes }, no).catch(orAbsent)
  }
  return async (wanted) => {
    // Whoever asked has gone, or hears that it took too long.
    signal?.throwIfAborted()
    const now = 'record' in wanted ? wanted : undefined
    const { source, path } = 'record' in wanted ? wanted.record : wanted.place
    const no = now?.record.no ?? -1
    if (now && isEntityPath(path)) return now
    if (known.has(documentId({ source, path }))) {
      const version = await byCairn.versionOf({ source, path }, asOf).catch(orAbsent)
      return version === 'absent' ? version : described(version.place, version.bytes, no)
    }
    if (now && (now.modifiedAt <= moment || kb.formatOf(path).made)) return now
    const tree = await treeOf(source)
    if (!tree) return now ? 'unknown' : 'absent'
    const blob = tree.files.get(path)
    if (blob === undefined) return 'absent'
    if (now && blob === gitName(Buffer.from(now.text))) return now
    const bytes = (await tree.git.contents([blob])).get(blob)
    return bytes ? described({ source, path }, bytes, no) : 'unknown'
  }
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
