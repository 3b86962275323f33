/**
 * Inverted index construction in flat memory: units of text -> spans -> numbers of terms -> lists.
 *
 * AssemblyScript, compiled to `assets/inverting-core.wasm` (`npm run core`). It computes what
 * `SegmentBuilder` computes, byte for byte (`core/search/segment/compiled-builder.test.ts`), and has
 * no strings. A distinct span is analysed once, here where it is plain ASCII and English, else by
 * the host (`learn`), and so is the kind of a letter beyond ASCII. Where `scan.ts`, `span-table.ts`
 * and `list-writer.ts` say why, this does not.
 */
import { partAt, partCount, partSize, split, stem, stemAt, wholeAt, wholeSize } from './analysis'

// @ts-ignore: decorator
@external('host', 'learn')
declare function learn(start: u32, length: u32, language: u32): u32
// @ts-ignore: decorator
@external('host', 'kindOf')
declare function kindOf(point: u32): u32
// @ts-ignore: decorator
@external('host', 'isDigit')
declare function isDigitBeyond(unit: u32): u32

// Kinds of units, as `scan.ts` numbers them.
const WORD: u32 = 1
const JOINER: u32 = 2
const PAIR: u32 = 3
const UNKNOWN: u32 = 4
const SEPARATOR: u32 = 0
const MAX_SPAN: u32 = 80

// As `format.ts` numbers them.
const FIELD_COUNT: u32 = 5
const HEADING: u32 = 1
const BODY: u32 = 2
const BLOCK_SIZE: u32 = 128
const POSITION_GROUP: u32 = 4

// What stands in the list of tokens: a term, an entry of `expansions`, or where a run begins.
const SHARES: u32 = 0x8000_0000
const RUN: u32 = 0x4000_0000
const EXPANDED: u32 = 0x2000_0000
const NEW_DOCUMENT: u32 = 8

// ---- Text. Every unit as a byte, 0x80 for those beyond ASCII, which `units` has.

let bytes: usize = 0
let units: usize = 0
let textLength: u32 = 0
let textRoom: u32 = 0

/** Kinds by unit; those beyond ASCII are asked for when they are met. */
const kinds: usize = heap.alloc(65_536)
/** The same by byte. */
const byteKinds: usize = heap.alloc(256)

export function start(): void {
  memory.fill(kinds, u8(UNKNOWN), 65_536)
  memory.fill(byteKinds, u8(UNKNOWN), 256)
  for (let unit: u32 = 0; unit < 128; unit++) {
    const kind = kindOf(unit)
    store<u8>(kinds + unit, kind)
    store<u8>(byteKinds + unit, kind)
  }
  slots = heap.alloc((slotMask + 1) << 4)
  memory.fill(slots, 0, (slotMask + 1) << 4)
  spanAt = heap.alloc((slotMask + 1) << 2)
  hot = heap.alloc(HOT << 4)
  memory.fill(hot, 0, HOT << 4)
  termSlots = heap.alloc((termMask + 1) << 3)
  memory.fill(termSlots, 0, (termMask + 1) << 3)
  termStarts = heap.alloc(termRoom << 2)
  store<u32>(termStarts, 0)
  termBytes = heap.alloc(termBytesRoom)
  spans = heap.alloc(spansRoom)
  expansions = heap.alloc(expansionsRoom << 2)
  tokens = heap.alloc(tokensRoom << 2)
  scratch = heap.alloc(scratchRoom)
}

/** Room for a text of plain ASCII, a byte for each letter. */
export function plainText(length: u32): usize {
  makeRoom(length)
  return bytes
}

/** Room for the units of any text; `narrow` follows. */
export function wideText(length: u32): usize {
  makeRoom(length)
  return units
}

function makeRoom(length: u32): void {
  textLength = length
  if (length <= textRoom) return
  if (textRoom > 0) {
    heap.free(bytes)
    heap.free(units)
  }
  // Set last: what fails for want of room must not be taken for room that is there.
  const room = max(length + (length >>> 1), 1 << 16)
  textRoom = 0
  bytes = heap.alloc(room + 32)
  units = heap.alloc((room << 1) + 32)
  textRoom = room
}

export function narrow(): void {
  const most = i16x8.splat(0x80)
  for (let i: u32 = 0; i < textLength; i += 16) {
    const low = i16x8.min_u(v128.load(units + (i << 1)), most)
    const high = i16x8.min_u(v128.load(units + (i << 1), 16), most)
    v128.store(bytes + i, i8x16.narrow_i16x8_u(low, high))
  }
}

// @ts-ignore: decorator
@inline
function byteAt(i: u32): u32 {
  return load<u8>(bytes + i)
}

