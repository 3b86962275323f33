/** Every tool of every surface is called, with each of its arguments at least once. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acdcTools } from '../../src/vocabularies/acdc/tools.ts'
import { cortexTools } from '../../src/vocabularies/cortex/tools.ts'
import { duskmantleTools } from '../../src/vocabularies/duskmantle/tools.ts'
import { nativeTools } from '../../src/serve/native/tools.ts'
import { nexusTools } from '../../src/vocabularies/nexus/tools.ts'
import { rouxTools } from '../../src/vocabularies/roux/tools.ts'
import type { ToolDescription } from '../../src/serve/door/tool.ts'
import { SEQUENCES } from './sequences.ts'

const TABLES: Readonly<Record<string, readonly ToolDescription[]>> = {
  native: nativeTools,
  roux: rouxTools,
  nexus: nexusTools,
  acdc: acdcTools,
  cortex: cortexTools,
  duskmantle: duskmantleTools,
}

/** `surface tool argument` of every call; a surface beside another one has its own sequences too. */
function asked(): Set<string> {
  const found = new Set<string>()
  for (const { name, steps } of SEQUENCES) {
    for (const step of steps) {
      const { surface, tool, args } = callOf(step)
      const whose = surface ?? name.split('/')[0]
      found.add(`${whose} ${tool}`)
      for (const argument of Object.keys(args ?? {})) found.add(`${whose} ${tool} ${argument}`)
    }
  }
  return found
}

/** A tool by its name, or in the body of a route of nexus. */
function callOf(step: any): { surface?: string; tool?: string; args?: object } {
  if (step.route === 'POST /api/mcp') return { tool: step.body.tool, args: step.body.input }
  return step
}

it('leaves no tool and no argument out', () => {
  const found = asked()
  const wanted = Object.entries(TABLES).flatMap(([surface, rows]) =>
    rows.flatMap(({ name, input }) => {
      const { properties = {} } = z.toJSONSchema(input, { io: 'input' })
      const tool = `${surface} ${name}`
      return [tool, ...Object.keys(properties).map((argument) => `${tool} ${argument}`)]
    }),
  )
  expect(wanted.filter((each) => !found.has(each))).toEqual([])
})

it('names every sequence once', () => {
  const names = SEQUENCES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
