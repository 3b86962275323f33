/** What clients see of the native tools. A change here is a change of a promise. */
import { expect, it } from 'vitest'
import { instructionsFor } from '../../src/surfaces/native/instructions.ts'
import { nativeTools } from '../../src/surfaces/native/tools.ts'
import { definitionOf } from '../../src/surfaces/tool.ts'

const definitions = nativeTools.map(definitionOf)

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
  const writes = ['write', 'delete', 'history', 'relate']
  for (const { name, title, annotations, inputSchema, outputSchema } of definitions) {
    expect(title).not.toBe('')
    expect(annotations).toMatchObject({
      readOnlyHint: !writes.includes(name),
      destructiveHint: name === 'delete',
    })
    expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object'])
  }
})