function unitAt(i: u32): u32 {
  const byte = byteAt(i)
  return byte < 128 ? byte : <u32>load<u16>(units + (i << 1))
}

function kindAt(i: u32): u32 {
  const unit = unitAt(i)
  if (unit >= 0xd800 && unit <= 0xdfff) return surrogateKind(i, unit)
  let kind = <u32>load<u8>(kinds + unit)
  if (kind === UNKNOWN) {
    kind = kindOf(unit)
    store<u8>(kinds + unit, kind)
  }
  return kind
}

function surrogateKind(i: u32, unit: u32): u32 {
  const isLead = unit <= 0xdbff
  if (!isLead && i === 0) return SEPARATOR
  const high = isLead ? i : i - 1
  const lead = unitAt(high)
  const trail = high + 1 < textLength ? unitAt(high + 1) : 0
  if (lead < 0xd800 || lead > 0xdbff || trail < 0xdc00 || trail > 0xdfff) return SEPARATOR
  return kindOf((lead - 0xd800) * 0x400 + (trail - 0xdc00) + 0x10000)
}

/** The end of the character at `i`, which may be a surrogate pair. */
function charEnd(i: u32): u32 {
  const unit = unitAt(i)
  return unit >= 0xd800 && unit <= 0xdbff && i + 1 < textLength ? i + 2 : i + 1
}

function joins(i: u32): bool {
  if (kindAt(i + 1) !== WORD) return false
  const before = isDigit(unitAt(i - 1))
  const after = isDigit(unitAt(i + 1))
  const unit = unitAt(i)
  if (unit === 0x2e || unit === 0x2c) return before && after
  if (unit === 0x27 || unit === 0x2019) return !before && !after
  return true
}

function isDigit(unit: u32): bool {
  return unit < 128 ? unit - 48 < 10 : isDigitBeyond(unit) !== 0
}

// ---- Spans. A slot is: the first eight bytes or a hash, length and language, entry.

const HOT: u32 = 4_096
const MIX: u64 = 0x9e37_79b9_7f4a_7c15
const WIDE: u32 = 0x1_0000

let slotMask: u32 = (1 << 16) - 1
let slotCount: u32 = 0
let slots: usize = 0
/** For spans of more than eight bytes: where they lie in `spans`. */
let spanAt: usize = 0
let spans: usize = 0
let spansLength: u32 = 0
let spansRoom: u32 = 1 << 18
/** The slots of the most frequent, as a cache that is looked at first. */
let hot: usize = 0

function entryOf(from: u32, to: u32, language: u32): u32 {
  const length = to - from
  let at = bytes + from
  let isWide = false
  for (let i: u32 = 0; i < length; i++) isWide = isWide || load<u8>(at + i) > 127
  if (!isWide) return entryOfPlain(from, length, language)
  at = units + (from << 1)
  return entryOfLong(at, length << 1, length | (language << 8) | WIDE, length, language)
}

// @ts-ignore: decorator
@inline
function entryOfPlain(from: u32, length: u32, language: u32): u32 {
  const at = bytes + from
  const about = length | (language << 8)
  if (length > 8) return entryOfLong(at, length, about, length, language)
  let key = load<u64>(at)
  if (length < 8) key &= (<u64>1 << (<u64>length << 3)) - 1
  let hash = (key ^ <u64>length) * MIX
  hash ^= hash >> 29
  const cached = hot + ((<u32>(hash >> 40) & (HOT - 1)) << 4)
  if (load<u64>(cached) === key && load<u32>(cached, 8) === about) return load<u32>(cached, 12)
  let slot = <u32>(hash >> 8) & slotMask
  for (;;) {
    const place = slots + (slot << 4)
    const known = load<u32>(place, 8)
    if (known === 0) break
    if (known === about && load<u64>(place) === key) {
      const entry = load<u32>(place, 12)
      store<u64>(cached, key)
      store<u32>(cached, about, 8)
      store<u32>(cached, entry, 12)
      return entry
    }
    slot = (slot + 1) & slotMask
  }
  const entry = language === ENGLISH ? analyse(at, length) : learn(<u32>at, length, language)
  if ((slotCount + 1) * 2 > slotMask) growSlots()
  claim(hash, key, about, entry, 0)
  slotCount++
  return entry
}

