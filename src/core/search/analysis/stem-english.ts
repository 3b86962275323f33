/**
 * The Porter2 ("Snowball English") stemmer, after Martin Porter's published description. It runs
 * once per distinct word of a corpus, so it is written for clarity first; it still stems a
 * million words per second.
 */

/** Words the rules would get wrong, with their stems; the last ones stay as they are. */
const IRREGULAR = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  // What is set is another thing than what can be set.
  ['settings', 'setting'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((w) => [w, w] as const),
])

/** Words that are finished once a plural ending is gone. */
const FINISHED_AFTER_PLURAL = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
])

/** Beginnings after which the first region starts at once, so `general` and `generic` differ. */
const REGION_PREFIXES = ['gener', 'commun', 'arsen']

/** An ending and what replaces it. */
type Rule = readonly [ending: string, replacement: string]

/** Step 2, in the first region. Longest first. */
const DERIVATIONS = byLastLetter([
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
])

/** Step 3, first region; `ative` is handled apart because it wants the second region. */
const SHORTENINGS = byLastLetter([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
])

/** Step 4, second region: endings that disappear. Longest first. */
const SUFFIXES = byLastLetter(
  ['ement', 'able', 'ance', 'ence', 'ible', 'ment', 'ant', 'ate', 'ent', 'ism', 'iti', 'ive']
    .concat(['ize', 'ous', 'al', 'er', 'ic'])
    .map((ending): Rule => [ending, '']),
)

const PAST_AND_PROGRESSIVE = ['ingly', 'edly', 'ing', 'ed']

/** Only rules that end as the word does are tried. Indexed by letter, `a` being 0. */
function byLastLetter(rules: readonly Rule[]): readonly (readonly Rule[])[] {
  return Array.from({ length: 26 }, (_, letter) =>
    rules.filter(([ending]) => ending.charCodeAt(ending.length - 1) - 97 === letter),
  )
}

/** `word` is folded: lower case, no diacritics. Words with other characters are left alone. */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !isPlainWord(word)) return word
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular

  let w = markConsonantY(word.charCodeAt(0) === APOSTROPHE ? word.slice(1) : word)
  const r1 = firstRegion(w)
  const r2 = regionAfter(w, r1)
  w = dropPossessive(w)
  w = dropPlural(w)
  if (FINISHED_AFTER_PLURAL.has(w)) return w
  w = dropPastAndProgressive(w, r1)
  w = softenFinalY(w)
  w = replaceDerivation(w, r1)
  w = shorten(w, r1, r2)
  w = dropSuffix(w, r2)
  w = dropFinalLetter(w, r1, r2)
  return w.includes('Y') ? w.toLowerCase() : w
}

const APOSTROPHE = 39
const UPPER_Y = 89

function isPlainWord(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const c = word.charCodeAt(i)
    if ((c < 97 || c > 122) && c !== APOSTROPHE) return false
  }
  return true
}

/** a e i o u y; `Y` marks a y that sounds as a consonant. */
function isVowel(code: number): boolean {
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121
}

function vowelAt(word: string, i: number): boolean {
  return isVowel(word.charCodeAt(i))
}

function hasVowel(word: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (vowelAt(word, i)) return true
  return false
}

function markConsonantY(word: string): string {
  if (!word.includes('y')) return word
  let marked = ''
  for (let i = 0; i < word.length; i++) {
    const isConsonant = word[i] === 'y' && (i === 0 || isVowel(marked.charCodeAt(i - 1)))
    marked += isConsonant ? 'Y' : word[i]
  }
  return marked
}

/** Where the first region starts in which endings may be removed; see the Porter2 description. */
function firstRegion(word: string): number {
  for (const start of REGION_PREFIXES) if (word.startsWith(start)) return start.length
  return regionAfter(word, 0)
}

/** The position after the first consonant that follows a vowel. */
function regionAfter(word: string, from: number): number {
  let i = from
  while (i < word.length && !vowelAt(word, i)) i++
  while (i < word.length && vowelAt(word, i)) i++
  return Math.min(i + 1, word.length)
}

function dropPossessive(w: string): string {
  if (w.endsWith("'s'")) return w.slice(0, -3)
  if (w.endsWith("'s")) return w.slice(0, -2)
  return w.endsWith("'") ? w.slice(0, -1) : w
}

