/** What clients see of the native tools. A change here is a change of a promise. */
import { expect, it } from 'vitest'
import { instructionsFor } from '../../src/serve/native/instructions.ts'
import { parseCondition } from '../../src/core/operations/reading/parse-condition.ts'
import { defineNative } from '../../src/serve/native/define-native.ts'
import { nativeTools } from '../../src/serve/native/tools.ts'

const definitions = nativeTools.map(defineNative)

for (const definition of definitions) {
  it(`keeps the definition of ${definition.name}`, async () => {
    const file = `./__snapshots__/${definition.name}.json`
    await expect(`${JSON.stringify(definition, null, 2)}\n`).toMatchFileSnapshot(file)
  })
}

it('costs a session at most 2,200 tokens of four characters before it begins', () => {
  const list = JSON.stringify(definitions)
  const instructions = instructionsFor({ writes: true })
  expect((list.length + instructions.length) / 4).toBeLessThanOrEqual(2_200)
  expect(Buffer.byteLength(instructions)).toBeLessThan(2_000)
  for (const { description } of definitions) expect(description.length).toBeLessThan(1_000)
})

it('annotates and types every tool', () => {
  // Only additions are harmless: write and history may write over what is there.
  const writes = { write: true, delete: true, history: true, relate: false }
  for (const { name, annotations, inputSchema, outputSchema } of definitions) {
    const destructiveHint = writes[name as keyof typeof writes]
    expect([name, annotations]).toEqual([
      name,
      {
        ...(destructiveHint === undefined ? { readOnlyHint: true } : { destructiveHint }),
        openWorldHint: false,
      },
    ])
    expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object'])
  }
})

it('works out only what is announced', () => {
  const unasked = nativeTools.filter(({ name }) => !['search', 'fetch'].includes(name))
  for (const row of unasked) {
    const secretive = Object.defineProperty({ ...row }, 'output', {
      get: () => expect.fail(`${row.name} replies what nobody is told`),
    })
    expect(defineNative(secretive)).toEqual(defineNative(row))
  }
})

it('takes what it does not announce', () => {
  for (const row of nativeTools) {
    for (const name of row.rare ?? []) {
      expect(Object.keys(row.input.shape)).toContain(name)
      expect(defineNative(row).inputSchema['required'] ?? []).not.toContain(name)
    }
  }
})

it('describes every argument of every tool', () => {
  const silent = definitions.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema['properties'] as Record<string, { description?: string }>)
      .filter(([, { description = '' }]) => description.trim() === '')
      .map(([argument]) => `${name}.${argument}`),
  )
  expect(silent).toEqual([])
})

it('explains no argument by a word that explains nothing', () => {
  const vague =
    /^(?:It must have|Also|Kind|Names|Length|Why|Graph|To show|Nested too|Of .*|For .*)$/
  const found = nativeTools.flatMap(({ name, input }) =>
    Object.entries(input.shape)
      .filter(([, field]) => vague.test(field.description ?? ''))
      .map(([argument, { description }]) => `${name}.${argument}: ${description}`),
  )
  expect(found).toEqual([])
  const { inputSchema } = definitions.find(({ name }) => name === 'search')!
  const { where } = inputSchema['properties'] as Record<string, { description: string }>
  for (const field of ['title', 'path', 'tag', 'type', 'source', 'created', 'updated'])
    expect(where!.description).toContain(field)
  const examples = [...where!.description.matchAll(/"([^"]+)"/g)].map(([, example]) => example!)
  expect(examples).toHaveLength(3)
  for (const example of examples) expect(() => parseCondition(example)).not.toThrow()
})

it('says that write may write over text', () => {
  const { description } = definitions.find(({ name }) => name === 'write')!
  expect(description).toMatch(/write over/)
  expect(description).toMatch(/links elsewhere/)
})
