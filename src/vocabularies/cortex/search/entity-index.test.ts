/** The index finds what going through every entity finds, before and after the graph changed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entity } from '../../../core/domain/entity.ts'
import { EntityIndex, foldText } from './entity-index.ts'

import { splitParts, unspacedRuns } from './split-parts.ts'
import { withinEdits } from '../../../core/kit/within-edits.ts'

interface Said {
  readonly name?: string
  readonly desc?: string
  readonly tags?: readonly string[]
}

function entity(id: string, { name = id, desc = '', tags = [] }: Said = {}): Entity {
  const origin = { file: 'knowledge/entities/concepts.jsonl', line: 1 }
  const rest = { category: 'concepts', updatedAt: '', extra: {}, origin }
  return { id, type: 'concept', name, desc, tags, ...rest }
}

/** A graph that can be changed at will. */
function openGraph(...first: Entity[]) {
  const all = new Map(first.map((each) => [each.id, each]))
  return {
    epoch: 0,
    added: { entities: [] as Entity[], relations: [] },
    entities: () => all.values(),
    get entityCount() {
      return all.size
    },
    add(each: Entity) {
      all.set(each.id, each)
      this.added.entities.push(each)
    },
    change(put: readonly Entity[], gone: readonly string[] = []) {
      for (const id of gone) all.delete(id)
      for (const each of put) all.set(each.id, each)
      this.epoch++
      this.added = { entities: [], relations: [] }
    },
  }
}

function indexOf(graph: ReturnType<typeof openGraph>): EntityIndex {
  const index = new EntityIndex()
  index.follow(graph)
  return index
}

function found(index: EntityIndex, query: string, limit = 50): string[] {
  return index.search(query, limit).map((hit) => `${hit.entity.id}:${hit.rank}`)
}

describe('ranks', () => {
  const index = indexOf(
    openGraph(
      entity('zz', { name: 'Graph' }),
      entity('graph', { name: 'Something else' }),
      entity('b', { name: 'Graph theory' }),
      entity('c', { name: 'A graph' }),
      entity('d', { tags: ['graph'] }),
      entity('e', { tags: ['knowledge-graph'] }),
      entity('f', { desc: 'All about graphs' }),
      entity('g', { desc: 'A grpah, misspelled' }),
      entity('a', { desc: 'graphite' }),
      entity('n', { name: '模型上下文协议', desc: 'Ünïcode', tags: ['Straße'] }),
    ),
  )

  it('come in order, and ids break ties', () => {
    expect(found(index, 'GRAPH')).toEqual([
      'graph:id',
      'zz:name',
      'b:name_start',
      'c:name_part',
      'd:tag',
      'e:tag_part',
      'a:desc',
      'f:desc',
      'g:fuzzy',
    ])
    expect(found(index, ' graph ', 3)).toEqual(['graph:id', 'zz:name', 'b:name_start'])
  })

  it.each([
    ['上下文', ['n:name_part']],
    ['模型上下文协议', ['n:name']],
    ['ünï', ['n:desc']],
    ['UNICODE', ['n:desc']],
    ['STRASSE', ['n:tag']],
    ['graph theory', ['b:name']],
    ['theory graph', ['b:fuzzy']],
    ['h theo', ['b:name_part']],
    ['zzz', []],
    ['  ', []],
    ['\u0301', []],
    ['-', ['e:tag_part']],
    ['上议', []],
    ['协议 Unicode', ['n:fuzzy']],
  ])('%j', (query, expected) => {
    expect(found(index, query)).toEqual(expected)
  })
})

describe('slips', () => {
  const index = indexOf(
    openGraph(entity('a', { name: 'retrieval' }), entity('b', { name: 'tool' })),
  )

  it.each([
    // Two for eight letters and more, one from four on, a swap counting as one.
    ['retreival', ['a:fuzzy']],
    ['retrieva', ['a:name_start']],
    ['retrxexal', ['a:fuzzy']],
    ['rxtrxexal', []],
    ['tols', []],
    ['tolo', ['b:fuzzy']],
    ['toool', ['b:fuzzy']],
    ['tol', []],
  ])('%s', (query, expected) => expect(found(index, query)).toEqual(expected))

  it('are not forgiven in numbers', () => {
    const numbers = indexOf(openGraph(entity('a', { name: 'number 12345' })))
    expect(found(numbers, '12346')).toEqual([])
  })
})

