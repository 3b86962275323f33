/** Notes by tag and by meaning. */
import type { DocNo } from '../../../core/domain/document.ts'
import { foldTag } from '../../../core/kit/fold-name.ts'
import { KnowledgeError, invalid, unavailable, upstream } from '../../../core/domain/error.ts'
import { noteTags } from '../../../core/operations/reading/note-fields.ts'
import { readNotes, sortByName } from '../../../core/operations/reading/read-notes.ts'
import type { Note } from '../../../core/operations/reading/read-notes.ts'
import type { ListedNote } from './list-notes.ts'
import { nobody } from './resolve-names.ts'
import type { ResolvedName } from './resolve-names.ts'
import type { View } from '../../../core/operations/view/view.ts'

/** Notes with any or all of the tags of their front matter, without case, in the order of names. */
export async function findTaggedNotes(
  kb: View,
  tags: readonly string[],
  mode: 'any' | 'all',
): Promise<readonly DocNo[]> {
  // The store also knows tags that a note has in its text, so its answer is only narrowed down.
  const docs = await kb.store.matching({ tags, tagMode: mode })
  const wanted = [...new Set(tags.map(foldTag))]
  const found = (await kb.store.documents([...docs])).filter((record) => {
    const own = new Set(noteTags(record?.properties ?? {}).map(foldTag))
    return mode === 'all' ? wanted.every((tag) => own.has(tag)) : wanted.some((t) => own.has(t))
  })
  return sortByName(
    kb,
    found.flatMap((record) => record?.no ?? []),
  )
}

export interface SimilarNote {
  readonly note: Note
  /** Cosine of the angle between note and query, from 0 to 1. */
  readonly score: number
}

/** Notes whose meaning comes nearest to the query, nearest first, equals by id. */
export async function findSimilarNotes(
  kb: View,
  query: string,
  limit: number,
): Promise<readonly SimilarNote[]> {
  const { similar } = kb
  if (query.trim() === '') {
    throw invalid('query is required and must not be blank', 'Say what the notes are about.')
  }
  if (!similar) {
    throw unavailable('Nothing here embeds text.', 'Configure an embedder.')
  }
  const { ofDocument, find } = await kb.names.now()
  const ranked = await ask(() =>
    similar.rank(query, { limit, includes: (doc) => ofDocument(doc) !== undefined }),
  )
  const scores = new Map(
    ranked.flatMap(({ doc, score }) => {
      const named = ofDocument(doc)
      return named ? [[named.name, Math.min(1, Math.max(0, score))] as const] : []
    }),
  )
  const docs = [...scores]
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([name]) => find(name)!.doc)
  const found = await readNotes(kb, docs)
  return found.map((note) => ({ note, score: scores.get(note.id)! }))
}

/** For each name the note of these that is nearest in meaning, where it is near enough. */
export async function rankNames(
  kb: View,
  names: readonly string[],
  notes: readonly ListedNote[],
  threshold: number,
): Promise<readonly ResolvedName[]> {
  const { ofDocument } = await kb.names.now()
  const among = new Set(notes.map(({ id }) => id))
  const includes = (doc: DocNo): boolean => among.has(ofDocument(doc)?.name ?? '')
  const resolved: ResolvedName[] = []
  for (const query of names) {
    const [best] = await ask(async () => kb.similar?.rank(query, { limit: 1, includes }) ?? [])
    const match = best && best.score >= threshold ? ofDocument(best.doc)?.name : undefined
    resolved.push(match ? { query, match, score: Math.min(1, best!.score) } : nobody(query))
  }
  return resolved
}

/** Whatever goes wrong at a provider is the provider's trouble, and everything else goes on. */
async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question()
  } catch (error) {
    if (error instanceof KnowledgeError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw upstream(
      `The query could not be embedded: ${why}`,
      'Try again, or use a tool that needs no embedding.',
    )
  }
}
