/**
 * Adds entities and relations, one writer at a time among all processes. Whether a line may be
 * added is decided under the lock, from the files as they are at that moment.
 *
 * Calls that come while others are being flushed wait together and share the next flush.
 */
import { readFileSync } from 'node:fs'
import { GraphError } from '../../domain/entity-graph.ts'
import type {
  AddedEntity,
  AddedRelation,
  AddEntityOptions,
  AddRelationOptions,
  EntityDraft,
  GraphWriter,
  MergeDraft,
  RelationDraft,
} from '../../domain/entity-graph.ts'
import { type KnowledgeError, conflict, quoted, unavailable } from '../../domain/error.ts'
import { storedTime, withoutZone } from '../../domain/stored-time.ts'
import type { Warning } from '../../domain/warning.ts'
import type { WriteLock } from '../../domain/write-lock.ts'
import { AppendFile } from './append-file.ts'
import { checkEntity, checkRelation } from '../../domain/check-draft.ts'
import type { CheckedEntity } from '../../domain/check-draft.ts'
import type { GraphFiles } from './graph-files.ts'
import { categoryOf, ENTITIES, RELATIONS } from './list-files.ts'
import type { FileRole } from './parse-line.ts'
import { lineOf } from '../../domain/stored-entity.ts'
import type { StoredObject } from '../../domain/stored-entity.ts'
import type { Entity } from '../../domain/entity.ts'
import { isObject } from '../../kit/is-object.ts'
import { orElse } from '../../kit/or-else.ts'
import { resolveInside } from '../folder/paths.ts'
import { intoOf, MERGED_INTO } from './merged-entities.ts'

/** One line that is wanted, and what its caller is told. */
interface Addition<Result> {
  readonly role: FileRole
  readonly line: string | (() => string)
  /** What to answer without writing, or undefined when the line is to be written. May throw. */
  readonly settled: () => Result | undefined
  /** What to answer when it was written; undefined when it is not there after all. */
  readonly done: () => Result | undefined
}

interface Waiting {
  /** Appends, or settles the call without. Returns the file that now has to be flushed. */
  readonly attempt: (open: (role: FileRole) => AppendFile) => AppendFile | undefined
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export class JsonlGraphWriter implements GraphWriter {
  readonly #files: GraphFiles
  readonly #lock: WriteLock
  readonly #now: () => Date
  #waiting: Waiting[] = []
  #writing = false

  constructor(files: GraphFiles, lock: WriteLock, now: () => Date) {
    this.#files = files
    this.#lock = lock
    this.#now = now
  }

  async addEntity(draft: EntityDraft, options: AddEntityOptions = {}): Promise<AddedEntity> {
    const entity = checkEntity(draft, options)
    const { id, category } = entity
    const role = entityRole(category)
    return this.#add<AddedEntity>({
      role,
      line: entityLine(entity, this.#now()),
      settled: () => {
        if (this.#files.findEntity(id)) throw entityExists(id)
        return undefined
      },
      done: () => {
        const added = this.#files.findEntity(id)
        return added && { entity: added, category, file: role.file }
      },
    })
  }

  async addRelation(
    draft: RelationDraft,
    { endExists, anyRel = false }: AddRelationOptions = {},
  ): Promise<AddedRelation> {
    const { src, rel, dst } = checkRelation(draft, anyRel)
    const exists = endExists ?? ((id: string) => this.#files.findEntity(id) !== undefined)
    const now = this.#now()
    const role = relationRole(now)
    const found = () => this.#files.findRelation(src, rel, dst)
    return this.#add<AddedRelation>({
      role,
      line: relationLine(draft, now),
      settled: () => {
        if (!exists(src)) throw endMissing('source_missing', src)
        if (!exists(dst)) throw endMissing('destination_missing', dst)
        const relation = found()
        return relation && { relation, created: false, file: relation.origin.file }
      },
      done: () => {
        const relation = found()
        return relation && { relation, created: true, file: role.file }
      },
    })
  }

