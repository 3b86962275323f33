/**
 * What is asked in a load: a few questions again and again, questions of which some come often and
 * most hardly ever, as people and agents ask, and questions that were never asked before.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The question at a place; the same for everybody who counts alike. */
export type Asked = (turn: number) => string

export const FEW = [
  'restore a backup',
  'who is on call',
  'how do I roll back',
  'station goes silent',
].concat(['unit of time', 'feature flags', 'hafenbetrieb', 'first week'])

/** So many different ones are in the mix; the second comes half as often as the first (Zipf). */
const DIFFERENT = 500

export function askedAgain(): Asked {
  return (turn) => FEW[turn % FEW.length]!
}

export function askedOnce(folder: string): Asked {
  const lines = linesOf(folder)
  return (turn) => question(lines, turn)
}

export function askedMixed(folder: string): Asked {
  const lines = linesOf(folder)
  const upTo: number[] = []
  let sum = 0
  for (let rank = 1; rank <= DIFFERENT; rank++) upTo.push((sum += 1 / rank))
  return (turn) => {
    const drawn = random(turn ^ 0x5bd1e995) * sum
    const rank = upTo.findIndex((edge) => drawn <= edge)
    return question(lines, rank + 1_000_000)
  }
}

/** Two to four words of one line of a note, in their order. */
function question(lines: readonly (readonly string[])[], number: number): string {
  const words = lines[Math.floor(random(number * 7 + 1) * lines.length)]!
  const count = 2 + Math.floor(random(number * 7 + 2) * 3)
  const chosen = new Set<number>()
  for (let draw = 3; chosen.size < Math.min(count, words.length) && draw < 40; draw++) {
    chosen.add(Math.floor(random(number * 41 + draw) * words.length))
  }
  return [...chosen]
    .toSorted((a, b) => a - b)
    .map((at) => words[at])
    .join(' ')
}

function linesOf(folder: string): readonly (readonly string[])[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .toSorted()
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return lines.map((line) => line.match(/\p{L}{4,}/gu) ?? []).filter((words) => words.length > 4)
}

/** From 0 to 1, by a number (Mulberry32): two runs ask the same. */
function random(seed: number): number {
  let state = (seed + 0x6d2b79f5) | 0
  state = Math.imul(state ^ (state >>> 15), state | 1)
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61)
  return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296
}
