import { describe, expect, it } from 'vitest'
import { openSmallBase } from '../../../test/support/open-small-base.ts'
import { completeLink, completePlace, listVocabulary } from './complete.ts'
import { previewText } from './preview-text.ts'

const FILES = {
  'a.md': '---\nstatus: draft\ntags: [one]\n---\n# A\n',
  'b/roll-back.md':
    '---\nstatus: done\naliases: [undo it]\n---\n# Roll back\n\n## Before\n\n## After\n',
  'c/twin.md': '# Twin of c\n',
  'd/twin.md': '# Twin of d\n\n#two\n',
}

describe('completion', () => {
  it.each([
    ['roll', 'Roll back', 'roll-back', undefined],
    ['undo', 'Roll back', 'roll-back', 'undo it'],
    ['twin of c', 'Twin of c', 'twin', undefined],
    ['twin of d', 'Twin of d', 'd/twin', undefined],
  ])('of [[%s', async (text, title, target, as) => {
    const { kb } = await openSmallBase(FILES)
    const [first] = await completeLink(kb, 'a', text)
    expect(first).toMatchObject({ title, target, ...(as !== undefined && { as }) })
  })

  it('begins with what changed last', async () => {
    const { kb } = await openSmallBase(FILES)
    expect((await completeLink(kb, 'a', '')).length).toBe(4)
  })

  it('of headings of the note that is meant', async () => {
    const { kb } = await openSmallBase(FILES)
    const texts = async (name: string) =>
      (await completePlace(kb, 'a', name)).headings.map(({ text }) => text)
    expect(await texts('roll-back')).toEqual(['Roll back', 'Before', 'After'])
    expect(await texts('Roll back')).toEqual(['Roll back', 'Before', 'After'])
    expect(await texts('nobody')).toEqual([])
  })

  it('of blocks that have a mark', async () => {
    const text = '# B\n\nOne line. ^one\n\n- item\n\n^two\n\n2^3 and ^ no\n'
    const { kb } = await openSmallBase({ 'a.md': '# A\n', 'b.md': text })
    expect((await completePlace(kb, 'a', 'b')).blocks).toEqual([
      { name: 'one', text: 'One line.' },
      { name: 'two', text: '- item' },
    ])
  })

  it('of tags and properties that others have', async () => {
    const { kb } = await openSmallBase(FILES)
    const { tags, properties } = await listVocabulary(kb, 'a')
    expect(tags.toSorted()).toEqual(['one', 'two'])
    expect(properties.find(({ key }) => key === 'status')?.values.toSorted()).toEqual(
      ['draft', 'done'].toSorted(),
    )
  })
})

describe('a preview', () => {
  it('resolves links that nobody has indexed, and leaves the front matter out', async () => {
    const { kb } = await openSmallBase(FILES)
    const text = '---\nx: 1\n---\n[[roll-back#After]] [[nobody]] ![[roll-back#Before]]\n'
    const { html } = await previewText(kb, 'a', { text, line: 1 })
    expect(html).toContain('data-id="notes/b/roll-back.md"')
    expect(html).toContain('data-line="4"')
    expect(html).toContain('class="ghost"')
    expect(html).not.toContain('x: 1')
  })

  it('ends lines where the one who reads wants them to end', async () => {
    const { kb } = await openSmallBase(FILES)
    const drawn = async (breaks: boolean) =>
      (await previewText(kb, 'a', { text: 'one\ntwo\n', line: 1, breaks })).html
    expect(await drawn(true)).toContain('<br>')
    expect(await drawn(false)).not.toContain('<br>')
  })

  it('lets nothing in that a note may not have', async () => {
    const { kb } = await openSmallBase(FILES)
    const text = '<script>alert(1)</script> [a](javascript:alert(2)) <img src=x onerror=alert(3)>'
    const { html } = await previewText(kb, 'a', { text, line: 9 })
    expect(html).not.toMatch(/<script|<img|href="javascript/)
  })
})
