import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Entity, Relation } from '../../domain/entity.ts'
import type { EntityGraph } from '../../domain/entity-graph.ts'
import { describeBroken, createEntropyReport } from './report-entropy.ts'

const origin = { file: 'f', line: 1 }

function entityOf(id: string, updatedAt: string): Entity {
  const rest = { type: '', category: '', name: id, desc: '', tags: [], extra: {}, origin }
  return { id, updatedAt, ...rest }
}

function relationOf(arrow: string): Relation {
  const [src = '', dst = ''] = arrow.split('>')
  return { src, rel: 'r', dst, context: '', createdAt: '', extra: {}, origin }
}

function graphOf(updated: Readonly<Record<string, string>>, ...arrows: string[]) {
  const entities = Object.entries(updated).map(([id, updatedAt]) => entityOf(id, updatedAt))
  const relations = arrows.map(relationOf)
  const warnings: { kind: 'bad_line'; message: string }[] = []
  const graph = {
    epoch: 0,
    added: { entities: [] as Entity[], relations: [] as Relation[] },
    get entityCount() {
      return entities.length
    },
    entities: () => entities,
    relations: () => relations,
    findEntity: (id: string) => entities.find((entity) => entity.id === id),
    outgoing: (id: string) => relations.filter(({ src }) => src === id),
    incoming: (id: string) => relations.filter(({ dst }) => dst === id),
    warnings: () => warnings,
  }
  const served = graph as unknown as EntityGraph
  return { graph: served, entities, relations, warnings, added: graph.added }
}

it('names lonely, old and broken ones in order', () => {
  const { graph } = graphOf(
    { d: '', c: '2026-01-31', b: '2026-01-01', a: '2026-02-20T00:00:00' },
    'a>a',
    'b>x',
    'y>z',
  )
  const report = createEntropyReport(graph, () => new Date('2026-03-01T00:00:00Z'))()
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
  const report = createEntropyReport(graph, () => now)
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

it('says after additions what a report of everything says', () => {
  const NOW = new Date('2026-03-01T00:00:00Z')
  const id = fc.constantFrom(...'abcdefgh')
  const addition = fc.oneof(
    fc.record({ id, updatedAt: fc.constantFrom('', '2026-01-01', '2026-02-20', 'nonsense') }),
    fc.record({ arrow: fc.tuple(id, id).map((ends) => ends.join('>')), atEnd: fc.boolean() }),
    fc.constant('report' as const),
  )
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 30 }), (additions) => {
      const { graph, entities, relations, added } = graphOf({ z: '' }, 'a>z')
      const report = createEntropyReport(graph, () => NOW)
      for (const each of [...additions, 'report' as const]) {
        if (each === 'report') {
          expect(report()).toEqual(createEntropyReport(graph, () => NOW)())
        } else if ('arrow' in each) {
          const relation = relationOf(each.arrow)
          added.relations.push(relation)
          if (each.atEnd) relations.push(relation)
          else relations.unshift(relation)
        } else if (!graph.findEntity(each.id)) {
          const entity = entityOf(each.id, each.updatedAt)
          added.entities.push(entity)
          entities.push(entity)
        }
      }
    }),
  )
})

it('becomes stale when what was added does', () => {
  const { graph, entities, added } = graphOf({ a: '2026-02-20' })
  let now = new Date('2026-03-01T00:00:00Z')
  const report = createEntropyReport(graph, () => now)
  expect(report().stale).toEqual([])
  const entity = entityOf('b', '2026-02-01')
  added.entities.push(entity)
  entities.push(entity)
  expect(report().stale).toEqual([])
  now = new Date('2026-03-04T00:00:00Z')
  expect(report().stale).toEqual(['b'])
})
