/**
 * Alpha conversion for two texts that become one: blocks of the first whose marks (`^name` at the
 * end of a line) the second has too get other names, so that a link still finds its block.
 */
import { proseOf } from '../parsing/prose.ts'

export interface RenamedBlocks {
  readonly text: string
  /** As links name them: `^name` and what it is called from now on. */
  readonly names: ReadonlyMap<string, string>
}

const MARK = /(?<=^|[^\S\n])\^([\p{L}\p{N}_-]{1,200})(?=[^\S\n]*$)/gmu
/** `10 ^3` ends with a power where nobody links to it. */
const POWER = /^\p{N}+$/u

/** `linked` are what links to the first text name in it. */
export function renameBlocks(
  text: string,
  other: string,
  linked: ReadonlySet<string>,
): RenamedBlocks {
  const own = marksIn(text)
  const taken = new Set([...own, ...marksIn(other)].map(({ name }) => name))
  const there = new Set(marksIn(other).map(({ name }) => name))
  const names = new Map<string, string>()
  let result = ''
  let at = 0
  for (const { name, end } of own) {
    if (!there.has(name) || (POWER.test(name) && !linked.has(`^${name}`))) continue
    const known = names.get(`^${name}`)
    const next = known ?? `^${freeName(name, taken)}`
    if (known === undefined) taken.add(next.slice(1))
    names.set(`^${name}`, next)
    result += text.slice(at, end - name.length) + next.slice(1)
    at = end
  }
  return { text: result + text.slice(at), names }
}

interface Mark {
  readonly name: string
  readonly end: number
}

/** A mark within code is code. */
function marksIn(text: string): readonly Mark[] {
  if (!text.includes('^')) return []
  return Array.from(proseOf(text).matchAll(MARK), ({ 0: mark, 1: name = '', index }) => ({
    name,
    end: index + mark.length,
  }))
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    if (!taken.has(`${name}-${number}`)) return `${name}-${number}`
  }
}
