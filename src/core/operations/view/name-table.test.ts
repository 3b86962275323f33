import { expect, it } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import { createView } from './view.ts'

it('gives a name to the first in the order of paths, also when it came last', async () => {
  const { base, call } = await openTestBase({ 'b.md': '# Twice\n', 'c.md': '# Once\n' })
  const view = createView(base, {
    names: {
      by: 'record',
      spellings: (text) => [text],
      describe: async (records) => records.map(({ title }) => ({ name: title, detail: undefined })),
    },
  })
  expect((await view.names.now()).find('Twice')?.path).toBe('b.md')

  await call('write', { action: 'create', id: 'a.md', content: '# Twice\n' })
  const { find, unnamed } = await view.names.now()
  expect(find('Twice')?.path).toBe('a.md')
  expect(unnamed.map(({ path, by }) => [path, by?.path])).toEqual([['b.md', 'a.md']])
})
