import { describe, expect, it } from 'vitest'
import { openSmallBase } from '../../../test/support/open-small-base.ts'
import { viewFor } from '../../core/operations/view/view.ts'
import { listMaking, showTemplate } from './list-making.ts'

const FILES = { 'a/tea.md': '# Tea\n', 'templates/talk.md': '# {{title}} {{x}}\n' }
const app = (settings: object) => ({ ...FILES, '.obsidian/app.json': JSON.stringify(settings) })
const today = '2026-12-01'

describe('where a new note goes', () => {
  it.each([
    ['a title', FILES, { name: 'New One' }, 'notes/New One.md'],
    ['nothing yet', FILES, { name: '' }, 'notes/'],
    ['a link', FILES, { name: 'Mug#Handle', from: 'a/tea' }, 'notes/Mug.md'],
    ['a link with folders', FILES, { name: 'b/Mug', from: 'a/tea' }, 'notes/b/Mug.md'],
    [
      'a relative link',
      FILES,
      { name: '../c/mug.md', from: 'a/tea', relative: true },
      'notes/a/c/mug.md',
    ],
    [
      'a link that leads out',
      FILES,
      { name: '../../etc/passwd', relative: true },
      'notes/etc/passwd.md',
    ],
    ['a link with signs', FILES, { name: 'a:b?* "c" \u0000\u202e' }, 'notes/a b c.md'],
    ['dots', FILES, { name: '.../..' }, 'notes/'],
    ['a folder one looks at', FILES, { name: 'x', folder: 'notes/a/' }, 'notes/a/x.md'],
    [
      'beside the note',
      app({ newFileLocation: 'current' }),
      { name: 'x', from: 'a/tea' },
      'notes/a/x.md',
    ],
    [
      'the folder that Obsidian names',
      app({ newFileLocation: 'folder', newFileFolderPath: 'In' }),
      { name: 'x', from: 'a/tea' },
      'notes/In/x.md',
    ],
  ])('%s', async (_, files, request, id) => {
    const { kb } = await openSmallBase(files)
    expect(await listMaking(kb, { ...request, today })).toMatchObject({ id })
  })

  it('tells nobody of a folder that he does not see', async () => {
    const settings = { newFileLocation: 'folder', newFileFolderPath: 'secret plans' }
    const { base } = await openSmallBase(app(settings))
    const sees = ({ path }: { readonly path: string }): boolean => !path.startsWith('secret')
    const kb = viewFor(base, { principal: 'guest', may: ['read', 'write'], sees })
    const made = await listMaking(kb, { name: 'x', today })
    expect(made).toMatchObject({ id: 'notes/x.md', folder: 'notes/' })
    expect(JSON.stringify(made)).not.toContain('secret')
  })

  it('with templates, and the note of the day', async () => {
    const { kb } = await openSmallBase(FILES)
    expect(await listMaking(kb, { name: '', today })).toEqual({
      id: 'notes/',
      folder: 'notes/',
      begins: 'title',
      templates: [{ name: 'talk', id: 'notes/templates/talk.md' }],
      daily: { id: 'notes/daily/2026-12-01.md', exists: false },
    })
    expect(await showTemplate(kb, { name: 'talk', id: 'notes/a/tea.md' })).toEqual({
      text: '# tea {{x}}\n',
      warnings: [expect.stringContaining('{{x}}')],
    })
  })
})