function entryOfLong(at: usize, size: u32, about: u32, length: u32, language: u32): u32 {
  let hash = <u64>size
  let from = at
  const end = at + size
  for (; from + 8 <= end; from += 8) hash = rotl(hash ^ load<u64>(from), 29) * MIX
  if (from < end) {
    let rest: u64 = 0
    for (; from < end; from++) rest = (rest << 8) | <u64>load<u8>(from)
    hash = rotl(hash ^ rest, 29) * MIX
  }
  const key = hash
  hash ^= hash >> 29
  let slot = <u32>(hash >> 8) & slotMask
  for (;;) {
    const place = slots + (slot << 4)
    const known = load<u32>(place, 8)
    if (known === 0) break
    if (
      known === about &&
      load<u64>(place) === key &&
      memory.compare(spans + load<u32>(spanAt + (slot << 2)), at, size) === 0
    ) {
      return load<u32>(place, 12)
    }
    slot = (slot + 1) & slotMask
  }
  const entry =
    language === ENGLISH && !(about & WIDE)
      ? analyse(at, length)
      : learn(<u32>at, about & WIDE ? length | WIDE : length, language)
  if ((slotCount + 1) * 2 > slotMask) growSlots()
  if (spansLength + size > spansRoom) {
    spansRoom = max(spansRoom << 1, spansLength + size)
    spans = heap.realloc(spans, spansRoom)
  }
  memory.copy(spans + spansLength, at, size)
  claim(hash, key, about, entry, spansLength)
  spansLength += size
  slotCount++
  return entry
}

function claim(hash: u64, key: u64, about: u32, entry: u32, at: u32): void {
  let slot = <u32>(hash >> 8) & slotMask
  while (load<u32>(slots + (slot << 4), 8) !== 0) slot = (slot + 1) & slotMask
  const place = slots + (slot << 4)
  store<u64>(place, key)
  store<u32>(place, about, 8)
  store<u32>(place, entry, 12)
  store<u32>(spanAt + (slot << 2), at)
}

function growSlots(): void {
  const oldSlots = slots
  const oldAt = spanAt
  const count = slotMask + 1
  slotMask = count * 2 - 1
  slots = heap.alloc(count << 5)
  memory.fill(slots, 0, count << 5)
  spanAt = heap.alloc(count << 3)
  for (let slot: u32 = 0; slot < count; slot++) {
    const place = oldSlots + (slot << 4)
    const about = load<u32>(place, 8)
    if (about === 0) continue
    const key = load<u64>(place)
    const length = about & 255
    let hash = length > 8 || about & WIDE ? key : (key ^ <u64>length) * MIX
    hash ^= hash >> 29
    claim(hash, key, about, load<u32>(place, 12), load<u32>(oldAt + (slot << 2)))
  }
  heap.free(oldSlots)
  heap.free(oldAt)
}

/** As the host numbers languages. */
const ENGLISH: u32 = 0

/** Every part by its stem and, where that is another word, as it is spelt; the whole on top. */
function analyse(at: usize, length: u32): u32 {
  split(at, length)
  const parts = partCount()
  const whole = wholeSize()
  if (parts === 1 && whole === 0) {
    const spelt = speltNumber(0)
    if (spelt === NONE) return numberOf(stemAt(), stemSize)
  }
  let count: u32 = whole > 0 ? 1 : 0
  for (let part = 0; part < parts; part++) count += speltNumber(part) === NONE ? 1 : 2
  const entry = expansion(count)
  let place: u32 = 0
  if (whole > 0) {
    const size = stem(wholeAt(), whole)
    expandInto(entry, place++, numberOf(stemAt(), size) | SHARES)
  }
  for (let part = 0; part < parts; part++) {
    const spelt = speltNumber(part)
    if (spelt !== NONE) expandInto(entry, place++, spelt | SHARES)
    expandInto(entry, place++, numberOf(stemAt(), stemSize))
  }
  return entry
}

const NONE: u32 = 0xffff_ffff
let stemSize: u32 = 0

/** Stems a part; returns the term of its spelling, or none where its stem is the same. */
function speltNumber(part: i32): u32 {
  const at = partAt(part)
  const size = partSize(part)
  stemSize = stem(at, size)
  if (stemSize === size && memory.compare(at, stemAt(), size) === 0) return NONE
  store<u8>(scratch, SPELT_MARK)
  memory.copy(scratch + 1, at, size)
  return termNumber(size + 1)
}

const SPELT_MARK: u8 = 1

function numberOf(at: usize, size: u32): u32 {
  memory.copy(scratch, at, size)
  return termNumber(size)
}

/** Terms of spans that have several or none: how many, positions, how often in this segment, terms. */
let expansions: usize = 0
let expansionsLength: u32 = 0
let expansionsRoom: u32 = 1 << 16
const EXPANSION_HEAD: u32 = 3

