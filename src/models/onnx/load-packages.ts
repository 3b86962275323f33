/**
 * The packages that run a model file. They are not installed with Cairn: the runtime alone is
 * larger than everything else together. Only the parts of them that we use are described here.
 */
import { missingPackages } from './errors.ts'

export interface Runtime {
  readonly InferenceSession: {
    create(file: string, options?: { readonly logSeverityLevel?: number }): Promise<Session>
  }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
}

export interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>
}

export interface Tensor {
  readonly data: unknown
  readonly dims: readonly number[]
}

export interface Tokenizer {
  encode(text: string): { readonly ids: readonly number[] }
}

export interface Packages {
  readonly runtime: Runtime
  readonly Tokenizer: new (tokenizer: object, config: object) => Tokenizer
}

/** Finds a package by name. */
export type ImportPackage = (name: string) => Promise<unknown>

/** The name is a variable so that nobody looks for the packages before they are wanted. */
const importPackage: ImportPackage = (name) => import(name)

const RUNTIME = 'onnxruntime-node'
const TOKENIZERS = '@huggingface/tokenizers'

export async function loadPackages(find: ImportPackage = importPackage): Promise<Packages> {
  try {
    const [runtime, tokenizers] = await Promise.all([find(RUNTIME), find(TOKENIZERS)])
    return {
      // Packages in the older module format have everything under `default` too.
      runtime: ((runtime as { default?: Runtime }).default ?? runtime) as Runtime,
      Tokenizer: (tokenizers as Pick<Packages, 'Tokenizer'>).Tokenizer,
    }
  } catch (error) {
    throw missingPackages([RUNTIME, TOKENIZERS], (error as NodeJS.ErrnoException).code)
  }
}
