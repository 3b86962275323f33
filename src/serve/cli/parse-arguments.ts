/** Turns words of a command line into the values a command's table asks for. */
import { parseArgs } from 'node:util'
import { didYouMean } from '../../core/kit/nearest.ts'
import type { FlagValue } from '../config/config.ts'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { KnowledgeError } from '../../core/domain/error.ts'
import type { Arguments, OptionRow, OptionTable, PositionalRow } from './command.ts'

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]

export interface ArgumentRows {
  /** As it is typed: `search`, `config show`. */
  readonly name: string
  readonly positionals: readonly PositionalRow[]
  readonly options: OptionTable
}

/** Throws KnowledgeError `invalid` with a suggestion for whatever does not fit the table. */
export function parseArguments(words: readonly string[], rows: ArgumentRows): Arguments {
  const options: Record<string, FlagValue> = {}
  const positionals: string[] = []
  const tokens = tokenize(words, rows.options)
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'positional') {
      const portOf = portOptionBefore(tokens[index - 1], rows.options)
      if (portOf !== undefined && /^\d+$/.test(token.value)) options[portOf] = Number(token.value)
      else positionals.push(token.value)
    } else if (token.kind === 'option') {
      const [name, value] = readOption(token, rows)
      const row = rows.options[name]!
      const before = options[name]
      if (row.kind !== 'list') options[name] = value
      else options[name] = [...(Array.isArray(before) ? before : []), String(value)]
    }
  }
  checkPositionals(positionals, rows)
  return { positionals, options }
}

/** Not strict, because our own words about a mistake are better than the parser's. */
function tokenize(words: readonly string[], table: OptionTable): readonly Token[] {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, row]) => [
      name,
      { type: takesValue(row) ? ('string' as const) : ('boolean' as const), ...shortOf(row) },
    ]),
  )
  return parseArgs({
    args: [...words],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  }).tokens
}

function shortOf(row: OptionRow): { short?: string } {
  return row.short === undefined ? {} : { short: row.short }
}

function takesValue(row: OptionRow): boolean {
  return ['text', 'json', 'integer', 'list'].includes(row.kind)
}

/** `--http 8080`: the parser knows no optional values, so a number right behind it belongs to it. */
function portOptionBefore(token: Token | undefined, table: OptionTable): string | undefined {
  if (token?.kind !== 'option' || token.inlineValue) return undefined
  return table[token.name]?.kind === 'port' ? token.name : undefined
}

function readOption(
  token: Extract<Token, { kind: 'option' }>,
  rows: ArgumentRows,
): [name: string, value: FlagValue] {
  const { rawName } = token
  const value = valueOf(token)
  const positive = token.name.replace(/^no-/, '')
  if (positive !== token.name && rows.options[positive]?.kind === 'switch') {
    if (value !== undefined) throw takesNoValue(rawName)
    return [positive, false]
  }
  const row = Object.hasOwn(rows.options, token.name) ? rows.options[token.name] : undefined
  if (!row) throw unknownOption(rawName, rows)
  if (row.kind === 'flag' || row.kind === 'switch') {
    if (value !== undefined) throw takesNoValue(rawName)
    return [token.name, true]
  }
  if (row.kind === 'port')
    return [token.name, value === undefined ? true : integer(rawName, value, row)]
  // Without this, `--state --json` would name the state folder "--json".
  // A dash alone is standard input.
  const swallowed = token.inlineValue === false && /^-\D/.test(value ?? '')
  if (value === undefined || swallowed) throw needsValue(rawName, row)
  if (value === '' && !row.mayBeEmpty) throw needsValue(rawName, row)
  if (row.kind === 'integer') return [token.name, integer(rawName, value, row)]
  if (row.choices && !row.choices.includes(value)) throw notAChoice(rawName, value, row.choices)
  return [token.name, value]
}

/** `-p=80` means what `--port=80` means; the parser takes the sign for a part of the value. */
function valueOf({ rawName, value, inlineValue }: Extract<Token, { kind: 'option' }>) {
  const isShort = !rawName.startsWith('--')
  return isShort && inlineValue === true ? value?.replace(/^=/, '') : value
}

function integer(rawName: string, value: string, row: OptionRow): number {
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : NaN
  const least = row.min ?? 0
  if (number >= least) return number
  throw invalid(
    `${rawName} must be a whole number${least > 0 ? ` of at least ${least}` : ''}, not ${quoted(value)}.`,
    `Write ${rawName} ${Math.max(least, 10)}, for example.`,
  )
}

function checkPositionals(given: readonly string[], { name, positionals }: ArgumentRows): void {
  const missing = positionals.find((row, index) => row.required && !given[index])
  if (missing) {
    throw invalid(
      `cairn ${name} needs ${missing.name}: ${lowerFirst(missing.summary)}.`,
      seeHelp(name),
    )
  }
  for (const [index, { name: word, choices }] of positionals.entries()) {
    const value = given[index]
    if (choices && value !== undefined && !choices.includes(value)) {
      throw notAChoice(word, value, choices)
    }
  }
  if (!positionals.at(-1)?.many && given.length > positionals.length) {
    throw invalid(
      `cairn ${name} does not take ${quoted(given[positionals.length]!)}.`,
      `Quote words that belong together. ${seeHelp(name)}`,
    )
  }
}

function unknownOption(rawName: string, { name, options }: ArgumentRows): KnowledgeError {
  const known = Object.entries(options).flatMap(([option, row]) =>
    row.kind === 'switch' ? [`--${option}`, `--no-${option}`] : [`--${option}`],
  )
  const hint = rawName.startsWith('--')
    ? didYouMean(rawName, known)
    : 'Put "--" before words that begin with a dash. '
  return invalid(
    `${name ? `cairn ${name}` : 'cairn'} has no option ${quoted(rawName)}.`,
    hint + seeHelp(name),
  )
}

function takesNoValue(rawName: string): KnowledgeError {
  return invalid(`${rawName} takes no value.`, `Write just ${rawName}.`)
}

function needsValue(rawName: string, row: OptionRow): KnowledgeError {
  const placeholder = row.placeholder ?? 'VALUE'
  return invalid(`${rawName} needs a value.`, `Write ${rawName}=${placeholder}.`)
}

function notAChoice(rawName: string, value: string, choices: readonly string[]): KnowledgeError {
  return invalid(
    `${rawName} cannot be ${quoted(value)}.`,
    `${didYouMean(value, choices)}Choose one of ${choices.join(', ')}.`,
  )
}

export function seeHelp(name: string): string {
  return `See "cairn ${name ? `${name} ` : ''}--help".`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
