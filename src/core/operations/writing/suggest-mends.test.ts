import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import { suggestMends } from './suggest-mends.ts'

const FILES = {
  'drinks/green-tea.md': '# Green Tea\n\n## Brewing it\n\n## Serving\n',
  'drinks/coffee.md': '# Coffee\n',
  'drinks/mate.md': '# Yerba\n',
  'people/Ada Lovelace.md': '# Ada\n',
  'twins/a/twin.md': '# One\n',
  'twins/b/twin.md': '# Two\n',
}

/** A note with one broken link in its third line, and how that reads when it is mended. */
describe('a link that leads nowhere', () => {
  it.each([
    ['between brackets', '- See [[gren-tea]] now.', 'gren-tea', '- See [[green-tea]] now.'],
    ['with a label', 'See [[gren-tea|the *tea*]]', 'gren-tea', 'See [[green-tea|the *tea*]]'],
    [
      'of a file',
      'See [x](gren-tea.md "t") now',
      'gren-tea.md',
      'See [x](drinks/green-tea.md "t") now',
    ],
    [
      'that was moved',
      '[x](old/coffee.md) [[coffee]]',
      'old/coffee.md',
      '[x](drinks/coffee.md) [[coffee]]',
    ],
    ['with blanks', '[x](Ada%20Lovelac.md)', 'Ada Lovelac.md', '[x](people/Ada%20Lovelace.md)'],
    ['of a short name', 'See [[mote]]', 'mote', 'See [[mate]]'],
    ['that is shown', '![[gren-tea]]', 'gren-tea', '![[green-tea]]'],
    [
      'to a heading',
      'See [[green-tea#Brewing]].',
      'green-tea#Brewing',
      'See [[green-tea#Brewing it]].',
    ],
    [
      'to a heading of a file',
      '[x](drinks/green-tea.md#servin)',
      'drinks/green-tea.md#servin',
      '[x](drinks/green-tea.md#Serving)',
    ],
  ])('%s', async (_, written, target, mended) => {
    const text = `# Note\r\n\r\n${written}\r\n\r\nEnd\r\n`
    const { kb, call, folder } = await openTestBase({ ...FILES, 'note.md': text })
    const { digest, mends } = await suggestMends(kb, 'note', { line: 3, target })
    expect(mends[0]).toMatchObject({ lines: '3', content: mended })
    const { lines, content } = mends[0]!
    await call('write', { action: 'replace', id: 'note', lines, content, if_digest: digest })
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe(text.replace(written, mended))
    const { items } = await call('insights', { report: 'broken_links' })
    expect(items).toEqual([])
  })

  it('may have meant either of two', async () => {
    const { kb } = await openTestBase({ ...FILES, 'note.md': '[x](c/twin.md)\n' })
    const { mends } = await suggestMends(kb, 'note', { line: 1, target: 'c/twin.md' })
    expect(mends.map(({ content }) => content).toSorted()).toEqual([
      '[x](twins/a/twin.md)',
      '[x](twins/b/twin.md)',
    ])
  })

  it('in the front matter', async () => {
    const note = '---\nup: "[[gren-tea]]" # keep\n---\n'
    const { kb } = await openTestBase({ ...FILES, 'note.md': note })
    const { mends } = await suggestMends(kb, 'note', { line: 2, target: 'gren-tea' })
    expect(mends[0]).toMatchObject({ lines: '2', content: 'up: "[[green-tea]]" # keep' })
  })

  it('may have meant nothing that is here, and may be gone', async () => {
    const { kb } = await openTestBase({ ...FILES, 'note.md': '[[xylophone]]\n' })
    const { mends } = await suggestMends(kb, 'note', { line: 1, target: 'xylophone' })
    expect(mends).toEqual([])
    const gone = suggestMends(kb, 'note', { line: 2, target: 'xylophone' })
    await expect(gone).rejects.toMatchObject({ code: 'not_found' })
  })
})
