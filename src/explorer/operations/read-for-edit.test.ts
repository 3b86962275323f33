import { describe, expect, it } from 'vitest'
import { openSmallBase } from '../../../test/support/open-small-base.ts'
import { withSecrets } from '../../core/operations/view/view.ts'
import { readForEdit } from './read-for-edit.ts'

const KEY = 'AKIAIOSFODNN7EXAMPLE'
const NOTE =
  '---\r\na: 1\r\n---\r\n# Tea\r\n\r\n## Brew\r\n\r\nHot.\r\n\r\n## Serve\r\n\r\nIn cups.'

describe('the text of an editor', () => {
  it('is what the file holds, without its mark', async () => {
    const { kb } = await openSmallBase({ 'tea.md': `\ufeff${NOTE}` })
    const { text, first, last, lines, heading } = await readForEdit(kb, 'tea')
    expect(text).toBe(NOTE)
    expect([first, last, lines, heading]).toEqual([1, 12, 12, undefined])
  })

  it.each([
    [4, '# Tea', 4, 12],
    [6, 'Brew', 6, 9],
    [8, 'Brew', 6, 9],
    [10, 'Serve', 10, 12],
  ])('is the section around line %i', async (line, name, from, to) => {
    const { kb } = await openSmallBase({ 'tea.md': NOTE })
    const { text, first, last } = await readForEdit(kb, 'tea', { line })
    expect([first, last]).toEqual([from, to])
    expect(text).toContain(name)
    expect(text.split('\n').length).toBe(to - from + 1)
  })

  it('is whole above the first heading', async () => {
    const { kb } = await openSmallBase({ 'tea.md': NOTE })
    expect(await readForEdit(kb, 'tea', { line: 2 })).toMatchObject({ first: 1, last: 12 })
  })

  it('is none where a secret would have to be left out', async () => {
    const { kb } = await openSmallBase({ 'keys.md': `# One\n\n${KEY}\n\n# Two\n\nPlain.\n` })
    await expect(readForEdit(kb, 'keys')).rejects.toMatchObject({ code: 'unsupported' })
    await expect(readForEdit(kb, 'keys', { line: 1 })).rejects.toMatchObject({
      code: 'unsupported',
    })
    expect((await readForEdit(kb, 'keys', { line: 5 })).text).toBe('# Two\n\nPlain.\n')
    expect((await readForEdit(withSecrets(kb), 'keys')).text).toContain(KEY)
  })

  it('is none of a text that has the signs of a mask, or no UTF-8', async () => {
    const { kb } = await openSmallBase({
      'odd.md': '# Odd\n\n\ufdd1\ufde8\n',
      'wide.md': Buffer.from('\ufeff# Wide\n', 'utf16le'),
    })
    for (const id of ['odd', 'wide']) {
      await expect(readForEdit(withSecrets(kb), id)).rejects.toMatchObject({ code: 'unsupported' })
    }
  })

  it('is where the part of before is now', async () => {
    const { kb } = await openSmallBase({ 'tea.md': `---\nb: 2\n---\n\n${NOTE.slice(16)}` })
    const was = { text: '## Brew\n\nHot.\n', first: 6 }
    expect(await readForEdit(kb, 'tea', { was })).toMatchObject({ first: 7, last: 10 })
  })

  const section = (name: string, length: number): string => {
    const lines = Array.from({ length: length / 10 }, (_, at) => `line ${at} `.padEnd(9, '.'))
    return `## ${name}\n\n${lines.join('\n')}\n\n`
  }

  it('is a part of a note that is too long', async () => {
    const text = `# All\n\nTop.\n\n${section('One', 100_000)}${section('Two', 1_000_000)}`
    const { kb } = await openSmallBase({ 'long.md': text })
    const top = await readForEdit(kb, 'long')
    expect([top.first, top.last, top.heading]).toEqual([1, 4, undefined])
    const one = await readForEdit(kb, 'long', { near: 5_000 })
    expect([one.first, one.heading]).toEqual([5, 'One'])
    const near = await readForEdit(kb, 'long', { near: 50_000 })
    expect(near.text.length).toBeLessThan(100 * 1024)
    expect(near.first).toBeLessThan(50_000)
    expect(near.last).toBeGreaterThan(50_000)
    expect(
      text
        .split('\n')
        .slice(near.first - 1, near.last)
        .join('\n'),
    ).toBe(near.text)
  })

  it('stays whole when a note that is open becomes too long', async () => {
    const text = `# All\n\n${section('One', 200_000)}${section('Two', 200_000)}`
    const { kb } = await openSmallBase({
      'grown.md': text,
      'huge.md': `${text}${section('Three', 200_000)}`,
    })
    expect((await readForEdit(kb, 'grown')).text.length).toBeLessThan(text.length)
    const again = await readForEdit(kb, 'grown', { whole: true })
    expect([again.text, again.first, again.last]).toEqual([text, 1, again.lines])
    await expect(readForEdit(kb, 'huge', { whole: true })).rejects.toMatchObject({
      code: 'unsupported',
    })
  })

  it('is none where one line is too long', async () => {
    const { kb } = await openSmallBase({
      'line.md': `# Line\n\n${'word '.repeat(100_000)}\n\nEnd.\n`,
    })
    await expect(readForEdit(kb, 'line', { near: 3 })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('around line 3'),
    })
    expect((await readForEdit(kb, 'line', { near: 5 })).text).toBe('\nEnd.\n')
  })
})
