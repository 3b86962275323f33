/**
 * Reads the answer of an `/embeddings` call:
 *
 *     { "data": [{ "index": 0, "embedding": [0.1, …] }, …] }
 */

/** One vector per text in the order asked for; undefined when the answer is anything else. */
export function parseEmbeddings(answer: unknown, count: number): Float32Array[] | undefined {
  const data = fieldOf(answer, 'data')
  if (!Array.isArray(data) || data.length !== count) return undefined
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count })
  for (const [place, item] of data.entries()) {
    const index = fieldOf(item, 'index') ?? place
    const vector = parseVector(fieldOf(item, 'embedding'))
    const fits = typeof index === 'number' && index in vectors && vectors[index] === undefined
    if (!fits || !vector) return undefined
    vectors[index] = vector
  }
  return vectors.every((vector) => vector !== undefined) ? vectors : undefined
}

/** Numbers, or the same as base64 of 32-bit floats, which some servers send unasked. */
function parseVector(value: unknown): Float32Array | undefined {
  if (typeof value === 'string') return parseBase64(value)
  if (!Array.isArray(value) || value.length === 0) return undefined
  const sound = value.every((number) => typeof number === 'number' && Number.isFinite(number))
  return sound ? Float32Array.from(value as number[]) : undefined
}

function parseBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined
  const vector = Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i))
  return vector.every(Number.isFinite) ? vector : undefined
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined
}
