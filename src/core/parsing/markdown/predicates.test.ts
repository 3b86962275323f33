import { expect, it } from 'vitest'
import { parseMarkdown } from './parse-markdown.ts'

function said(text: string): readonly string[] {
  const { document } = parseMarkdown(text, 'a.md')
  return document.links.map(({ target, predicate }) => `${predicate ?? '-'} ${target}`)
}

it('reads the relations of list items', () => {
  expect(said('- works_on [[X]]\n')).toEqual(['works_on X'])
  expect(said('* part of [[X|the x]] (since 2024)\n')).toEqual(['part of X'])
  expect(said('  1. depends-on [[A]], [[B]]\n')).toEqual(['depends-on A', 'depends-on B'])
  expect(said('> - работает над [[Y]]\r\n- 位于 [[Z]]\r\n')).toEqual(['работает над Y', '位于 Z'])
})

it('reads fields as Dataview does', () => {
  expect(said('author:: [[X]]\n')).toEqual(['author X'])
  expect(said('**written by**:: [[A]], [[B]] and [[C]]\n')).toEqual([
    'written by A',
    'written by B',
    '- C',
  ])
  expect(said('- up::[[X]]\n- [ ] blocks:: [[Y]]\n')).toEqual(['up X', 'blocks Y'])
  expect(said('Met at noon [place:: [[Hall]]], with (who:: [[Ann]]) there.\n')).toEqual([
    'place Hall',
    'who Ann',
  ])
  expect(said('---\ntitle: x\n---\nup:: [[X]]\n')).toEqual(['up X'])
})

it('takes prose for prose', () => {
  for (const text of [
    'works_on [[X]]',
    '- See [[X]]',
    '- works on [[X]] every day',
    '- one of four words [[X]]',
    '- call: [[X]]',
    '- [ ] call [[X]]',
    '- works_on ![[X]]',
    '- works_on[[X]]',
    'and some more author:: [[X]]',
    'a:: b [[X]]',
    '- [[X]]',
    ':: [[X]]',
    `- ${'w'.repeat(200)} [[X]]`,
    `- uses [[X]] ${'('.repeat(400)}`,
  ]) {
    expect([text, said(text)]).toEqual([text, ['- X']])
  }
  expect(said('```\n- works_on [[X]]\n```\n- `works_on [[X]]`\n')).toEqual([])
})

it('keeps what else a link says, and where it stands', () => {
  const text = '# T\n\n- works_on [[X#Part|an x]]\n'
  const { links } = parseMarkdown(text, 'a.md').document
  expect(links).toEqual([
    {
      kind: 'wiki',
      target: 'X',
      fragment: 'Part',
      label: 'an x',
      predicate: 'works_on',
      start: text.indexOf('[['),
      end: text.length - 1,
      line: 3,
    },
  ])
})

it('reads no more of a note than a glance at each link, and no table of thousands', () => {
  const many = parseMarkdown('- uses [[X]]\n'.repeat(3_000), 'a.md').document.links
  expect(many).toHaveLength(3_000)
  expect(many.filter(({ predicate }) => predicate === 'uses')).toHaveLength(1_000)
  const long = `${'a '.repeat(200_000)}[k:: [[X]]] [k:: [[Y]]]`
  expect(said(long)).toEqual(['- X', '- Y'])
})