/** Begins an entry of so many terms, which `expandInto` names. */
export function expansion(count: u32): u32 {
  if (expansionsLength + EXPANSION_HEAD + count > expansionsRoom) {
    expansionsRoom = max(expansionsRoom << 1, expansionsLength + EXPANSION_HEAD + count)
    expansions = heap.realloc(expansions, expansionsRoom << 2)
  }
  const entry = expansionsLength
  const at = expansions + (entry << 2)
  store<u32>(at, count)
  store<u32>(at, 0, 4)
  store<u32>(at, 0, 8)
  expansionsLength += EXPANSION_HEAD + count
  return entry | EXPANDED
}

export function expandInto(entry: u32, place: u32, term: u32): void {
  const at = expansions + ((entry & ~EXPANDED) << 2)
  store<u32>(at + ((EXPANSION_HEAD + place) << 2), term)
  if (!(term & SHARES)) store<u32>(at, load<u32>(at, 4) + 1, 4)
}

// ---- Terms: string interning. Their UTF-8 lies side by side, in the order of their numbers.

let termMask: u32 = (1 << 17) - 1
let termSlots: usize = 0
let termCount: u32 = 0
let termStarts: usize = 0
let termRoom: u32 = 1 << 17
let termBytes: usize = 0
let termBytesRoom: u32 = 1 << 21

let scratch: usize = 0
let scratchRoom: u32 = 1 << 12

export function terms(): u32 {
  return termCount
}

/** Where the host writes a term of at most so many bytes before it asks for its number. */
export function termText(size: u32): usize {
  if (size > scratchRoom) {
    scratchRoom = size * 2
    heap.free(scratch)
    scratch = heap.alloc(scratchRoom)
  }
  return scratch
}

export function termNumber(size: u32): u32 {
  let hash: u32 = 0x811c_9dc5
  for (let i: u32 = 0; i < size; i++) hash = (hash ^ <u32>load<u8>(scratch + i)) * 0x0100_0193
  hash ^= hash >>> 15
  let slot = hash & termMask
  for (;;) {
    const known = load<u32>(termSlots + (slot << 3), 4)
    if (known === 0) break
    if (load<u32>(termSlots + (slot << 3)) === hash && isTerm(known - 1, size)) return known - 1
    slot = (slot + 1) & termMask
  }
  const end = load<u32>(termStarts + (termCount << 2))
  if (end + size > termBytesRoom) {
    termBytesRoom = max(termBytesRoom << 1, end + size)
    termBytes = heap.realloc(termBytes, termBytesRoom)
  }
  memory.copy(termBytes + end, scratch, size)
  const number = termCount++
  if (termCount + 1 >= termRoom) {
    termRoom <<= 1
    termStarts = heap.realloc(termStarts, termRoom << 2)
  }
  store<u32>(termStarts + (termCount << 2), end + size)
  store<u32>(termSlots + (slot << 3), hash)
  store<u32>(termSlots + (slot << 3), number + 1, 4)
  if (termCount * 2 > termMask) growTermSlots()
  return number
}

function isTerm(number: u32, size: u32): bool {
  const at = load<u32>(termStarts + (number << 2))
  if (load<u32>(termStarts + (number << 2), 4) - at !== size) return false
  return memory.compare(termBytes + at, scratch, size) === 0
}

function growTermSlots(): void {
  const old = termSlots
  const count = termMask + 1
  termMask = count * 2 - 1
  termSlots = heap.alloc(count << 4)
  memory.fill(termSlots, 0, count << 4)
  for (let from: u32 = 0; from < count; from++) {
    const known = load<u32>(old + (from << 3), 4)
    if (known === 0) continue
    const hash = load<u32>(old + (from << 3))
    let slot = hash & termMask
    while (load<u32>(termSlots + (slot << 3), 4) !== 0) slot = (slot + 1) & termMask
    store<u32>(termSlots + (slot << 3), hash)
    store<u32>(termSlots + (slot << 3), known, 4)
  }
  heap.free(old)
}

// ---- Tokens of the segment, in the order of the texts.

let tokens: usize = 0
let tokensLength: u32 = 0
let tokensRoom: u32 = 1 << 20

export function tokensNow(): u32 {
  return tokensLength
}

/** What was taken of a document that failed is taken back. */
export function backTo(length: u32): void {
  tokensLength = length
}

function reserve(more: u32): void {
  if (tokensLength + more <= tokensRoom) return
  const room = max(tokensRoom + (tokensRoom >>> 1), tokensLength + more)
  tokens = heap.realloc(tokens, room << 2)
  tokensRoom = room
}

// @ts-ignore: decorator
@inline
function push(token: u32): void {
  store<u32>(tokens + (tokensLength++ << 2), token)
}

export function beginDocument(): void {
  reserve(1)
  push(RUN | NEW_DOCUMENT)
}

