/**
 * The graph in memory, and how it follows its files. Additions are taken in as they come; anything
 * else (a line that was edited, a file that went, an id that appears again) rebuilds the lookup
 * from the lines in memory, which reads no file twice and cannot count one twice.
 */
import type { Entity, Origin, Relation } from '../../domain/entity.ts'
import type { Warning } from '../../domain/warning.ts'
import { isGone, reasonOf } from '../folder/reasons.ts'
import { listFiles, shardOf } from './list-files.ts'
import type { ListedFile } from './list-files.ts'
import { TrackedFile } from './tracked-file.ts'
import type { FileNews } from './tracked-file.ts'

/** More lines than this in the middle of the order, and all is put into order anew. */
const INSERTED_AT_MOST = 100

const NO_RELATIONS: readonly Relation[] = Object.freeze([])

export class GraphFiles {
  readonly root: string
  epoch = 0
  added: { readonly entities: Entity[]; readonly relations: Relation[] } = nothing()
  /** In path order. */
  #files: TrackedFile[] = []
  #listed: readonly Warning[] = []
  #unreadable: readonly Warning[] = []
  #byId = new Map<string, Entity>()
  /** Made when asked for, and kept up to date from then on. */
  #relations: Relation[] | undefined
  #adjacent: Adjacency | undefined

  constructor(root: string) {
    this.root = root
    this.refresh()
    this.epoch = 0
    this.#beginEpoch()
  }

  refresh(): boolean {
    const { files, warnings } = listFiles(this.root)
    const grown: Growth[] = []
    let replaced = this.#follow(files)
    const unreadable: Warning[] = []
    this.#files = this.#files.filter((file) => {
      const news = refreshOne(file, unreadable)
      if (news.kind === 'grown') grown.push({ file, ...news })
      if (news.kind === 'changed' || news.kind === 'gone') replaced = true
      return news.kind !== 'gone'
    })
    const warned =
      warnings.length !== this.#listed.length || unreadable.length !== this.#unreadable.length
    this.#listed = warnings
    this.#unreadable = unreadable
    if (replaced || !grown.every((growth) => this.#takeIn(growth))) this.#rebuild()
    return replaced || warned || grown.length > 0
  }

  /** Takes in what was just appended to a file by this process. */
  appended(listed: ListedFile, descriptor: number, before: number, bytes: Buffer): void {
    let file = this.#files.find(({ place }) => place === listed.place)
    if (!file) {
      file = new TrackedFile(listed.role, listed.place)
      this.#insert(file)
    }
    const news = file.appended(descriptor, before, bytes)
    if (news?.kind !== 'grown') this.refresh()
    else if (!this.#takeIn({ file, ...news })) this.#rebuild()
  }

  findEntity(id: string): Entity | undefined {
    return this.#byId.get(id)
  }

  get entityCount(): number {
    return this.#byId.size
  }

  *entities(): Generator<Entity> {
    for (const { lines } of this.#files) {
      for (const entity of lines.entities) if (this.#byId.get(entity.id) === entity) yield entity
    }
  }

  relations(): readonly Relation[] {
    if (this.#relations) return this.#relations
    this.#relations = []
    for (const { lines } of this.#files) {
      for (const relation of lines.relations) this.#relations.push(relation)
    }
    return this.#relations
  }

  shards(): readonly string[] {
    const shards = this.#files.map(({ role }) => shardOf(role.file))
    return [...new Set(shards.filter((shard) => shard !== undefined))].toSorted()
  }

  relationsIn(shard: string): readonly Relation[] {
    const files = this.#files.filter(({ role }) => shardOf(role.file) === shard)
    return files.length === 1
      ? files[0]!.lines.relations
      : files.flatMap(({ lines }) => lines.relations)
  }

  outgoing(id: string): readonly Relation[] {
    return this.#neighbours().out.get(id) ?? NO_RELATIONS
  }

  incoming(id: string): readonly Relation[] {
    return this.#neighbours().in.get(id) ?? NO_RELATIONS
  }

  findRelation(src: string, rel: string, dst: string): Relation | undefined {
    const from = this.outgoing(src)
    const to = this.incoming(dst)
    // A hub is asked from its other end.
    return from.length <= to.length
      ? from.find((each) => each.dst === dst && each.rel === rel)
      : to.find((each) => each.src === src && each.rel === rel)
  }

  /** What is there and could not be read at the last look: nobody knows which ids are in it. */
  unread(): Warning | undefined {
    return this.#unreadable[0] ?? this.#listed.find(({ kind }) => kind === 'failed_file')
  }

  warnings(): readonly Warning[] {
    const bad = this.#files.flatMap(({ lines }) => lines.warnings)
    return [...this.#listed, ...this.#unreadable, ...bad]
  }

  /** Begins to follow new files and forgets those that are no longer listed. True when one went. */
  #follow(listed: readonly ListedFile[]): boolean {
    const known = this.#files
    const isSame = (file: TrackedFile | undefined, { role, place }: ListedFile) =>
      file?.role.file === role.file && file.place === place
    if (known.length === listed.length && listed.every((each, i) => isSame(known[i], each))) {
      return false
    }
    const byPath = new Map(known.map((file) => [file.role.file, file]))
    this.#files = listed.map((each) => {
      const file = byPath.get(each.role.file)
      return file && isSame(file, each) ? file : new TrackedFile(each.role, each.place)
    })
    const kept = new Set(this.#files)
    return known.some((file) => !kept.has(file))
  }

  #insert(file: TrackedFile): void {
    const at = this.#files.findIndex(({ role }) => role.file > file.role.file)
    this.#files.splice(at < 0 ? this.#files.length : at, 0, file)
  }

  /** False when an id was there already: then it matters which of its lines is the last. */
  #takeIn({ file, entitiesFrom, relationsFrom }: Growth): boolean {
    const { entities, relations } = file.lines
    for (let at = entitiesFrom; at < entities.length; at++) {
      const entity = entities[at]!
      if (this.#byId.has(entity.id)) return false
      this.#byId.set(entity.id, entity)
      this.added.entities.push(entity)
    }
    const atEnd = this.#files.findLast(({ lines }) => lines.relations.length > 0) === file
    if (!atEnd && relations.length - relationsFrom > INSERTED_AT_MOST) {
      this.#relations = undefined
      this.#adjacent = undefined
    }
    for (let at = relationsFrom; at < relations.length; at++) {
      const relation = relations[at]!
      this.added.relations.push(relation)
      if (this.#relations) insert(this.#relations, relation)
      if (this.#adjacent) link(this.#adjacent, relation)
    }
    return true
  }

  #rebuild(): void {
    this.#byId = new Map()
    for (const { lines } of this.#files) {
      for (const entity of lines.entities) this.#byId.set(entity.id, entity)
    }
    this.#relations = undefined
    this.#adjacent = undefined
    this.#beginEpoch()
    this.epoch++
  }

  #beginEpoch(): void {
    this.added = nothing()
  }

  #neighbours(): Adjacency {
    if (!this.#adjacent) {
      const adjacent: Adjacency = { out: new Map(), in: new Map() }
      for (const relation of this.relations()) link(adjacent, relation)
      this.#adjacent = adjacent
    }
    return this.#adjacent
  }
}

