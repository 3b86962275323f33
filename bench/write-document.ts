/** Turns what was measured into `docs/benchmarks.md` and `docs/bench.svg`. */
import { writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { format } from 'prettier'
import { renderChart } from './chart.ts'
import { goalPanel, goalTable, type Reached } from './goals.ts'
import { markdownTable, PROJECT } from './harness.ts'
import { measuredAt, type Kept } from './kept.ts'

export interface Figures {
  /** Of every benchmark its last run. */
  readonly measured: readonly Kept[]
  readonly reached: readonly Reached[]
  readonly summary: string
}

/** In general words: a benchmark is about ratios, and the machine is nobody's business. */
export function describeMachine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const [major] = process.versions.node.split('.')
  return `Measured on ${availableParallelism()} cores with ${gibibytes} GiB of memory, ${process.platform} ${process.arch}, Node ${major}.`
}

export async function writeDocument(figures: Figures): Promise<string[]> {
  const docs = join(PROJECT, 'docs')
  writeFileSync(
    join(docs, 'bench.svg'),
    renderChart('Cairn beside SQLite FTS5 and MiniSearch, same notes', [
      goalPanel(figures.reached),
      ...figures.measured.flatMap(({ panels }) => panels),
    ]),
  )
  const text = await format(documentOf(figures), { parser: 'markdown', printWidth: 100 })
  writeFileSync(join(docs, 'benchmarks.md'), text)
  return ['docs/benchmarks.md', 'docs/bench.svg']
}

function runsOf(measured: readonly Kept[]): string {
  const rows = measured.map((each) => [each.name, measuredAt(each), each.noise[0], each.noise[1]])
  return markdownTable(['benchmark', 'measured', 'before', 'after'], rows)
}

function documentOf({ measured, reached, summary }: Figures): string {
  return `# Benchmarks

<!-- Written by \`npm run bench -- --chart\`; edit bench/write-document.ts. -->

Cairn beside SQLite FTS5, MiniSearch and Orama: the same notes, the same passages, the same questions. What stands beside each other in a row was measured in one run. The vault is the MDN documentation (14,593 notes, 59 MB) as the real parser cuts it.

![Bars of the figures below](bench.svg)

## Goals

Every row is measured by one command on one machine: what it took when the goals were set, what it takes now, and what it must, with the day and the commit. “By the processor” is the same without the time that neighbours took; where it differs much, the machine was busy. A row without a figure belongs to a benchmark that was not run since. “Quick” is one with few questions.

${goalTable(reached)}

${summary}

## How it was measured

${describeMachine()}

${runsOf(measured)}

Every engine lives in a process of its own. They build one after the other, are asked class by class in turns, and the order rotates from round to round, so that a busy moment falls on all of them; figures are medians, p95 where it says so. A fixed loop of arithmetic tells how much the machine itself varied: its noise and the load stand above; a load below 2 and a noise below 30 % is a quiet machine. On a busy machine the clock is unfair in both directions: an answer of a millisecond ends within one turn of the scheduler, an answer of a hundred waits several times, and a p95 tells about the neighbours. The columns with the processor’s time know no neighbours; where noise is high, trust them.

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
CAIRN_EVAL=path/to/eval npm run bench -- large   # one part, kept for the page
npm run bench -- --page                          # the page from what was measured before
\`\`\`

\`CAIRN_EVAL\` is the folder with the evaluation sets and their \`unpack\`; they have licences of their own and are not part of this repository. Orama takes part at the smallest size only; it needs minutes for the others.

${measured.map(({ text }) => text).join('\n\n')}
`
}
