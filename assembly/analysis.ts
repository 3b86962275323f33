/**
 * What a span of plain ASCII means in English: the same splitting and stemming as `split.ts` and
 * `stem-english.ts` in `core/search/analysis`, which say why, on bytes.
 */

const LOWER: u32 = 1
const UPPER: u32 = 2
const DIGIT: u32 = 3
const OTHER: u32 = 0

const APOSTROPHE: u32 = 39
const COMMA: u32 = 44
const DASH: u32 = 45
const POINT: u32 = 46
const UNDERSCORE: u32 = 95

const MOST_BYTES: i32 = 96
const MAX_PARTS: i32 = 8
const MIN_LETTERS_BEFORE_DIGITS: i32 = 3

/** Where each part ends in `spelling`; more than a span has letters. */
const partEnds: usize = heap.alloc(MOST_BYTES << 2)
/** The parts side by side, in small letters. */
const spelling: usize = heap.alloc(MOST_BYTES + 16)
const joined: usize = heap.alloc(MOST_BYTES + 16)
let parts: i32 = 0
let joinedSize: i32 = 0

export function partCount(): i32 {
  return parts
}
/** The parts as one word, or nothing. */
export function wholeSize(): i32 {
  return joinedSize
}
export function wholeAt(): usize {
  return joined
}
export function partAt(part: i32): usize {
  return spelling + partStart(part)
}
export function partSize(part: i32): i32 {
  return load<i32>(partEnds + (part << 2)) - partStart(part)
}
function partStart(part: i32): i32 {
  return part === 0 ? 0 : load<i32>(partEnds + ((part - 1) << 2))
}

// @ts-ignore: decorator
@inline
function caseOf(code: u32): u32 {
  if (code - 97 < 26) return LOWER
  if (code - 65 < 26) return UPPER
  return code - 48 < 10 ? DIGIT : OTHER
}

// @ts-ignore: decorator
@inline
function small(code: u32): u32 {
  return code - 65 < 26 ? code | 32 : code
}

// @ts-ignore: decorator
@inline
function separates(code: u32): bool {
  return code === DASH || code === UNDERSCORE
}

/** Cuts a span into its parts. */
export function split(at: usize, size: i32): void {
  parts = 0
  joinedSize = 0
  let end: i32 = 0
  let isJoined = false
  for (let i = 0; i < size; i++) {
    const code = <u32>load<u8>(at + i)
    if (separates(code) || code === COMMA || code === POINT) isJoined = true
  }
  if (!isJoined) {
    splitCase(at, 0, size, 0)
  } else {
    let from = 0
    for (let i = 0; i <= size; i++) {
      const code = i < size ? <u32>load<u8>(at + i) : DASH
      if (!separates(code) && code !== COMMA && code !== POINT) continue
      if (i > from) end = splitCase(at, from, i, end)
      from = i + 1
    }
  }
  if (parts < 2 || parts > MAX_PARTS) return
  for (let i = 0; i < size; i++) {
    const code = <u32>load<u8>(at + i)
    if (!separates(code) && code !== COMMA) store<u8>(joined + joinedSize++, small(code))
  }
}

/** Cuts before a capital that follows a small letter, and between letters and digits. */
function splitCase(at: usize, from: i32, to: i32, spelt: i32): i32 {
  let end = spelt
  let start = from
  let before = caseOf(load<u8>(at + from))
  store<u8>(spelling + end++, small(load<u8>(at + from)))
  for (let i = from + 1; i < to; i++) {
    const code = <u32>load<u8>(at + i)
    const here = caseOf(code)
    let cuts = false
    if (here !== before) {
      if (here === DIGIT) cuts = start > from || i - start >= MIN_LETTERS_BEFORE_DIGITS
      else cuts = here === UPPER && before === LOWER
    }
    if (!cuts && here === UPPER && before === UPPER && i - start > 1) {
      // The last capital of `HTTPServer` begins the next word; that of the plural `APIs` does not.
      cuts =
        i + 1 < to &&
        caseOf(load<u8>(at + i + 1)) === LOWER &&
        !(i + 2 === to && load<u8>(at + to - 1) === 115)
    }
    if (cuts) {
      store<i32>(partEnds + (parts++ << 2), end)
      start = i
    }
    store<u8>(spelling + end++, small(code))
    before = here
  }
  store<i32>(partEnds + (parts++ << 2), end)
  return end
}

// ---- The Porter2 stemmer.

/** The word, and how much of it is left. */
const word: usize = heap.alloc(MOST_BYTES + 32)
let size: i32 = 0
export function stemAt(): usize {
  return word
}