/** A name stands for no place in the text. */
export function addName(field: u32, term: u32, times: u32): void {
  reserve(times + 1)
  push(RUN | field)
  for (let i: u32 = 0; i < times; i++) push(term | SHARES)
}

/** Adds what stands in `[from, to)` of the text; returns how many positions it takes. */
export function addRun(field: u32, from: u32, to: u32, language: u32, times: u32): u32 {
  // A span is a letter at least.
  reserve(to - from + 1)
  push(RUN | field)
  const first = tokensLength
  let positions: u32 = 0
  let i = from
  while (i < to) {
    let kind = <u32>load<u8>(byteKinds + byteAt(i))
    if (kind !== WORD) {
      if (kind !== UNKNOWN) {
        i++
        continue
      }
      kind = kindAt(i)
      if (kind !== WORD) {
        if (kind !== PAIR) {
          i++
          continue
        }
        const next = charEnd(i)
        const end = next < to && kindAt(next) === PAIR ? charEnd(next) : next
        positions += take(entryOf(i, end, language))
        i = next
        continue
      }
    }
    const begin = i
    const limit = min(to, begin + MAX_SPAN)
    let joiner: u32 = 0
    let isPlain = true
    for (;;) {
      isPlain = isPlain && byteAt(i) < 128
      do {
        i++
      } while (i < limit && <u32>load<u8>(byteKinds + byteAt(i)) === WORD)
      if (i === limit) break
      kind = kindAt(i)
      if (kind === WORD) continue
      if (kind !== JOINER || i + 1 >= limit || !joins(i)) break
      isPlain = isPlain && byteAt(i) < 128
      joiner = i
    }
    let end = i
    if (i === limit && i < to && kindAt(i) === WORD) {
      if (joiner > 0) end = i = joiner
      else while (i < to && kindAt(i) === WORD) i++
    }
    positions += take(
      isPlain ? entryOfPlain(begin, end - begin, language) : entryOf(begin, end, language),
    )
  }
  if (times > 1) repeat(first, times)
  return positions
}

// @ts-ignore: decorator
@inline
function take(entry: u32): u32 {
  push(entry)
  return entry & EXPANDED ? load<u32>(expansions + ((entry & ~EXPANDED) << 2), 4) : 1
}

/** What counts several times takes no more positions. */
function repeat(first: u32, times: u32): void {
  const end = tokensLength
  for (let more: u32 = 1; more < times; more++) {
    for (let i = first; i < end; i++) {
      const token = load<u32>(tokens + (i << 2))
      if (!(token & EXPANDED)) {
        reserve(1)
        push(token | SHARES)
        continue
      }
      const at = expansions + ((token & ~EXPANDED) << 2)
      const count = load<u32>(at)
      reserve(count)
      for (let k: u32 = 0; k < count; k++) {
        push(load<u32>(at + ((EXPANSION_HEAD + k) << 2)) | SHARES)
      }
    }
  }
}

// ---- The end: occurrences by term, terms in the order of their bytes, and their lists.

/** Where each term's occurrences begin; while they are sorted, where the next one goes. */
let places: usize = 0
/** An occurrence is its document and its position * 8 + field. */
let occurrences: usize = 0

let order: usize = 0
let orderLength: u32 = 0
let keys: usize = 0

let lists: usize = 0
let listsLength: u32 = 0
let listsRoom: u32 = 0
let listSizes: usize = 0
let listSizesLength: u32 = 0
let sortedTerms: usize = 0
let sortedTermsLength: u32 = 0
let termSizes: usize = 0
let termSizesLength: u32 = 0

export function listsAt(): usize {
  return lists
}
export function listsSize(): u32 {
  return listsLength
}
export function listSizesAt(): usize {
  return listSizes
}
export function listSizesSize(): u32 {
  return listSizesLength
}
export function termsAt(): usize {
  return sortedTerms
}
export function termsSize(): u32 {
  return sortedTermsLength
}
export function termSizesAt(): usize {
  return termSizes
}
export function termSizesSize(): u32 {
  return termSizesLength
}

/** Writes the streams; returns how many terms they have. `release` follows. */
export function finish(): u32 {
  const most = sortByTerm()
  sortTerms()
  heap.free(keys)
  writeLists(most)
  heap.free(places)
  heap.free(occurrences)
  writeTerms()
  heap.free(order)
  tokensLength = 0
  return orderLength
}

export function release(): void {
  heap.free(lists)
  heap.free(listSizes)
  heap.free(sortedTerms)
  heap.free(termSizes)
}

