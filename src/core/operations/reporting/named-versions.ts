/**
 * Named-entity recognition for releases: which versions of what does a sentence name? `Node 18`,
 * `react@^17`, `django>=3.2`, `version 1.2`, `v2.4`. A bare number is one only where nothing is
 * counted by it: `Next 5 days`.
 */
import { parseVersion } from '../../kit/versions.ts'
import type { Version } from '../../kit/versions.ts'
import { fold } from '../../search/analysis/fold.ts'
import { STOP_WORDS } from '../../search/analysis/stop-words.ts'
import { COMMON_WORDS } from '../../search/common-words.ts'
import { ANY_MONTH } from '../reading/month-names.ts'
import { LABELS } from '../reading/statements.ts'
import { ENDS_BEHIND, GOES_ON, IS_NEED } from './version-words.ts'

export interface NamedVersion {
  /** What it may be a version of, most words first; empty where nothing stands before it. */
  readonly names: readonly VersionName[]
  readonly version: Version
  /** `<2`: what is below it is meant. */
  readonly isBelow: boolean
  /** From its longest name. */
  readonly start: number
  /** Where the version itself begins. */
  readonly at: number
  readonly end: number
  /** Written so that it can be nothing else. */
  readonly isPlain: boolean
  /** `react@17`, `django==3.2`: as installers take it. */
  readonly isSpec: boolean
}

export interface VersionName {
  /** As names are compared: `Node.js`, `node-js` and `nodejs` are one. */
  readonly key: string
  readonly written: string
  readonly start: number
}

const MOST_VERSIONS = 30
const NEAR = 80
const VERSION =
  /(?<![\p{L}\p{N}.,:/$€£#%-])(?<v>v\.? ?)?(?<number>\d{1,4}(?:\.\d{1,6}){0,3}(?:\.[x*])?)(?<plus>\+)?(?![\p{L}\p{N}%°€]|[.,:/]\d|\s?(?:[kmgt]i?b|ms|s|px|°)(?!\p{L}))/giu
const OPERATOR = /(?:@\s?[~^]?v?|[~^]|[=~]=|>=?|≥|<=?|≤|=)\s?$/
const CONNECTS =
  /(?:^|[\s(])(?:versions?|releases?|ver\.|версия|версии|versión|versione|版本)[\s:]*$/iu
/** Of latin letters, as names of programs are in all languages. */
const WORD = String.raw`[\p{Script=Latin}@][\p{Script=Latin}\p{N}@/+#_-]*(?:\.[\p{Script=Latin}]{1,4})?`
const WORDS_BEFORE = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}])${WORD}[ \u00a0]){0,2}(?<![\p{Script=Latin}\p{N}@/])${WORD}$`,
  'u',
)

export function versionsIn(sentence: string): readonly NamedVersion[] {
  const found: NamedVersion[] = []
  for (const { groups = {}, index: at, 0: token } of sentence.matchAll(VERSION)) {
    if (found.length === MOST_VERSIONS) break
    const { v, number = '', plus } = groups
    const version = parseVersion(number)
    if (!version) continue
    const end = at + token.length
    const from = Math.max(0, at - NEAR)
    const [written = ''] = OPERATOR.exec(sentence.slice(from, at)) ?? []
    const lead = sentence.slice(from, at - written.length).trimEnd()
    const operator = written.trim()
    const isSpec = /^(?:@|[~=^]=?)/.test(operator) && operator !== '='
    const connector = CONNECTS.exec(lead)
    const bare = connector ? lead.slice(0, connector.index).trimEnd() : lead
    const isColon = /[:|]$/.test(bare)
    const isNamed = isSpec || v !== undefined || connector !== null
    const isPlain = isNamed || plus !== undefined || number.includes('.')
    if (!isNamed && !goesOn(sentence.slice(end))) continue
    const last = found.at(-1)
    const isNext = last !== undefined && LISTS.test(sentence.slice(last.end, at - written.length))
    const all = isNext ? last.names : namesAtEnd(bare.replace(/\s*[:|]$/, ''), from)
    const names = isNext || isSpec ? all : all.filter((name) => isName(name, isNamed))
    if (names.length === 0 && !isNamed && !/\.[x*]$/.test(number)) continue
    if (!isPlain && (isColon || version[0]! >= 1_900)) continue
    const begin = connector ? from + connector.index : at - written.length
    found.push({
      names,
      version,
      isBelow: operator.startsWith('<'),
      start: isNext ? begin : (names[0]?.start ?? begin),
      at,
      end,
      isPlain,
      isSpec,
    })
  }
  return found
}

/** Between two versions of one thing: `14 and 16`. */
export const LISTS = /^(?:[\s,/&、]|and|or|und|oder|et|ou|y|o|и|или|和|或)*$/u

/** Nothing is counted: a sentence ends here, or goes on with a word of its own. */
function goesOn(behind: string): boolean {
  const rest = behind.slice(0, NEAR).replace(/^[\s`*_"'”’)\]]+/u, '')
  return (
    rest === '' ||
    /^[.,;:!?|(/&。，、；：）]/u.test(rest) ||
    GOES_ON.test(rest) ||
    ENDS_BEHIND.test(rest)
  )
}

/**
 * A word that is in every sentence is a name where it is written as one; `Step 3` is none, and what
 * begins a sentence before `version 2` is none that anybody can tell.
 */
function isName({ written, start }: VersionName, isNamed: boolean): boolean {
  const last = written.slice(written.lastIndexOf(' ') + 1)
  const word = last.toLowerCase()
  if (STOP_WORDS.has(word) || LABELS.has(word)) return false
  if (MONTH.test(word) || IS_NEED.test(word)) return false
  if (!COMMON_WORDS.has(fold(word))) return true
  return /^\p{Lu}/u.test(last) && (start > 0 || !isNamed)
}

const MONTH = new RegExp(`^(?:${ANY_MONTH})$`, 'iu')

/** The last three words, the last two, the last one. */
function namesAtEnd(lead: string, offset: number): readonly VersionName[] {
  const [tail = ''] = WORDS_BEFORE.exec(lead) ?? []
  const begin = lead.length - tail.length
  return Array.from(tail.matchAll(/[^ \u00a0]+/gu), ({ index }): VersionName => {
    const written = tail.slice(index)
    return { key: nameKeyOf(written), written, start: offset + begin + index }
  }).filter(({ key, written }) => key.length > 1 && !STOP_WORDS.has(firstOf(written)))
}

function firstOf(written: string): string {
  return /^[^ \u00a0]+/u.exec(written)![0].toLowerCase()
}

export function nameKeyOf(name: string): string {
  const key = name.toLowerCase().replaceAll(/[^\p{L}\p{N}+#]+/gu, '')
  return SAME.get(key) ?? key
}

/** What one program is called. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['nodejs', 'node'],
  ['golang', 'go'],
  ['rustc', 'rust'],
  ['python3', 'python'],
  ['cpython', 'python'],
  ['postgresql', 'postgres'],
  ['vuejs', 'vue'],
  ['nextjs', 'next'],
  ['nuxtjs', 'nuxt'],
  ['expressjs', 'express'],
  ['reactjs', 'react'],
  ['k8s', 'kubernetes'],
  ['ts', 'typescript'],
])

/** Its key, and what else it is called. */
export function spellingsOf(key: string): readonly string[] {
  return [key, ...[...SAME].flatMap(([other, same]) => (same === key ? [other] : []))]
}