/** Returns the size of the stem, which stands at `stemAt()`. */
export function stem(at: usize, length: i32): i32 {
  memory.copy(word, at, length)
  size = length
  if (length < 3 || !isPlain() || isIrregular()) return size
  if (load<u8>(word) === APOSTROPHE) memory.copy(word, word + 1, --size)
  markConsonantY()
  const r1 = firstRegion()
  const r2 = regionAfter(r1)
  dropPossessive()
  dropPlural()
  if (isFinished()) return size
  dropPastAndProgressive(r1)
  softenFinalY()
  replaceDerivation(r1)
  shorten(r1, r2)
  dropSuffix(r2)
  dropFinalLetter(r1, r2)
  for (let i = 0; i < size; i++) if (load<u8>(word + i) === 89) store<u8>(word + i, 121)
  return size
}

/** Words the rules would get wrong are given their stems; the last ones stay as they are. */
function isIrregular(): bool {
  return (
    becomes('skis', 'ski') ||
    becomes('skies', 'sky') ||
    becomes('dying', 'die') ||
    becomes('lying', 'lie') ||
    becomes('tying', 'tie') ||
    becomes('idly', 'idl') ||
    becomes('gently', 'gentl') ||
    becomes('ugly', 'ugli') ||
    becomes('early', 'earli') ||
    becomes('only', 'onli') ||
    becomes('singly', 'singl') ||
    becomes('settings', 'setting') ||
    is('sky') ||
    is('news') ||
    is('howe') ||
    is('atlas') ||
    is('cosmos') ||
    is('bias') ||
    is('andes')
  )
}

/** Words that are finished once a plural ending is gone. */
function isFinished(): bool {
  return (
    is('inning') ||
    is('outing') ||
    is('canning') ||
    is('herring') ||
    is('earring') ||
    is('proceed') ||
    is('exceed') ||
    is('succeed')
  )
}

function is(whole: string): bool {
  return size === whole.length && ends(whole)
}

function becomes(whole: string, stem: string): bool {
  return is(whole) && replaces(whole, stem, 0)
}

function isPlain(): bool {
  for (let i = 0; i < size; i++) {
    const code = <u32>load<u8>(word + i)
    if (code - 97 >= 26 && code !== APOSTROPHE) return false
  }
  return true
}

// @ts-ignore: decorator
@inline
function letter(i: i32): u32 {
  return i < 0 || i >= size ? 0 : <u32>load<u8>(word + i)
}

function isVowel(code: u32): bool {
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121
}

function vowelAt(i: i32): bool {
  return isVowel(letter(i))
}

function hasVowel(end: i32): bool {
  for (let i = 0; i < end; i++) if (vowelAt(i)) return true
  return false
}

function ends(ending: string): bool {
  const length = ending.length
  if (length > size) return false
  const from = word + size - length
  for (let i = length - 1; i >= 0; i--) {
    if (<u32>load<u8>(from + i) !== <u32>ending.charCodeAt(i)) return false
  }
  return true
}

function begins(beginning: string): bool {
  const length = beginning.length
  if (length > size) return false
  for (let i = 0; i < length; i++) {
    if (<u32>load<u8>(word + i) !== <u32>beginning.charCodeAt(i)) return false
  }
  return true
}

/** Whether it ends so; where the ending is in the region, it is replaced. */
function replaces(ending: string, replacement: string, region: i32): bool {
  if (!ends(ending)) return false
  const start = size - ending.length
  if (start < region) return true
  for (let i = 0; i < replacement.length; i++) store<u8>(word + start + i, replacement.charCodeAt(i))
  size = start + replacement.length
  return true
}

function markConsonantY(): void {
  for (let i = 0; i < size; i++) {
    if (letter(i) === 121 && (i === 0 || vowelAt(i - 1))) store<u8>(word + i, 89)
  }
}

function firstRegion(): i32 {
  if (begins('gener') || begins('arsen')) return 5
  return begins('commun') ? 6 : regionAfter(0)
}

function regionAfter(from: i32): i32 {
  let i = from
  while (i < size && !vowelAt(i)) i++
  while (i < size && vowelAt(i)) i++
  return min(i + 1, size)
}

function dropPossessive(): void {
  if (ends("'s'")) size -= 3
  else if (ends("'s")) size -= 2
  else if (ends("'")) size--
}

function dropPlural(): void {
  if (ends('sses')) size -= 2
  else if (ends('ied') || ends('ies')) size -= size > 4 ? 2 : 1
  else if (!ends('s') || ends('us') || ends('ss')) return
  else if (hasVowel(size - 2)) size--
}

