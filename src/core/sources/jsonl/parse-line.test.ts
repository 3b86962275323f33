import { describe, expect, it } from 'vitest'
import { parseLine } from './parse-line.ts'
import { entityObject, lineOf, relationObject } from '../../domain/stored-entity.ts'

const ENTITIES = { kind: 'entities', file: 'e.jsonl', category: 'concepts' } as const
const RELATIONS = { kind: 'relations', file: 'r.jsonl', category: '' } as const

function entity(text: string) {
  const parsed = parseLine(text, 3, ENTITIES)
  if (parsed.kind !== 'entity') throw new Error(JSON.stringify(parsed))
  return parsed.entity
}

function relation(text: string) {
  const parsed = parseLine(text, 3, RELATIONS)
  if (parsed.kind !== 'relation') throw new Error(JSON.stringify(parsed))
  return parsed.relation
}

describe('a line of entities', () => {
  it('is read with its place', () => {
    const text =
      '{"id":"mcp","type":"tech","name":"MCP 协议","desc":"模型","tags":["a"],"updated_at":"2026-02-14"}'
    expect(entity(text)).toEqual({
      id: 'mcp',
      type: 'tech',
      category: 'concepts',
      name: 'MCP 协议',
      desc: '模型',
      tags: ['a'],
      updatedAt: '2026-02-14',
      extra: {},
      keys: undefined,
      origin: { file: 'e.jsonl', line: 3 },
    })
    expect(lineOf(entityObject(entity(text)))).toBe(`${text}\n`)
  })

  it('may leave out all but the id', () => {
    expect(entity('{"id":"tool_use","tags":null}')).toMatchObject({
      type: '',
      name: 'tool_use',
      desc: '',
      tags: [],
      updatedAt: '',
    })
  })

  it('is left out when it is nested so deep that it could not be written again', () => {
    const nested = (levels: number) => `{"id":"a","x":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect(parseLine(nested(100_000), 3, ENTITIES)).toEqual({
      kind: 'bad',
      reason: 'nested more than 500 levels deep',
    })
    expect(parseLine(nested(500), 3, ENTITIES).kind).toBe('bad')
    expect(lineOf(entityObject(entity(nested(499))))).toContain('[[[')
  })

  it('keeps keys that mean nothing here, in their places', () => {
    const text =
      '{"source":"x","id":"a","__proto__":{"b":1},"name":"A","type":"t","desc":"d","tags":[],"updated_at":"","score":0.5}'
    const read = entity(text)
    expect(Object.keys(read.extra)).toEqual(['source', '__proto__', 'score'])
    expect(lineOf(entityObject(read))).toBe(`${text}\n`)
  })

  it.each([
    ['', 'blank'],
    ['  \r', 'blank'],
    ['not json', 'not JSON'],
    ['{"id":"a"', 'not JSON'],
    ['[1]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['"id"', 'not a JSON object'],
    ['{}', 'an entity needs an id'],
    ['{"id":" "}', 'an entity needs an id'],
    ['{"id":7}', 'an entity needs an id'],
    ['{"id":"a","type":1}', 'type is not a text'],
    ['{"id":"a","name":[]}', 'name is not a text'],
    ['{"id":"a","desc":{}}', 'desc is not a text'],
    ['{"id":"a","updated_at":1}', 'updated_at is not a text'],
    ['{"id":"a","tags":"b,c"}', 'tags is not a list of texts'],
    ['{"id":"a","tags":["b",2]}', 'tags is not a list of texts'],
    ['{"src":"a","rel":"b","dst":"c"}', 'an entity needs an id'],
    ['{"type":"entity","entityType":"x"}', 'an entity of the memory server needs a name'],
    ['{"type":"entity","name":"a","entityType":1}', 'entityType is not a text'],
    [
      '{"type":"entity","name":"a","entityType":"x","observations":"o"}',
      'observations is not a list of texts',
    ],
    [
      '{"type":"relation","from":"a","relationType":"b"}',
      'a relation of the memory server needs from, to and relationType',
    ],
  ])('%j: %s', (text, outcome) => {
    const parsed = parseLine(text, 1, ENTITIES)
    expect(parsed.kind === 'bad' ? parsed.reason : parsed.kind).toBe(outcome)
  })
})

describe('a line of relations', () => {
  it('is read as it was stored', () => {
    const text =
      '{"src":"a","rel":"uses","dst":"b","context":"c","created_at":"2026-02-14","weight":0.5,"by":"x"}'
    expect(relation(text)).toMatchObject({
      src: 'a',
      rel: 'uses',
      dst: 'b',
      context: 'c',
      createdAt: '2026-02-14',
      weight: 0.5,
      extra: { by: 'x' },
    })
    expect(lineOf(relationObject(relation(text)))).toBe(`${text}\n`)
  })

  it('does not grow when it is written out again', () => {
    const text = '{"dst":"b","src":"a","rel":"uses"}'
    expect(relation(text)).toMatchObject({ context: '', createdAt: '', weight: undefined })
    expect(lineOf(relationObject(relation(text)))).toBe(`${text}\n`)
  })

  it('keeps a weight that is no number as something unknown', () => {
    const text = '{"src":"a","rel":"uses","dst":"b","weight":"much"}'
    expect(relation(text)).toMatchObject({ weight: undefined, extra: { weight: 'much' } })
    expect(lineOf(relationObject(relation(text)))).toBe(`${text}\n`)
  })

  it.each([
    '{"src":"a","dst":"b"}',
    '{"rel":"a","dst":"b"}',
    '{"src":"a","rel":"b"}',
    '{"src":"a","rel":" ","dst":"b"}',
    '{"src":"a","rel":1,"dst":"b"}',
    '{"id":"a"}',
  ])('%s is none', (text) => {
    expect(parseLine(text, 1, RELATIONS)).toEqual({
      kind: 'bad',
      reason: 'a relation needs src, rel and dst',
    })
  })
})

describe('a line of the reference memory server', () => {
  it('has its name as id, and its observations as description', () => {
    const read = entity(
      '{"type":"entity","name":"John Smith","entityType":"person","observations":["Speaks Welsh","Lives in 東京"]}',
    )
    expect(read).toMatchObject({
      id: 'John Smith',
      name: 'John Smith',
      type: 'person',
      desc: 'Speaks Welsh\nLives in 東京',
      extra: { observations: ['Speaks Welsh', 'Lives in 東京'] },
    })
    expect(entityObject(read)).toEqual({
      id: 'John Smith',
      type: 'person',
      name: 'John Smith',
      desc: 'Speaks Welsh\nLives in 東京',
      tags: [],
      updated_at: '',
      observations: ['Speaks Welsh', 'Lives in 東京'],
    })
  })

  it('relates names, in either kind of file', () => {
    const text = '{"type":"relation","from":"John Smith","to":"Acme","relationType":"works_at"}'
    for (const role of [ENTITIES, RELATIONS]) {
      expect(parseLine(text, 1, role)).toMatchObject({
        kind: 'relation',
        relation: { src: 'John Smith', rel: 'works_at', dst: 'Acme', context: '', extra: {} },
      })
    }
  })

  it('is not mistaken for an entity whose type is "entity"', () => {
    expect(entity('{"id":"a","type":"entity","name":"A"}')).toMatchObject({ id: 'a', name: 'A' })
  })
})
