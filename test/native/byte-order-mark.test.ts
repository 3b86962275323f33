/** A byte order mark is no part of the text; that it is there is said, and an edit keeps it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'

const MARK = '\uFEFF'

it('says that a file begins with a byte order mark, and keeps one mark through edits', async () => {
  const { call, folder } = await openTestBase({
    'marked.md': `${MARK}# Marked\n`,
    'plain.md': '# Plain, ж and 漢字 too\n',
    'secret.md': `${MARK}# Key\n\nAKIA${'Q3EXAMPLE7'.repeat(2).slice(0, 16)}\n`,
  })
  const fetched = await call('fetch', { id: 'marked.md' })
  expect(fetched['text']).toBe('# Marked\n')
  expect(fetched['metadata']).toMatchObject({ byte_order_mark: 'utf-8' })
  expect((await call('fetch', { id: 'plain.md' }))['metadata']).not.toHaveProperty(
    'byte_order_mark',
  )
  const secret = await call('fetch', { id: 'secret.md' })
  expect(secret['text']).toContain('masked')
  expect(secret['metadata']).toMatchObject({ byte_order_mark: 'utf-8' })
  const replaced = (content: string) =>
    call('write', { action: 'replace', id: 'marked.md', content })
  const text = () => readFileSync(join(folder, 'marked.md'), 'utf8')
  await replaced('# With the text that was fetched\n')
  expect(text()).toBe(`${MARK}# With the text that was fetched\n`)
  await replaced(`${MARK}# With the bytes of the file\n`)
  expect(text()).toBe(`${MARK}# With the bytes of the file\n`)
})
