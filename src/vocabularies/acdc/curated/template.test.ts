import { expect, it } from 'vitest'
import { renderTemplate } from './render-template.ts'
import { parseTemplate } from './template.ts'

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
  ['{{with .x}}[{{.}}]{{else}}none{{end}}', { x: 'a' }, '[a]'],
  ['{{with .x}}[{{.}}]{{else}}none{{end}}', {}, 'none'],
  ['{{with .x}}x{{else with .y}}{{.}}{{end}}', { y: 'b' }, 'b'],
  ['{{with $v := .x}}{{$v}} {{$.y}}{{end}}', { x: 'a', y: 'b' }, 'a b'],
  ['{{range $k, $v := .}}{{$k}}={{$v}};{{end}}', { b: '2', a: '1' }, 'a=1;b=2;'],
  ['{{range .}}{{.}}{{else}}empty{{end}}', {}, 'empty'],
  ['{{range 3}}{{.}}{{end}}', {}, '012'],
  [
    '{{range $i := 5}}{{if eq $i 1}}{{continue}}{{end}}{{if gt $i 2}}{{break}}{{end}}{{$i}}{{end}}',
    {},
    '02',
  ],
  ['{{$n := 1}}{{range 3}}{{$n = .}}{{end}}{{$n}}', {}, '2'],
  [
    '{{printf "%s-%5d|%-4s|%q|%.2f|%v%%" .x 42 "a" .x 1.5 true}}',
    { x: 'y' },
    'y-   42|a   |"y"|1.50|true%',
  ],
  ['{{printf "%d" .x}}', { x: 'y' }, '%!d(string=y)'],
  ['{{.x | printf "%q" | len}}', { x: 'ab' }, '4'],
  ['{{len .x}}', { x: 'ä' }, '2'],
  ['{{if gt (len .x) 3}}long{{else}}short{{end}}', { x: 'abcd' }, 'long'],
  ['{{"out" | printf "%s%s" .x}}', { x: 'a' }, 'aout'],
  ['{{$x := .x}}{{$x}}{{if .x}}{{$x := "in"}}{{$x}}{{end}}{{$x}}', { x: 'o' }, 'oino'],
  ['{{index . "x"}}{{slice .x 1 2}}', { x: 'abc' }, 'abcb'],
  ['{{html .x}} {{urlquery .x}}', { x: '<a b>' }, '&lt;a b&gt; %3Ca+b%3E'],
  ['{{print 1 2 "a" "b"}}{{println .x 1}}', { x: 'y' }, '1 2a\u0062y 1\n'],
  ['{{if lt 1 2}}{{if ge "b" "a"}}ok{{end}}{{end}}', {}, 'ok'],
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
  '{{range .x}}',
  '{{break}}',
  '{{$x}}',
  '{{$x = 1}}',
  '{{if .x}}{{$y := 1}}{{end}}{{$y}}',
  '{{.x | .y}}',
  '{{define "x"}}{{end}}',
  '{{template "x"}}',
  '{{.x.y}}',
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

it('does not run for ever, and says what cannot be done', () => {
  const nested = '{{range 1000}}'.repeat(5) + 'x' + '{{end}}'.repeat(5)
  expect(() => render(nested)).toThrow('too long')
  expect(() => render('{{range .x}}{{end}}', { x: 'text' })).toThrow('range')
  expect(() => render('{{with .x}}{{.y}}{{end}}', { x: 'text' })).toThrow('.y')
  expect(() => render('{{lt 1 "a"}}')).toThrow('compared')
})
