/**
 * Ranks the queries of evaluation sets with words alone and writes a run file for each.
 *
 *     node bench/eval-lexical.ts SETS OUT [NAME…]
 *
 * SETS is the folder of unpacked sets, OUT a folder for `NAME.run`; score them with `score.py`.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLexicalIndex } from '../src/core/search/lexical-index.ts'
import { SegmentBuilder } from '../src/core/search/segment/segment-builder.ts'
import { memoryReader } from '../test/search/memory-reader.ts'
import { readDocuments, readQueries } from './corpus.ts'

const [sets, out, ...names] = process.argv.slice(2)
if (sets === undefined || out === undefined) {
  console.error('usage: node bench/eval-lexical.ts SETS OUT [NAME…]')
  process.exit(2)
}
mkdirSync(out, { recursive: true })
for (const name of names.length > 0 ? names : readdirSync(sets)) await evaluate(name, sets, out)

async function evaluate(name: string, sets: string, out: string): Promise<void> {
  const documents = readDocuments(join(sets, name))
  const builder = new SegmentBuilder()
  for (const document of documents) builder.add(document)
  const index = createLexicalIndex()
  const deleted = { has: () => false, size: 0 }
  await index.setSegments([{ id: name, reader: memoryReader(builder.finish()), deleted }])

  const lines: string[] = []
  for (const { id, text } of readQueries(join(sets, name))) {
    // Questions are plain text: quotes in them are no operators.
    const { hits } = await index.search(text.replaceAll('"', ' '), { limit: 100 })
    for (const [rank, { doc, score }] of hits.entries()) {
      // The scorer wants strictly falling scores; equal ones fall by their rank.
      lines.push([id, documents[doc]!.path, rank + 1, score - rank * 1e-9].join('\t'))
    }
  }
  writeFileSync(join(out, `${name}.run`), `${lines.join('\n')}\n`)
}
