/** What clients see of the cortex tools. A change here is a change of a promise. */
import { expect, it } from 'vitest'
import { cortexTools, defineCortexTool } from '../../src/vocabularies/cortex/tools.ts'

for (const definition of cortexTools.map(defineCortexTool)) {
  it(`keeps the definition of ${definition.name}`, async () => {
    const file = `./__snapshots__/${definition.name}.json`
    await expect(`${JSON.stringify(definition, null, 2)}\n`).toMatchFileSnapshot(file)
  })
}