/** Returns how often the most frequent term occurs. */
function sortByTerm(): u32 {
  places = heap.alloc((termCount + 1) << 2)
  memory.fill(places, 0, (termCount + 1) << 2)
  const end = tokens + (tokensLength << 2)
  for (let at = tokens; at < end; at += PIECE) countTokens(at, min(at + PIECE, end))
  for (let entry: u32 = 0; entry < expansionsLength; ) {
    const at = expansions + (entry << 2)
    const count = load<u32>(at)
    const times = load<u32>(at, 8)
    if (times > 0) {
      store<u32>(at, 0, 8)
      for (let k: u32 = 0; k < count; k++) {
        const counted = places + ((load<u32>(at + ((EXPANSION_HEAD + k) << 2)) & ~SHARES) << 2)
        store<u32>(counted, load<u32>(counted) + times)
      }
    }
    entry += EXPANSION_HEAD + count
  }
  let total: u32 = 0
  let most: u32 = 0
  for (let term: u32 = 0; term < termCount; term++) {
    const count = load<u32>(places + (term << 2))
    store<u32>(places + (term << 2), total)
    total += count
    most = max(most, count)
  }
  store<u32>(places + (termCount << 2), total)
  occurrences = heap.alloc((total + 1) << 3)
  document = -1
  position = 0
  field = 0
  for (let at = tokens; at < end; at += PIECE) placeTokens(at, min(at + PIECE, end))
  return most
}

/** A function that runs once is never compiled well; so many bytes of tokens are one call. */
const PIECE: usize = 1 << 16

function countTokens(from: usize, to: usize): void {
  for (let at = from; at < to; at += 4) {
    const token = load<u32>(at)
    if (token & RUN) continue
    const counted =
      token & EXPANDED
        ? expansions + ((token & ~EXPANDED) << 2) + 8
        : places + ((token & ~SHARES) << 2)
    store<u32>(counted, load<u32>(counted) + 1)
  }
}

/** Where the walk over the tokens stands. */
let document: u32 = 0
let position: u32 = 0
let field: u32 = 0

function placeTokens(from: usize, to: usize): void {
  let here = document
  let next = position
  let inField = field
  for (let at = from; at < to; at += 4) {
    const token = load<u32>(at)
    if (token & RUN) {
      if (token & NEW_DOCUMENT) {
        here++
        next = 0
      } else {
        inField = token & 7
        // Titles, tags and the like stand apart from what is before them, so no phrase crosses.
        if (inField !== BODY && inField !== HEADING) next++
      }
    } else if (token & EXPANDED) {
      const entry = expansions + ((token & ~EXPANDED) << 2)
      const end = entry + ((EXPANSION_HEAD + load<u32>(entry)) << 2)
      for (let each = entry + (EXPANSION_HEAD << 2); each < end; each += 4) {
        const term = load<u32>(each)
        put(term & ~SHARES, here, (next << 3) | inField)
        if (!(term & SHARES)) next++
      }
    } else {
      put(token & ~SHARES, here, (next << 3) | inField)
      if (!(token & SHARES)) next++
    }
  }
  document = here
  position = next
  field = inField
}

// @ts-ignore: decorator
@inline
function put(term: u32, document: u32, place: u32): void {
  const next = places + (term << 2)
  const slot = load<u32>(next)
  store<u32>(next, slot + 1)
  store<u64>(occurrences + (slot << 3), ((<u64>document) << 32) | <u64>place)
}

/** Where the occurrences of a term begin, once all are sorted. */
// @ts-ignore: decorator
@inline
function firstOf(term: u32): u32 {
  return term === 0 ? 0 : load<u32>(places + ((term - 1) << 2))
}

/** Quicksort by the first eight bytes, then by the rest. */
function sortTerms(): void {
  order = heap.alloc((termCount + 1) << 2)
  keys = heap.alloc((termCount + 1) << 3)
  orderLength = 0
  for (let term: u32 = 0; term < termCount; term++) {
    if (firstOf(term) === load<u32>(places + (term << 2))) continue
    store<u64>(keys + (orderLength << 3), beginningOf(term))
    store<u32>(order + (orderLength++ << 2), term)
  }
  sortRange(0, <i32>orderLength - 1)
}

function beginningOf(term: u32): u64 {
  const from = load<u32>(termStarts + (term << 2))
  const size = min<u32>(8, load<u32>(termStarts + (term << 2), 4) - from)
  let key: u64 = 0
  for (let i: u32 = 0; i < 8; i++) {
    key = (key << 8) | (i < size ? <u64>load<u8>(termBytes + from + i) : 0)
  }
  return key
}

