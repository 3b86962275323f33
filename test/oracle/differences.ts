/** Two recordings of one sequence, call by call, and what a person wants to see of a difference. */

export interface Recorded {
  readonly name: string
  readonly steps: readonly RecordedStep[]
  /** Path → content after the last call; only of sequences that write. */
  readonly files?: Readonly<Record<string, string>>
  /** What the program says of the changes. */
  readonly history?: string
}

export interface RecordedStep {
  readonly call: string
  readonly reply: string
}

export interface Difference {
  /** The sequence, and the call or the file in it. */
  readonly sequence: string
  readonly what: string
  readonly lines: readonly string[]
}

/** Every difference between what was recorded and what was played now. */
export function differencesOf(before: Recorded | undefined, after: Recorded): Difference[] {
  const sequence = after.name
  const compare = (what: string, old: string | undefined, now: string | undefined) =>
    old === now ? [] : [{ sequence, what, lines: diffLines(old, now) }]
  const older = new Map(numbered(before?.steps ?? []))
  const newer = new Map(numbered(after.steps))
  const oldFiles = before?.files ?? {}
  const newFiles = after.files ?? {}
  return [
    ...eitherOf(older, newer).flatMap((call) => compare(call, older.get(call), newer.get(call))),
    ...[...new Set([...Object.keys(oldFiles), ...Object.keys(newFiles)])]
      .toSorted()
      .flatMap((path) => compare(`file ${path}`, oldFiles[path], newFiles[path])),
    ...compare('history', before?.history, after.history),
  ]
}

/** The same call twice in a sequence is two calls. */
function numbered(steps: readonly RecordedStep[]): [string, string][] {
  const times = new Map<string, number>()
  return steps.map(({ call, reply }) => {
    const time = (times.get(call) ?? 0) + 1
    times.set(call, time)
    return [time === 1 ? call : `${call} (${time})`, reply]
  })
}

function eitherOf(older: ReadonlyMap<string, string>, newer: ReadonlyMap<string, string>) {
  return [...newer.keys(), ...[...older.keys()].filter((call) => !newer.has(call))]
}

const CONTEXT = 1

/** Lines with `-` and `+` in front, and a little around them. */
export function diffLines(old: string | undefined, now: string | undefined): string[] {
  if (old === undefined) return ['+ (was not recorded)']
  if (now === undefined) return ['- (is not there any more)']
  const [before, after] = [spread(old), spread(now)]
  const lines = alignLines(before, after)
  if (lines.every(({ sign }) => sign === ' ')) return sameValues(old, now)
  const shown = lines.map(({ sign }, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((each) => each.sign !== ' ')
      ? sign
      : undefined,
  )
  return lines.flatMap(({ sign, line }, at) => {
    if (shown[at] !== undefined) return [`${sign} ${line}`]
    return shown[at - 1] === undefined ? [] : ['  …']
  })
}

/** The values are the same, and the order of keys or the white space is not. */
function sameValues(old: string, now: string): string[] {
  const at = [...old].findIndex((letter, index) => letter !== now[index])
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 60))
  return ['  (the same values in other bytes)', `- ${around(old)}`, `+ ${around(now)}`]
}

/** A reply over many lines: JSON one value a line, also JSON inside of a text, texts line by line. */
export function spread(reply: string): string[] {
  return reply.split('\n').flatMap((line) => spreadLine(line))
}

function spreadLine(line: string): string[] {
  const value = parsed(line)
  return value === undefined ? [line] : spreadValue('', value, '')
}

function spreadValue(name: string, value: unknown, indent: string): string[] {
  if (typeof value === 'string') {
    const inner = parsed(value)
    if (inner !== undefined) return spreadValue(`${name}(text) `, inner, indent)
    const lines = value.split('\n')
    if (lines.length === 1) return [`${indent}${name}${JSON.stringify(value)}`]
    return [`${indent}${name}"""`, ...lines.map((line) => `${indent}  ${line}`)]
  }
  if (typeof value !== 'object' || value === null) return [`${indent}${name}${String(value)}`]
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const inside = Object.entries(value).flatMap(([key, each]) =>
    spreadValue(Array.isArray(value) ? '' : `${key}: `, each, `${indent}  `),
  )
  if (inside.length === 0) return [`${indent}${name}${open}${close}`]
  return [`${indent}${name}${open}`, ...inside, `${indent}${close}`]
}

/** An object or a list in JSON, else undefined. */
function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  // A mark in the place of a number is no JSON.
  for (const form of [text, text.replace(BARE_MARK, '$1"$2"')]) {
    try {
      return JSON.parse(form) as object
    } catch {
      continue
    }
  }
  return undefined
}

/** Not in JSON that is inside of a text. */
const BARE_MARK = /([^\\]":\s*)(<[a-z]+(?: \d+)?>)/g

interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
}

/** Longest common subsequence of lines, by Myers' search for the shortest way from one to the other. */
function alignLines(before: readonly string[], after: readonly string[]): Line[] {
  const trace = shortestEdits(before, after)
  if (trace === undefined) {
    return [
      ...before.map((line): Line => ({ sign: '-', line })),
      ...after.map((line): Line => ({ sign: '+', line })),
    ]
  }
  const lines: Line[] = []
  let [x, y] = [before.length, after.length]
  for (let edits = trace.length - 1; x > 0 || y > 0; edits--) {
    const reached = trace[edits]!
    const diagonal = x - y
    const isInsert = comesByInsert(reached, diagonal, edits)
    const from = isInsert ? diagonal + 1 : diagonal - 1
    const fromX = edits === 0 ? 0 : reached.get(from)!
    const fromY = edits === 0 ? 0 : fromX - from
    while (x > fromX && y > fromY) {
      lines.push({ sign: ' ', line: before[--x]! })
      y--
    }
    if (edits === 0) break
    if (isInsert) lines.push({ sign: '+', line: after[--y]! })
    else lines.push({ sign: '-', line: before[--x]! })
  }
  return lines.toReversed()
}

/** Beyond so many edits one side goes and the other comes. */
const MOST_EDITS = 2_000

/** How far each diagonal was reached before every edit; undefined where there are too many. */
function shortestEdits(
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<number, number>[] | undefined {
  const reached = new Map<number, number>([[1, 0]])
  const trace: ReadonlyMap<number, number>[] = []
  for (let edits = 0; edits <= MOST_EDITS; edits++) {
    trace.push(new Map(reached))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isInsert = comesByInsert(reached, diagonal, edits)
      let x = isInsert ? reached.get(diagonal + 1)! : reached.get(diagonal - 1)! + 1
      let y = x - diagonal
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x++
        y++
      }
      reached.set(diagonal, x)
      if (x >= before.length && y >= after.length) return trace
    }
  }
  return undefined
}

function comesByInsert(
  reached: ReadonlyMap<number, number>,
  diagonal: number,
  edits: number,
): boolean {
  if (diagonal === -edits) return true
  return diagonal !== edits && reached.get(diagonal - 1)! < reached.get(diagonal + 1)!
}
