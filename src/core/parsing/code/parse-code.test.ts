import { beforeAll, describe, expect, it } from 'vitest'
import { parseCode, prepareCode } from './parse-code.ts'

/** `kind qualified.name lines` of every symbol. */
function symbolsOf(path: string, text: string): string[] {
  const { symbols = [] } = parseCode(text, path).document
  return symbols.map(
    ({ kind, qualifiedName, lineStart, lineEnd }) =>
      `${kind} ${qualifiedName} ${lineStart}-${lineEnd}`,
  )
}

function importsOf(path: string, text: string): string[] {
  return parseCode(text, path).document.links.map(({ kind, target, label = '' }) =>
    `${kind} ${target} ${label}`.trim(),
  )
}

const FILES = {
  'a.py':
    'import os\nLIMIT = 3\n\nclass Example:\n    """Says."""\n    def method(self):\n        def inner(): pass\n\n@cached\nasync def helper(): pass\n',
  'a.ts':
    'export interface Shape { area(): number }\nexport type Id = string\nenum Color { Red }\nexport class Box<T> extends Base {\n  #x = 1\n  get(): T { return 1 }\n  run = () => 1\n}\nexport const make = () => new Box()\nconst LIMIT = 3\nexport default function main() {}\nnamespace Deep { function f() {} }\n',
  'a.tsx': 'export function View() { return <p>hi</p> }\n',
  'a.js': 'class A { b() {} }\nfunction c() {}\nconst d = function () {}\n',
  'a.go':
    'package a\n\ntype Server struct{}\ntype Reader interface{ Read() }\nconst Max = 1\n\n// Serve serves.\nfunc (s *Server) Serve() {}\nfunc New[T any]() {}\n',
  'a.rs':
    "struct Point<'a> { x: &'a str }\nenum E { A }\ntrait Draw { fn draw(&self); }\nimpl<'a> Point<'a> { pub fn new() -> Self { todo!() } }\nfn main() {}\nmod parser { fn p() {} }\n",
  'A.java': 'package a;\nclass A { void b() {} A() {} interface C {} }\n',
  'A.cs': 'namespace N.M { class A { void B() {} int C { get; } } interface I {} }\n',
  'a.cpp':
    'namespace n { class A { void b() { } }; }\nvoid n::A::c() {}\nint d(int x) { return x; }\nstruct S { int y; };\n',
  'a.rb': 'module M\n  class A\n    def b; end\n    def self.c; end\n  end\nend\n',
  'a.php': '<?php\nclass A { function b() {} }\ninterface I {}\nfunction c() {}\n',
  'a.sh': 'greet() {\n  echo hi\n}\nfunction bye { echo bye; }\n',
}

const EXPECTED: Record<keyof typeof FILES, string[]> = {
  'a.py': [
    'variable LIMIT 2-2',
    'class Example 4-7',
    'method Example.method 6-7',
    'function Example.method.inner 7-7',
    'function helper 10-10',
  ],
  'a.ts': [
    'interface Shape 1-1',
    'method Shape.area 1-1',
    'type Id 2-2',
    'type Color 3-3',
    'class Box 4-8',
    'method Box.get 6-6',
    'method Box.run 7-7',
    'function make 9-9',
    'variable LIMIT 10-10',
    'function main 11-11',
    'module Deep 12-12',
    'function Deep.f 12-12',
  ],
  'a.tsx': ['function View 1-1'],
  'a.js': ['class A 1-1', 'method A.b 1-1', 'function c 2-2', 'function d 3-3'],
  'a.go': [
    'type Server 3-3',
    'interface Reader 4-4',
    'variable Max 5-5',
    'method Server.Serve 8-8',
    'function New 9-9',
  ],
  'a.rs': [
    'class Point 1-1',
    'type E 2-2',
    'interface Draw 3-3',
    'method Draw.draw 3-3',
    'method Point.new 4-4',
    'function main 5-5',
    'module parser 6-6',
    'function parser.p 6-6',
  ],
  'A.java': ['class A 2-2', 'method A.b 2-2', 'method A.A 2-2', 'interface A.C 2-2'],
  'A.cs': ['class N.M.A 1-1', 'method N.M.A.B 1-1', 'method N.M.A.C 1-1', 'interface N.M.I 1-1'],
  'a.cpp': [
    'module n 1-1',
    'class n.A 1-1',
    'method n.A.b 1-1',
    'method n.A.c 2-2',
    'function d 3-3',
    'class S 4-4',
  ],
  'a.rb': ['module M 1-6', 'class M.A 2-5', 'method M.A.b 3-3', 'method M.A.c 4-4'],
  'a.php': ['class A 2-2', 'method A.b 2-2', 'interface I 3-3', 'function c 4-4'],
  'a.sh': ['function greet 1-3', 'function bye 4-4'],
}