function isBefore(aKey: u64, a: u32, bKey: u64, b: u32): bool {
  if (aKey !== bKey) return aKey < bKey
  const aFrom = load<u32>(termStarts + (a << 2))
  const bFrom = load<u32>(termStarts + (b << 2))
  const aSize = load<u32>(termStarts + (a << 2), 4) - aFrom
  const bSize = load<u32>(termStarts + (b << 2), 4) - bFrom
  const difference = memory.compare(termBytes + aFrom, termBytes + bFrom, min(aSize, bSize))
  return difference === 0 ? aSize < bSize : difference < 0
}

function sortRange(first: i32, last: i32): void {
  let low = first
  let high = last
  while (high - low > 16) {
    const middle = (low + high) >>> 1
    orderTwo(low, middle)
    orderTwo(middle, high)
    orderTwo(low, middle)
    const pivotKey = load<u64>(keys + (middle << 3))
    const pivot = load<u32>(order + (middle << 2))
    let i = low
    let j = high
    while (i <= j) {
      while (isBefore(load<u64>(keys + (i << 3)), load<u32>(order + (i << 2)), pivotKey, pivot)) i++
      while (isBefore(pivotKey, pivot, load<u64>(keys + (j << 3)), load<u32>(order + (j << 2)))) j--
      if (i <= j) swap(i++, j--)
    }
    // The shorter side first: so the stack stays low.
    if (j - low < high - i) {
      sortRange(low, j)
      low = i
    } else {
      sortRange(i, high)
      high = j
    }
  }
  for (let i = low + 1; i <= high; i++) {
    for (let j = i; j > low; j--) {
      if (!orderTwo(j - 1, j)) break
    }
  }
}

/** Returns whether they were the other way round. */
function orderTwo(a: i32, b: i32): bool {
  const isWrong = isBefore(
    load<u64>(keys + (b << 3)),
    load<u32>(order + (b << 2)),
    load<u64>(keys + (a << 3)),
    load<u32>(order + (a << 2)),
  )
  if (isWrong) swap(a, b)
  return isWrong
}

function swap(a: i32, b: i32): void {
  const key = load<u64>(keys + (a << 3))
  store<u64>(keys + (a << 3), load<u64>(keys + (b << 3)))
  store<u64>(keys + (b << 3), key)
  const term = load<u32>(order + (a << 2))
  store<u32>(order + (a << 2), load<u32>(order + (b << 2)))
  store<u32>(order + (b << 2), term)
}

function varint(at: usize, value: u32): usize {
  let to = at
  let rest = value
  while (rest > 127) {
    store<u8>(to++, (rest & 127) | 128)
    rest >>>= 7
  }
  store<u8>(to++, rest)
  return to
}

/** More bytes than a posting or a position ever takes. */
const MOST_POSTING: u32 = 32
const MOST_POSITION: u32 = 5

/** What one list is put together of. */
let postings: usize = 0
let positions: usize = 0
let block: usize = 0
let skips: usize = 0
let sizes: usize = 0
let frequencies: usize = 0

function writeLists(most: u32): void {
  listSizes = heap.alloc(orderLength * 5 + 1)
  let sizesEnd = listSizes
  listsRoom = 1 << 22
  lists = heap.alloc(listsRoom)
  listsLength = 0
  // One of each document at the most, however often it has the word.
  postings = heap.alloc((min(most, document + 1) + 1) * MOST_POSTING)
  positions = heap.alloc(most * (MOST_POSITION + 2) + 1_024)
  block = heap.alloc(most * MOST_POSITION + 16)
  skips = heap.alloc((most / BLOCK_SIZE + 1) * 15 + 16)
  sizes = heap.alloc(BLOCK_SIZE << 2)
  frequencies = heap.alloc(FIELD_COUNT << 2)
  for (let n: u32 = 0; n < orderLength; n++) {
    sizesEnd = varint(sizesEnd, writeList(load<u32>(order + (n << 2))))
  }
  listSizesLength = <u32>(sizesEnd - listSizes)
  heap.free(postings)
  heap.free(positions)
  heap.free(block)
  heap.free(skips)
  heap.free(sizes)
  heap.free(frequencies)
}

