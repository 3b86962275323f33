/** Turns the figures of one run into `docs/benchmarks.md` and `docs/bench.svg`. */
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { format } from 'prettier'
import { renderChart } from './chart.ts'
import { goalPanel, goalTable, type Reached } from './goals.ts'
import { PROJECT, type Panel } from './harness.ts'

export interface Run {
  /** Calibration and load before and after. */
  readonly noise: readonly [string, string]
  readonly reached: readonly Reached[]
  readonly summary: string
  readonly sections: readonly string[]
  readonly panels: readonly Panel[]
  readonly quick: boolean
}

/** In general words: a benchmark is about ratios, and the machine is nobody's business. */
export function describeMachine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const [major] = process.versions.node.split('.')
  return `Measured on ${availableParallelism()} cores with ${gibibytes} GiB of memory, ${process.platform} ${process.arch}, Node ${major}.`
}

/** How many processes wanted to run, the measured ones included. */
export function describeLoad(when: string): string {
  const [minute] = loadavg()
  const advice = minute! > availableParallelism() * 0.75 ? ': others were working too' : ''
  return `Load ${when}: ${minute!.toFixed(1)}${advice}.`
}

export async function writeDocument(run: Run): Promise<string[]> {
  const docs = join(PROJECT, 'docs')
  writeFileSync(
    join(docs, 'bench.svg'),
    renderChart('Cairn beside SQLite FTS5 and MiniSearch, one run, same notes', [
      goalPanel(run.reached),
      ...run.panels,
    ]),
  )
  const text = await format(documentOf(run), { parser: 'markdown', printWidth: 100 })
  writeFileSync(join(docs, 'benchmarks.md'), text)
  return ['docs/benchmarks.md', 'docs/bench.svg']
}

function documentOf({ noise, reached, summary, sections, quick }: Run): string {
  return `# Benchmarks

<!-- Written by \`npm run bench -- --chart\`; edit bench/write-document.ts. -->

Cairn beside SQLite FTS5, MiniSearch and Orama: the same notes, the same passages, the same questions, in one run. The vault is the MDN documentation (14,593 notes, 59 MB) as the real parser cuts it.

![Bars of the figures below](bench.svg)

## Goals

Every row is measured by one command on one machine: what it took when the goals were set, what it takes now, and what it must. “By the processor” is the same without the time that neighbours took; where it differs much, the machine was busy. A row without a figure belongs to a benchmark that this run left out.

${goalTable(reached)}

${summary}

## How it was measured

${describeMachine()} ${quick ? 'This was a quick run with few questions.' : ''}

- Before: ${noise[0]}
- After: ${noise[1]}

Every engine lives in a process of its own. They build one after the other, are asked class by class in turns, and the order rotates from round to round, so that a busy moment falls on all of them; figures are medians, p95 where it says so. A fixed loop of arithmetic tells how much the machine itself varied: its noise and the load stand above. On a busy machine the clock is unfair in both directions: an answer of a millisecond ends within one turn of the scheduler, an answer of a hundred waits several times, and a p95 tells about the neighbours. The columns with the processor’s time know no neighbours; where noise is high, trust them.

- **Cairn** is the real thing: files through the parser into the store on disk, questions through the operations that the tools call. Words are ranked without vectors and links where others rank words; “hybrid” is the default of every surface, “whole answers” include reading ten notes and cutting snippets.
- **FTS5** is Node’s own SQLite on disk with a table of texts and an index with external content, \`porter unicode61\`, WAL, \`synchronous = NORMAL\`, 64 MB of cache and a memory map; words are joined with \`OR\` and sorted by \`bm25()\` in its fastest form, \`ORDER BY rank\`. “Bare” keeps no text and no file: nobody could show a result from it, but nothing in FTS5 builds faster.
- **MiniSearch** and **Orama** keep everything in memory and write nothing. Orama takes part at the smallest size only.
- Questions are drawn from the notes with a fixed seed: words and running words of sentences, phrases, one misspelling among three words, a folder as a filter; and the questions of the evaluation set. FTS5 and MiniSearch rank passages, Cairn ranks notes with their best passage.
- An engine too slow to answer all questions of a class in its time answers the first of them, at least eight (four in a quick run).

## Repeat it

\`\`\`sh
npm install
CAIRN_EVAL=path/to/eval npm run bench            # about half an hour, 3 GB of disk
CAIRN_EVAL=path/to/eval npm run bench -- --quick # two minutes: without 146,000 notes
CAIRN_EVAL=path/to/eval npm run bench -- --chart # writes this page and the chart
\`\`\`

\`CAIRN_EVAL\` is the folder with the evaluation sets and their \`unpack\`; they have licences of their own and are not part of this repository. Orama takes part at the smallest size only; it needs minutes for the others.

${sections.join('\n\n')}
`
}
