/**
 * Regular expressions that take time in proportion to the text, whatever the pattern: all states a
 * pattern can be in are followed side by side (Thompson), so nothing is ever tried twice. What would
 * need trying again, references to groups and looking around, is refused.
 */
import { cutText } from '../kit/cut-text.ts'
import { invalid, quoted } from '../domain/error.ts'
import type { KnowledgeError } from '../domain/error.ts'

export interface LinearPattern {
  /** Whether one line has a match. */
  test(line: string): boolean
  /** Where the matches of a short line begin and end, the longest at each place. */
  spans(line: string): [start: number, end: number][]
  /** A text that every match contains; a line without it need not be looked at. */
  readonly needs: string
}

export interface PatternOptions {
  readonly ignoreCase?: boolean
  /** Only where no letter, digit or underscore stands beside the match. */
  readonly wholeWord?: boolean
}

const LONGEST = 1_000
const LONGEST_TEXT = 4_000
/** Counted repetition is written out; a pattern of more states than this is refused. */
const MOST_STATES = 5_000
/** Up to two states for each time. */
const MOST_TIMES = 2_000

/** A text as it stands. */
export function literalPattern(text: string, options: PatternOptions = {}): LinearPattern {
  if (text === '') throw invalid('The pattern is empty.', 'Say which text to look for.')
  const { ignoreCase = false, wholeWord = false } = options
  if (!ignoreCase && !wholeWord) {
    return { needs: text, test: (line) => line.includes(text), spans: (line) => places(line, text) }
  }
  if (text.length > LONGEST_TEXT) {
    throw invalid(
      `The text to look for is longer than ${LONGEST_TEXT} characters.`,
      'Look for a part of it, or for its very letters.',
    )
  }
  const nodes: Node[] = Array.from(text, (char) => letter(char, ignoreCase))
  return build({ kind: 'all', nodes }, options, ignoreCase ? '' : text)
}

/** Where a text stands in a line; what overlaps counts once. */
function places(line: string, text: string): [number, number][] {
  const found: [number, number][] = []
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + text.length)) {
    found.push([at, at + text.length])
  }
  return found
}

function refuseLong(what: string, text: string): void {
  if (text.length <= LONGEST) return
  throw invalid(`The ${what} is longer than ${LONGEST} characters.`, 'Shorten it.')
}

export function linearPattern(source: string, options: PatternOptions = {}): LinearPattern {
  if (source === '') throw invalid('The pattern is empty.', 'Say what to look for.')
  refuseLong('pattern', source)
  const inline = source.startsWith('(?i)')
  const ignoreCase = (options.ignoreCase ?? false) || inline
  const node = parse(inline ? source.slice(4) : source, ignoreCase)
  return build(node, options, ignoreCase ? '' : neededText(node))
}

function tooLarge(why: string): KnowledgeError {
  return invalid(
    `The pattern is too large: ${why}.`,
    `Write at most {${MOST_TIMES}}, less where one repetition is inside of another; * and + have no limit.`,
  )
}

type Test = (char: string) => boolean

type Node =
  | { readonly kind: 'char'; readonly test: Test; readonly literal?: string }
  | { readonly kind: 'at'; readonly where: 'start' | 'end' | 'edge' | 'inside' }
  | { readonly kind: 'all'; readonly nodes: readonly Node[] }
  | { readonly kind: 'any'; readonly nodes: readonly Node[] }
  | { readonly kind: 'many'; readonly node: Node; readonly min: number; readonly max: number }

function letter(char: string, ignoreCase: boolean): Node {
  if (!ignoreCase) return { kind: 'char', test: (each) => each === char, literal: char }
  const folded = char.toLowerCase()
  return { kind: 'char', test: (each) => each === char || each.toLowerCase() === folded }
}

const WORD: Test = (char) => /[\p{L}\p{N}_]/u.test(char)
const CLASSES: Readonly<Record<string, Test>> = {
  d: (char) => char >= '0' && char <= '9',
  w: WORD,
  s: (char) => /\s/.test(char),
}
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' }

