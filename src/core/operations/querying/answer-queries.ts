/** Queries that notes hold (`dataview` and `base` blocks, `.base` files), with what they find. */
import { isBaseFile } from '../../domain/base-file.ts'
import type { DocumentRecord } from '../../domain/document.ts'
import { inlineQuery } from '../../domain/inline-query.ts'
import { getLive } from '../reading/read-document.ts'
import type { View } from '../view/view.ts'
import { findByLink } from './find-rows.ts'
import { parseBase } from './parse-base.ts'
import { parseDataview, parseInline } from './parse-dataview.ts'
import { NotUnderstood } from './parse-expression.ts'
import type { Query } from './query.ts'
import { runQuery } from './run-query.ts'
import type { QueryResult, RunOptions } from './run-query.ts'

export interface QueryBlock {
  readonly language: 'dataview' | 'base'
  /** Lines of the note that it takes, both included. */
  readonly line: number
  readonly end: number
  readonly text: string
  /** Of one that stands in a file of its own. */
  readonly file?: string
  readonly view?: string
  /** Stands within a line, and is one value. */
  readonly inline?: true
}

export interface AnsweredQuery {
  readonly line: number
  readonly end: number
  readonly language: QueryBlock['language']
  /** Of a base: its views by name, and which of them this is. */
  readonly views: readonly string[]
  readonly view: number
  readonly inline?: true
  /** Of one within a line: its expression, by which it is found again. */
  readonly text?: string
  readonly result?: QueryResult
  /** Why there is none. */
  readonly problem?: string
}

const FENCE = /^((?:\s|>)*)(`{3,}|~{3,})\s*([\w-]*)/
const EMBED = /!\[\[([^[\]|#\n]{1,500}\.base)(?:#([^[\]|\n]{0,200}))?(?:\|[^[\]\n]{0,200})?\]\]/gi
/** Code within a line, in one pair of backticks or more. */
const CODE = /(?<!`)(`+)(=[^`\n]{2,1000})\1(?!`)/g
/** More than anybody puts into one note. */
const MOST_BLOCKS = 50
/** Values are many in a note of figures, and take no place from its blocks. */
const MOST_INLINE = 50

/** In the order of the text. What stands in other code is an example. */
export function findQueryBlocks(text: string): readonly QueryBlock[] {
  if (!/dataview|base|`=/i.test(text)) return []
  const blocks: QueryBlock[] = []
  let inlines = 0
  let open:
    | {
        readonly ticks: string
        readonly language: string
        readonly line: number
        readonly prefix: number
        lines: string[]
      }
    | undefined
  for (const [index, whole] of text.split('\n').entries()) {
    if (blocks.length - inlines >= MOST_BLOCKS) break
    const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole
    const fence = line.length < 1_000 ? FENCE.exec(line) : null
    if (open) {
      const closes = fence?.[2]!.startsWith(open.ticks) && fence[3] === ''
      if (!closes) {
        open.lines.push(line.slice(Math.min(open.prefix, line.length)))
        continue
      }
      const { language } = open
      if (language === 'dataview' || language === 'base') {
        blocks.push({ language, line: open.line, end: index + 1, text: open.lines.join('\n') })
      }
      open = undefined
    } else if (fence) {
      const [, prefix = '', ticks = '', language = ''] = fence
      open = {
        ticks,
        language: language.toLowerCase(),
        line: index + 1,
        prefix: prefix.length,
        lines: [],
      }
    } else {
      for (const [, , code = ''] of line.includes('`=')
        ? line.slice(0, 10_000).matchAll(CODE)
        : []) {
        const expression = inlineQuery(code)
        if (expression === undefined || inlines >= MOST_INLINE) continue
        inlines++
        const place = { line: index + 1, end: index + 1, inline: true } as const
        blocks.push({ language: 'dataview', ...place, text: expression })
      }
      if (!line.includes('![[')) continue
      for (const [, file = '', view] of line.slice(0, 10_000).matchAll(EMBED)) {
        const place = { language: 'base', line: index + 1, end: index + 1, text: '' } as const
        blocks.push({ ...place, file, ...(view !== undefined && view !== '' && { view }) })
      }
    }
  }
  return blocks
}

/** So many blocks, and so many values within lines behind them: in a short list, blocks come first. */
export function firstOf<Block extends QueryBlock>(
  blocks: readonly Block[],
  most: number,
): readonly Block[] {
  const { own = [], inline = [] } = Object.groupBy(blocks, (each) =>
    each.inline ? 'inline' : 'own',
  )
  return [...own.slice(0, most), ...inline.slice(0, most)]
}

/** What all views of a file find, or one: the first unless said. */
export async function answerQuery(
  kb: View,
  block: QueryBlock,
  options: RunOptions & { readonly view?: number | string },
): Promise<AnsweredQuery> {
  const { line, end, language, inline } = block
  const place = { line, end, language, ...(inline && { inline, text: block.text }) }
  const now = options.now ?? Date.now()
  let [views, view]: [readonly string[], number] = [[], 0]
  try {
    const text = block.file === undefined ? block.text : await textOfBase(kb, block.file)
    const queries =
      language === 'base'
        ? parseBase(text, now)
        : [inline ? parseInline(text, now) : parseDataview(text, now)]
    views = language === 'base' ? queries.map(({ name }) => name ?? '') : []
    const wanted = options.view ?? block.view ?? 0
    view = typeof wanted === 'number' ? wanted : views.indexOf(wanted)
    const query: Query | undefined = queries[view]
    if (!query)
      throw new NotUnderstood(`There is no view of that name: there are ${views.join(', ')}.`)
    const result = await runQuery(kb, query, { ...options, now })
    return { ...place, views, view, result }
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
    return { ...place, views, view: Math.max(0, view), problem: error.message }
  }
}

async function textOfBase(kb: View, file: string): Promise<string> {
  const record = await findByLink(kb, file)
  if (!record || !isBaseFile(record.path)) throw new NotUnderstood('There is no such file.')
  return (await getLive(kb, record)).text
}

/** All that a document holds: of a `.base` file one for each view. */
export function queriesIn(
  { path }: Pick<DocumentRecord, 'path'>,
  text: string,
  now: number,
): readonly (QueryBlock & { readonly of?: number })[] {
  if (!isBaseFile(path)) return findQueryBlocks(text)
  const whole = { language: 'base', line: 1, end: text.split('\n').length, text } as const
  try {
    return parseBase(text, now).map((_, of) => ({ ...whole, of }))
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
    return [whole]
  }
}
