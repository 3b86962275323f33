import { expect, it } from 'vitest'
import type { Entity, Relation } from '../domain/entity.ts'
import type { EntityGraph } from '../domain/entity-graph.ts'
import { describeBroken, openEntropyReport } from './report-entropy.ts'

const origin = { file: 'f', line: 1 }

function graphOf(updated: Readonly<Record<string, string>>, ...arrows: string[]) {
  const entities: Entity[] = Object.entries(updated).map(([id, updatedAt]) => ({
    id,
    type: '',
    category: '',
    name: id,
    desc: '',
    tags: [],
    updatedAt,
    extra: {},
    origin,
  }))
  const relations: Relation[] = arrows.map((arrow) => {
    const [src = '', dst = ''] = arrow.split('>')
    return { src, rel: 'r', dst, context: '', createdAt: '', extra: {}, origin }
  })
  const warnings: { kind: 'bad_line'; message: string }[] = []
  const graph = {
    epoch: 0,
    added: { entities: [], relations: [] as Relation[] },
    entityCount: entities.length,
    entities: () => entities,
    relations: () => relations,
    findEntity: (id: string) => entities.find((entity) => entity.id === id),
    outgoing: (id: string) => relations.filter(({ src }) => src === id),
    incoming: (id: string) => relations.filter(({ dst }) => dst === id),
    warnings: () => warnings,
  }
  return { graph: graph as unknown as EntityGraph, relations, warnings, added: graph.added }
}

it('names lonely, old and broken ones in order', () => {
  const { graph } = graphOf(
    { d: '', c: '2026-01-31', b: '2026-01-01', a: '2026-02-20T00:00:00' },
    'a>a',
    'b>x',
    'y>z',
  )
  const report = openEntropyReport(graph, () => new Date('2026-03-01T00:00:00Z'))()
  expect(report).toMatchObject({
    entityCount: 4,
    relationCount: 3,
    orphans: ['c', 'd'],
    stale: ['b', 'd'],
    density: 3 / 12,
  })
  expect(report.broken.map(describeBroken)).toEqual([
    "Broken Link: Relation #1 destination 'x' does not exist.",
    "Broken Link: Relation #2 source 'y' does not exist.",
    "Broken Link: Relation #2 destination 'z' does not exist.",
  ])
})

it('is the same report until the graph or the day is another', () => {
  const { graph, relations, warnings, added } = graphOf({ a: '2026-01-01T00:00:00Z' })
  let now = new Date('2026-01-31T00:00:00Z')
  const report = openEntropyReport(graph, () => now)
  const first = report()
  // Exactly thirty days old is not stale.
  expect(first.stale).toEqual([])
  expect(report()).toBe(first)
  now = new Date('2026-01-31T00:00:00.001Z')
  expect(report().stale).toEqual(['a'])
  now = new Date('2026-01-30T00:00:00Z')
  expect(report().stale).toEqual([])
  const [relation] = graphOf({}, 'a>a').relations
  relations.push(relation!)
  added.relations.push(relation!)
  expect(report()).toMatchObject({ relationCount: 1, orphans: [] })
  warnings.push({ kind: 'bad_line', message: 'f:2: not JSON' })
  expect(report().warnings).toEqual(['f:2: not JSON'])
})
