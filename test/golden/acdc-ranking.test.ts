/** How acdc ranks: judgements about order, which outlive any tuning of scores. */
import { expect, it } from 'vitest'
import { oneLocation, openAcdc, resource } from '../acdc/open-acdc.ts'
import { verifies } from '../support/verifies.ts'

const BODY = 'Some notes on development in general.\n'

function resources(files: Readonly<Record<string, string>>): Record<string, string> {
  return oneLocation(
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`mcp-resources/${path}.md`, text]),
    ),
  )
}

const FIELDS = resources({
  a: resource('Plain', BODY),
  b: resource('Tagged', BODY, { keywords: '[development]' }),
  c: resource('Development', 'Something else.\n'),
  d: resource('Aside', 'Nothing here but a few words more.\n', { keywords: '[development]' }),
  e: resource('Setup', 'Something else.\n', { keywords: '[install]' }),
})

it('weighs keywords above names above content', async () => {
  verifies('acdc:check-7-boost', 'acdc:search-boosts', 'acdc:search-fields')
  const { names } = await openAcdc(FIELDS)
  const found = await names('development')
  // The keyword and the content together, then keyword, name and content alone.
  expect(found).toEqual(['Tagged', 'Aside', 'Development', 'Plain'])
  expect(await names('install')).toEqual(['Setup'])
})

it('weighs what the operator says', async () => {
  verifies('acdc:check-7-boost', 'acdc:search-boosts', 'acdc:settings')
  const quiet = await openAcdc(FIELDS, { env: { ACDC_MCP_SEARCH_KEYWORDS_BOOST: '0.1' } })
  expect((await quiet.names('development'))[0]).toBe('Development')
  const none = await openAcdc(FIELDS, {
    flags: { 'search-keywords-boost': '0', 'search-name-boost': '0' },
  })
  expect((await none.names('development')).toSorted()).toEqual(['Plain', 'Tagged'])
  expect(await none.names('install')).toEqual([])
})

it('puts the word itself above its neighbours', async () => {
  verifies('acdc:search-fuzzy')
  const { names } = await openAcdc(
    resources({
      a: resource('Near', 'The carts are here.\n'),
      b: resource('Exact', 'The cards are here.\n'),
      c: resource('Far', 'The birds are here.\n'),
      d: resource('Short', 'A git hook.\n'),
    }),
  )
  // A fuzzy match stands even where the word is known; two slips are too many.
  expect(await names('cards')).toEqual(['Exact', 'Near'])
  expect(await names('card')).toEqual(['Exact', 'Near'])
  expect(await names('gti')).toEqual(['Short'])
})

it('ignores the form of a word', async () => {
  verifies('acdc:search-fields')
  const { names } = await openAcdc(
    resources({
      a: resource('Configuring', 'How a server is configured.\n'),
      b: resource('Other', 'Nothing of the kind.\n'),
    }),
  )
  for (const query of ['configure', 'configures', 'configuring', 'CONFIGURED', "server's"]) {
    expect([query, await names(query)]).toEqual([query, ['Configuring']])
  }
})

it('needs no word of a query, and prefers more of them', async () => {
  const { names } = await openAcdc(
    resources({
      a: resource('One', 'About alpha.\n'),
      b: resource('Two', 'About alpha and omega.\n'),
      c: resource('None', 'About nothing.\n'),
    }),
  )
  expect(await names('alpha omega missing')).toEqual(['Two', 'One'])
})

it('decides ties by URI', async () => {
  const { names } = await openAcdc(
    resources({
      'a-b': resource('Second', 'kettle\n'),
      a: resource('First', 'kettle\n'),
      'b/a': resource('Third', 'kettle\n'),
    }),
  )
  expect(await names('kettle')).toEqual(['First', 'Second', 'Third'])
  expect(await names('*')).toEqual(['First', 'Second', 'Third'])
})

it('ends at the cap, after the filter', async () => {
  verifies('acdc:check-8-cap', 'acdc:search-cap', 'acdc:search-source')
  const many = (folder: string, word: string) =>
    Object.fromEntries(
      Array.from({ length: 15 }, (_, i) => [
        `${folder}/mcp-resources/${i}.md`,
        resource(`${folder} ${i}`, `${word} kettle\n`),
      ]),
    )
  const files = {
    'cfg/mcp-metadata.yaml':
      'server: { name: K, version: 1, instructions: S }\ncontent: [{ name: one, description: x, path: ../one }, { name: two, description: x, path: ../two }]\n',
    ...many('one', 'kettle kettle'),
    ...many('two', ''),
  }
  const usual = await openAcdc(files)
  expect(await usual.names('kettle')).toHaveLength(10)
  expect(await usual.names('*')).toHaveLength(10)
  expect((await usual.names('kettle', 'two')).every((name) => name.startsWith('two'))).toBe(true)
  expect(await usual.names('kettle', 'two')).toHaveLength(10)
  const few = await openAcdc(files, {
    flags: { 'search-max-results': '3' },
    env: { ACDC_MCP_SEARCH_MAX_RESULTS: '5' },
  })
  expect(await few.names('kettle')).toHaveLength(3)
})

it('does not punish a field that few resources have', async () => {
  verifies('acdc:rare-field')
  const others = Array.from({ length: 20 }, (_, n) => [
    `other-${n}`,
    resource(`Other ${n}`, `Something about subject ${n} and no more.\n`),
  ])
  const { names } = await openAcdc(
    resources({
      a: resource('Content', 'All about deployment, and no more.\n'),
      b: resource('Deployment', 'Something else, and no more.\n'),
      c: resource('Keyword', 'Something else, and no more.\n', { keywords: '[deployment]' }),
      ...Object.fromEntries(others),
    }),
  )
  expect(await names('deployment')).toEqual(['Keyword', 'Deployment', 'Content'])
})