describe('before any grammar is there', () => {
  it('reads definitions line by line', () => {
    expect(symbolsOf('a.py', FILES['a.py'])).toContain('class Example 4-7')
    expect(symbolsOf('a.py', FILES['a.py'])).toContain('method Example.method 6-7')
    const text =
      'export class Box {\n  get() {\n  }\n}\n\nexport async function run() {\n  x()\n}\n'
    expect(symbolsOf('b.ts', text)).toEqual([
      'class Box 1-4',
      'method Box.get 2-3',
      'function run 6-8',
    ])
    const proto =
      'syntax = "proto3";\nmessage Order {\n  string id = 1;\n}\nservice Shop {\n  rpc Buy(Order) returns (Order);\n}\n'
    expect(symbolsOf('a.proto', proto)).toEqual([
      'class Order 2-4',
      'interface Shop 5-7',
      'method Shop.Buy 6-6',
    ])
  })
})

describe('with grammars', () => {
  beforeAll(() => Promise.all(Object.keys(FILES).map(prepareCode)))

  it.each(Object.keys(FILES) as (keyof typeof FILES)[])('finds the symbols of %s', (path) => {
    expect(symbolsOf(path, FILES[path])).toEqual(EXPECTED[path])
  })

  it.each([
    [
      'a.py',
      'from ..web import route, serve as s',
      ['import ../web route, serve', 'import ../web/route', 'import ../web/serve'],
    ],
    ['a.py', 'import a.b, c as d', ['import a/b', 'import c']],
    ['a.py', 'from . import x', ['import ./x']],
    ['a.ts', "import { a, type B } from './x.ts'", ['import ./x.ts a, B']],
    ['a.ts', "export * from '../y'", ['import ../y']],
    ['a.js', "const z = require('./z')", ['import ./z']],
    ['a.test.ts', "import { a } from './a.ts'", ['exercises ./a.ts a']],
    [
      'a.go',
      'package a\nimport (\n  "fmt"\n  b "x.org/m/b"\n)',
      ['import fmt', 'import x.org/m/b'],
    ],
    ['a.rs', 'use crate::a::B;\nmod c;', ['import a/B', 'import a B', 'import ./c']],
    ['A.java', 'import com.x.Y;', ['import com/x/Y']],
    ['a.cpp', '#include "x.h"\n#include <vector>', ['import ./x.h']],
    ['a.rb', "require_relative 'x'", ['import ./x']],
    ['a.php', '<?php\nuse App\\Foo;\nrequire "x.php";', ['import App/Foo', 'import ./x.php']],
    ['a.sh', 'source lib/x.sh', ['import ./lib/x.sh']],
  ])('finds what %s brings in: %s', (path, text, expected) => {
    expect(importsOf(path, text)).toEqual(expected)
  })

  it('cuts passages between symbols, comment and all, and never within a line', () => {
    const body = Array.from({ length: 60 }, (_, i) => `    total += step(${i}, "some words here")`)
    const text = [
      '"""Adds up."""',
      '# one',
      'def first():',
      ...body,
      '',
      '# two',
      'def second():',
      ...body,
      '',
    ].join('\n')
    const { chunks } = parseCode(text, 'sum.py').document
    expect(chunks.map(({ headingPath }) => headingPath.join('.'))).toEqual([
      'first',
      'first',
      'second',
      'second',
    ])
    for (const { start, end } of chunks) {
      expect(start === 0 || text[start - 1] === '\n').toBe(true)
      expect(end === text.length || text[end] === '\n').toBe(true)
    }
    expect(text.slice(chunks[2]!.start)).toMatch(/^# two\ndef second/)
  })

  it('keeps what could be read of a broken file, and says where it breaks', () => {
    const { document, warnings } = parseCode('def a():\n  pass\n\ndef b(:\n  x ===\n', 'a.py')
    expect(document.symbols?.map(({ name }) => name)).toContain('a')
    expect(warnings).toMatchObject([{ kind: 'syntax' }])
  })

  it('takes the title from the file and the description from its first comment', () => {
    const { document } = parseCode(
      '/** Folds case. And more. */\nexport const a = 1\n',
      'x/index.ts',
    )
    expect(document).toMatchObject({ title: 'x/index.ts', description: 'Folds case.' })
    expect(parseCode('// Copyright 2020\n', 'a.go').document.description).toBeUndefined()
  })
})
