import { expect, it } from 'vitest'
import { leaves } from './limit-tools.ts'
import type { ToolLimits } from './limit-tools.ts'

const TOOLS = [
  { name: 'search', access: 'read' },
  { name: 'fetch', access: 'read' },
  { name: 'write', access: 'write' },
] as const

const left = (limits: Partial<ToolLimits>) =>
  TOOLS.filter((tool) => leaves({ only: [], exclude: [], ...limits }, tool)).map(({ name }) => name)

it('leaves what is named, and takes away what is excluded from that', () => {
  expect(left({})).toEqual(['search', 'fetch', 'write'])
  expect(left({ only: ['search', 'write'] })).toEqual(['search', 'write'])
  expect(left({ only: ['search', 'write'], exclude: ['write'] })).toEqual(['search'])
  expect(left({ exclude: ['write'] })).toEqual(['search', 'fetch'])
})

it('leaves sets of tools, more that are named, and of all what changes nothing', () => {
  expect(left({ sets: ['documents'] })).toEqual(['fetch'])
  expect(left({ sets: ['documents'], only: ['write'] })).toEqual(['fetch', 'write'])
  expect(left({ readOnly: true })).toEqual(['search', 'fetch'])
})
