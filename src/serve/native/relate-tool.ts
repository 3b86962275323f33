/** The native tool that adds to the graph of entities. */
import { z } from 'zod'
import { invalid } from '../../core/domain/error.ts'
import type { View } from '../../core/operations/view/view.ts'
import { addEntity, addRelation, mergeEntity } from '../../core/operations/entities/relate.ts'
import { tool } from '../door/tool.ts'
import { compact } from './present.ts'

const text = (description: string) => z.string().optional().describe(description)

const input = z.strictObject({
  action: z.enum(['entity', 'relation']).describe('What to add'),
  id: text('Id of the entity'),
  category: text('Its file, such as "people"'),
  type: text('Kind, such as "tool"'),
  name: text('Name to show'),
  desc: text('A sentence about it'),
  tags: z.array(z.string()).optional().describe('Tags of the entity'),
  src: text('From this id'),
  rel: text('Relation, such as "uses"'),
  dst: text('To this id or note'),
  context: text('Why they are related'),
  source: text('Which graph, where there are several'),
  merge_into: text('Entity: read it as this other one'),
  split: z.boolean().optional().describe('Entity: take its merging back'),
  dry_run: z.boolean().optional().describe('Show a merge, change nothing'),
  same_name: z.boolean().optional().describe('Another entity of a name that one has'),
})

type Input = z.output<typeof input>

const FIELDS = {
  entity: { needed: ['id', 'category', 'type', 'name', 'desc'], also: ['tags', 'same_name'] },
  relation: { needed: ['src', 'rel', 'dst'], also: ['context'] },
} as const satisfies Record<Input['action'], object>

export const relateTool = tool({
  name: 'relate',
  title: 'Relate',
  description: 'Add an entity, or relate one to another or to a note.',
  access: 'write',
  rare: ['source', 'tags', 'context', 'same_name', 'merge_into', 'split', 'dry_run'],
  needs: ['graph'],
  input,
  output: z.looseObject({}),
  run: async (kb, args) => {
    if (args.merge_into !== undefined || args.split) return merge(kb, args)
    checkFields(args)
    return args.action === 'entity' ? relateEntity(kb, args) : relateTwo(kb, args)
  },
  present: (added) => ({ ...added }),
})

/** What was merged is shown as one; the lines of both stay, and a later line takes it back. */
async function merge(kb: View, args: Input) {
  const { action, id, merge_into: into, split = false, source, dry_run: dryRun, ...others } = args
  const [stray] = Object.keys(others)
  if (
    action !== 'entity' ||
    id === undefined ||
    stray !== undefined ||
    split === (into !== undefined)
  ) {
    throw invalid(
      'Entities are merged by action entity, id, and either merge_into or split.',
      'Relate {"action": "entity", "id": "ada", "merge_into": "ada-lovelace", "dry_run": true}.',
    )
  }
  const merged = await mergeEntity(kb, id, split ? undefined : into, { source, dryRun })
  return compact({
    id: `entity:${merged.id}`,
    source: merged.source,
    file: merged.file,
    text: merged.text,
    undo: dryRun || split ? undefined : { action: 'entity', id, split: true },
    warnings:
      merged.warnings.length > 0 ? merged.warnings.map(({ message }) => message) : undefined,
  })
}

async function relateEntity(kb: View, args: Input) {
  const { id = '', category = '', type = '', name = '', desc = '', tags, source } = args
  const options = { source, sameName: args.same_name }
  const added = await addEntity(kb, { id, category, type, name, desc, tags }, options)
  const { file, warnings } = added
  return compact({
    id: `entity:${added.entity.id}`,
    created: true,
    source: added.source,
    file,
    warnings: warnings.length > 0 ? warnings.map(({ message }) => message) : undefined,
  })
}

async function relateTwo(kb: View, args: Input) {
  const { src = '', rel = '', dst = '', context, source } = args
  const added = await addRelation(kb, { src, rel, dst, context }, { source })
  const { relation, created, file, warnings } = added
  return compact({
    id: `entity:${relation.src}`,
    created,
    rel: relation.rel,
    dst: relation.dst,
    source: added.source,
    file,
    warnings: warnings.length > 0 ? warnings.map(({ message }) => message) : undefined,
  })
}

/** What goes with the other action would be lost in silence. */
function checkFields(args: Input): void {
  const { needed, also } = FIELDS[args.action]
  const known: readonly string[] = ['action', 'source', ...needed, ...also]
  const stray = Object.keys(args).find((key) => !known.includes(key))
  if (stray !== undefined) {
    throw invalid(
      `relate with action ${args.action} takes no ${stray}.`,
      `It takes ${[...needed, ...also].join(', ')}.`,
    )
  }
  const missing = needed.find((key) => args[key as keyof Input] === undefined)
  if (missing === undefined) return
  throw invalid(
    `relate with action ${args.action} needs ${missing}.`,
    `It needs ${needed.join(', ')}.`,
  )
}