function dropPlural(w: string): string {
  if (w.endsWith('sses')) return w.slice(0, -2)
  if (w.endsWith('ied') || w.endsWith('ies')) return w.slice(0, w.length > 4 ? -2 : -1)
  if (!w.endsWith('s') || w.endsWith('us') || w.endsWith('ss')) return w
  return hasVowel(w, w.length - 2) ? w.slice(0, -1) : w
}

function dropPastAndProgressive(w: string, r1: number): string {
  const last = w[w.length - 1]
  if (last !== 'd' && last !== 'g' && last !== 'y') return w
  if (w.endsWith('eedly')) return replaceIn(w, 'eedly', 'ee', r1)
  if (w.endsWith('eed')) return replaceIn(w, 'eed', 'ee', r1)
  const ending = PAST_AND_PROGRESSIVE.find((candidate) => w.endsWith(candidate))
  if (ending === undefined) return w
  const end = w.length - ending.length
  if (!hasVowel(w, end)) return w
  const stem = w.slice(0, end)
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`
  if (endsInDouble(stem)) return stem.slice(0, -1)
  return r1 >= stem.length && endsInShortSyllable(stem, stem.length) ? `${stem}e` : stem
}

function endsInDouble(w: string): boolean {
  const last = w[w.length - 1]
  return last !== undefined && last === w[w.length - 2] && 'bdfgmnprt'.includes(last)
}

/** A vowel between consonants (the last not w, x or Y), or a vowel at the very start. */
function endsInShortSyllable(w: string, end: number): boolean {
  if (end < 2) return false
  const last = w.charCodeAt(end - 1)
  if (isVowel(last) || !vowelAt(w, end - 2)) return false
  if (end === 2) return true
  return !vowelAt(w, end - 3) && last !== 119 && last !== 120 && last !== UPPER_Y
}

function softenFinalY(w: string): string {
  const end = w.length - 1
  if (end < 2 || (w[end] !== 'y' && w[end] !== 'Y') || vowelAt(w, end - 1)) return w
  return `${w.slice(0, end)}i`
}

function replaceDerivation(w: string, r1: number): string {
  const rule = matchingRule(w, DERIVATIONS)
  if (rule !== undefined) return replaceIn(w, rule[0], rule[1], r1)
  const end = w.length
  if (w.endsWith('ogi')) return end - 3 >= r1 && w[end - 4] === 'l' ? w.slice(0, -1) : w
  if (w.endsWith('li') && end - 2 >= r1 && 'cdeghkmnrt'.includes(w[end - 3] ?? '!')) {
    return w.slice(0, -2)
  }
  return w
}

function shorten(w: string, r1: number, r2: number): string {
  const rule = matchingRule(w, SHORTENINGS)
  if (rule !== undefined) return replaceIn(w, rule[0], rule[1], r1)
  return w.endsWith('ative') ? replaceIn(w, 'ative', '', r2) : w
}

function dropSuffix(w: string, r2: number): string {
  const rule = matchingRule(w, SUFFIXES)
  if (rule !== undefined) return replaceIn(w, rule[0], rule[1], r2)
  if (w.endsWith('ion') && w.length - 3 >= r2 && 'st'.includes(w[w.length - 4] ?? '!')) {
    return w.slice(0, -3)
  }
  return w
}

function dropFinalLetter(w: string, r1: number, r2: number): string {
  const end = w.length - 1
  if (w[end] === 'e') {
    const drop = end >= r2 || (end >= r1 && !endsInShortSyllable(w, end))
    return drop ? w.slice(0, end) : w
  }
  return w[end] === 'l' && end >= r2 && w[end - 1] === 'l' ? w.slice(0, end) : w
}

function matchingRule(w: string, rules: readonly (readonly Rule[])[]): Rule | undefined {
  const candidates = rules[w.charCodeAt(w.length - 1) - 97] ?? NO_RULES
  for (const rule of candidates) if (w.endsWith(rule[0])) return rule
  return undefined
}

const NO_RULES: readonly Rule[] = []

function replaceIn(w: string, ending: string, replacement: string, region: number): string {
  const start = w.length - ending.length
  return start >= region ? w.slice(0, start) + replacement : w
}
