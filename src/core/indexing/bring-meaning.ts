/**
 * Gives every document the vectors that the settings ask for: learned from the base's own text,
 * made by a provider, or none at all. Until new ones are complete the old ones serve; a process
 * that is killed goes on where it was. A provider that fails costs meaning, never words.
 */
import { KnowledgeError } from '../domain/error.ts'
import type { Warning } from '../domain/warning.ts'
import type { EmbeddingProvider } from '../models/provider.ts'
import type { Store } from '../store/store.ts'
import { countDocuments } from './count-documents.ts'
import { embedDocuments } from './embed-documents.ts'
import type { Similarities } from '../models/ready-made.ts'
import { measureSimilarities } from './measure-similarities.ts'
import { learnMeaning, needsLearning } from './learn-meaning.ts'
import type { LearnOptions, LearnParts } from './learn-meaning.ts'

export type WantedMeaning =
  | { readonly kind: 'corpus' }
  | { readonly kind: 'none' }
  | { readonly kind: 'provider'; readonly provider: EmbeddingProvider }

/** What stands between the base and its vectors. */
export interface EmbeddingTrouble {
  readonly message: string
  readonly hint: string
  readonly failures: number
  readonly at: number
}

/** The embedder whose vectors are being made beside the serving ones. */
const BUILDING_KEY = 'embedding_building'
const TROUBLE_KEY = 'embedding_trouble'
/** How similar the configured embedder finds texts that belong together, and others. */
const SIMILARITIES_KEY = 'embedding_similarities'

const FIRST_REST_MS = 5_000
const LONGEST_REST_MS = 600_000

/** How long to leave a provider alone that has failed so many times in a row. */
export function restAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (failures - 1))
}

/** Whether `bringMeaning` would have something to do. */
export async function needsMeaning(store: Store, wanted: WantedMeaning): Promise<boolean> {
  if ((await leftBehind(store)) !== undefined) return true
  switch (wanted.kind) {
    case 'corpus':
      return needsLearning(store)
    case 'none':
      return (await store.servingEmbedder()) !== undefined
    case 'provider': {
      const documents = await countDocuments(store)
      const serving = await store.servingEmbedder()
      if (documents === 0) return serving !== undefined
      if (serving === undefined || !wanted.provider.made(serving)) return true
      return (await store.withoutVectors(serving, 1)).length > 0
    }
    default:
      return wanted satisfies never
  }
}

/** Returns what went wrong with the provider, if anything did: the rest of the base does not care. */
export async function bringMeaning(
  parts: LearnParts,
  wanted: WantedMeaning,
  options: LearnOptions = {},
): Promise<Warning | undefined> {
  const { store } = parts
  try {
    const left = await bring(parts, wanted, options)
    if (await embeddingTrouble(store)) await store.putMeta(TROUBLE_KEY, '')
    return left === 0 ? undefined : { kind: 'index', message: notEmbedded(left) }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (wanted.kind !== 'provider') throw error
    const { message, hint } = described(error)
    const failures = ((await embeddingTrouble(store))?.failures ?? 0) + 1
    const trouble: EmbeddingTrouble = { message, hint, failures, at: Date.now() }
    await store.putMeta(TROUBLE_KEY, JSON.stringify(trouble))
    return { kind: 'index', message: `${message} ${hint}` }
  }
}

/** What similarities of an embedder mean; undefined where it was never asked. */
export async function similaritiesOf(
  store: Store,
  embedder: string,
): Promise<Similarities | undefined> {
  const text = await store.getMeta(SIMILARITIES_KEY)
  const known = text ? (JSON.parse(text) as Similarities & { embedder: string }) : undefined
  return known?.embedder === embedder ? known : undefined
}

/** Why there are no vectors, or none of the newest documents. */
export async function embeddingTrouble(store: Store): Promise<EmbeddingTrouble | undefined> {
  const text = await store.getMeta(TROUBLE_KEY)
  return text ? (JSON.parse(text) as EmbeddingTrouble) : undefined
}

/** Who serves, who is to serve next, and how far that is. */
export async function embeddingState(store: Store): Promise<{
  readonly serving: string | undefined
  readonly building: { readonly embedder: string; readonly documents: number } | undefined
}> {
  const building = await leftBehind(store)
  return {
    serving: await store.servingEmbedder(),
    building:
      building === undefined
        ? undefined
        : { embedder: building, documents: (await store.vectorDocs(building)).length },
  }
}

/** Number of documents the provider refused. */
async function bring(
  parts: LearnParts,
  wanted: WantedMeaning,
  options: LearnOptions,
): Promise<number> {
  const { store } = parts
  switch (wanted.kind) {
    case 'corpus':
      await learnMeaning(parts, options)
      await tidy(store, await store.servingEmbedder())
      return 0
    case 'none':
      if (await needsMeaning(store, wanted)) await serve(store, undefined)
      return 0
    case 'provider':
      return embedWith(parts, wanted, options)
    default:
      return wanted satisfies never
  }
}

async function embedWith(
  parts: LearnParts,
  wanted: Extract<WantedMeaning, { kind: 'provider' }>,
  options: LearnOptions,
): Promise<number> {
  const { store } = parts
  if (!(await needsMeaning(store, wanted))) return 0
  const documents = await countDocuments(store)
  if (documents === 0) {
    await serve(store, undefined)
    return 0
  }
  const { embedder, record } = await wanted.provider.open(options.signal)
  if (embedder.id !== (await store.servingEmbedder())) {
    await store.putModel(embedder.id, record)
    const known = await leftBehind(store)
    // Whatever another embedder had begun goes when this one is ready.
    if (known !== embedder.id) await store.putMeta(BUILDING_KEY, embedder.id)
  }
  const refused = await embedDocuments(parts, embedder, options)
  if (!(await similaritiesOf(store, embedder.id))) {
    const measured = await measureSimilarities(embedder, { signal: options.signal })
    await store.putMeta(SIMILARITIES_KEY, JSON.stringify({ embedder: embedder.id, ...measured }))
  }
  if (embedder.id === (await store.servingEmbedder())) await tidy(store, embedder.id)
  else await serve(store, embedder.id)
  return refused
}

/** Removes what an embedder left that was given up halfway. */
async function tidy(store: Store, serving: string | undefined): Promise<void> {
  if ((await leftBehind(store)) !== undefined) await serve(store, serving)
}

async function serve(store: Store, embedder: string | undefined): Promise<void> {
  await store.serveEmbedder(embedder)
  await store.putMeta(BUILDING_KEY, '')
}

async function leftBehind(store: Store): Promise<string | undefined> {
  return (await store.getMeta(BUILDING_KEY)) || undefined
}

function described(error: unknown): { readonly message: string; readonly hint: string } {
  if (error instanceof KnowledgeError) return error
  const message = error instanceof Error ? error.message : String(error)
  return { message: `The embedder failed: ${message}`, hint: 'Run "cairn status" to see more.' }
}

function notEmbedded(count: number): string {
  return `${count} ${count === 1 ? 'document is' : 'documents are'} found by words alone: the embedder refused the text.`
}
