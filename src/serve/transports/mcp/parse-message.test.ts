import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson } from './parse-message.ts'

it('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
      const text = JSON.stringify(value)
      expect(parseJson(text)).toEqual({ kind: 'value', value: JSON.parse(text) })
    }),
  )
})

it('never throws', () => {
  const piece = fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', '1', 'x', ' ')
  fc.assert(
    fc.property(fc.string({ unit: piece }), (text) => {
      expect(['value', 'problem']).toContain(parseJson(text).kind)
    }),
  )
})

it('counts nesting, but not inside strings', () => {
  expect(parseJson(nested(200)).kind).toBe('value')
  expect(parseJson(nested(201)).kind).toBe('problem')
  expect(parseJson(JSON.stringify(`\\"${nested(1_000)}`)).kind).toBe('value')
  expect(parseJson(`[${'[],'.repeat(1_000)}[]]`).kind).toBe('value')
})

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}
