/** Which documents hold something that is made from rows, and what it is. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { format } from 'prettier'
import { configJsonSchema } from '../../src/serve/config/schema.ts'
import { referencePage, toolTable } from './tables.ts'

export const ROOT = resolve(import.meta.dirname, '../..')

const [BEGIN, END] = ['<!-- gen:tools -->', '<!-- /gen -->']

/** Every generated document by its path, as it should be. */
export async function generated(): Promise<ReadonlyMap<string, string>> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  return new Map([
    ['README.md', await formatted('markdown', withTools(readme))],
    ['docs/reference.md', await formatted('markdown', referencePage())],
    ['assets/cairn.schema.json', await formatted('json', JSON.stringify(configJsonSchema()))],
  ])
}

/** The tools stand in the README between two marks. */
function withTools(text: string): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (from < 0 || to < 0) throw new Error(`README.md has no place for tools: ${BEGIN} … ${END}`)
  return `${text.slice(0, from + BEGIN.length)}\n\n${toolTable()}\n\n${text.slice(to)}`
}

function formatted(parser: 'markdown' | 'json', text: string): Promise<string> {
  return format(text, { parser, semi: false, singleQuote: true, printWidth: 100 })
}
