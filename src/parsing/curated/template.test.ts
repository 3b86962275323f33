import { expect, it } from 'vitest'
import { parseTemplate, renderTemplate } from './template.ts'

function render(text: string, values: Record<string, string> = {}): string {
  const template = parseTemplate(text)
  return template.kind === 'problem' ? `!${template.why}` : renderTemplate(template, values)
}

it.each([
  ['plain', {}, 'plain'],
  ['a {{.x}} b', { x: '<1>' }, 'a <1> b'],
  ['[{{ .x }}]', {}, '[]'],
  ['{{.constructor}}', {}, ''],
  ['{{if .x}}yes{{end}}', { x: '1' }, 'yes'],
  ['{{if .x}}yes{{end}}', {}, ''],
  ['{{if .x}}yes{{else}}no{{end}}', { x: '' }, 'no'],
  ['{{if .x}}x{{else if .y}}y{{else}}z{{end}}', { y: '1' }, 'y'],
  ['{{if .x}}x{{else if .y}}y{{else}}z{{end}}', {}, 'z'],
  ['{{if .x}}{{if .y}}both{{else}}x{{end}}{{end}}', { x: '1' }, 'x'],
  ['{{if not .x}}none{{end}}', {}, 'none'],
  ['{{if and .x .y}}both{{end}}', { x: '1', y: '2' }, 'both'],
  ['{{if and .x .y}}both{{end}}', { x: '1' }, ''],
  ['{{or .x "default"}}', {}, 'default'],
  ['{{or .x `raw "one"`}}', {}, 'raw "one"'],
  ['{{and .x .y}}', { x: '1', y: '2' }, '2'],
  ['{{if eq .x "a" "b"}}ab{{end}}', { x: 'b' }, 'ab'],
  ['{{if ne .x "a"}}other{{end}}', { x: 'b' }, 'other'],
  ['{{if and (eq .x "a") (not .y)}}ok{{end}}', { x: 'a' }, 'ok'],
  ['{{if (or .x (and .y true))}}ok{{end}}', { y: '1' }, 'ok'],
  ['a{{/* a }} comment */}}b', {}, 'ab'],
  ['a\n{{- /* gone */ -}}\n  b', {}, 'ab'],
  ['a \n {{- .x -}} \n b', { x: '-' }, 'a-b'],
  ['a {{.x}}', { x: '{{.y}}', y: 'no' }, 'a {{.y}}'],
  ['{{"}}"}}', {}, '}}'],
])('renders %j with %j', (text, values, expected) => {
  expect(render(text, values)).toBe(expected)
})

it.each([
  '{{.x',
  '{{/* x }}',
  '{{if .x}}',
  '{{end}}',
  '{{else}}',
  '{{if .x}}{{else}}{{else}}{{end}}',
  '{{range .x}}{{end}}',
  '{{template "x"}}',
  '{{.x | printf}}',
  '{{.x.y}}',
  '{{printf "x"}}',
  '{{if}}x{{end}}',
  '{{not .x .y}}',
  '{{eq .x}}',
  '{{(.x}}',
  '{{.x .y}}',
  '{{}}',
  '{{"\\q"}}',
  '{{if .x}}'.repeat(200),
  `{{${'('.repeat(500)}.x`,
])('refuses %j', (text) => {
  expect(parseTemplate(text).kind).toBe('problem')
})

it('knows the values that a field is compared with', () => {
  const template = parseTemplate('{{if eq .x "a" "b"}}{{else if ne "c" .x}}{{end}}{{.y}}')
  expect(template.kind === 'template' && [...template.knownValues]).toEqual([
    ['x', ['a', 'b', 'c']],
  ])
})

it('trims blanks and line ends only', () => {
  expect(render('a\u00a0 \n{{- .x -}}\t \u00a0b', { x: 'y' })).toBe('a\u00a0y\u00a0b')
})

it('shows the beginning of what it does not understand', () => {
  const template = parseTemplate(`{{$${'x'.repeat(10_000)}}}`)
  expect(template.kind === 'problem' && template.why.length).toBeLessThan(120)
})

it('knows many values in no time', () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `{{if eq .x "v${i}"}}{{end}}`).join('')
  const template = parseTemplate(text)
  expect(template.kind === 'template' && template.knownValues.get('x')).toHaveLength(20_000)
})

it('takes no longer for a long text of braces', () => {
  expect(render('{{.x}} '.repeat(20_000), { x: 'y' })).toBe('y '.repeat(20_000))
})