describe('a graph that changes', () => {
  it('is followed as it grows, is edited and shrinks', () => {
    const many = Array.from({ length: 40 }, (_, n) => entity(`m${n}`, { name: `many ${n}` }))
    const graph = openGraph(entity('m1', { name: 'many' }), ...many.slice(2))
    const index = indexOf(graph)
    graph.add(entity('a-first', { name: 'many too' }))
    index.follow(graph)
    expect(found(index, 'many', 2)).toEqual(['m1:name', 'a-first:name_start'])
    graph.change([entity('m1', { name: 'renamed' })], ['m2'])
    index.follow(graph)
    expect(found(index, 'many', 2)).toEqual(['a-first:name_start', 'm10:name_start'])
    expect(found(index, 'm2')).toEqual([])
    expect(found(index, 'renamed')).toEqual(['m1:name'])
    graph.add(entity('m2', { name: 'again' }))
    index.follow(graph)
    expect(found(index, 'm2')).toEqual(['m2:id'])
  })

  const word = fc.constantFrom(
    'graph',
    'grap',
    'Graphs',
    'rag',
    '协议',
    '协',
    'x-y',
    'ÉTÉ',
    'retrieval',
  )
  const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '))
  const said = fc.record({ name: text, desc: text, tags: fc.array(word, { maxLength: 2 }) })
  const query = fc.oneof(
    word,
    text,
    fc.tuple(text, fc.nat(6), fc.nat(6)).map(([all, from, to]) => all.slice(from, from + to)),
  )

  it('gives what going through all gives', () => {
    fc.assert(
      fc.property(
        fc.array(said, { maxLength: 12 }),
        fc.array(said, { maxLength: 6 }),
        fc.array(fc.nat(11), { maxLength: 3 }),
        fc.array(query, { minLength: 1, maxLength: 6 }),
        (first, more, gone, queries) => {
          const graph = openGraph(...first.map((each, n) => entity(`e${n}`, each)))
          const index = indexOf(graph)
          for (const [n, each] of more.entries()) graph.add(entity(`d${n}`, each))
          index.follow(graph)
          graph.change(
            more.map((each, n) => entity(`e${2 * n}`, each)),
            gone.map((n) => `e${n}`),
          )
          index.follow(graph)
          for (const asked of queries) {
            expect(found(index, asked)).toEqual(plainly([...graph.entities()], asked))
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

it('joins words that came later to the others', () => {
  const graph = openGraph(entity('a', { name: 'first' }))
  const index = indexOf(graph)
  for (let n = 0; n < 800; n++) graph.add(entity(`n${n}`, { name: `late${n}x` }))
  index.follow(graph)
  expect(found(index, 'late799')[0]).toBe('n799:name_start')
  expect(found(index, '799x')[0]).toBe('n799:name_part')
  expect(found(index, 'first')).toEqual(['a:name'])
})

/** The same, as plainly as can be. */
function plainly(entities: readonly Entity[], query: string): string[] {
  const q = foldText(query.trim())
  if (q === '') return []
  const parts = splitParts(q).map((part) => part.word)
  const rankOf = ({ id, name, desc, tags }: Entity): string | undefined => {
    const folded = tags.map(foldText)
    if (foldText(id) === q) return '0id'
    if (foldText(name) === q) return '1name'
    if (foldText(name).startsWith(q)) return '2name_start'
    if (foldText(name).includes(q)) return '3name_part'
    if (folded.includes(q)) return '4tag'
    if (folded.some((tag) => tag.includes(q))) return '5tag_part'
    if (foldText(desc).includes(q)) return '6desc'
    const words = [name, desc, ...tags].flatMap((text) =>
      splitParts(foldText(text)).map((part) => part.word),
    )
    const hasAll = parts.every((part) => {
      const length = [...part].length
      if (length < 4) return words.includes(part)
      const edits = length < 8 ? 1 : 2
      return words.some(
        (word) => (parts.length > 1 && word.includes(part)) || withinEdits(part, word, edits),
      )
    })
    const runsStay = unspacedRuns(q).every((run) =>
      [name, desc, ...tags].some((text) => foldText(text).includes(run)),
    )
    return parts.length > 0 && hasAll && runsStay ? '7fuzzy' : undefined
  }
  return entities
    .flatMap((each) => {
      const rank = rankOf(each)
      return rank === undefined ? [] : [`${rank} ${each.id}`]
    })
    .toSorted()
    .map((line) => line.replace(/^\d(\w+) (.*)$/, '$2:$1'))
}
