/** Brings the entities and relations of a memory server's file into a graph. It can be repeated. */
import { GraphError } from '../../core/domain/entity-graph.ts'
import type {
  EntityDraft,
  EntityGraph,
  MemoryFile,
  RelationDraft,
} from '../../core/domain/entity-graph.ts'
import type { Entity, EntityCategory, Relation } from '../../core/domain/entity.ts'
import { quoted } from '../../core/domain/error.ts'
import { checkEntity, checkRelation } from '../../core/domain/check-draft.ts'

export interface ImportOptions {
  /** Says what would happen, and changes nothing. */
  readonly dryRun?: boolean
}

export interface ImportCount {
  readonly added: number
  /** There before; what is in the graph stays as it is. */
  readonly existing: number
}

export interface ImportReport {
  readonly entities: ImportCount
  readonly relations: ImportCount
  /** Ids that were there before. */
  readonly existingIds: readonly string[]
  /** What could not be brought in, each with the reason. */
  readonly refused: readonly string[]
}

/** Calls made at the same time share one flush; more of them at once would only take memory. */
const AT_ONCE = 500

export async function importMemory(
  graph: EntityGraph,
  memory: MemoryFile,
  { dryRun = false }: ImportOptions = {},
): Promise<ImportReport> {
  graph.refresh()
  const refused = memory.warnings.map(({ message }) => message)
  const existingIds: string[] = []
  const entities = await bringAll(memory.entities, refused, async (entity) => {
    const draft = checkEntity(draftOf(entity), { anyId: true })
    if (graph.findEntity(entity.id)) {
      existingIds.push(entity.id)
      return false
    }
    if (!dryRun) await graph.writer?.addEntity(draft, { anyId: true })
    return true
  })
  const once = new Map(memory.relations.map((each) => [tripleOf(each), each]))
  const relations = await bringAll([...once.values()], refused, async (relation) => {
    const draft = checkRelation(relationOf(relation), true)
    if (graph.findRelation(draft.src, draft.rel, draft.dst)) return false
    // The memory server lets a relation lead to what nobody has described yet; so it stays.
    const options = { endExists: () => true, anyRel: true }
    if (!dryRun) await graph.writer?.addRelation(draft, options)
    return true
  })
  return { entities, relations, existingIds, refused }
}

/** `bring` says whether something is new. What a graph refuses is told, and the rest goes on. */
async function bringAll<Item extends Entity | Relation>(
  items: readonly Item[],
  refused: string[],
  bring: (item: Item) => Promise<boolean>,
): Promise<ImportCount> {
  let added = 0
  let existing = 0
  for (let at = 0; at < items.length; at += AT_ONCE) {
    await Promise.all(
      items.slice(at, at + AT_ONCE).map(async (item) => {
        try {
          if (await bring(item)) added++
          else existing++
        } catch (error) {
          if (!(error instanceof GraphError)) throw error
          if (error.refusal === 'entity_exists') existing++
          else refused.push(`${nameOf(item)}: ${error.message}`)
        }
      }),
    )
  }
  return { added, existing }
}

function nameOf(item: Entity | Relation): string {
  return quoted('id' in item ? item.id : `${item.src} ${item.rel} ${item.dst}`)
}

/** An entity without observations is described by its name: a graph has no blank descriptions. */
function draftOf({ id, type, name, desc, tags, updatedAt, extra }: Entity): EntityDraft {
  return {
    category: categoryOf(type),
    id,
    type: type.trim() === '' ? 'concept' : type,
    name,
    desc: desc.trim() === '' ? name : desc,
    tags,
    ...(updatedAt !== '' && { updatedAt }),
    extra,
  }
}

function relationOf({ src, rel, dst, context, extra }: Relation): RelationDraft {
  return { src, rel, dst, context, extra }
}

function tripleOf({ src, rel, dst }: Relation): string {
  return JSON.stringify([src, rel, dst])
}

const CATEGORIES: readonly (readonly [RegExp, EntityCategory])[] = [
  [/person|people|user|human|contact|author|team|人/i, 'people'],
  [/project|product|repo|initiative|task|项目/i, 'projects'],
  [/tech|tool|framework|library|language|software|system|platform|service|model/i, 'tech_stack'],
]

/** Types are free there; the file is only where a person looks first. */
function categoryOf(type: string): EntityCategory {
  return CATEGORIES.find(([pattern]) => pattern.test(type))?.[1] ?? 'concepts'
}
