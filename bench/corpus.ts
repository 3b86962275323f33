/**
 * Reads an evaluation set (`docs/`, `queries.jsonl`, `qrels.tsv`) with the simplest parsing that
 * does: front matter by lines, headings by `#`, passages at headings and blank lines.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexableDocument } from '../src/core/search/contract.ts'

export interface EvalQuery {
  readonly id: string
  readonly text: string
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Passages longer than this are cut at the next blank line. */
const PASSAGE_CHARS = 1_200

/** All documents of a set in the order of their paths. */
export function readDocuments(set: string): IndexableDocument[] {
  const root = join(set, 'docs')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .toSorted()
    .map((path, doc) => parseDocument(doc, path, readFileSync(join(root, path), 'utf8')))
}

export function readQueries(set: string): EvalQuery[] {
  return readFileSync(join(set, 'queries.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { _id, text } = JSON.parse(line) as { _id: string; text: string }
      return { id: _id, text }
    })
}

function parseDocument(doc: number, path: string, text: string): IndexableDocument {
  const frontMatter = /^---\n[\s\S]*?\n---\n/.exec(text)?.[0] ?? ''
  const bodyStart = frontMatter.length
  const headings = findHeadings(text, bodyStart)
  const [first] = headings
  const topHeading =
    first &&
    text
      .slice(first.start, first.end)
      .replace(/^#+\s*/, '')
      .trim()
  const fileName = path.replace(/^.*\//, '').replace(/\.md$/, '')
  return {
    doc,
    title: field(frontMatter, 'title') ?? topHeading ?? fileName,
    aliases: list(frontMatter, 'aliases'),
    tags: list(frontMatter, 'tags'),
    path,
    text,
    bodyStart,
    headings,
    chunkStarts: cutPassages(text, bodyStart, headings).map(({ start }) => start),
  }
}

function field(frontMatter: string, name: string): string | undefined {
  const value = new RegExp(`^${name}:[ \\t]*(\\S.*)$`, 'm').exec(frontMatter)?.[1]
  return value?.trim().replace(/^(["'])(.*)\1$/, '$2')
}

function list(frontMatter: string, name: string): string[] {
  const items = new RegExp(`^${name}:[ \\t]*\\n((?:[ \\t]*- .*\\n)+)`, 'm').exec(frontMatter)?.[1]
  return items?.split('\n').flatMap((line) => /- +(\S.*)$/.exec(line)?.[1] ?? []) ?? []
}

function findHeadings(text: string, from: number): Range[] {
  const headings: Range[] = []
  let inFence = false
  for (let start = from; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline + 1
    if (text.startsWith('```', start)) inFence = !inFence
    else if (!inFence && /^#{1,6} /.test(text.slice(start, start + 8)))
      headings.push({ start, end })
    start = end
  }
  return headings
}

function cutPassages(text: string, bodyStart: number, headings: readonly Range[]): Range[] {
  const starts = [bodyStart, ...headings.map(({ start }) => start), text.length]
  const passages: Range[] = []
  for (const [i, end] of starts.slice(1).entries()) {
    let start = starts[i]!
    while (end - start > PASSAGE_CHARS) {
      const blank = text.indexOf('\n\n', start + PASSAGE_CHARS / 2)
      if (blank < 0 || blank + 2 >= end) break
      passages.push({ start, end: blank + 2 })
      start = blank + 2
    }
    if (start < end) passages.push({ start, end })
  }
  return passages
}
