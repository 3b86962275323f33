/**
 * Makes `assets/words.bin`, the table of what English words mean. Not part of any install or build:
 *
 *     cd scripts/word-table && npm ci && npm run build
 *
 * takes about half an hour on two cores, most of it the teacher's, whose work is kept in a folder for
 * the next time (`--work DIR`). `--dimensions` and `--to` make other tables from the same work.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { distil } from './distil.ts'
import { analysisDigest } from './probe.ts'
import { readTexts, readWords } from './sources.ts'
import { openTeacher } from './teacher.ts'
import { writeTable } from './write-table.ts'

const here = import.meta.dirname
const { values } = parseArgs({
  options: {
    work: { type: 'string', default: join(tmpdir(), 'cairn-word-table') },
    dimensions: { type: 'string', default: '192' },
    to: { type: 'string', default: join(here, '../../assets/words.bin') },
  },
})

mkdirSync(values.work, { recursive: true })
const teacher = await openTeacher(here)
const words = readWords(here)
const texts = readTexts(here)
const stems = distil({
  words,
  wordVectors: await teacher.embed(words, join(values.work, 'words.f32')),
  texts,
  textVectors: await teacher.embed(texts, join(values.work, 'texts.f32')),
})
const table = writeTable(stems, Number(values.dimensions), analysisDigest())
writeFileSync(values.to, table)
console.error(`${values.to}: ${stems.terms.length} stems, ${table.length} bytes`)
