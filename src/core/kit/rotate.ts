/**
 * A fixed random rotation. Learned vectors carry most of their length in a few dimensions; turned
 * at random, every dimension carries about the same, so that a byte (or a single bit) per dimension
 * loses far less. Lengths and angles stay as they are, so nothing else notices.
 */
import {
  assembleModule,
  f64x2,
  i32,
  repeatWhile,
  Type,
  v128,
  whenNotZero,
  whileNotZero,
  type Code,
  type Local,
} from './assembler.ts'
import { kernelsOf, type KernelKind } from './kernel-memory.ts'

/** Rounds of mixing. Two spread any single dimension over all others. */
const ROUNDS = 2

/** Part of what stored rows mean: another seed would need all rows to be written again. */
const SEED = 0x5eed_ca1f

export interface Rotation {
  readonly dimensions: number
  /** Turns a vector in place. */
  apply(vector: Float32Array): void
}

/** All are addresses in bytes; `count` and `quarter` are numbers of dimensions. */
interface Kernels {
  /** Numbers of 64 bits from those of a vector: in another order, the sign of some turned. */
  draw(vector: number, places: number, signs: number, out: number, count: number): void
  /** Two levels of the transform: of four numbers that stand `quarter` apart. */
  mixFour(from: number, end: number, quarter: number): void
  /** One level of it, of two halves. */
  mixTwo(from: number, quarter: number): void
  scale(from: number, end: number, by: number): void
  /** Back to 32 bits; an even number of them. */
  round(from: number, out: number, count: number): void
}

/**
 * Each round flips signs at random, shuffles, and mixes by the Walsh-Hadamard transform, which needs
 * d log d additions where a dense rotation matrix would need d². The transform wants powers of two:
 * for other lengths it covers the first 2^k dimensions and then the last 2^k, which overlap.
 */
export function createRotation(dimensions: number, kind?: KernelKind): Rotation {
  // A server makes some that nobody asks for anything.
  let turn: ((vector: Float32Array) => void) | undefined
  return {
    dimensions,
    apply(vector) {
      turn ??= openRotation(dimensions, kind)
      turn(vector)
    },
  }
}

function openRotation(
  dimensions: number,
  kind: KernelKind | undefined,
): (vector: Float32Array) => void {
  const block = 2 ** Math.floor(Math.log2(Math.max(1, dimensions)))
  // In pairs: one number more is carried along.
  const room = dimensions + (dimensions % 2)
  const memory = openMemory(kind)
  const [vectorAt, mixedAt, byAt, drawsAt] = [0, 4 * room, 12 * room, 12 * room + 8]
  memory.reserve(drawsAt + ROUNDS * 8 * room)
  const { buffer, kernels } = memory
  const random = randomWords(SEED)
  const draws = Array.from({ length: ROUNDS }, (_, round) => {
    const places = drawsAt + round * 8 * room
    const signs = places + 4 * room
    new Int32Array(buffer, signs, dimensions).set(
      Array.from({ length: dimensions }, () => (random() & 1 ? 0 : SIGN)),
    )
    new Uint32Array(buffer, places, dimensions).set(
      shuffled(dimensions, random).map((place) => 4 * place),
    )
    return { places, signs }
  })
  const numbers = new Float32Array(buffer, vectorAt, dimensions)
  new Float64Array(buffer, byAt, 1)[0] = 1 / Math.sqrt(block)
  const last = mixedAt + 8 * (dimensions - block)
  const blocks = block < dimensions ? [mixedAt, last] : [mixedAt]
  return (vector) => {
    numbers.set(vector)
    for (const { places, signs } of draws) {
      kernels.draw(vectorAt, places, signs, mixedAt, dimensions)
      for (const from of blocks) {
        const end = from + 8 * block
        let quarter = 1
        // Two levels at a time: half the loads and stores.
        for (; quarter * 4 <= block; quarter *= 4) kernels.mixFour(from, end, quarter)
        if (quarter < block) kernels.mixTwo(from, quarter)
        kernels.scale(from, end, byAt)
      }
      kernels.round(mixedAt, vectorAt, room)
    }
    vector.set(numbers)
  }
}

/** The bit that says that a number is below zero. */
const SIGN = 1 << 31

const openMemory = kernelsOf<Kernels>(assemble, (memory) => ({
  draw(vector, places, signs, out, count) {
    const words = new Int32Array(memory.buffer)
    const floats = new Float32Array(memory.buffer)
    const mixed = new Float64Array(memory.buffer)
    for (let i = 0; i < count; i++) {
      const number = floats[(vector + words[places / 4 + i]!) / 4]!
      mixed[out / 8 + i] = words[signs / 4 + i] === 0 ? number : -number
    }
  },
  mixFour(from, end, quarter) {
    const mixed = new Float64Array(memory.buffer)
    for (let i = from / 8; i < end / 8; i += 4 * quarter) {
      for (let k = i; k < i + quarter; k++) {
        const a = mixed[k]!
        const b = mixed[k + quarter]!
        const c = mixed[k + 2 * quarter]!
        const d = mixed[k + 3 * quarter]!
        mixed[k] = a + b + (c + d)
        mixed[k + quarter] = a - b + (c - d)
        mixed[k + 2 * quarter] = a + b - (c + d)
        mixed[k + 3 * quarter] = a - b - (c - d)
      }
    }
  },
  mixTwo(from, quarter) {
    const mixed = new Float64Array(memory.buffer)
    for (let k = from / 8; k < from / 8 + quarter; k++) {
      const a = mixed[k]!
      const b = mixed[k + quarter]!
      mixed[k] = a + b
      mixed[k + quarter] = a - b
    }
  },
  scale(from, end, by) {
    const mixed = new Float64Array(memory.buffer)
    for (let i = from / 8; i < end / 8; i++) mixed[i]! *= mixed[by / 8]!
  },
  round(from, out, count) {
    const mixed = new Float64Array(memory.buffer, from, count)
    new Float32Array(memory.buffer, out, count).set(mixed)
  },
}))

