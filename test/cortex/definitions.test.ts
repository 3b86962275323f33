/** What clients see of the cortex tools. A change here is a change of a promise. */
import { expect, it } from 'vitest'
import { cortexTools } from '../../src/surfaces/cortex/tools.ts'
import { definitionOf } from '../../src/surfaces/tool.ts'

for (const definition of cortexTools.map(definitionOf)) {
  it(`keeps the definition of ${definition.name}`, async () => {
    const file = `./__snapshots__/${definition.name}.json`
    await expect(`${JSON.stringify(definition, null, 2)}\n`).toMatchFileSnapshot(file)
  })
}
