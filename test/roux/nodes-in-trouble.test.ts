/** What is wrong with a node is told with every answer that shows it, whenever it went wrong. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { ids, openRoux } from './open-roux.ts'

const FILES = {
  'a.md': 'See [[b]] and [[nowhere]] and [[picture.png]].',
  'b.md': '---\ntitle: [\n---\nText.\n',
  'c.md': Buffer.from([...Buffer.from('[[a]] caf'), 0xe9, 0x20, 0x21]),
  'd.md': 'Fine, [[a]].',
}

it('was wrong before the start', async () => {
  verifies('roux:warnings-of-nodes')
  const { call } = await openRoux(FILES)
  const broken = 'Broken link: [[nowhere]]'
  for (let time = 0; time < 2; time++) {
    expect((await call('get_node', { id: 'a.md' })).value['_warnings']).toEqual([broken])
  }
  expect((await call('get_node', { id: 'b.md' })).warnings).toEqual([
    expect.stringMatching(/^Parse error: .+/),
  ])
  expect((await call('get_node', { id: 'd.md' })).warnings).toEqual([])
  expect((await call('get_node', { id: 'd.md', depth: 1 })).warnings).toEqual([`${broken} in a.md`])
  const { warnings } = await call('get_neighbors', { id: 'a.md' })
  expect(warnings).toHaveLength(2)
  expect(warnings).toContainEqual(expect.stringMatching(/^Parse error in b\.md: /))
  expect((await call('get_hubs')).warnings).toEqual([])
})

it('has bytes that are not UTF-8, and is a node', async () => {
  verifies('roux:not-utf8', 'roux:warnings-of-nodes')
  const { call, base } = await openRoux(FILES)
  const { value, warnings } = await call('get_node', { id: 'c.md' })
  expect(value).toMatchObject({ id: 'c.md', content: '[[a]] caf\uFFFD !', links: [{ id: 'a.md' }] })
  expect(warnings).toEqual([expect.stringContaining('not UTF-8')])
  expect(ids((await call('get_neighbors', { id: 'a.md', direction: 'in' })).value)).toEqual([
    'c.md',
    'd.md',
  ])
  const refused = await call('update_node', { id: 'c.md', content: 'x' })
  expect(refused.error?.code).toBe('PROVIDER_ERROR')
  expect(readFileSync(join(base.folder, 'c.md'))).toEqual(FILES['c.md'])
})

it('links from HTML and from footnotes, and not from code or comments', async () => {
  verifies('roux:links-everywhere')
  const t = (name: string) => [`${name}.md`, ''] as const
  const names = ['div', 'deep', 'after', 'foot', 'quoted', 'hidden', 'pre', 'code', 'fence']
  const { call } = await openRoux({
    ...Object.fromEntries(names.map(t)),
    'x.md': [
      '<div>[[div]]</div>',
      '',
      '<details>\n<summary>More</summary>\n[[deep|shown]]\n</details>',
      '',
      '<!-- a comment [[hidden]] --> [[after]]',
      '',
      'Text.[^1]',
      '',
      '[^1]: [[foot]]',
      '',
      '> <div>[[quoted]]</div>',
      '',
      '<pre>[[pre]]</pre>',
      '',
      '`[[code]]`\n\n```\n[[fence]]\n```',
    ].join('\n'),
  })
  const { value } = await call('get_node', { id: 'x.md' })
  expect(ids(value.links).toSorted()).toEqual(
    ['after', 'deep', 'div', 'foot', 'quoted'].map((name) => `${name}.md`),
  )
})