function parse(source: string, ignoreCase: boolean): Node {
  const chars = Array.from(source)
  let at = 0
  const wrong = (what: string) =>
    invalid(
      `${quoted(source)} is no pattern: ${what}.`,
      'Write letters, ., [a-z], \\d \\w \\s \\b, ^ $, groups ( ), |, and * + ? {2,5} behind a part; put \\ before a sign that is meant itself.',
    )
  const alternatives = (depth: number): Node => {
    if (depth > 100) throw wrong('its groups are nested too deeply')
    const nodes = [sequence(depth)]
    while (chars[at] === '|') {
      at++
      nodes.push(sequence(depth))
    }
    return nodes.length === 1 ? nodes[0]! : { kind: 'any', nodes }
  }
  const sequence = (depth: number): Node => {
    const nodes: Node[] = []
    while (at < chars.length && chars[at] !== '|' && chars[at] !== ')') {
      nodes.push(repeated(single(depth)))
    }
    return { kind: 'all', nodes }
  }
  const repeated = (node: Node): Node => {
    const behind = chars.slice(at, chars[at] === '{' ? chars.length : at + 1).join('')
    const counts = /^(?:([*+?])|\{(\d+)(,(\d+)?)?\})/.exec(behind)
    if (!counts) return node
    if (node.kind === 'at') throw wrong(`${counts[0]} repeats a place`)
    at += counts[0].length
    // Whether as much or as little as possible is taken changes nothing on a line.
    if (chars[at] === '?') at++
    const [, sign, least, range, most] = counts
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0
    const max =
      sign === '?' ? 1 : sign !== undefined ? Infinity : range ? Number(most ?? Infinity) : min
    if (max < min) throw wrong(`${counts[0]} counts backwards`)
    if (min > MOST_TIMES || (max > MOST_TIMES && max < Infinity)) {
      throw tooLarge(`${cutText(counts[0], 40)} repeats more than ${MOST_TIMES} times`)
    }
    return repeated({ kind: 'many', node, min, max })
  }
  const single = (depth: number): Node => {
    const char = chars[at++]!
    if (char === '(') return group(depth)
    if (char === '[') return oneOf()
    if (char === '.') return { kind: 'char', test: () => true }
    if (char === '^') return { kind: 'at', where: 'start' }
    if (char === '$') return { kind: 'at', where: 'end' }
    if (char === '\\') return escaped()
    if ('*+?'.includes(char)) throw wrong(`${char} has nothing before it to repeat`)
    return letter(char, ignoreCase)
  }
  const group = (depth: number): Node => {
    if (chars[at] === '?') {
      const mark = chars.slice(at, at + 2).join('')
      if (mark !== '?:') throw wrong('looking around and named groups cannot be searched in a line')
      at += 2
    }
    const node = alternatives(depth + 1)
    if (chars[at++] !== ')') throw wrong('a ( is never closed')
    return node
  }
  const escaped = (): Node => {
    const char = chars[at++]
    if (char === undefined) throw wrong('it ends with \\')
    if (char === 'b') return { kind: 'at', where: 'edge' }
    if (char === 'B') return { kind: 'at', where: 'inside' }
    const test = classOf(char)
    if (test) return { kind: 'char', test }
    if (/[1-9]/.test(char)) throw wrong(`\\${char} refers to a group`)
    if (/[a-z]/i.test(char) && CONTROLS[char] === undefined) throw wrong(`\\${char} means nothing`)
    return letter(CONTROLS[char] ?? char, ignoreCase)
  }
  /** `\d`, `\W`, `\p{L}`; undefined for a sign that is meant itself. */
  const classOf = (char: string): Test | undefined => {
    const known = CLASSES[char.toLowerCase()]
    if (known) return char === char.toLowerCase() ? known : (each) => !known(each)
    if (char !== 'p' && char !== 'P') return undefined
    const name = /^\{([A-Za-z_=]{1,40})\}/.exec(chars.slice(at, at + 44).join(''))
    if (!name) throw wrong('\\p needs a name, such as \\p{L} for letters')
    at += name[0].length
    try {
      const one = new RegExp(`^\\p{${name[1]}}$`, 'u')
      return char === 'p' ? (each) => one.test(each) : (each) => !one.test(each)
    } catch {
      throw wrong(`\\p{${name[1]}} is no property of letters`)
    }
  }
  const oneOf = (): Node => {
    const negated = chars[at] === '^'
    if (negated) at++
    const tests: Test[] = []
    for (let first = true; ; first = false) {
      const char = chars[at]
      if (char === undefined) throw wrong('a [ is never closed')
      if (char === ']' && !first) break
      at++
      const from = char === '\\' ? inClass() : char
      if (typeof from === 'function') {
        tests.push(from)
        continue
      }
      const isRange = chars[at] === '-' && chars[at + 1] !== ']' && chars[at + 1] !== undefined
      if (!isRange) {
        tests.push((each) => each === from)
        continue
      }
      at++
      const last = chars[at++]!
      const to = last === '\\' ? inClass() : last
      if (typeof to === 'function' || to < from) throw wrong('a range in [ ] goes backwards')
      tests.push((each) => each >= from && each <= to)
    }
    at++
    const some = (each: string): boolean => tests.some((test) => test(each))
    const found = (each: string): boolean =>
      some(each) || (ignoreCase && (some(each.toLowerCase()) || some(each.toUpperCase())))
    return { kind: 'char', test: negated ? (each) => !found(each) : found }
  }
  const inClass = (): string | Test => {
    const char = chars[at++]
    if (char === undefined) throw wrong('it ends with \\')
    if (char === 'b') return '\b'
    return classOf(char) ?? CONTROLS[char] ?? char
  }
  const node = alternatives(0)
  if (at < chars.length) throw wrong('a ) is never opened')
  return node
}

