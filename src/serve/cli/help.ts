/** Help texts, made from the table of commands: a sentence and a runnable example come first. */
import { COMMAND_GROUPS } from './command.ts'
import type { Command, OptionRow, OptionTable } from './command.ts'
import { columns } from './terminal.ts'

export function overview(commands: readonly Command[]): string {
  const listed = commands.filter(({ hidden }) => !hidden)
  const lined = columns(listed.map(({ name, summary }) => [`  ${name}`, summary]))
  const shown = listed.map(({ group }, index) => ({ group, line: lined[index]! }))
  return lines(
    'Cairn lets AI agents and people search, read and walk folders of notes.',
    '',
    '  cd ~/notes && cairn init',
    '',
    ...Object.entries(COMMAND_GROUPS).flatMap(([group, heading]) => [
      `${heading}:`,
      ...shown.flatMap(({ group: its, line }) => (its === group ? [line] : [])),
      '',
    ]),
    '"cairn COMMAND --help" tells more about one of them, "cairn --version" the version.',
    'Settings can also come from CAIRN_* variables and cairn.yaml; "cairn config show" lists them.',
  )
}

export function commandHelp(command: Command, common: OptionTable): string {
  const { name, summary, example, positionals, options } = command
  const usage = positionals.map((row) => {
    const word = row.many ? `${row.name}...` : row.name
    return row.required ? word : `[${word}]`
  })
  return lines(
    summary,
    '',
    `  ${example}`,
    '',
    `Usage: ${['cairn', name, ...usage, '[options]'].join(' ')}`,
    ...section(
      'Arguments',
      positionals.map((row) => [`  ${row.name}`, row.summary]),
    ),
    ...section('Options', optionRows({ ...options, ...common })),
  )
}

/** Help for the first word of two-word commands: `cairn config`. */
export function groupHelp(group: string, commands: readonly Command[]): string {
  return lines(
    `cairn ${group} has these commands:`,
    '',
    ...columns(commands.map(({ name, summary }) => [`  cairn ${name}`, summary])),
  )
}

function optionRows(options: OptionTable): string[][] {
  return Object.entries(options)
    .filter(([, row]) => !row.hidden)
    .map(([name, row]) => [`  ${optionUsage(name, row)}`, describe(row)])
}

export function optionUsage(name: string, row: OptionRow): string {
  const short = row.short === undefined ? '' : `-${row.short}, `
  const long = row.kind === 'switch' ? `--[no-]${name}` : `--${name}`
  if (row.kind === 'port') return `${short}${long} [PORT]`
  if (row.kind === 'flag' || row.kind === 'switch') return short + long
  return `${short}${long} ${row.placeholder ?? 'VALUE'}`
}

function describe(row: OptionRow): string {
  return row.choices ? `${row.summary}: ${row.choices.join(', ')}` : row.summary
}

function section(title: string, rows: readonly string[][]): string[] {
  return rows.length === 0 ? [] : ['', `${title}:`, ...columns(rows)]
}

function lines(...all: string[]): string {
  return `${all.join('\n')}\n`
}
