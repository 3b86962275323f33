/**
 * How fast Markdown is read: our scanner beside markdown-it, on a folder of notes.
 *
 *     node bench/markdown.ts [folder]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { parseMarkdown } from '../src/core/parsing/markdown/parse-markdown.ts'
import { scanMarkdown } from '../test/support/at-once.ts'
import { evaluationSet } from '../test/evaluation-set.ts'

const folder = process.argv[2] ?? vaultFolder()
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => readFileSync(join(folder, path), 'utf8'))
const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6
console.log(`${texts.length} files, ${megabytes.toFixed(1)} MB`)

const markdownIt = new MarkdownIt('commonmark')
const reference = speed('markdown-it', 2, (text) => markdownIt.parse(text, {}))
const scanner = speed('scanner', 5, (text) => scanMarkdown(text))
speed('whole document', 3, (text) => parseMarkdown(text, 'note.md'))
console.log(`scanner / markdown-it: ${(scanner / reference).toFixed(1)}`)

function vaultFolder(): string {
  const set = evaluationSet('vault-mdn')
  if ('missing' in set) throw new Error(set.missing)
  return join(set.folder, 'docs')
}

/** The best of several rounds: the machine may be busy, the work is always the same. */
function speed(name: string, rounds: number, read: (text: string) => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    for (const text of texts) read(text)
    best = Math.min(best, performance.now() - startedAt)
  }
  const perSecond = megabytes / (best / 1000)
  console.log(`${name.padEnd(16)}${perSecond.toFixed(1).padStart(8)} MB/s`)
  return perSecond
}