  async addMerge({ id, into }: MergeDraft): Promise<AddedEntity> {
    this.#files.refresh()
    const entity = this.#files.findEntity(id)
    if (!entity) throw endMissing('source_missing', id)
    const { file } = entity.origin
    const role: FileRole = { kind: 'entities', file, category: categoryOf(file) }
    const added = (): AddedEntity | undefined => {
      const now = this.#files.findEntity(id)
      return now && intoOf(now) === into
        ? { entity: now, category: now.category, file: now.origin.file }
        : undefined
    }
    return this.#add<AddedEntity>({
      role,
      // As it is in the file: what is read of it is without its secrets.
      line: () => {
        const now = this.#files.findEntity(id)
        if (!now || now.origin.file !== file) throw lostAtOnce(file)
        const { [MERGED_INTO]: _, ...stored } = storedLine(this.#files.root, now)
        return lineOf({ ...stored, ...(into !== undefined && { [MERGED_INTO]: into }) })
      },
      settled: () => {
        if (into !== undefined && !this.#files.findEntity(into)) {
          throw endMissing('destination_missing', into)
        }
        if (into !== undefined && this.#leadsTo(into, id)) {
          throw conflict(
            `${quoted(into)} was merged into ${quoted(id)} meanwhile.`,
            'Nothing was added. Look at what is there now.',
          )
        }
        return added()
      },
      done: added,
    })
  }

  /** A circle merges nobody. */
  #leadsTo(from: string, to: string): boolean {
    let at: string | undefined = from
    for (let steps = 0; at !== undefined && steps < 100; steps++) {
      if (at === to) return true
      const entity = this.#files.findEntity(at)
      at = entity && intoOf(entity)
    }
    return false
  }

  async #add<Result>({ role, line, settled, done }: Addition<Result>): Promise<Result> {
    // Most refusals need no lock, and then leave not even a lock file behind. While others write,
    // what they have written is not on disk yet, and not to be built upon.
    if (!this.#writing && this.#waiting.length === 0) {
      this.#files.refresh()
      const early = settled()
      if (early !== undefined) return early
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let answer: Result | undefined
    this.#enqueue({
      attempt: (open) => {
        answer = settled()
        if (answer !== undefined) return undefined
        const file = open(role)
        const { before, bytes } = file.append(typeof line === 'string' ? line : line())
        this.#files.appended({ role, place: file.place }, file.descriptor, before, bytes)
        answer = done()
        if (answer === undefined) throw lostAtOnce(role.file)
        return file
      },
      resolve: () => resolve(answer as Result),
      reject,
    })
    return promise
  }

  #enqueue(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (this.#waiting.length > 1) return
    // Whoever is first in line takes the lock for all who have come until it is his turn.
    let group: readonly Waiting[] = []
    this.#lock
      .hold(async () => {
        group = this.#waiting
        this.#waiting = []
        this.#writing = true
        try {
          await this.#addAll(group)
        } finally {
          this.#writing = false
        }
      })
      .catch((error: unknown) => {
        if (group.length === 0) {
          group = this.#waiting
          this.#waiting = []
        }
        for (const each of group) each.reject(error)
      })
  }

  async #addAll(group: readonly Waiting[]): Promise<void> {
    this.#files.refresh()
    const unread = this.#files.unread()
    if (unread) throw cannotTell(unread)
    const opened = new Map<string, AppendFile>()
    const open = (role: FileRole): AppendFile => {
      const file = opened.get(role.file) ?? new AppendFile(this.#files.root, role.file)
      opened.set(role.file, file)
      return file
    }
    const attempted: { readonly call: Waiting; readonly file: AppendFile | undefined }[] = []
    try {
      for (const call of group) {
        try {
          this.#lock.fence()
          attempted.push({ call, file: call.attempt(open) })
        } catch (error) {
          call.reject(error)
        }
      }
      const byFile = Map.groupBy(attempted, ({ file }) => file)
      await Promise.all([...byFile].map(([file, some]) => this.#flush(file, some)))
    } finally {
      for (const file of opened.values()) file.close()
    }
  }

  async #flush(
    file: AppendFile | undefined,
    some: readonly { readonly call: Waiting }[],
  ): Promise<void> {
    try {
      await file?.flush()
    } catch (error) {
      this.#files.refresh()
      for (const { call } of some) call.reject(error)
      return
    }
    for (const { call } of some) call.resolve()
  }
}

function storedLine(root: string, { id, origin }: Entity): StoredObject {
  const lines = readFileSync(resolveInside(root, origin.file).real, 'utf8')
    .replace(/^\uFEFF/, '')
    .split('\n')
  const stored = orElse(() => JSON.parse(lines[origin.line - 1] ?? '') as unknown, undefined)
  if (isObject(stored)) return stored
  throw unavailable(
    `The line of ${quoted(id)} in ${quoted(origin.file)} cannot be read again.`,
    'Nothing was added. Look at what is there now, and try again.',
  )
}

function entityRole(category: string): FileRole {
  const file = `${ENTITIES}/${category}.jsonl`
  return { kind: 'entities', file, category: categoryOf(file) }
}

function relationRole(now: Date): FileRole {
  const month = now.toISOString().slice(0, 7)
  return { kind: 'relations', file: `${RELATIONS}/${month}.jsonl`, category: '' }
}

function entityLine(entity: CheckedEntity, now: Date): string {
  const { id, type, name, desc, tags, updatedAt = storedTime(now), extra } = entity
  return lineOf({ id, type, name, desc, tags, updated_at: withoutZone(updatedAt), ...extra })
}

function relationLine(draft: RelationDraft, now: Date): string {
  const { src, rel, dst, context = '', createdAt = storedTime(now), extra } = draft
  return lineOf({ src, rel, dst, context, created_at: withoutZone(createdAt), ...extra })
}

function entityExists(id: string): GraphError {
  return new GraphError(
    'entity_exists',
    'exists',
    `There is already an entity ${quoted(id)}.`,
    'Entities are never changed. Choose another id, or connect the one that exists.',
  )
}

function cannotTell({ message }: Warning): KnowledgeError {
  return unavailable(
    `It cannot be told what the graph holds already: ${message}.`,
    'Nothing was added. Make the file readable, then try again.',
  )
}

function lostAtOnce(file: string): KnowledgeError {
  return conflict(
    `Another program rewrote ${quoted(file)} at the same moment, and the new line is gone.`,
    'Look at what is there now, and try again.',
  )
}

function endMissing(refusal: 'source_missing' | 'destination_missing', id: string): GraphError {
  const end = refusal === 'source_missing' ? 'source' : 'destination'
  return new GraphError(
    refusal,
    'not_found',
    `There is no entity ${quoted(id)} to be the ${end} of the relation.`,
    'Add the entity first, or search for the id it goes by.',
  )
}
