/** The tables of the documents, made from the rows that the program itself runs by. */
import type { Command, OptionTable } from '../../src/serve/cli/command.ts'
import { COMMON_OPTIONS } from '../../src/serve/cli/command.ts'
import { allCommands } from '../../src/serve/cli/commands.ts'
import { optionUsage } from '../../src/serve/cli/help.ts'
import { CONFIG_ENV, CONFIG_FILE, SETTINGS, SOURCES_ENV } from '../../src/serve/config/settings.ts'
import type { SettingRow } from '../../src/serve/config/settings.ts'
import { acdcTools } from '../../src/vocabularies/acdc/tools.ts'
import { cortexTools } from '../../src/vocabularies/cortex/tools.ts'
import { duskmantleTools } from '../../src/vocabularies/duskmantle/tools.ts'
import { everyNativeTool } from '../../src/serve/wiring/native-tools.ts'
import { nexusDefinition } from '../../src/vocabularies/nexus/open-nexus.ts'
import { nexusTools } from '../../src/vocabularies/nexus/tools.ts'
import { rouxTools } from '../../src/vocabularies/roux/tools.ts'
import type { ToolDefinition } from '../../src/serve/door/surface.ts'
import { definitionOf } from '../../src/serve/door/tool.ts'
import { app } from '../../src/serve/cli/plug-in.ts'

const COMMANDS = (await allCommands(app)).filter(({ hidden }) => !hidden)

/** Every surface and its tools, as clients are told about them. */
export const SURFACE_TOOLS: Readonly<Record<string, readonly ToolDefinition[]>> = {
  native: everyNativeTool(),
  roux: rouxTools.map(definitionOf),
  acdc: acdcTools.map(definitionOf),
  nexus: nexusTools.map(nexusDefinition),
  cortex: cortexTools.map(definitionOf),
  duskmantle: duskmantleTools.map(definitionOf),
}

/** Which tools there are, with the sentence that says what each is for. */
export function toolTable(): string {
  const rows = SURFACE_TOOLS['native']!.map((tool) => [code(tool.name), purposeOf(tool)])
  return table(['tool', 'what it does'], rows)
}

function settingTable(): string {
  const sources = ['`sources`', '`FOLDER`, `--folder`', `\`${SOURCES_ENV}\` (commas between)`, '']
  const rows = SETTINGS.map((row) => [
    code(row.key),
    flagsOf(row),
    code(row.env),
    defaultOf(row) ?? '',
  ])
  return table(['in `cairn.yaml`', 'flag', 'variable', 'default'], [sources, ...rows])
}

/** One line per command: how it is written, and what it does. */
function commandBlock(): string {
  const lines = COMMANDS.map((command) => [usageOf(command), command.summary] as const)
  const width = Math.max(...lines.map(([usage]) => usage.length))
  const text = lines.map(([usage, summary]) => `${usage.padEnd(width)} # ${summary}`).join('\n')
  return `\`\`\`sh\n${text}\n\`\`\``
}

/** What holds for all commands. */
const SHELL =
  'Results go to standard output, everything else to standard error; the exit code is 0 for success, 1 for failure or nothing found, and 2 for a usage mistake. Reading commands look for changed files first; `--no-refresh` skips that. They take folders with `--folder` (or `-f`), because their other words are the question. A document is named by its path from where you stand, its id, title or alias; `-l` prints paths alone; a date may be `1h`, `yesterday` or `"last week"`; `-` is standard input. `source <(cairn completion bash)` (or zsh, fish) completes commands, options and names of notes.'

/** What every tool takes, what every command takes, what can be set. */
export function referencePage(): string {
  return [
    '# Reference',
    'Made by `npm run gen` from the rows that the program runs by; `cairn COMMAND --help` and the tool list of an MCP client say the same.',
    '## Tools',
    ...Object.entries(SURFACE_TOOLS).flatMap(([surface, tools]) => [
      `### Surface \`${surface}\``,
      ...tools.flatMap(toolSection),
    ]),
    '## Commands',
    commandBlock(),
    SHELL,
    'Every command takes these:',
    optionTable(COMMON_OPTIONS),
    ...COMMANDS.flatMap(commandSection),
    '## Settings',
    `A value comes from the first of: a flag, a variable, \`${CONFIG_FILE}\`, the default. [Configuration](configuration.md) says which file that is and what it may set.`,
    settingTable(),
    ...SETTINGS.flatMap(settingSection),
    '## Environment',
    table(
      ['variable', 'what it sets'],
      [
        [code(SOURCES_ENV), 'Folders to serve, with commas between'],
        [code(CONFIG_ENV), `The file to read instead of \`${CONFIG_FILE}\``],
        ...SETTINGS.map((row) => [code(row.env), code(row.key)]),
      ],
    ),
  ].join('\n\n')
}

