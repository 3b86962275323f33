/** A graph of entities and relations that lives in files. The contract a kind of file keeps. */
import type { Entity, Extra, Relation } from './entity.ts'
import { KnowledgeError } from './error.ts'
import type { ErrorCode } from './error.ts'
import type { Warning } from './warning.ts'

/** Answers are from the last `refresh`; call it before reading, it costs little. */
export interface EntityGraph {
  /** The folder, links resolved. */
  readonly root: string
  /**
   * Looks at the files and takes in what changed. True when something did. Throws `unavailable`
   * when the root is gone; what was known stays.
   */
  refresh(): boolean
  /**
   * Changes when something else happened than additions. Whatever was derived from the graph then
   * has to be derived anew; until then it is enough to look at the end of `added`.
   */
  readonly epoch: number
  /** What came since the epoch began, in order of arrival. Only ever grows within an epoch. */
  readonly added: {
    readonly entities: readonly Entity[]
    readonly relations: readonly Relation[]
  }
  findEntity(id: string): Entity | undefined
  /** The one it was merged into, or itself. */
  survivorOf(id: string): string
  /** How it reads, with all that was merged into it; `also` would be merged as well. */
  textOf(entity: Entity, also?: readonly Entity[]): string
  /** What was observed of it and of all that was merged into it, each once. */
  observationsOf(entity: Entity): readonly string[]
  readonly entityCount: number
  /** In order of path and line; of several lines with one id the last. */
  entities(): Iterable<Entity>
  /** Every line, in order of path and line. Repeats and ends that do not exist included. */
  relations(): readonly Relation[]
  /** Months that have a file, as `2026-02`, in order. */
  shards(): readonly string[]
  /** Lines of the file (or files) of one month, such as `2026-02`. Empty when there is none. */
  relationsIn(shard: string): readonly Relation[]
  outgoing(id: string): readonly Relation[]
  incoming(id: string): readonly Relation[]
  findRelation(src: string, rel: string, dst: string): Relation | undefined
  /** Lines and files that were left out. The message reads `file:line: reason`. */
  warnings(): readonly Warning[]
  /** Undefined for a graph that may only be read. */
  readonly writer: GraphWriter | undefined
  /** Waits for writes that are under way. */
  close(): Promise<void>
}

export interface EntityDraft {
  readonly category: string
  readonly id: string
  readonly type: string
  readonly name: string
  readonly desc: string
  readonly tags?: readonly string[]
  /** Now, when left out. */
  readonly updatedAt?: string
  /** Further keys of the line; none of the usual ones. */
  readonly extra?: Extra
}

export interface RelationDraft {
  readonly src: string
  readonly rel: string
  readonly dst: string
  readonly context?: string
  /** Now, when left out. The month of the file is always the current one. */
  readonly createdAt?: string
  readonly extra?: Extra
}

export interface AddedEntity {
  readonly entity: Entity
  readonly category: string
  /** Below the root. */
  readonly file: string
}

export interface AddedRelation {
  readonly relation: Relation
  /** False: it was there already, and nothing was written. */
  readonly created: boolean
  readonly file: string
}

export interface AddEntityOptions {
  /** Takes any id of one line, and a long description: for what comes from elsewhere. */
  readonly anyId?: boolean
  /** Takes any name that a file may have, not only the four that new entities are filed under. */
  readonly anyCategory?: boolean
}

export interface AddRelationOptions {
  /** Whether an end exists; without it, an end must be an entity. Asked while the lock is held. */
  readonly endExists?: (id: string) => boolean
  /** Takes a longer predicate: for what comes from elsewhere. */
  readonly anyRel?: boolean
}

/** That an entity is another one; without `into` it is one of its own again. */
export interface MergeDraft {
  readonly id: string
  readonly into?: string
}

/** What is to be added, in values that can travel to another server. */
export type GraphAddition =
  | { readonly kind: 'entity'; readonly draft: EntityDraft; readonly anyCategory?: boolean }
  /** `knownEnd` exists, although it may be no entity of this graph. */
  | { readonly kind: 'relation'; readonly draft: RelationDraft; readonly knownEnd?: string }
  | { readonly kind: 'merge'; readonly draft: MergeDraft }

/**
 * Adds lines, and never changes one. What was acknowledged is on disk; what was refused left no
 * trace. Calls made at the same time share one flush.
 */
export interface GraphWriter {
  /** Throws a `GraphError`, or `unavailable` when the disk refuses. */
  addEntity(draft: EntityDraft, options?: AddEntityOptions): Promise<AddedEntity>
  addRelation(draft: RelationDraft, options?: AddRelationOptions): Promise<AddedRelation>
  /** Adds the entity's line once more, which says what it is one with; the last line counts. */
  addMerge(draft: MergeDraft): Promise<AddedEntity>
}

/** Why a line was not added; a surface with prescribed sentences goes by this. */
export type GraphRefusal =
  /** The id is not one that a new entity may have. */
  | 'id'
  | 'category'
  /** Another field is blank, too long or has more than one line. */
  | 'field'
  | 'entity_exists'
  | 'source_missing'
  | 'destination_missing'

export class GraphError extends KnowledgeError {
  readonly refusal: GraphRefusal

  constructor(refusal: GraphRefusal, code: ErrorCode, message: string, hint: string) {
    super(code, message, hint)
    this.refusal = refusal
  }
}

/** What one file of a memory server holds. */
export interface MemoryFile {
  /** In the order of the lines; of several with one name the last. */
  readonly entities: readonly Entity[]
  readonly relations: readonly Relation[]
  readonly warnings: readonly Warning[]
}
