/** A graph as a Mermaid flowchart: a box per type, and an arrow per relation. */
import { compareIds } from '../domain/document.ts'
import type { Entity } from '../domain/entity.ts'
import type { EntityGraph } from '../domain/entity-graph.ts'

export function drawEntities(graph: EntityGraph): string {
  const entities = [...graph.entities()].toSorted((a, b) => compareIds(a.id, b.id))
  const nodes = nodeNames(entities)
  const lines = ['graph TD']
  const byType = Map.groupBy(entities, ({ type }) => boxName(type))
  for (const [box, some] of [...byType].toSorted(([a], [b]) => compareIds(a, b))) {
    lines.push(`    subgraph ${box}`)
    for (const { id, name } of some) lines.push(`        ${nodes.get(id)}("${label(name)}")`)
    lines.push('    end')
  }
  const arrows = new Set<string>()
  for (const { src, rel, dst } of graph.relations()) {
    const [from, to] = [nodes.get(src), nodes.get(dst)]
    if (from !== undefined && to !== undefined)
      arrows.add(`    ${from} -- "${label(rel)}" --> ${to}`)
  }
  return `${[...lines, ...arrows].join('\n')}\n`
}

/** Ids that Mermaid can read stand for themselves; the others get a name that nobody has. */
function nodeNames(entities: readonly Entity[]): ReadonlyMap<string, string> {
  const taken = new Set(entities.map(({ id }) => id))
  let count = 0
  const newName = (): string => {
    do count++
    while (taken.has(`node${count}`))
    return `node${count}`
  }
  return new Map(entities.map(({ id }) => [id, isPlain(id) ? id : newName()]))
}

/** Mermaid takes `end` for the end of a box, and a leading `o` or `x` only behind an arrow. */
function isPlain(id: string): boolean {
  return /^[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*$/u.test(id) && !RESERVED.has(id.toLowerCase())
}

const RESERVED = new Set(['end', 'graph', 'subgraph', 'flowchart', 'style', 'class', 'click'])

function boxName(type: string): string {
  const name = type.toUpperCase().replaceAll(/[^\p{L}\p{N}_-]+/gu, '_')
  return /[\p{L}\p{N}]/u.test(name) ? name : 'UNTYPED'
}

/** Without what would end the label, and on one line. */
function label(text: string): string {
  const stripped = text.replaceAll(/["'`()]/g, '')
  return stripped.replaceAll(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}
