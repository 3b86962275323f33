/** Options of a command, made from the arguments of the tool it calls. */
import type { ToolDescription } from './base.ts'
import type { OptionRow, OptionTable } from './command.ts'

/** How an argument is spelled in a shell, where its name and schema do not say enough. */
export type Spelling = Partial<OptionRow> & { readonly flag?: string }

/** The same in every command. A new argument needs no line here. */
const SPELLINGS: Readonly<Record<string, Spelling>> = {
  sources: { placeholder: 'NAME', summary: 'Only this source; may be repeated' },
  path: { placeholder: 'GLOB', summary: 'Only this folder, or paths that match' },
  tags: { placeholder: 'TAG', summary: 'Only documents with this tag; may be repeated' },
  tag_mode: { placeholder: 'MODE', summary: 'How several tags combine' },
  types: { placeholder: 'TYPE', summary: 'Only documents of this type; may be repeated' },
  updated_after: {
    placeholder: 'WHEN',
    isDate: true,
    summary: 'Only documents changed since, as 2026-01-31, 1h, yesterday or "last week"',
  },
  updated_before: {
    placeholder: 'WHEN',
    isDate: true,
    summary: 'Only documents not changed since',
  },
  since: {
    placeholder: 'WHEN',
    isDate: true,
    summary: 'Only changes since, as 2026-01-31T10:00, 1h or yesterday',
  },
  by: { placeholder: 'NAME', summary: 'Only changes of this client or user' },
  where: {
    placeholder: 'CONDITION',
    summary: 'Only documents like this: status = draft and due < 2026-12-01',
  },
  limit: { short: 'n', placeholder: 'N', summary: 'How many' },
  cursor: { placeholder: 'CURSOR', summary: 'Continue where an earlier answer stopped' },
  if_digest: { placeholder: 'DIGEST', summary: 'Only if the document still has this digest' },
  dry_run: { summary: 'Show what would happen, and change nothing' },
}

interface Property {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly default?: unknown
  readonly description?: string
}

/** `taken` are the arguments that the command fills in another way. */
export function toolOptions(
  { inputSchema }: ToolDescription,
  taken: ReadonlySet<string>,
  spellings: Readonly<Record<string, Spelling>> = {},
): OptionTable {
  const properties = (inputSchema['properties'] ?? {}) as Readonly<Record<string, Property>>
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([argument]) => !taken.has(argument))
      .map(([argument, property]) => {
        const spelling = { ...SPELLINGS[argument], ...spellings[argument] }
        return [spelling.flag ?? flagOf(argument, property), optionOf(argument, property, spelling)]
      }),
  )
}

/** `updated_after` becomes `--updated-after`, and a list is given one by one: `tags` as `--tag`. */
function flagOf(argument: string, { type }: Property): string {
  const name = type === 'array' ? argument.replace(/s$/, '') : argument
  return name.replaceAll('_', '-')
}

function optionOf(argument: string, property: Property, spelling: Spelling): OptionRow {
  const { flag: _, ...row } = spelling
  const summary = row.summary ?? property.description ?? sentence(argument)
  const usual = property.default
  return {
    kind: kindOf(property),
    placeholder: placeholderOf(property),
    ...(property.enum && { choices: property.enum }),
    ...(property.type === 'integer' && { min: property.minimum ?? 1 }),
    ...row,
    argument,
    summary:
      usual === undefined || /default/i.test(summary) ? summary : `${summary} (default: ${usual})`,
  }
}

function kindOf({ type }: Property): OptionRow['kind'] {
  if (type === 'boolean') return 'flag'
  if (type === 'integer') return 'integer'
  if (type === 'array') return 'list'
  return type === 'object' ? 'json' : 'text'
}

function placeholderOf({ type, enum: choices }: Property): string {
  if (type === 'integer' || type === 'number') return 'N'
  if (type === 'object') return 'JSON'
  return choices ? 'WHICH' : 'TEXT'
}

function sentence(argument: string): string {
  const words = argument.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