/** The longest run of letters that stands in every match. */
function neededText(node: Node): string {
  if (node.kind === 'char') return node.literal ?? ''
  if (node.kind === 'many') return node.min > 0 ? neededText(node.node) : ''
  if (node.kind !== 'all') return ''
  let longest = ''
  let run = ''
  for (const each of node.nodes) {
    run = each.kind === 'char' && each.literal !== undefined ? run + each.literal : ''
    const other = each.kind === 'char' ? run : neededText(each)
    for (const text of [run, other]) if (text.length > longest.length) longest = text
  }
  return longest
}

/** One state: it takes a character, splits, asks for a place, or is the end. */
interface State {
  readonly test?: Test
  readonly where?: Extract<Node, { kind: 'at' }>['where']
  next: number[]
}

function build(root: Node, { wholeWord = false }: PatternOptions, needs: string): LinearPattern {
  const states: State[] = []
  const add = (state: State): number => {
    if (states.length >= MOST_STATES) {
      throw tooLarge(`written out, it has more than ${MOST_STATES} parts`)
    }
    return states.push(state) - 1
  }
  /** Compiles backwards: what comes behind is known already. */
  const compile = (node: Node, after: number): number => {
    switch (node.kind) {
      case 'char':
        return add({ test: node.test, next: [after] })
      case 'at':
        return add({ where: node.where, next: [after] })
      case 'all':
        return node.nodes.reduceRight((behind, each) => compile(each, behind), after)
      case 'any':
        return add({ next: node.nodes.map((each) => compile(each, after)) })
      case 'many': {
        let begin = after
        if (node.max === Infinity) {
          const loop = add({ next: [after] })
          states[loop]!.next.unshift(compile(node.node, loop))
          begin = loop
        } else {
          for (let count = node.min; count < node.max; count++) {
            begin = add({ next: [compile(node.node, begin), after] })
          }
        }
        for (let count = 0; count < node.min; count++) begin = compile(node.node, begin)
        return begin
      }
      default:
        return node satisfies never
    }
  }
  const edge: Node = { kind: 'at', where: 'edge' }
  const end = add({ next: [] })
  const start = compile(wholeWord ? { kind: 'all', nodes: [edge, root, edge] } : root, end)
  const machine = { states, start, end }
  return {
    needs,
    test: (line) => line.includes(needs) && endOf(machine, Array.from(line), 0, 'any') >= 0,
    spans: (line) => spansOf(machine, Array.from(line)),
  }
}

interface Machine {
  readonly states: readonly State[]
  readonly start: number
  readonly end: number
}

function spansOf(machine: Machine, chars: readonly string[]): [number, number][] {
  const spans: [number, number][] = []
  let letters = 0
  for (let at = 0; at < chars.length;) {
    const end = endOf(machine, chars, at, 'here')
    const to = Math.max(at + 1, end)
    const length = chars.slice(at, to).join('').length
    if (end > at) spans.push([letters, letters + length])
    letters += length
    at = to
  }
  return spans
}

/**
 * Where a match ends; -1 where there is none. `any`: of whatever begins anywhere behind `from`, the
 * first to end; `here`: the longest that begins there.
 */
function endOf(
  { states, start, end }: Machine,
  chars: readonly string[],
  from: number,
  begins: 'any' | 'here',
): number {
  const seen = new Int32Array(states.length).fill(-1)
  let now: readonly number[] = [start]
  let last = -1
  for (let at = from; ; at++) {
    const active: number[] = []
    const open = begins === 'any' && at > from ? [...now, start] : [...now]
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen[state] === at) continue
      seen[state] = at
      if (state === end) last = at
      const { test, where, next } = states[state]!
      if (test) active.push(state)
      else if (where === undefined || isAt(where, chars, at)) open.push(...next)
    }
    if (last >= 0 && begins === 'any') return last
    if (at >= chars.length || (active.length === 0 && begins === 'here')) return last
    const char = chars[at]!
    now = active.flatMap((state) => (states[state]!.test!(char) ? states[state]!.next : []))
  }
}

function isAt(where: NonNullable<State['where']>, chars: readonly string[], at: number): boolean {
  if (where === 'start') return at === 0
  if (where === 'end') return at === chars.length
  const edge = WORD(chars[at - 1] ?? '') !== WORD(chars[at] ?? '')
  return where === 'edge' ? edge : !edge
}
