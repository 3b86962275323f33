/** What the two packages that run models promise, and no more: they are not installed with Cairn. */
import type { ImportPackage } from '../../src/core/models/onnx/load-packages.ts'

/** Words become numbers by their place in this list; a vector tells which words were seen. */
export const WORDS = ['car', 'tea', 'doctor']

export interface StandInOptions {
  readonly inputNames?: readonly string[]
  readonly outputNames?: readonly string[]
  readonly sentence?: boolean
  readonly fed?: Record<string, { data: BigInt64Array; dims: readonly number[] }>[]
}

export function standIn({
  inputNames = ['input_ids', 'attention_mask'],
  outputNames = ['last_hidden_state'],
  sentence = false,
  fed = [],
}: StandInOptions = {}): ImportPackage {
  class Tensor {
    readonly data: BigInt64Array
    readonly dims: readonly number[]
    constructor(type: string, data: BigInt64Array, dims: readonly number[]) {
      this.data = data
      this.dims = dims
      if (type !== 'int64') throw new Error(`unexpected ${type}`)
    }
  }
  class Tokenizer {
    encode(text: string) {
      return { ids: [...text.matchAll(/\w+/g)].map(([word]) => WORDS.indexOf(word) + 1) }
    }
  }
  const session = {
    inputNames,
    outputNames,
    async run(feeds: Record<string, Tensor>) {
      fed.push(feeds)
      const [rows, width] = feeds['input_ids']!.dims
      const size = WORDS.length + 1
      const data = new Float32Array(rows! * (sentence ? 1 : width!) * size)
      feeds['input_ids']!.data.forEach((id, at) => {
        const line = sentence ? Math.floor(at / width!) : at
        data[line * size + Number(id)]! += 1
      })
      return { [outputNames[0]!]: { data, dims: sentence ? [rows, size] : [rows, width, size] } }
    },
  }
  const runtime = { InferenceSession: { create: async () => session }, Tensor }
  return async (name) => (name === 'onnxruntime-node' ? { default: runtime } : { Tokenizer })
}
