/** Writes Markdown from what readers of files find: headings, paragraphs, lists, tables, code. */
import type { FileBlock } from '../../domain/conversion.ts'
import { plainLine } from './plain.ts'

/** Rows of a table that are shown; whoever has more has a database. */
export const MOST_ROWS = 1_000
/** Rows that stand under a heading line of their own, so that every passage has it. */
const ROWS_TOGETHER = 20
const MOST_COLUMNS = 100

export class MarkdownWriter {
  readonly #blocks: FileBlock[] = []
  #anchor: string | undefined
  #lines: string[] = []

  /** Begins a part that something leads to. */
  anchor(name: string): void {
    this.#close()
    this.#anchor = name
  }

  heading(level: number, text: string): void {
    const line = text.replaceAll(/\s+/g, ' ').trim()
    if (line !== '') this.#add(`${'#'.repeat(Math.min(6, Math.max(1, level)))} ${line}`)
  }

  /** Markdown that stands for itself. */
  paragraph(text: string): void {
    const trimmed = text.trim()
    if (trimmed !== '') this.#add(trimmed)
  }

  item(depth: number, text: string, number?: number): void {
    const body = text.trim()
    if (body === '') return
    const indent = '  '.repeat(Math.min(8, Math.max(0, depth)))
    const mark = number === undefined ? '-' : `${number}.`
    const line = `${indent}${mark} ${body.replaceAll('\n', `\n${indent}  `)}`
    const last = this.#lines.at(-1)
    if (last !== undefined && ITEM.test(last)) this.#lines[this.#lines.length - 1] += `\n${line}`
    else this.#add(line)
  }

  quote(text: string): void {
    const body = text.trim()
    if (body !== '') this.#add(body.replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>'))
  }

  code(text: string, language = ''): void {
    if (text.trim() === '') return
    const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
    this.#add(
      `${fence}${language.replaceAll(/[^\w+#.-]/g, '')}\n${text.replace(/(?<!\n)\n+$/, '')}\n${fence}`,
    )
  }

  /** The first row names the columns. Cells are Markdown of one line. */
  table(rows: readonly (readonly string[])[]): void {
    const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
    const [head, ...body] = filled.slice(0, MOST_ROWS + 1)
    if (!head) return
    const width = Math.min(MOST_COLUMNS, Math.max(...filled.slice(0, 200).map((row) => row.length)))
    if (width === 0) return
    const line = (row: readonly string[]): string =>
      `| ${Array.from({ length: width }, (_, at) => cellText(row[at] ?? '')).join(' | ')} |`
    const top = `${line(head)}\n|${' --- |'.repeat(width)}`
    if (body.length === 0) this.#add(top)
    for (let at = 0; at < body.length; at += ROWS_TOGETHER) {
      this.#add(
        `${top}\n${body
          .slice(at, at + ROWS_TOGETHER)
          .map(line)
          .join('\n')}`,
      )
    }
    const more = filled.length - 1 - body.length
    if (more > 0) this.#add(`(${more} more rows.)`)
  }

  blocks(): readonly FileBlock[] {
    this.#close()
    return this.#blocks
  }

  #add(text: string): void {
    this.#lines.push(text)
  }

  #close(): void {
    if (this.#lines.length > 0 || this.#anchor !== undefined) {
      const text = this.#lines.join('\n\n')
      this.#blocks.push(this.#anchor === undefined ? { text } : { anchor: this.#anchor, text })
    }
    this.#anchor = undefined
    this.#lines = []
  }
}

const ITEM = /^ *(?:-|\d+\.) /

const LONGEST_CELL = 2_000

function cellText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_CELL)
  return line.replaceAll(/(?<!\\)\|/g, '\\|')
}

/** A cell, or the text of a link, from a text that is no Markdown. */
export function cellOf(text: string): string {
  return plainLine(text)
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
