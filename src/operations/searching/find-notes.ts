/** Notes by tag, by chance and by meaning. */
import { foldTag } from '../../domain/fold-name.ts'
import { invalid, KnowledgeError } from '../../domain/error.ts'
import type { LinkedNotes, NoteTable } from '../view/linked-notes.ts'
import { noteTags, readNotes } from '../reading/read-notes.ts'
import type { Note } from '../reading/read-notes.ts'

export interface TagOptions {
  readonly mode: 'any' | 'all'
  readonly limit: number
}

/** Tags compare without case. By id. */
export async function findTaggedNotes(
  notes: LinkedNotes,
  tags: readonly string[],
  { mode, limit }: TagOptions,
): Promise<readonly Note[]> {
  const nodes = await taggedNodes(notes, await notes.table(), tags, mode)
  return readNotes(notes, nodes.slice(0, limit))
}

/** Any note, or any with one of the tags. The same seed gives the same note. */
export async function pickRandomNote(
  notes: LinkedNotes,
  { tags, seed = Math.random() }: { readonly tags?: readonly string[]; readonly seed?: number },
): Promise<Note | undefined> {
  const table = await notes.table()
  const nodes = tags
    ? await taggedNodes(notes, table, tags, 'any')
    : Array.from(table.ids, (_, node) => node)
  const spread = Math.abs(Math.sin(seed * 12.9898 + 78.233) * 43_758.5453) % 1
  const node = nodes[Math.floor(spread * nodes.length)]
  return node === undefined ? undefined : (await readNotes(notes, [node]))[0]
}

async function taggedNodes(
  { kb, scope }: LinkedNotes,
  table: NoteTable,
  tags: readonly string[],
  mode: 'any' | 'all',
): Promise<readonly number[]> {
  // The store also knows tags that a note has in its text, so its answer is only narrowed down.
  const filter = { sources: [scope.source], tags, tagMode: mode }
  const nodes = [...(await kb.store.matching(filter))].flatMap((doc) => table.nodeOf(doc) ?? [])
  const records = await kb.store.documents(nodes.map((node) => table.docs[node]!))
  const wanted = [...new Set(tags.map(foldTag))]
  return nodes
    .filter((_, index) => {
      const own = new Set(noteTags(records[index]?.properties ?? {}).map(foldTag))
      return mode === 'all' ? wanted.every((tag) => own.has(tag)) : wanted.some((t) => own.has(t))
    })
    .toSorted((a, b) => a - b)
}

export interface SimilarNote {
  readonly note: Note
  /** Cosine of the angle between note and query, from 0 to 1. */
  readonly score: number
}

/** Notes whose meaning comes nearest to the query, nearest first, equals by id. */
export async function findSimilarNotes(
  notes: LinkedNotes,
  query: string,
  limit: number,
): Promise<readonly SimilarNote[]> {
  const { kb } = notes
  if (query.trim() === '') {
    throw invalid('query is required and must not be blank', 'Say what the notes are about.')
  }
  if (!kb.similar) {
    throw new KnowledgeError('unavailable', 'Nothing here embeds text.', 'Configure an embedder.')
  }
  const table = await notes.table()
  const ranked = await ask(() =>
    kb.similar!.rank(query, { limit, includes: (doc) => table.nodeOf(doc) !== undefined }),
  )
  const scores = new Map(
    ranked.flatMap(({ doc, score }) => {
      const node = table.nodeOf(doc)
      return node === undefined ? [] : [[table.ids[node]!, Math.min(1, Math.max(0, score))]]
    }),
  )
  const nodes = [...scores]
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([id]) => table.find(id)!)
  const found = await readNotes(notes, nodes)
  return found.map((note) => ({ note, score: scores.get(note.id)! }))
}

/** Whatever goes wrong at a provider is the provider's trouble, and everything else goes on. */
async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question()
  } catch (error) {
    if (error instanceof KnowledgeError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new KnowledgeError(
      'upstream',
      `The query could not be embedded: ${why}`,
      'Try again, or use a tool that needs no embedding.',
    )
  }
}
