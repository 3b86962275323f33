import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import { attachFile, attachmentName } from './attach-file.ts'

const NOW = new Date(2026, 11, 1, 9, 5, 7)
const PICTURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 255)

describe('the name of an attached file', () => {
  it.each([
    ['tea.png', 'tea.png'],
    ['Tea Time.PNG', 'Tea Time.png'],
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\ada\\tea.jpg', 'tea.jpg'],
    ['a\u0000b\u202e.png', 'ab.png'],
    ['a#b^c[d]|e?.png', 'a-b-c-d-e.png'],
    ['.hidden.png', 'hidden.png'],
    ['con.png', 'con-.png'],
    ['LPT1.pdf', 'LPT1-.pdf'],
    ['image.png', 'Pasted image 20261201090507.png'],
    ['...png', 'Pasted image 20261201090507.png'],
    ['blob.pdf', 'Pasted file 20261201090507.pdf'],
    [`${'日'.repeat(300)}.png`, `${'日'.repeat(50)}.png`],
    ['cafe\u0301.png', 'caf\u00e9.png'],
  ])('%j is %s', (given, name) => {
    expect(attachmentName(given, NOW)).toBe(name)
  })

  it.each(['tea', 'tea.exe', 'tea.html', 'tea.md', 'tea.js', 'tea.png.sh', '', '.png/', 'x.'])(
    '%j is no kind that is taken',
    (given) => {
      expect(() => attachmentName(given, NOW)).toThrow('no kind of file')
    },
  )
})

describe('an attached file', () => {
  const check = (
    name: string,
    files: Record<string, string>,
    to: string,
    path: string,
    written: string,
  ): void => {
    it(name, async () => {
      const { kb, folder, call } = await openTestBase({ 'a/tea.md': '# Tea\n', ...files })
      const attached = { to, name: 'a mug.png', bytes: PICTURE, link: true, now: NOW }
      const made = await attachFile(kb, attached, { by: {} })
      expect(made).toMatchObject({ file: `notes/${path}`, written, id: 'notes/a/tea.md' })
      expect([...readFileSync(join(folder, path))]).toEqual([...PICTURE])
      expect(readFileSync(join(folder, 'a/tea.md'), 'utf8')).toBe(`# Tea\n${written}\n`)
      // Both go with one undo, and come back with another.
      const undone = await call('history', { action: 'undo', id: made.operation })
      expect(existsSync(join(folder, path))).toBe(false)
      expect(readFileSync(join(folder, 'a/tea.md'), 'utf8')).toBe('# Tea\n')
      await call('history', { action: 'undo', id: undone['operation'] })
      expect([...readFileSync(join(folder, path))]).toEqual([...PICTURE])
    })
  }
  const app = (settings: object) => ({ '.obsidian/app.json': JSON.stringify(settings) })

  check(
    'goes to attachments/',
    {},
    'a/tea',
    'attachments/a mug.png',
    '![](../attachments/a%20mug.png)',
  )
  check('goes to the top of a vault', app({}), 'a/tea', 'a mug.png', '![[a mug.png]]')
  check(
    'goes to the folder that Obsidian names',
    app({ attachmentFolderPath: 'Files/In' }),
    'a/tea',
    'Files/In/a mug.png',
    '![[a mug.png]]',
  )
  check(
    'goes beside the note',
    app({ attachmentFolderPath: './' }),
    'a/tea',
    'a/a mug.png',
    '![[a mug.png]]',
  )
  check(
    'goes into a folder beside the note',
    app({ attachmentFolderPath: './pics', useMarkdownLinks: true }),
    'a/tea',
    'a/pics/a mug.png',
    '![](pics/a%20mug.png)',
  )
  check(
    'never leads out',
    app({ attachmentFolderPath: '../../../out' }),
    'a/tea',
    'a mug.png',
    '![[a mug.png]]',
  )
  check(
    'gets a number where its name is taken, in any case',
    { 'attachments/A MUG.png': 'x', 'attachments/a mug 1.png': 'y' },
    'a/tea',
    'attachments/a mug 2.png',
    '![](../attachments/a%20mug%202.png)',
  )

  it('can be had without a link in the note', async () => {
    const { kb, folder } = await openTestBase({ 'tea.md': '# Tea\n' })
    const attached = { to: 'tea', name: 'm.pdf', bytes: PICTURE, link: false }
    const made = await attachFile(kb, attached, { by: {} })
    expect(made).toMatchObject({
      written: '[m.pdf](attachments/m.pdf)',
      id: 'notes/attachments/m.pdf',
    })
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('# Tea\n')
  })

  it.each(['.git/hooks', '.obsidian', '.hidden', 'left-out'])(
    'goes to no place where no note goes: %s',
    async (path) => {
      const { kb } = await openTestBase({
        'tea.md': 'T\n',
        '.gitignore': 'left-out/\n',
        ...app({ attachmentFolderPath: path }),
      })
      const attached = { to: 'tea', name: 'm.png', bytes: PICTURE, link: true }
      await expect(attachFile(kb, attached, { by: {} })).rejects.toThrow('would not be part')
    },
  )

  it('is refused where it is empty or too large', async () => {
    const { kb } = await openTestBase({ 'tea.md': 'T\n' })
    const attach = (bytes: Uint8Array) =>
      attachFile(kb, { to: 'tea', name: 'm.png', bytes, link: true }, { by: {} })
    await expect(attach(new Uint8Array())).rejects.toThrow('empty')
    await expect(attach(new Uint8Array(10 * 1024 * 1024 + 1))).rejects.toThrow('10.0 MB')
  })
})
