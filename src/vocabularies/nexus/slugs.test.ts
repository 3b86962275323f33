import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Properties } from '../../core/domain/text.ts'
import { titleFromPath } from '../../core/parsing/names.ts'
import { atOnce } from '../../core/kit/slices.ts'
import { assignSlugs, isPage, slugFromTitle, slugWish, spellings } from './slugs.ts'

it.each([
  ['My Note Title', 'my-note-title'],
  ['Hello! World?', 'hello-world'],
  ['Test@#$%^&*()', 'test'],
  ['Multiple   Spaces   Here', 'multiple-spaces-here'],
  ['---Title---', 'title'],
  ['Note 123', 'note-123'],
  ['  tabs\tand\nlines ', 'tabs-and-lines'],
  ['a - b', 'a-b'],
  ['Größe & Gewicht', 'größe-gewicht'],
  ['日本語 ノート', '日本語-ノート'],
  ['हिन्दी', 'हिन्दी'],
  ['Ünï', 'ünï'],
  ['../../etc/passwd', 'etcpasswd'],
  ['a_b', 'ab'],
  ['!!!', ''],
  ['', ''],
])('%j becomes %j', (title, slug) => {
  expect(slugFromTitle(title)).toBe(slug)
})

it('makes slugs that stay what they are and fit into a file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (title) => {
      const slug = slugFromTitle(title)
      expect(slugFromTitle(slug)).toBe(slug)
      expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(200)
      expect(slug).not.toMatch(/[/\\.\s\u0000-\u001f]/)
    }),
  )
})

function slugsOf(files: Readonly<Record<string, Properties>>): Record<string, string> {
  const paths = Object.keys(files)
  const wishes = paths.map((path) => {
    const properties = files[path]!
    const { title } = properties
    const shown = typeof title === 'string' ? title : titleFromPath(path)
    return { source: 'notes', path, ...slugWish({ path, title: shown, properties }) }
  })
  const slugs = atOnce(assignSlugs(wishes))
  return Object.fromEntries(paths.map((path, index) => [path, slugs[index]!]))
}

it('finds a slug for every file', () => {
  expect(
    slugsOf({
      'getting-started.md': { title: 'Something else' },
      'My Note.md': {},
      'Some File.md': { title: 'A Title!' },
      'any.md': { slug: 'Web/CSS/Text_color' },
      'blank.md': { slug: ' ' },
      'guides/index.md': {},
      'README.md': {},
      'under_score.md': {},
      '!!!.md': {},
      '???.md': { title: '!!' },
    }),
  ).toEqual({
    'getting-started.md': 'getting-started',
    'My Note.md': 'my-note',
    'Some File.md': 'a-title',
    'any.md': 'web-css-text-color',
    'blank.md': 'blank',
    'guides/index.md': 'guides',
    'README.md': 'readme',
    'under_score.md': 'under-score',
    '!!!.md': 'untitled',
    '???.md': 'untitled-2',
  })
})

it('gives a slug that several want to one, and the others a name of their own', () => {
  expect(
    slugsOf({
      'z/tea.md': {},
      'tea.md': {},
      'Tea!.md': { title: 'Tea' },
      'a/b/tea.md': {},
    }),
  ).toEqual({ 'tea.md': 'tea', 'z/tea.md': 'z-tea', 'a/b/tea.md': 'a-b-tea', 'Tea!.md': 'tea-2' })
  expect(slugsOf({ 'tea.md': {}, 'x/y.md': { slug: 'tea' } })).toEqual({
    'x/y.md': 'tea',
    'tea.md': 'tea-2',
  })
  // A name that stands for a path already is not taken away.
  expect(slugsOf({ 'a-tea.md': {}, 'a/tea.md': {}, 'tea.md': {} })).toEqual({
    'a-tea.md': 'a-tea',
    'a/tea.md': 'tea-2',
    'tea.md': 'tea',
  })
})

it('tells files of two sources apart', () => {
  const file = { path: 'tea.md', title: 'Tea', properties: {} }
  const [a, b] = ['a', 'b'].map((source) => ({ source, ...file, ...slugWish(file) }))
  expect(atOnce(assignSlugs([a!, b!]))).toEqual(['tea', 'tea-2'])
  expect(atOnce(assignSlugs([b!, a!]))).toEqual(['tea-2', 'tea'])
})

it('gives every file its own, in whichever order they come', () => {
  const path = fc.stringMatching(/^([ab]\/){0,2}[abA !]{1,2}\.md$/)
  const file = fc.tuple(path, fc.option(fc.constantFrom('a', 'b', 'a-2', 'A b')))
  fc.assert(
    fc.property(fc.uniqueArray(file, { selector: ([name]) => name }), (list) => {
      const files = list.map(([name, slug]): [string, Properties] => [
        name,
        slug === null ? {} : { slug },
      ])
      const slugs = slugsOf(Object.fromEntries(files))
      expect(new Set(Object.values(slugs)).size).toBe(list.length)
      expect(slugsOf(Object.fromEntries(files.toReversed()))).toEqual(slugs)
    }),
  )
})

it('reads names as people write them', () => {
  expect(spellings(' My Note! ')).toEqual(['My Note!', 'my-note!', 'my-note', 'my-note'])
  expect(spellings('Web/CSS/Text_color.md').at(-1)).toBe('web-css-text-color')
})

it('knows pages by their extension', () => {
  expect(['a.md', 'A.MD', 'b.mdx', 'c.markdown', 'd.txt', 'md'].filter(isPage)).toEqual([
    'a.md',
    'A.MD',
    'b.mdx',
    'c.markdown',
  ])
})

it('takes a name as long as a book for what it is, and spells it no other way', () => {
  const book = 'a -'.repeat(1_000_000)
  expect(spellings(book)).toEqual([book])
})
