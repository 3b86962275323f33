/**
 * Loops over numbers in one growing memory, in two forms that compute the same to the last bit: as
 * WebAssembly with SIMD, and in JavaScript for runtimes that have none (`node --jitless`).
 */

export interface KernelMemory<Kernels> {
  /** Replaced when the memory grows: views must be made anew. */
  readonly buffer: ArrayBuffer
  readonly kernels: Kernels
  readonly kind: KernelKind
  /** Makes room for at least so many bytes. What is there stays. */
  reserve(bytes: number): void
}

export type KernelKind = 'simd' | 'plain'

const PAGE = 65_536

/** The part of WebAssembly that is used here; TypeScript's own description comes with the DOM. */
interface WebAssemblyApi {
  readonly Memory: new (limits: { initial: number }) => WebAssemblyMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: { host: { memory: WebAssemblyMemory } },
  ) => { readonly exports: object }
  validate(bytes: Uint8Array): boolean
}

interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

const { WebAssembly } = globalThis as { readonly WebAssembly?: WebAssemblyApi }

/** What opens an empty memory with its kernels: with SIMD where there is any, unless told otherwise. */
export function kernelsOf<Kernels extends object>(
  assemble: () => Uint8Array,
  plain: (memory: { readonly buffer: ArrayBuffer }) => Kernels,
): (wanted?: KernelKind) => KernelMemory<Kernels> {
  /** Compiled once per thread; null where it cannot run. */
  let compiled: object | null | undefined
  const compile = (api: WebAssemblyApi): object | null => {
    const bytes = assemble()
    return api.validate(bytes) ? new api.Module(bytes) : null
  }
  return (wanted = 'simd') => {
    if (wanted === 'simd' && WebAssembly) compiled ??= compile(WebAssembly)
    return wanted === 'simd' && compiled
      ? createSimdMemory<Kernels>(compiled)
      : createPlainMemory(plain)
  }
}

function createSimdMemory<Kernels extends object>(module: object): KernelMemory<Kernels> {
  const api = WebAssembly!
  const memory = new api.Memory({ initial: 1 })
  const { exports } = new api.Instance(module, { host: { memory } })
  return {
    get buffer() {
      return memory.buffer
    },
    kernels: exports as Kernels,
    kind: 'simd',
    reserve(bytes) {
      const missing = bytes - memory.buffer.byteLength
      if (missing > 0) memory.grow(roomFor(missing, memory.buffer) / PAGE)
    },
  }
}

function createPlainMemory<Kernels>(
  plain: (memory: { readonly buffer: ArrayBuffer }) => Kernels,
): KernelMemory<Kernels> {
  const memory = { buffer: new ArrayBuffer(PAGE) }
  return {
    get buffer() {
      return memory.buffer
    },
    kernels: plain(memory),
    kind: 'plain',
    reserve(bytes) {
      const missing = bytes - memory.buffer.byteLength
      if (missing > 0) {
        memory.buffer = memory.buffer.transfer(
          memory.buffer.byteLength + roomFor(missing, memory.buffer),
        )
      }
    },
  }
}

/** Grows in whole pages and by an eighth at least, so that filling a memory is linear. */
function roomFor(missing: number, buffer: ArrayBuffer): number {
  return Math.ceil(Math.max(missing, buffer.byteLength / 8) / PAGE) * PAGE
}