interface Growth {
  readonly file: TrackedFile
  readonly entitiesFrom: number
  readonly relationsFrom: number
}

function nothing(): { entities: Entity[]; relations: Relation[] } {
  return { entities: [], relations: [] }
}

/** A file that cannot be read for now keeps what was known of it. */
function refreshOne(file: TrackedFile, unreadable: Warning[]): FileNews {
  try {
    return file.refresh()
  } catch (error) {
    // It went between two looks.
    if (isGone(error)) return { kind: 'gone' }
    const ref = file.role.file
    const message = `${ref}: cannot be read: ${reasonOf(error)}`
    unreadable.push({ kind: 'failed_file', message, ref })
    return { kind: 'none' }
  }
}

interface Adjacency {
  readonly out: Map<string, Relation[]>
  readonly in: Map<string, Relation[]>
}

function link(adjacent: Adjacency, relation: Relation): void {
  put(adjacent.out, relation.src, relation)
  put(adjacent.in, relation.dst, relation)
}

function put(map: Map<string, Relation[]>, key: string, relation: Relation): void {
  const list = map.get(key)
  if (list) insert(list, relation)
  else map.set(key, [relation])
}

/** Where it belongs by path and line, which is nearly always the end. */
function insert(list: Relation[], relation: Relation): void {
  let at = list.length
  while (at > 0 && isBefore(relation.origin, list[at - 1]!.origin)) at--
  if (at === list.length) list.push(relation)
  else list.splice(at, 0, relation)
}

function isBefore(a: Origin, b: Origin): boolean {
  return a.file === b.file ? a.line < b.line : a.file < b.file
}
