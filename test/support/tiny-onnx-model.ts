/**
 * A model folder as Hugging Face lays it out, small enough to be written by a test: every token has
 * a vector of its own, and the model looks it up (one `Gather`). The file is real ONNX.
 */
import { Buffer } from 'node:buffer'

/** Words of one concept have the same vector. */
const VOCABULARY: Readonly<Record<string, readonly number[]>> = {
  '[PAD]': [9, 9, 9],
  '[UNK]': [0, 0, 0],
  '[CLS]': [0, 0, 0],
  '[SEP]': [0, 0, 0],
  car: [1, 0, 0],
  auto: [1, 0, 0],
  '##mobile': [1, 0, 0],
  tea: [0, 1, 0],
  brew: [0, 1, 0],
  doctor: [0, 0, 1],
  physician: [0, 0, 1],
}

export interface TinyModelOptions {
  /** Names of the inputs besides `input_ids`; they are declared and not used. */
  readonly inputs?: readonly string[]
  readonly output?: string
}

export function tinyOnnxModel(options: TinyModelOptions = {}): Record<string, string | Uint8Array> {
  return {
    'model.onnx': modelFile(options),
    'tokenizer.json': JSON.stringify(TOKENIZER),
    'tokenizer_config.json': JSON.stringify({ model_max_length: 16 }),
  }
}

const special = (content: string, id: number) => ({
  id,
  content,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
})

const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(special),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(Object.keys(VOCABULARY).map((word, id) => [word, id])),
  },
}

const FLOAT = 1
const INT64 = 7

/** Field numbers are those of onnx.proto. */
function modelFile({
  inputs = ['attention_mask'],
  output = 'last_hidden_state',
}: TinyModelOptions) {
  const rows = Object.values(VOCABULARY)
  const table = Float32Array.from(rows.flat())
  const initializer = message(
    number(1, rows.length),
    number(1, rows[0]!.length),
    number(2, FLOAT),
    bytes(8, 'table'),
    bytes(9, Buffer.from(table.buffer)),
  )
  const node = message(
    bytes(1, 'table'),
    bytes(1, 'input_ids'),
    bytes(2, output),
    bytes(4, 'Gather'),
    bytes(5, message(bytes(1, 'axis'), number(3, 0), number(20, 2))),
  )
  const graph = message(
    bytes(1, node),
    bytes(2, 'tiny'),
    bytes(5, initializer),
    ...['input_ids', ...inputs].map((name) => bytes(11, value(name, INT64, ['batch', 'tokens']))),
    bytes(12, value(output, FLOAT, ['batch', 'tokens', rows[0]!.length])),
  )
  return message(number(1, 8), bytes(7, graph), bytes(8, message(bytes(1, ''), number(2, 13))))
}

function value(name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const dims = shape.map((dim) =>
    bytes(1, typeof dim === 'number' ? number(1, dim) : bytes(2, dim)),
  )
  const tensor = message(number(1, type), bytes(2, message(...dims)))
  return message(bytes(1, name), bytes(2, bytes(1, tensor)))
}

function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields)
}

function number(field: number, content: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(content)])
}

function bytes(field: number, content: string | Buffer): Buffer {
  const data = Buffer.from(content as string)
  return Buffer.concat([varint((field << 3) | 2), varint(data.length), data])
}

function varint(content: number): Buffer {
  const parts: number[] = []
  let rest = content
  for (; rest > 127; rest >>>= 7) parts.push((rest & 127) | 128)
  return Buffer.from([...parts, rest])
}
