/**
 * Vectors from a model on disk: a folder with `model.onnx` and `tokenizer.json`, as Hugging Face
 * lays them out. The model is loaded when it is first asked something.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { KnowledgeError } from '../../domain/error.ts'
import type { EmbeddableDocument, Embedder } from '../embedder.ts'
import { missingFile, unusableModel } from './errors.ts'
import { loadPackages, type ImportPackage } from './load-packages.ts'
import type { Packages, Session, Tensor, Tokenizer } from './load-packages.ts'

export interface OnnxModelOptions {
  /** Absolute path of the model's folder. */
  readonly folder: string
  /** What some models want in front of a passage or a question, such as `query: `. */
  readonly passagePrefix?: string
  readonly queryPrefix?: string
}

export interface OnnxEmbedderOptions extends OnnxModelOptions {
  /** Length of the model's vectors. */
  readonly dimensions: number
}

/** Passages a model works on at a time; more only need more memory. */
const BATCH = 16
const DOCUMENTS_AT_ONCE = 16
/** Small models were made for 512; a folder may say less. */
const MOST_TOKENS = 512
/** Longer texts would be tokenised for nothing. */
const MAX_TEXT = 8_000

const MODEL_FILES = ['model.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx']

/** An embedder whose vectors are as long as the model makes them. */
export async function openOnnxEmbedder(
  options: OnnxModelOptions,
  find?: ImportPackage,
): Promise<Embedder> {
  const model = await loadModel(options.folder, find)
  const [vector] = await model.embed(['What is this about?'])
  return embedderOf({ ...options, dimensions: vector!.length }, async () => model)
}

/** Opens nothing yet: whatever is missing is said to whoever asks the first question. */
export function createOnnxEmbedder(options: OnnxEmbedderOptions, find?: ImportPackage): Embedder {
  let loading: Promise<Model> | undefined
  return embedderOf(options, () => {
    loading ??= loadModel(options.folder, find).catch((error: unknown) => {
      // The folder may be mended, the packages installed.
      loading = undefined
      throw error
    })
    return loading
  })
}

/** Whether an embedder of this id is what these options ask for, as the files are now. */
export function isOnnxEmbedder(id: string, options: OnnxModelOptions): boolean {
  if (!id.startsWith(ID)) return false
  const dimensions = (JSON.parse(id.slice(ID.length)) as readonly unknown[])[2]
  return id === idOf({ ...options, dimensions: dimensions as number })
}

const ID = 'onnx:'

/** A model file that was replaced has another size or date, and makes other vectors. */
function idOf(options: OnnxEmbedderOptions): string {
  const { folder, dimensions, passagePrefix = '', queryPrefix = '' } = options
  const stats = statSync(modelFile(folder) ?? folder, { throwIfNoEntry: false })
  const version = stats ? `${stats.size}-${Math.floor(stats.mtimeMs)}` : ''
  return ID + JSON.stringify([folder, version, dimensions, passagePrefix, queryPrefix])
}

function embedderOf(options: OnnxEmbedderOptions, load: () => Promise<Model>): Embedder {
  const { dimensions, passagePrefix = '', queryPrefix = '', folder } = options
  const checked = (vectors: Float32Array[]): Float32Array[] => {
    const wrong = vectors.find((vector) => vector.length !== dimensions)
    if (wrong) throw unusableModel(folder, `its vectors have ${wrong.length} dimensions`)
    return vectors
  }
  return {
    id: idOf(options),
    dimensions,
    slow: true,
    documentsAtOnce: DOCUMENTS_AT_ONCE,
    async embedDocuments(documents, { signal } = {}) {
      const model = await load()
      const texts = documents.flatMap((document) => passageTexts(document, passagePrefix))
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += BATCH) {
        signal?.throwIfAborted()
        vectors.push(...checked(await model.embed(texts.slice(at, at + BATCH))))
      }
      let next = 0
      return documents.map(({ passages }) => passages.map(() => vectors[next++]!))
    },
    async embedQuery(text) {
      const model = await load()
      return checked(await model.embed([queryPrefix + text]))[0]!
    },
  }
}

/** Title and headings go in front of a passage: it rarely says itself what it is about. */
function passageTexts({ title, passages }: EmbeddableDocument, prefix: string): string[] {
  return passages.map(({ text, headingPath }) => {
    const context = [title, ...headingPath].filter(
      (name, i, all) => name !== '' && name !== all[i - 1],
    )
    return `${prefix}${context.join(' > ')}\n\n${text}`
  })
}

