/** Sets or removes one table of a TOML file, and leaves every other byte alone. */
import { parse, stringify } from 'smol-toml'
import { invalid } from '../../core/domain/error.ts'
import type { Entry, Plain } from './client.ts'
import { tomlStatements } from './toml-statements.ts'
import type { TomlStatement } from './toml-statements.ts'

export function readToml(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''
    throw invalid(`${said}.`, 'Mend the file by hand; it was left as it is.')
  }
}

export function setInToml(text: string, path: readonly string[], entry: Entry): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const found = statementsOf(text, path)
  const pair = found.find((statement) => statement.kind === 'pair' && same(statement.path, path))
  if (pair) {
    const equals = text.indexOf('=', pair.start)
    return `${text.slice(0, equals)}= ${inLine(entry)}${text.slice(pair.end)}`
  }
  const lines = Object.entries(entry).map(([key, value]) => `${bare(key)} = ${inLine(value)}`)
  const header = found.find(({ kind, path: its }) => kind === 'header' && same(its, path))
  if (!header) {
    const before = text === '' || text.endsWith('\n') ? text : text + eol
    const gap = before === '' || before.endsWith(eol + eol) ? '' : eol
    return [before, gap, `[${path.map(bare).join('.')}]`, eol, lines.join(eol), eol].join('')
  }
  // The header stays where it is; what it holds is written anew.
  const rest = found.filter((statement) => statement !== header)
  const head = withoutAll(text.slice(0, header.start), rest)
  const at = lineEnd(text, header.end)
  const below = rest.filter(({ start }) => start >= at)
  const tail = withoutAll(text, below).slice(at)
  const own = text.slice(header.start, at)
  const line = own.endsWith('\n') ? own : own + eol
  return head + line + lines.join(eol) + eol + tail
}

export function removeFromToml(text: string, path: readonly string[]): string {
  const edited = withoutAll(text, statementsOf(text, path))
  if (edited === text) return text
  // One blank line too many is left where the table stood last.
  return edited.replace(/(\r?\n)(?:\r?\n)+$/, '$1')
}

function statementsOf(text: string, path: readonly string[]): readonly TomlStatement[] {
  return tomlStatements(text).filter(({ path: its }) => same(its.slice(0, path.length), path))
}

/** Without the lines of these statements, as far as they stand in the text. */
function withoutAll(text: string, statements: readonly TomlStatement[]): string {
  return statements.toReversed().reduce((left, { start, end }) => {
    if (start >= text.length) return left
    const from = left.lastIndexOf('\n', start - 1) + 1
    return left.slice(0, from) + left.slice(lineEnd(left, end))
  }, text)
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at + 1
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index])
}

function bare(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}

function inLine(value: Plain): string {
  if (typeof value === 'object' && !Array.isArray(value)) {
    const parts = Object.entries(value).map(
      ([key, item]) => `${bare(key)} = ${inLine(item as Plain)}`,
    )
    return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
  }
  return stringify({ x: value }).trim().slice('x = '.length)
}
