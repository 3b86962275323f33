/** A graph as a Mermaid flowchart: a box per type, and an arrow per relation. */
import { compareIds } from '../../../core/domain/document.ts'
import type { Entity } from '../../../core/domain/entity.ts'
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'

export function drawEntities(graph: EntityGraph): string {
  const entities = [...graph.entities()].toSorted((a, b) => compareIds(a.id, b.id))
  const byType = Map.groupBy(entities, ({ type }) => boxName(type))
  const nodes = nodeNames(entities, byType)
  const lines = ['graph TD']
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
function nodeNames(
  entities: readonly Entity[],
  boxes: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, string> {
  const taken = new Set(entities.map(({ id }) => id))
  let count = 0
  const newName = (): string => {
    do count++
    while (taken.has(`node${count}`))
    return `node${count}`
  }
  // A box within itself would be the end of the drawing.
  const nameOf = (id: string): string => (isPlain(id) && !boxes.has(id) ? id : newName())
  return new Map(entities.map(({ id }) => [id, nameOf(id)]))
}

/** Mermaid takes a leading `o` or `x` for an arrow's head only right behind the arrow. */
function isPlain(id: string): boolean {
  return /^[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*$/u.test(id) && !RESERVED.test(id)
}

/** Words that mean something to Mermaid, also where an id goes on behind a hyphen. */
const RESERVED =
  /^(?:end|graph|subgraph|flowchart|style|linkstyle|class|classdef|click|call|href|default|interpolate|_self|_blank|_parent|_top)(?:-|$)/i

function boxName(type: string): string {
  const name = type.toUpperCase().replaceAll(/[^\p{L}\p{N}_-]+/gu, '_')
  return /[\p{L}\p{N}]/u.test(name) ? name : 'UNTYPED'
}

/** Without what would end the label, and on one line. */
function label(text: string): string {
  // Two percent signs and a brace begin an instruction to Mermaid, wherever they stand.
  const stripped = text.replaceAll(/["'`()]/g, '').replaceAll(/%%+/g, '%')
  return stripped.replaceAll(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}
