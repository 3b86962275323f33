import { expect, it } from 'vitest'
import type { Source } from '../../core/domain/source.ts'
import { NOT_TEXT } from '../../core/sources/folder/reasons.ts'
import { examineDocuments } from './doctor-documents.ts'

const skipped = { kind: 'skipped', size: 1, modifiedAt: 0, reason: NOT_TEXT }

/** Just as much of a source as is looked at. */
function sourceOf(paths: readonly string[], more: Partial<Source>): Source {
  const source = {
    name: 'notes',
    root: '/nowhere',
    scan: async () => ({ files: paths.map((path) => ({ path, size: 1, modifiedAt: 0 })) }),
    read: async () => paths.map((path) => ({ ...skipped, path })),
    ...more,
  }
  return source as unknown as Source
}

it('says of files and of documents in a database what can be done there', async () => {
  const one = await examineDocuments([sourceOf(['a.md'], {})])
  expect(one[0]).toMatchObject({
    what: 'notes: 1 file is not UTF-8 and cannot be read (a.md).',
    fix: expect.stringContaining('iconv -f WINDOWS-1252 -t UTF-8 a.md'),
  })
  const inDatabase = {} as NonNullable<Source['inDatabase']>
  const shelf = sourceOf(['a.md', 'b.md'], { root: 'db:notes', inDatabase })
  expect((await examineDocuments([shelf]))[0]).toMatchObject({
    what: 'notes: 2 documents are not UTF-8 and cannot be read (a.md, b.md).',
    fix: expect.stringMatching(/^Convert .*cairn import DIR --folder db:notes --overwrite$/),
  })
})

it('does not take a scan for a text in another encoding', async () => {
  const reason = 'a scan without text (1 page)'
  const read = async () => [{ ...skipped, path: 'a.pdf', reason }] as never
  expect(await examineDocuments([sourceOf(['a.pdf'], { read })])).toEqual([
    expect.objectContaining({ level: 'ok' }),
  ])
})
