import { describe, expect, it } from 'vitest'
import { parseCondition } from './parse-condition.ts'
import type { PropertyValue } from '../../domain/text.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

function holds(where: string, fields: Record<string, PropertyValue>): boolean {
  return parseCondition(where, NOW).holds((key) =>
    Object.hasOwn(fields, key) ? fields[key] : undefined,
  )
}

describe('a condition', () => {
  it.each<[string, Record<string, PropertyValue>, boolean]>([
    ['constructor = x', { constructor: 'x' }, true],
    ['constructor = x', {}, false],
    ['status = draft', { status: 'Draft' }, true],
    ['status = draft', { status: 'final' }, false],
    ['status = draft', {}, false],
    ['status != draft', {}, true],
    ['status != draft', { status: ['a', 'draft'] }, false],
    ['status = in review and prio > 2', { status: 'in review', prio: 3 }, true],
    ['prio > 2', { prio: '10' }, true],
    ['prio > 2', { prio: 'high' }, false],
    ['prio <= 2', { prio: 2 }, true],
    ['type in (note, "to do")', { type: 'to do' }, true],
    ['type in (note, "to do")', { type: 'task' }, false],
    ['not status = draft', { status: 'final' }, true],
    ['a = 1 or b = 2 and c = 3', { a: 1 }, true],
    ['(a = 1 or b = 2) and c = 3', { a: 1 }, false],
    ['done = true', { done: true }, true],
    ['done = no', { done: false }, true],
    ['done = true', { done: 'maybe' }, false],
    ['due exists', { due: '' }, false],
    ['due exists', { due: '2026-01-01' }, true],
    ['due missing', { due: null }, true],
    ['title contains PLAN', { title: 'My plan B' }, true],
    ['tags = work', { tags: ['home', 'Work'] }, true],
    ['a = "x and y"', { a: 'x and y' }, true],
    ['a = "say \\"hi\\""', { a: 'say "hi"' }, true],
    ['a < b', { a: { nested: 1 } }, false],
    ['due < 2026-12-01', { due: '2026-11-30' }, true],
    ['due < 2026-12-01', { due: '2026-12-01' }, false],
    ['due <= 2026-12-01', { due: '2026-12-01T23:59' }, true],
    ['due > 2026-12-01', { due: '2026-12-01T10:00:00Z' }, false],
    ['due = 2026-12', { due: '2026-12-24' }, true],
    ['due > 2025', { due: '2026-01-01' }, true],
    ['due < 2026-12-01', { due: 'soon' }, false],
    ['due < 2026-12-01', { due: 20_261_130 }, false],
    ['due < today', { due: '2026-11-14' }, true],
    ['due >= today', { due: '2026-11-15' }, true],
    ['due < in 2 weeks', { due: '2026-11-20' }, true],
    ['due > 3 days ago', { due: '2026-11-14' }, true],
  ])('%s on %j: %s', (where, fields, expected) => {
    expect(holds(where, fields)).toBe(expected)
  })

  it.each([
    '2026-12-01',
    '2026/12/01',
    '01.12.2026',
    '1 December 2026',
    'Dec 1, 2026',
    '2026-12-01 00:00',
    '2026-12-01T00:00:00Z',
  ])('reads the day %s, in front matter and in the question', (day) => {
    expect(holds('due = 2026-12-01', { due: day })).toBe(true)
    expect(holds(`due = "${day}"`, { due: '2026-12-01' })).toBe(true)
  })

  it.each([
    '',
    'status',
    'status =',
    '= draft',
    'status = draft and',
    'status == draft extra = 1 )',
    '(status = draft',
    'status in draft',
    'status in (draft',
    'status ~ draft',
    'status = "draft',
    'due < 12/01/2026',
    'due < 2026-02-31',
    `a = ${'b'.repeat(2_000)}`,
  ])('refuses %s and shows the right form', (where) => {
    expect(() => parseCondition(where, NOW)).toThrow(
      expect.objectContaining({ code: 'invalid', hint: expect.stringMatching(/2026-12-01/) }),
    )
  })

  it('runs nothing', () => {
    const evil = 'a = "${process.exit(1)}" or constructor exists or __proto__ exists'
    expect(holds(evil, { a: 1 })).toBe(false)
    expect(holds(`${'('.repeat(400)}a = 1${')'.repeat(400)}`, { a: 1 })).toBe(true)
  })
})