/** Two numbers at a time; what a block of one or two has is less than that. */
function assemble(): Uint8Array<ArrayBuffer> {
  const vectors = (count: number): Type[] => Array.from({ length: count }, () => Type.v128)
  return assembleModule([
    {
      name: 'draw',
      params: 5,
      locals: [],
      body: (vector, places, signs, out, count) =>
        repeatWhile(count.get, [
          v128.store64(
            out.get,
            f64x2.promote(
              v128.xor(
                v128.load32(i32.add(vector.get, i32.load(places.get))),
                v128.load32(signs.get),
              ),
            ),
          ),
          places.advance(4),
          signs.advance(4),
          out.advance(8),
          count.advance(-1),
        ]),
    },
    {
      name: 'mixFour',
      params: 3,
      locals: [Type.i32, Type.i32, Type.i32, ...vectors(6)],
      body: (from, end, quarter, last, b, c, x, y, sum, other, difference, unlike) => [
        // Four neighbours: a and b are one pair, c and d the other.
        ...whenNotZero(i32.lessThan(quarter.get, i32.const(2)), [
          repeatWhile(i32.lessThan(from.get, end.get), [
            sum.set(sumAndDifference(from, 0)),
            other.set(sumAndDifference(from, 16)),
            v128.store(from.get, f64x2.add(sum.get, other.get)),
            v128.store(from.get, f64x2.subtract(sum.get, other.get), 16),
            from.advance(32),
          ]),
        ]),
        ...quarter.set(i32.shiftLeft(quarter.get, 3)),
        ...whileNotZero(i32.lessThan(from.get, end.get), [
          last.set(i32.add(from.get, quarter.get)),
          repeatWhile(i32.lessThan(from.get, last.get), [
            b.set(i32.add(from.get, quarter.get)),
            c.set(i32.add(b.get, quarter.get)),
            x.set(v128.load(from.get)),
            y.set(v128.load(b.get)),
            sum.set(f64x2.add(x.get, y.get)),
            difference.set(f64x2.subtract(x.get, y.get)),
            x.set(v128.load(c.get)),
            y.set(v128.load(i32.add(c.get, quarter.get))),
            other.set(f64x2.add(x.get, y.get)),
            unlike.set(f64x2.subtract(x.get, y.get)),
            v128.store(from.get, f64x2.add(sum.get, other.get)),
            v128.store(b.get, f64x2.add(difference.get, unlike.get)),
            v128.store(c.get, f64x2.subtract(sum.get, other.get)),
            v128.store(i32.add(c.get, quarter.get), f64x2.subtract(difference.get, unlike.get)),
            from.advance(16),
          ]),
          from.set(i32.add(from.get, i32.multiply(quarter.get, i32.const(3)))),
        ]),
      ],
    },
    {
      name: 'mixTwo',
      params: 2,
      locals: [Type.i32, Type.i32, ...vectors(2)],
      body: (from, quarter, end, b, x, y) => [
        // Of two numbers in all, the pair is both.
        ...whenNotZero(i32.lessThan(quarter.get, i32.const(2)), [
          v128.store(from.get, sumAndDifference(from, 0)),
        ]),
        ...whenNotZero(i32.lessThan(i32.const(1), quarter.get), [
          end.set(i32.add(from.get, i32.shiftLeft(quarter.get, 3))),
          repeatWhile(i32.lessThan(from.get, end.get), [
            b.set(i32.add(from.get, i32.shiftLeft(quarter.get, 3))),
            x.set(v128.load(from.get)),
            y.set(v128.load(b.get)),
            v128.store(from.get, f64x2.add(x.get, y.get)),
            v128.store(b.get, f64x2.subtract(x.get, y.get)),
            from.advance(16),
          ]),
        ]),
      ],
    },
    {
      name: 'scale',
      params: 3,
      locals: [Type.v128],
      body: (from, end, by, factor) => [
        ...factor.set(v128.load64Twice(by.get)),
        ...whileNotZero(i32.lessThan(i32.add(from.get, i32.const(8)), end.get), [
          v128.store(from.get, f64x2.multiply(v128.load(from.get), factor.get)),
          from.advance(16),
        ]),
        ...whenNotZero(i32.lessThan(from.get, end.get), [
          v128.store64(from.get, f64x2.multiply(v128.load64(from.get), factor.get)),
        ]),
      ],
    },
    {
      name: 'round',
      params: 3,
      locals: [],
      body: (from, out, count) =>
        repeatWhile(count.get, [
          v128.store64(out.get, f64x2.demote(v128.load(from.get))),
          from.advance(16),
          out.advance(8),
          count.advance(-2),
        ]),
    },
  ])
}

/** Of two neighbours. */
function sumAndDifference(at: Local, offset: number): Code {
  const turned = v128.xor(v128.load64Twice(at.get, offset + 8), v128.const(SECOND_BELOW_ZERO))
  return f64x2.add(v128.load64Twice(at.get, offset), turned)
}

const SECOND_BELOW_ZERO = Int8Array.from({ length: 16 }, (_, byte) => (byte === 15 ? -128 : 0))

function shuffled(length: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length }, (_, i) => i)
  for (let i = length - 1; i > 0; i--) {
    const k = random() % (i + 1)
    const other = order[k]!
    order[k] = order[i]!
    order[i] = other
  }
  return order
}

/** The same 32-bit numbers everywhere (xorshift, Marsaglia 2003). */
function randomWords(seed: number): () => number {
  let state = seed | 0
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