/** Returns how many bytes it has. */
function writeList(term: u32): u32 {
  const isName = isNameTerm(term)
  let from = occurrences + (firstOf(term) << 3)
  const to = occurrences + (load<u32>(places + (term << 2)) << 3)
  let postingsEnd = postings
  let positionsEnd = positions
  let skipsEnd = skips
  let blockEnd = block
  let blockPostings = postingsEnd
  let blockPositions = positionsEnd
  let filled: u32 = 0
  let documents: u32 = 0
  let lastDocument: u32 = -1
  let lastBlockEnd: u32 = -1
  while (from < to) {
    if (filled === BLOCK_SIZE) {
      if (!isName) positionsEnd = endBlock(positionsEnd, filled, blockEnd)
      skipsEnd = varint(skipsEnd, lastDocument - lastBlockEnd)
      skipsEnd = varint(skipsEnd, <u32>(postingsEnd - blockPostings))
      skipsEnd = varint(skipsEnd, <u32>(positionsEnd - blockPositions))
      lastBlockEnd = lastDocument
      blockEnd = block
      blockPostings = postingsEnd
      blockPositions = positionsEnd
      filled = 0
    }
    let occurrence = load<u64>(from)
    const document = <u32>(occurrence >> 32)
    memory.fill(frequencies, 0, FIELD_COUNT << 2)
    let mask: u32 = 0
    let last: u32 = 0
    const begin = blockEnd
    do {
      const place = <u32>occurrence
      const field = place & 7
      const counted = frequencies + (field << 2)
      store<u32>(counted, load<u32>(counted) + 1)
      mask |= 1 << field
      const position = place >>> 3
      if (!isName) blockEnd = varint(blockEnd, position - last)
      last = position
      from += 8
      if (from >= to) break
      occurrence = load<u64>(from)
    } while (<u32>(occurrence >> 32) === document)
    store<u32>(sizes + (filled << 2), <u32>(blockEnd - begin))
    mask &= ~(1 << BODY)
    postingsEnd = varint(postingsEnd, document - lastDocument - 1)
    const inBody = load<u32>(frequencies + (BODY << 2))
    postingsEnd = varint(postingsEnd, inBody * 2 + (mask === 0 ? 0 : 1))
    if (mask !== 0) {
      store<u8>(postingsEnd++, mask)
      for (let f: u32 = 0; f < FIELD_COUNT; f++) {
        if (mask & (1 << f)) postingsEnd = varint(postingsEnd, load<u32>(frequencies + (f << 2)))
      }
    }
    lastDocument = document
    documents++
    filled++
  }
  if (!isName) positionsEnd = endBlock(positionsEnd, filled, blockEnd)
  skipsEnd = varint(skipsEnd, lastDocument - lastBlockEnd)
  skipsEnd = varint(skipsEnd, <u32>(postingsEnd - blockPostings))
  skipsEnd = varint(skipsEnd, <u32>(positionsEnd - blockPositions))
  const postingsSize = <u32>(postingsEnd - postings)
  const positionsSize = <u32>(positionsEnd - positions)
  const skipsSize = <u32>(skipsEnd - skips)
  const room = postingsSize + positionsSize + skipsSize + 16
  if (listsLength + room > listsRoom) {
    listsRoom = listsRoom + max(listsRoom >>> 1, room)
    lists = heap.realloc(lists, listsRoom)
  }
  const beginning = lists + listsLength
  let at = varint(beginning, documents)
  if (documents > BLOCK_SIZE) {
    memory.copy(at, skips, skipsSize)
    at += skipsSize
  } else {
    at = varint(at, postingsSize)
  }
  memory.copy(at, postings, postingsSize)
  at += postingsSize
  memory.copy(at, positions, positionsSize)
  at += positionsSize
  const size = <u32>(at - beginning)
  listsLength += size
  return size
}

/** Whether it begins as names do. */
function isNameTerm(term: u32): bool {
  const from = load<u32>(termStarts + (term << 2))
  return load<u32>(termStarts + (term << 2), 4) > from && load<u8>(termBytes + from) === 0
}

/** How many bytes every four have, but for the last of them, and then all positions. */
function endBlock(at: usize, filled: u32, blockEnd: usize): usize {
  let to = at
  for (let group: u32 = 0; group + POSITION_GROUP < filled; group += POSITION_GROUP) {
    let size: u32 = 0
    for (let i: u32 = 0; i < POSITION_GROUP; i++) size += load<u32>(sizes + ((group + i) << 2))
    to = varint(to, size)
  }
  memory.copy(to, block, blockEnd - block)
  return to + (blockEnd - block)
}

function writeTerms(): void {
  termSizes = heap.alloc(orderLength * 5 + 1)
  sortedTerms = heap.alloc(load<u32>(termStarts + (termCount << 2)) + 1)
  let sizesEnd = termSizes
  let at = sortedTerms
  for (let n: u32 = 0; n < orderLength; n++) {
    const term = load<u32>(order + (n << 2))
    const from = load<u32>(termStarts + (term << 2))
    const size = load<u32>(termStarts + (term << 2), 4) - from
    memory.copy(at, termBytes + from, size)
    at += size
    sizesEnd = varint(sizesEnd, size)
  }
  sortedTermsLength = <u32>(at - sortedTerms)
  termSizesLength = <u32>(sizesEnd - termSizes)
}
