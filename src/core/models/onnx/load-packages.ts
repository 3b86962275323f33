/**
 * The packages that run a model file. They are not installed with Cairn: the runtime alone is
 * larger than everything else together. Only the parts of them that we use are described here.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { KnowledgeError } from '../../domain/error.ts'
import { packagesMissing } from './errors.ts'

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

/**
 * Finds packages beside Cairn, or in a folder of their own: `npm install` beside Cairn would add to
 * the packages of a clone, and take away whatever the folder of an installed Cairn does not list.
 */
export function packagesIn(folder: string): ImportPackage {
  const { resolve } = createRequire(join(folder, 'package.json'))
  return async (name) => {
    try {
      return await importPackage(name)
    } catch (error) {
      if (!isMissing(error)) throw missingPackages(error, folder)
    }
    try {
      return await import(pathToFileURL(resolve(name)).href)
    } catch (error) {
      throw missingPackages(error, folder)
    }
  }
}

export async function loadPackages(find: ImportPackage = importPackage): Promise<Packages> {
  try {
    const [runtime, tokenizers] = await Promise.all([find(RUNTIME), find(TOKENIZERS)])
    const { Tokenizer } = contentOf<Pick<Packages, 'Tokenizer'>>(tokenizers)
    return { runtime: contentOf<Runtime>(runtime), Tokenizer }
  } catch (error) {
    throw error instanceof KnowledgeError ? error : missingPackages(error)
  }
}

/** Packages in the older module format have everything under `default`. */
function contentOf<Content>(loaded: unknown): Content {
  return ((loaded as { default?: Content }).default ?? loaded) as Content
}

function missingPackages(error: unknown, folder?: string): KnowledgeError {
  const reason = isMissing(error) ? undefined : error
  return packagesMissing([RUNTIME, TOKENIZERS], { folder, reason })
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
