/**
 * What is an entity, and what is a relation? The two kinds of line in a knowledge graph that is
 * kept as files. Plain data, as it was read.
 */

/** Where a line stands. */
export interface Origin {
  /** Below the graph's root, with forward slashes: `knowledge/entities/concepts.jsonl`. */
  readonly file: string
  /** From 1. */
  readonly line: number
}

/** Keys of a line that have no meaning here, kept as they were. */
export type Extra = Readonly<Record<string, unknown>>

export interface Entity {
  /** Any text for what was read; new ones match `isNewEntityId`. */
  readonly id: string
  /** `concept`, `framework`, … in the author's words; empty when the line had none. */
  readonly type: string
  /** The file or folder it was read from: `concepts.jsonl` and `concepts/ai.jsonl` → `concepts`. */
  readonly category: string
  readonly name: string
  readonly desc: string
  readonly tags: readonly string[]
  /** As stored: an instant with or without a zone (none means UTC), a bare date, or empty. */
  readonly updatedAt: string
  readonly extra: Extra
  /** The line's keys as they were, when they were not the usual ones in the usual order. */
  readonly keys?: readonly string[]
  readonly origin: Origin
}

/** From `src` to `dst`; it says nothing about the way back. */
export interface Relation {
  readonly src: string
  /** The predicate: `uses`, `depends_on`, … */
  readonly rel: string
  readonly dst: string
  readonly context: string
  /** As stored, like `updatedAt` of an entity. */
  readonly createdAt: string
  readonly weight?: number
  readonly extra: Extra
  readonly keys?: readonly string[]
  readonly origin: Origin
}

/** Where new entities go: the only names from which their files are made. */
export const ENTITY_CATEGORIES = ['concepts', 'tech_stack', 'people', 'projects'] as const

export type EntityCategory = (typeof ENTITY_CATEGORIES)[number]

export function isEntityCategory(text: string): text is EntityCategory {
  return ENTITY_CATEGORIES.some((category) => category === text)
}

export const ENTITY_ID_LIMIT = 128

/** Whether a new entity may be called this: lower-case letters, digits and hyphens. */
export function isNewEntityId(text: string): boolean {
  return text.length <= ENTITY_ID_LIMIT && /^[a-z0-9-]+$/.test(text)
}
