/** What clients see of the roux tools. A change here is a change of a promise. */
import { expect, it } from 'vitest'
import { rouxTools } from '../../src/vocabularies/roux/tools.ts'
import { definitionOf } from '../../src/serve/door/tool.ts'
import { verifies } from '../support/verifies.ts'

const definitions = rouxTools.map(definitionOf)

for (const definition of definitions) {
  it(`keeps the definition of ${definition.name}`, async () => {
    const file = `./__snapshots__/${definition.name}.json`
    await expect(`${JSON.stringify(definition, null, 2)}\n`).toMatchFileSnapshot(file)
  })
}

it('has every tool of the original, and promises that none goes away', () => {
  verifies('roux:stable-tools')
  expect(definitions.map(({ name }) => name)).toEqual([
    'search',
    'get_node',
    'get_neighbors',
    'find_path',
    'get_hubs',
    'search_by_tags',
    'random_node',
    'list_nodes',
    'resolve_nodes',
    'nodes_exist',
    'create_node',
    'update_node',
    'delete_node',
    'summarize_node',
    'suggest_tags',
    'extract_entities',
  ])
})

it('says which tools read, write and delete', () => {
  const hints = definitions.map(({ name, annotations }) => [name, annotations.readOnlyHint])
  expect(hints.filter(([, reads]) => !reads).map(([name]) => name)).toEqual([
    'create_node',
    'update_node',
    'delete_node',
  ])
})
