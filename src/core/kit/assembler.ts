/**
 * A WebAssembly assembler as small as our kernels allow: functions of numbers, loops, loads, stores
 * and the few vector instructions they use. Every instruction is a function that takes its operands
 * as code and returns code, so a kernel reads like the expression it computes. Opcodes are those of
 * the WebAssembly core specification, chapter 5.
 */

export type Code = readonly number[]

export const Type = { i32: 0x7f, v128: 0x7b } as const
export type Type = (typeof Type)[keyof typeof Type]

/** A parameter or local variable of the function being written. */
export interface Local {
  readonly get: Code
  set(value: Code): Code
  /** Adds a constant to a number. */
  advance(by: number): Code
}

export interface FunctionText {
  readonly name: string
  /** Every parameter is an i32. */
  readonly params: number
  readonly locals: readonly Type[]
  /** Receives the parameters and then the locals, in order. */
  readonly body: (...variables: Local[]) => Code
}

const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

/** Functions without results over one imported memory, `host.memory`. */
export function assembleModule(functions: readonly FunctionText[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ params }) => [
    0x60,
    ...vector(Array.from({ length: params }, () => [Type.i32])),
    ...vector([]),
  ])
  return Uint8Array.from([
    ...MAGIC_AND_VERSION,
    ...section(1, vector(types)),
    ...section(2, vector([[...name('host'), ...name('memory'), 0x02, 0x00, ...unsigned(1)]])),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(
      7,
      vector(functions.map((text, index) => [...name(text.name), 0x00, ...unsigned(index)])),
    ),
    ...section(10, vector(functions.map(functionCode))),
  ])
}

function functionCode({ params, locals, body }: FunctionText): Code {
  const variables = Array.from({ length: params + locals.length }, (_, index) => variable(index))
  const code = [...vector(locals.map((type) => [...unsigned(1), type])), ...body(...variables), END]
  return [...unsigned(code.length), ...code]
}

function variable(index: number): Local {
  const get = [0x20, ...unsigned(index)]
  const set = (value: Code): Code => [...value, 0x21, ...unsigned(index)]
  return { get, set, advance: (by) => set(i32.add(get, i32.const(by))) }
}

const END = 0x0b
const NO_RESULT = 0x40

/** Repeats `body` while `condition`, asked after each round, is not zero. Runs at least once. */
export function repeatWhile(condition: Code, body: readonly Code[]): Code {
  return [0x03, NO_RESULT, ...body.flat(), ...condition, 0x0d, ...unsigned(0), END]
}

export function whenNotZero(condition: Code, body: readonly Code[]): Code {
  return [...condition, 0x04, NO_RESULT, ...body.flat(), END]
}

/** Repeats `body` while `condition`, asked before each round, is not zero. */
export function whileNotZero(condition: Code, body: readonly Code[]): Code {
  return whenNotZero(condition, [repeatWhile(condition, body)])
}

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x6a],
  multiply: (a: Code, b: Code): Code => [...a, ...b, 0x6c],
  shiftLeft: (a: Code, bits: number): Code => [...a, ...i32.const(bits), 0x74],
  lessThan: (a: Code, b: Code): Code => [...a, ...b, 0x49],
  load: (address: Code, offset = 0): Code => [...address, 0x28, 2, ...unsigned(offset)],
  store: (address: Code, value: Code): Code => [...address, ...value, 0x36, 2, 0],
}

export const v128 = {
  zero: [...simd(0x0c), ...Array.from({ length: 16 }, () => 0)] as Code,
  /** Sixteen bytes. */
  const: (bytes: Int8Array): Code => [...simd(0x0c), ...Array.from(bytes, (byte) => byte & 255)],
  load: (address: Code, offset = 0): Code => [...address, ...simd(0x00), 0, ...unsigned(offset)],
  /** Loads eight signed bytes as eight 16-bit numbers. */
  load8x8: (address: Code, offset = 0): Code => [...address, ...simd(0x01), 0, ...unsigned(offset)],
  /** Loads one 32-bit number into all four lanes. */
  load32: (address: Code, offset = 0): Code => [...address, ...simd(0x09), 0, ...unsigned(offset)],
  /** Loads two 32-bit numbers into the first two lanes. */
  load64: (address: Code, offset = 0): Code => [...address, ...simd(0x5d), 0, ...unsigned(offset)],
  /** Loads a 64-bit number into both lanes. */
  load64Twice: (address: Code, offset = 0): Code => [
    ...address,
    ...simd(0x0a),
    0,
    ...unsigned(offset),
  ],
  store: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    ...simd(0x0b),
    0,
    ...unsigned(offset),
  ],
  /** The first 64 bits. */
  store64: (address: Code, value: Code): Code => [...address, ...value, ...simd(0x5b), 0, 0, 0],
  xor: (a: Code, b: Code): Code => [...a, ...b, ...simd(0x51)],
  and: (a: Code, b: Code): Code => [...a, ...b, ...simd(0x4e)],
}

export const i8x16 = {
  popcnt: (a: Code): Code => [...a, ...simd(0x62)],
  /** For every byte of `places`, which are below 16, the byte of `table` at that place. */
  lookUp: (table: Code, places: Code): Code => [...table, ...places, ...simd(0x100)],
}

export const i16x8 = {
  add: (a: Code, b: Code): Code => [...a, ...b, ...simd(0x8e)],
  /** Adds neighbouring unsigned bytes. */
  pairSums: (a: Code): Code => [...a, ...simd(0x7d)],
  /** Moves the bits of every number down, with zeros behind them. */
  shiftRight: (a: Code, bits: number): Code => [...a, ...i32.const(bits), ...simd(0x8d)],
}

export const i32x4 = {
  add: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xae)],
  /** Multiplies eight 16-bit pairs and adds neighbouring products. */
  dot: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xba)],
  /** Adds neighbouring unsigned 16-bit numbers. */
  pairSums: (a: Code): Code => [...a, ...simd(0x7f)],
  lane: (a: Code, lane: number): Code => [...a, ...simd(0x1b), lane],
}

export const f32x4 = {
  add: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xe4)],
  multiply: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xe6)],
}

export const f64x2 = {
  add: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xf0)],
  multiply: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xf2)],
  subtract: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xf1)],
  /** The first two of four numbers, with 64 bits each. */
  promote: (a: Code): Code => [...a, ...simd(0x5f)],
  /** Two numbers with 32 bits each, and zeros behind them. */
  demote: (a: Code): Code => [...a, ...simd(0x5e)],
}

/** The four lanes of a variable, added up. */
export function sumOfLanes({ get }: Local): Code {
  return i32.add(
    i32.add(i32x4.lane(get, 0), i32x4.lane(get, 1)),
    i32.add(i32x4.lane(get, 2), i32x4.lane(get, 3)),
  )
}

function simd(opcode: number): Code {
  return [0xfd, ...unsigned(opcode)]
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content]
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()]
}

function name(text: string): Code {
  return vector([...new TextEncoder().encode(text)].map((byte) => [byte]))
}

/** LEB128 without sign. */
function unsigned(value: number): Code {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  return [...bytes, rest]
}

/** LEB128 with sign: the last byte's second highest bit tells it. */
function signed(value: number): Code {
  const bytes: number[] = []
  let rest = value
  for (; rest < -0x40 || rest > 0x3f; rest >>= 7) bytes.push((rest & 0x7f) | 0x80)
  return [...bytes, rest & 0x7f]
}