function toolSection({ name, description, inputSchema, annotations }: ToolDefinition): string[] {
  const required = (inputSchema['required'] ?? []) as readonly string[]
  const properties = (inputSchema['properties'] ?? {}) as Record<string, Property>
  const rows = Object.entries(properties).map(([argument, property]) => [
    code(argument),
    typeOf(property),
    required.includes(argument) ? 'required' : valueOf(property.default),
    property.description ?? '',
  ])
  const kind = annotations.readOnlyHint ? 'Reads.' : 'Changes files.'
  return [
    `#### \`${name}\``,
    `${description} ${kind}`,
    rows.length === 0
      ? 'It takes nothing.'
      : table(['argument', 'type', 'default', 'meaning'], rows),
  ]
}

interface Property {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Property
  readonly anyOf?: readonly Property[]
  readonly default?: unknown
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

function typeOf(property: Property): string {
  const { type, enum: choices, items, anyOf, minimum, maximum } = property
  if (choices) return choices.map((each) => code(String(each))).join(', ')
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (type === 'array') return items ? `list of ${typeOf(items)}` : 'list'
  const bounds = [minimum, maximum].every((bound) => bound === undefined)
    ? ''
    : ` ${minimum ?? ''}–${maximum ?? ''}`
  return `${Array.isArray(type) ? type.join(' or ') : (type ?? 'any')}${bounds}`
}

function commandSection(command: Command): string[] {
  const { name, summary, example, positionals, options } = command
  const taken = Object.keys(options).length > 0 ? [optionTable(options)] : []
  return [
    `### \`${['cairn', name].join(' ')}\``,
    summary,
    `\`\`\`sh\n${usageOf(command)} [options]\n# for example\n${example}\n\`\`\``,
    ...(positionals.length > 0
      ? [
          table(
            ['argument', 'meaning'],
            positionals.map((row) => [code(row.name), row.summary]),
          ),
        ]
      : []),
    ...taken,
  ]
}

function optionTable(options: OptionTable): string {
  const rows = Object.entries(options)
    .filter(([, row]) => !row.hidden)
    .map(([name, row]) => [
      code(optionUsage(name, row)),
      `${row.summary}${row.choices ? `: ${row.choices.join(', ')}` : ''}`,
    ])
  return table(['option', 'meaning'], rows)
}

function settingSection(row: SettingRow): string[] {
  const ways = [flagsOf(row), code(row.env)].filter((way) => way !== '')
  return [`### \`${row.key}\``, `${row.summary}. Also ${ways.join(' and ')}.`]
}

/** The words before the first example. */
function purposeOf({ description }: ToolDefinition): string {
  return description.replace(/ Example: .*$/s, '').trim()
}

/** `cairn search QUERY...` */
function usageOf({ name, positionals }: Command): string {
  const words = positionals.map(({ name: word, required, many }) => {
    const written = many ? `${word}...` : word
    return required ? written : `[${written}]`
  })
  return ['cairn', name, ...words].join(' ')
}

function flagsOf({ flag, kind }: SettingRow): string {
  if (flag === undefined) return ''
  return kind === 'switch' ? `${code(`--${flag}`)}, ${code(`--no-${flag}`)}` : code(`--${flag}`)
}

/** Summaries end with it: `… (default: corpus)`. */
function defaultOf({ summary }: SettingRow): string | undefined {
  return /\(default: (.+)\)$/.exec(summary)?.[1]
}

function valueOf(value: unknown): string {
  return value === undefined ? '' : code(JSON.stringify(value))
}

function code(text: string): string {
  return `\`${text}\``
}

/** A bar inside a cell would end it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('\n', ' ').replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
