/**
 * A drawn graph on its way to a page, in binary: as JSON objects it is six times as long. Written
 * by the server and read by the page, so both sides of the format stand here.
 *
 *     magic · version · nodes · links · groupings        five 32-bit numbers
 *     places            2 × 16 bits per node             x, y
 *     seconds           32 bits per node                 when it was last changed
 *     degree            16 bits per node                 links in either direction, at most 65,535
 *     kind              8 bits per node                  see NODE_KINDS
 *     groups            8 bits per node and grouping     which colour, 0 for none of the named ones
 *     out               16 bits per node                 how many links begin there
 *     targets           16 or 32 bits per link           where they end, by node
 *     types             8 bits per link                  see the labels
 *
 * Every section begins at a multiple of four bytes; numbers are little-endian, as in every machine
 * that runs a browser.
 */

export const NODE_KINDS = ['note', 'entity', 'ghost'] as const

export interface DrawnMap {
  readonly nodeCount: number
  readonly places: Int16Array
  readonly seconds: Uint32Array
  readonly degree: Uint16Array
  readonly kind: Uint8Array
  /** One array per grouping, such as folder, tag, source and type. */
  readonly groups: readonly Uint8Array[]
  /** Links of node `n` are `to[start[n] … start[n + 1])`. */
  readonly start: Uint32Array
  readonly to: Uint32Array
  readonly type: Uint8Array
}

const MAGIC = 0x50414d43 // "CMAP"
export const MAP_VERSION = 1
const HEADER = 5
/** A node may have more links than 16 bits can count; the rest is left out of the picture. */
export const MOST_LINKS = 0xffff

export function encodeMap(map: DrawnMap): Uint8Array {
  const { nodeCount, groups } = map
  const links = trimmed(map)
  const small = nodeCount <= 0x1_0000
  const sections = [
    Uint32Array.of(MAGIC, MAP_VERSION, nodeCount, links.to.length, groups.length),
    map.places,
    map.seconds,
    map.degree,
    map.kind,
    ...groups,
    lengths(links.start),
    small ? Uint16Array.from(links.to) : links.to,
    links.type,
  ]
  const bytes = new Uint8Array(sections.reduce((sum, part) => sum + aligned(part.byteLength), 0))
  let at = 0
  for (const part of sections) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at)
    at += aligned(part.byteLength)
  }
  return bytes
}

/** Undefined for what is no map, or one of another version. */
export function decodeMap(bytes: Uint8Array): DrawnMap | undefined {
  // Sections are looked at in place, which needs them where they were written.
  const data = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  if (data.byteLength < 4 * HEADER) return undefined
  const header = new Uint32Array(data.buffer, data.byteOffset, HEADER)
  const [magic, version, nodeCount = 0, linkCount = 0, groupings = 0] = header
  if (magic !== MAGIC || version !== MAP_VERSION || groupings > 16) return undefined
  let at = 4 * HEADER
  const take = <Part>(count: number, size: number, part: (offset: number) => Part): Part => {
    const offset = data.byteOffset + at
    at += aligned(count * size)
    if (at > data.byteLength) throw new RangeError('cut off')
    return part(offset)
  }
  const { buffer } = data
  const bytesOf = (count: number): Uint8Array =>
    take(count, 1, (offset) => new Uint8Array(buffer, offset, count))
  const shortsOf = (count: number): Uint16Array =>
    take(count, 2, (offset) => new Uint16Array(buffer, offset, count))
  const wordsOf = (count: number): Uint32Array =>
    take(count, 4, (offset) => new Uint32Array(buffer, offset, count))
  try {
    const places = take(2 * nodeCount, 2, (o) => new Int16Array(buffer, o, 2 * nodeCount))
    const seconds = wordsOf(nodeCount)
    const degree = shortsOf(nodeCount)
    const kind = bytesOf(nodeCount)
    const groups = Array.from({ length: groupings }, () => bytesOf(nodeCount))
    const start = new Uint32Array(nodeCount + 1)
    for (const [node, count] of shortsOf(nodeCount).entries()) {
      start[node + 1] = start[node]! + count
    }
    const to = nodeCount <= 0x1_0000 ? Uint32Array.from(shortsOf(linkCount)) : wordsOf(linkCount)
    const type = bytesOf(linkCount)
    if (start[nodeCount] !== linkCount || to.some((node) => node >= nodeCount)) return undefined
    return { nodeCount, places, seconds, degree, kind, groups, start, to, type }
  } catch {
    return undefined
  }
}

function lengths(start: Uint32Array): Uint16Array {
  const all = new Uint16Array(start.length - 1)
  for (let n = 0; n < all.length; n++) all[n] = start[n + 1]! - start[n]!
  return all
}

function aligned(length: number): number {
  return Math.ceil(length / 4) * 4
}

function trimmed(map: DrawnMap): Pick<DrawnMap, 'start' | 'to' | 'type'> {
  const { nodeCount, start, to, type } = map
  let fits = true
  for (let n = 0; n < nodeCount; n++) fits &&= start[n + 1]! - start[n]! <= MOST_LINKS
  if (fits) return map
  const kept: number[] = []
  const shorter = new Uint32Array(nodeCount + 1)
  for (let n = 0; n < nodeCount; n++) {
    const end = Math.min(start[n + 1]!, start[n]! + MOST_LINKS)
    for (let k = start[n]!; k < end; k++) kept.push(k)
    shorter[n + 1] = kept.length
  }
  return {
    start: shorter,
    to: Uint32Array.from(kept, (k) => to[k]!),
    type: Uint8Array.from(kept, (k) => type[k]!),
  }
}
