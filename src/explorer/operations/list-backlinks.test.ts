import { describe, expect, it } from 'vitest'
import { openSmallBase } from '../../../test/support/open-small-base.ts'
import { listMentions } from './list-backlinks.ts'

async function mentionsIn(text: string): Promise<readonly string[]> {
  const { kb } = await openSmallBase({ 'target.md': '# Target Name\n', 'a.md': `# A\n${text}\n` })
  return (await listMentions(kb, 'target')).map(({ replace }) => replace)
}

describe('mentions', () => {
  it.each([
    ['Ask Target Name.', ['[[target|Target Name]]']],
    ['[x](https://e.example/a) then Target Name', ['[[target|Target Name]]']],
    ['[the Target Name](b.md)', []],
    ['[b](Target Name)', []],
    ['https://e.example/Target Name', []],
    ['`Target Name`', []],
  ])('are found in %s', async (text, expected) => {
    expect(await mentionsIn(text)).toEqual(expected)
  })

  // Each took minutes when it was tried from every letter.
  it.each(['http:'.repeat(200_000), '['.repeat(1_000_000), '`Target Name` '.repeat(50_000)])(
    'are looked for in no time, whatever stands before them',
    async (text) => {
      expect((await mentionsIn(`${text}Target Name`)).length).toBeLessThan(2)
    },
  )
})
