/**
 * How fast is the vector scan, and what do bits lose? Synthetic vectors with subjects and uneven
 * dimensions, as learned ones have. Every size runs in a process of its own:
 * `node bench/vectors.ts [small]`.
 */
import { createRowEncoder } from '../src/core/search/vectors/encoded-rows.ts'
import { createVectorIndex, type VectorIndex } from '../src/core/search/vectors/vector-index.ts'
import {
  calibrate,
  describeCalibration,
  formatMb,
  formatMs,
  formatRatio,
  headline,
  markdownTable,
  measureInChild,
  percentile,
  randomNumbers,
  report,
  timed,
} from './harness.ts'

interface Size {
  readonly rows: number
  readonly dimensions: number
}

const SIZES: readonly Size[] = [
  { rows: 65_440, dimensions: 128 },
  { rows: 65_440, dimensions: 192 },
  { rows: 65_440, dimensions: 256 },
  { rows: 1_000_000, dimensions: 256 },
]

const ROWS_PER_DOCUMENT = 5
const QUERIES = 40
const LIMIT = 100

/** Milliseconds, unless the name says otherwise. */
interface Figures {
  readonly fill: number
  readonly simd: number
  readonly simdP95: number
  readonly plain: number
  readonly bits: number
  readonly bitsP95: number
  /** Share of the ten best that the bits found too. */
  readonly recall10: number
  readonly recall100: number
  readonly bytes: number
  readonly update: number
}

/** Draws vectors around subjects; the first dimensions vary most, as after a singular value decomposition. */
function drawVectors({ rows, dimensions }: Size): (row: number) => Float32Array {
  const random = randomNumbers(7)
  const bell = (): number => random() + random() + random() + random() - 2
  const spread = Float32Array.from({ length: dimensions }, (_, k) => 1 / Math.sqrt(1 + k / 8))
  const subjects = Array.from({ length: Math.min(2_000, rows) }, () =>
    spread.map((s) => s * bell()),
  )
  return (row) => {
    const subject = subjects[(row * 7919) % subjects.length]!
    return subject.map((value, k) => value + spread[k]! * bell())
  }
}

function measure(size: Size): Figures {
  const { rows, dimensions } = size
  const draw = drawVectors(size)
  const encoder = createRowEncoder(dimensions)
  const exact = createVectorIndex({ dimensions, bitsFrom: Infinity })
  const byBits = createVectorIndex({ dimensions, bitsFrom: 1 })
  const queries: Float32Array[] = []
  let fill = 0
  for (let doc = 0; doc * ROWS_PER_DOCUMENT < rows; doc++) {
    const count = Math.min(ROWS_PER_DOCUMENT, rows - doc * ROWS_PER_DOCUMENT)
    const vectors = Array.from({ length: count }, (_, i) => draw(doc * ROWS_PER_DOCUMENT + i))
    const encoded = encoder.encode(vectors)
    fill += timed(() => exact.setRows(doc, encoded)).ms
    byBits.setRows(doc, encoded)
    if (queries.length < QUERIES && doc % 97 === 0) queries.push(draw(doc))
  }
  const simd = searchAll(exact, queries)
  const bits = searchAll(byBits, queries)
  const plain = createVectorIndex({ dimensions, kernels: 'plain', bitsFrom: Infinity })
  for (let doc = 0; doc < exact.documents; doc++) plain.setRows(doc, exact.rowsOf(doc)!)
  const inPlain = searchAll(plain, queries.slice(0, rows > 500_000 ? 3 : 10))
  for (const [i, found] of inPlain.found.entries()) {
    if (found.join() !== simd.found[i]!.join()) throw new Error('SIMD and JavaScript disagree.')
  }
  const changed = encoder.encode([draw(1), draw(2)])
  return {
    fill,
    simd: percentile(simd.times, 0.5),
    simdP95: percentile(simd.times, 0.95),
    plain: percentile(inPlain.times, 0.5),
    bits: percentile(bits.times, 0.5),
    bitsP95: percentile(bits.times, 0.95),
    recall10: recall(simd.found, bits.found, 10),
    recall100: recall(simd.found, bits.found, 100),
    bytes: exact.bytes,
    update: percentile(
      Array.from({ length: 200 }, (_, doc) => timed(() => exact.setRows(doc, changed)).ms),
      0.5,
    ),
  }
}

function searchAll(
  index: VectorIndex,
  queries: readonly Float32Array[],
): { times: number[]; found: number[][] } {
  index.search(queries[0]!, { limit: LIMIT })
  const runs = queries.map((query) => timed(() => index.search(query, { limit: LIMIT })))
  return {
    times: runs.map(({ ms }) => ms),
    found: runs.map(({ result }) => result.map(({ doc }) => doc)),
  }
}

function recall(expected: readonly number[][], found: readonly number[][], depth: number): number {
  let same = 0
  let all = 0
  for (const [i, docs] of expected.entries()) {
    const wanted = new Set(docs.slice(0, depth))
    all += wanted.size
    same += found[i]!.slice(0, depth).filter((doc) => wanted.has(doc)).length
  }
  return same / all
}

async function main(): Promise<void> {
  const sizes = process.argv[2] === 'small' ? SIZES.slice(0, 1) : SIZES
  const rows: string[][] = []
  for (const { rows: count, dimensions } of sizes) {
    const figures = await measureInChild<Figures>(import.meta.filename, [
      'measure',
      String(count),
      String(dimensions),
    ])
    const speed = (count * dimensions) / figures.simd / 1e6
    rows.push([
      `${count.toLocaleString('en')} x ${dimensions}`,
      `${formatMs(figures.simd)} / ${formatMs(figures.simdP95)}`,
      `${speed.toFixed(1)} GB/s`,
      formatMs(figures.plain),
      formatRatio(figures.simd, figures.plain),
      `${formatMs(figures.bits)} / ${formatMs(figures.bitsP95)}`,
      `${figures.recall10.toFixed(3)} / ${figures.recall100.toFixed(3)}`,
      formatMs(figures.fill),
      formatMs(figures.update),
      formatMb(figures.bytes),
    ])
    headline({
      what: `vector scan, ${count.toLocaleString('en')} x ${dimensions}, SIMD / plain JavaScript`,
      measured: formatRatio(figures.simd, figures.plain),
      aim: '≤ 0.2x',
      met: figures.simd / figures.plain <= 0.2,
    })
  }
  console.log(`${describeCalibration(calibrate())}\n`)
  console.log(
    markdownTable(
      [
        'rows',
        'SIMD p50 / p95',
        'speed',
        'plain p50',
        'ratio',
        'bits + bytes p50 / p95',
        'recall@10 / @100',
        'fill',
        'update',
        'memory',
      ],
      rows,
    ),
  )
}

const [, , mode, rowCount, dimensionCount] = process.argv
if (mode === 'measure') {
  report(measure({ rows: Number(rowCount), dimensions: Number(dimensionCount) }))
} else {
  await main()
}
