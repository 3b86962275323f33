import { expect, it } from 'vitest'
import { openSmallBase } from '../../../test/support/open-small-base.ts'
import { tabulate } from './list-folder.ts'

it('says what each note itself calls what a board goes by', async () => {
  const { kb } = await openSmallBase({
    'a.md': '---\nstatus: open\n---\n# A\n',
    'b.md': '---\nStatus: done\n---\n# B\n',
    'c.md': '# C\n',
  })
  const asked = { folder: '', sort: 'title', reverse: false, offset: 0, limit: 10, raw: true }
  const { rows } = await tabulate(kb, { ...asked, columns: ['status'] })
  expect(rows.map(({ title, raw, key }) => [title, raw?.[0], key])).toEqual([
    ['A', 'open', 'status'],
    ['B', 'done', 'Status'],
    ['C', null, undefined],
  ])
})