interface Model {
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

async function loadModel(folder: string, find: ImportPackage | undefined): Promise<Model> {
  const file = modelFile(folder)
  if (file === undefined) throw missingFile(folder, 'model.onnx')
  const tokenizerJson = readJson(folder, 'tokenizer.json')
  if (!tokenizerJson) throw missingFile(folder, 'tokenizer.json')
  const config = readJson(folder, 'tokenizer_config.json') ?? {}
  const pooling = readJson(folder, '1_Pooling/config.json') ?? {}
  const packages = await loadPackages(find)
  try {
    const tokenizer = new packages.Tokenizer(tokenizerJson, config)
    // 3: errors alone; warnings would land on the standard output of whoever serves.
    const session = await packages.runtime.InferenceSession.create(file, { logSeverityLevel: 3 })
    if (!session.inputNames.includes('input_ids')) throw unusableModel(folder, 'no input_ids')
    const said = Number(config['model_max_length'])
    return createModel(packages, session, tokenizer, {
      folder,
      tokens: said > 2 ? Math.min(said, MOST_TOKENS) : MOST_TOKENS,
      firstToken: pooling['pooling_mode_cls_token'] === true,
    })
  } catch (error) {
    if (error instanceof KnowledgeError) throw error
    throw unusableModel(folder, error instanceof Error ? firstLine(error.message) : 'unknown error')
  }
}

interface Shape {
  readonly folder: string
  /** Longer texts are cut. */
  readonly tokens: number
  /** The first token speaks for the text, instead of the mean of all. */
  readonly firstToken: boolean
}

function createModel(
  { runtime }: Packages,
  session: Session,
  tokenizer: Tokenizer,
  { folder, tokens, firstToken }: Shape,
): Model {
  const output =
    ['sentence_embedding', 'last_hidden_state', 'token_embeddings'].find((name) =>
      session.outputNames.includes(name),
    ) ?? session.outputNames[0]!
  return {
    async embed(texts) {
      const encoded = texts.map((text) => cut(tokenizer.encode(asInput(text)).ids, tokens))
      const width = Math.max(1, ...encoded.map((ids) => ids.length))
      const dims = [texts.length, width]
      const ids = new BigInt64Array(texts.length * width)
      const mask = new BigInt64Array(texts.length * width)
      for (const [row, line] of encoded.entries()) {
        ids.set(line.map(BigInt), row * width)
        mask.fill(1n, row * width, row * width + line.length)
      }
      const inputs: Readonly<Record<string, BigInt64Array>> = {
        input_ids: ids,
        attention_mask: mask,
        token_type_ids: new BigInt64Array(ids.length),
        position_ids: BigInt64Array.from(ids, (_, place) => BigInt(place % width)),
      }
      const feeds: Record<string, Tensor> = {}
      for (const name of session.inputNames) {
        const data = inputs[name]
        if (!data) throw unusableModel(folder, `it wants an input named ${name}`)
        feeds[name] = new runtime.Tensor('int64', data, dims)
      }
      const found = (await session.run(feeds))[output]
      if (!(found?.data instanceof Float32Array)) {
        throw unusableModel(folder, 'its output is not a tensor of 32-bit numbers')
      }
      const lengths = encoded.map((line) => (firstToken ? Math.min(1, line.length) : line.length))
      return pooled(found.data, found.dims, lengths, folder)
    },
  }
}

/** One vector per text: as it is, or the mean over the tokens that count. */
function pooled(
  data: Float32Array,
  dims: readonly number[],
  lengths: readonly number[],
  folder: string,
): Float32Array[] {
  if (dims.length === 2) {
    const size = dims[1]!
    return lengths.map((_, row) => data.slice(row * size, (row + 1) * size))
  }
  if (dims.length !== 3) throw unusableModel(folder, `its output has ${dims.length} dimensions`)
  const [, width, size] = dims
  return lengths.map((length, row) => {
    const mean = new Float32Array(size!)
    for (let token = 0; token < length; token++) {
      const start = (row * width! + token) * size!
      for (let d = 0; d < size!; d++) mean[d]! += data[start + d]! / length
    }
    return mean
  })
}

/** The last token closes the text; it stays when what is before it is cut. */
function cut(ids: readonly number[], most: number): readonly number[] {
  return ids.length <= most ? ids : [...ids.slice(0, most - 1), ids[ids.length - 1]!]
}

function asInput(text: string): string {
  return text.trim().slice(0, MAX_TEXT).toWellFormed()
}

function modelFile(folder: string): string | undefined {
  return MODEL_FILES.map((name) => join(folder, name)).find((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  )
}

function readJson(folder: string, name: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.replace(/\.$/, '')
}
