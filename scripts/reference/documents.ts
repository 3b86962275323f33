/** Which documents hold something that is made from rows, and what it is. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { format } from 'prettier'
import { configJsonSchema } from '../../src/config/config.ts'
import { commandBlock, referencePage, settingTable, toolTable } from './tables.ts'

export const ROOT = resolve(import.meta.dirname, '../..')

/** Parts of the README that stand between `<!-- gen:NAME -->` and `<!-- /gen -->`. */
const PARTS = { tools: toolTable, commands: commandBlock, settings: settingTable } as const

/** Every generated document by its path, as it should be. */
export async function generated(): Promise<ReadonlyMap<string, string>> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  return new Map([
    ['README.md', await formatted('markdown', withParts(readme))],
    ['docs/reference.md', await formatted('markdown', referencePage())],
    ['assets/cairn.schema.json', await formatted('json', JSON.stringify(configJsonSchema()))],
  ])
}

function withParts(text: string): string {
  return Object.entries(PARTS).reduce((all, [name, make]) => {
    const [begin, end] = [`<!-- gen:${name} -->`, '<!-- /gen -->']
    const from = all.indexOf(begin)
    const to = all.indexOf(end, from)
    if (from < 0 || to < 0) throw new Error(`README.md has no place for ${name}: ${begin} … ${end}`)
    return `${all.slice(0, from + begin.length)}\n\n${make()}\n\n${all.slice(to)}`
  }, text)
}

function formatted(parser: 'markdown' | 'json', text: string): Promise<string> {
  return format(text, { parser, semi: false, singleQuote: true, printWidth: 100 })
}