function dropPastAndProgressive(r1: i32): void {
  if (replaces('eedly', 'ee', r1) || replaces('eed', 'ee', r1)) return
  const length = ends('ingly') ? 5 : ends('edly') ? 4 : ends('ing') ? 3 : ends('ed') ? 2 : 0
  if (length === 0 || !hasVowel(size - length)) return
  size -= length
  if (ends('at') || ends('bl') || ends('iz')) append(101)
  else if (endsInDouble()) size--
  else if (r1 >= size && endsInShortSyllable(size)) append(101)
}

function append(code: u32): void {
  store<u8>(word + size++, code)
}

function endsInDouble(): bool {
  const last = letter(size - 1)
  if (size < 2 || last !== letter(size - 2)) return false
  return (
    last === 98 ||
    last === 100 ||
    last === 102 ||
    last === 103 ||
    last === 109 ||
    last === 110 ||
    last === 112 ||
    last === 114 ||
    last === 116
  )
}

function endsInShortSyllable(end: i32): bool {
  if (end < 2) return false
  const last = letter(end - 1)
  if (isVowel(last) || !vowelAt(end - 2)) return false
  if (end === 2) return true
  return !vowelAt(end - 3) && last !== 119 && last !== 120 && last !== 89
}

function softenFinalY(): void {
  const end = size - 1
  if (end < 2 || (letter(end) | 32) !== 121 || vowelAt(end - 1)) return
  store<u8>(word + end, 105)
}

function replaceDerivation(r1: i32): void {
  if (
    replaces('ational', 'ate', r1) ||
    replaces('fulness', 'ful', r1) ||
    replaces('iveness', 'ive', r1) ||
    replaces('ization', 'ize', r1) ||
    replaces('ousness', 'ous', r1) ||
    replaces('biliti', 'ble', r1) ||
    replaces('lessli', 'less', r1) ||
    replaces('tional', 'tion', r1) ||
    replaces('alism', 'al', r1) ||
    replaces('aliti', 'al', r1) ||
    replaces('ation', 'ate', r1) ||
    replaces('entli', 'ent', r1) ||
    replaces('fulli', 'ful', r1) ||
    replaces('iviti', 'ive', r1) ||
    replaces('ousli', 'ous', r1) ||
    replaces('abli', 'able', r1) ||
    replaces('alli', 'al', r1) ||
    replaces('anci', 'ance', r1) ||
    replaces('ator', 'ate', r1) ||
    replaces('enci', 'ence', r1) ||
    replaces('izer', 'ize', r1) ||
    replaces('bli', 'ble', r1)
  ) {
    return
  }
  if (ends('ogi')) {
    if (size - 3 >= r1 && letter(size - 4) === 108) size--
    return
  }
  if (!ends('li') || size - 2 < r1) return
  const before = letter(size - 3)
  if (
    (before >= 99 && before <= 101) ||
    before === 103 ||
    before === 104 ||
    before === 107 ||
    before === 109 ||
    before === 110 ||
    before === 114 ||
    before === 116
  ) {
    size -= 2
  }
}

function shorten(r1: i32, r2: i32): void {
  if (
    replaces('ational', 'ate', r1) ||
    replaces('tional', 'tion', r1) ||
    replaces('alize', 'al', r1) ||
    replaces('icate', 'ic', r1) ||
    replaces('iciti', 'ic', r1) ||
    replaces('ical', 'ic', r1) ||
    replaces('ness', '', r1) ||
    replaces('ful', '', r1)
  ) {
    return
  }
  replaces('ative', '', r2)
}

function dropSuffix(r2: i32): void {
  if (
    replaces('ement', '', r2) ||
    replaces('able', '', r2) ||
    replaces('ance', '', r2) ||
    replaces('ence', '', r2) ||
    replaces('ible', '', r2) ||
    replaces('ment', '', r2) ||
    replaces('ant', '', r2) ||
    replaces('ate', '', r2) ||
    replaces('ent', '', r2) ||
    replaces('ism', '', r2) ||
    replaces('iti', '', r2) ||
    replaces('ive', '', r2) ||
    replaces('ize', '', r2) ||
    replaces('ous', '', r2) ||
    replaces('al', '', r2) ||
    replaces('er', '', r2) ||
    replaces('ic', '', r2)
  ) {
    return
  }
  if (!ends('ion') || size - 3 < r2) return
  const before = letter(size - 4)
  if (before === 115 || before === 116) size -= 3
}

function dropFinalLetter(r1: i32, r2: i32): void {
  const end = size - 1
  if (end < 0) return
  if (letter(end) === 101) {
    if (end >= r2 || (end >= r1 && !endsInShortSyllable(end))) size--
  } else if (letter(end) === 108 && end >= r2 && letter(end - 1) === 108) size--
}
