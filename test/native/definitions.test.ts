/** What clients see of the native tools. A change here is a change of a promise. */
import { expect, it } from 'vitest'
import { instructionsFor } from '../../src/surfaces/native/instructions.ts'
import { defineNative } from '../../src/surfaces/native/define-native.ts'
import { nativeTools } from '../../src/surfaces/native/tools.ts'

const definitions = nativeTools.map(defineNative)

for (const definition of definitions) {
  it(`keeps the definition of ${definition.name}`, async () => {
    const file = `./__snapshots__/${definition.name}.json`
    await expect(`${JSON.stringify(definition, null, 2)}\n`).toMatchFileSnapshot(file)
  })
}

it('stays small: the list under 10 KB, descriptions under 1 KB, instructions under 2 KB', () => {
  expect(Buffer.byteLength(JSON.stringify(definitions))).toBeLessThan(10_000)
  expect(Buffer.byteLength(instructionsFor({ writes: true }))).toBeLessThan(2_000)
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

it('describes every argument of every tool', () => {
  const silent = definitions.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema['properties'] as Record<string, { description?: string }>)
      .filter(([, { description = '' }]) => description.trim() === '')
      .map(([argument]) => `${name}.${argument}`),
  )
  expect(silent).toEqual([])
})

it('says that write may write over text', () => {
  const { description } = definitions.find(({ name }) => name === 'write')!
  expect(description).toMatch(/write over/)
  expect(description).toMatch(/links elsewhere/)
})
