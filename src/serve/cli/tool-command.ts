/**
 * Every native tool is a command: its options come from the tool's own row, so that a new argument
 * or a new tool is there without a line of ours. A presentation says what a person needs besides.
 */
import { KnowledgeError, ERROR_CODES, invalid, notFound, quoted } from '../../core/domain/error.ts'
import type { ErrorCode } from '../../core/domain/error.ts'
import type { ToolDescription } from './base.ts'
import { BASE_OPTIONS, REFRESH_OPTION } from './command.ts'
import type {
  Command,
  CommandContext,
  CommandGroup,
  OptionTable,
  PositionalRow,
} from './command.ts'
import { factLines } from './facts.ts'
import { parseWhen } from './parse-when.ts'
import type { Places } from './places.ts'
import { showProgress } from './progress.ts'
import { inWordsOfTheShell } from './tool-errors.ts'
import { toolOptions } from './tool-options.ts'
import type { Spelling } from './tool-options.ts'
import { changesElsewhere } from './elsewhere.ts'
import { cleanLine, toJson } from './terminal.ts'
import type { Terminal } from './terminal.ts'
import { seeMore } from './commands/see-more.ts'

export type Answer = Record<string, unknown>

/** Calls the command's tool. A failed call throws. */
export type ToolCaller = (args: Record<string, unknown>) => Promise<Answer>

/** A word that fills an argument of the tool. */
export interface ArgumentWord extends PositionalRow {
  readonly argument: string
  /** There is an option for it as well. */
  readonly isOptionToo?: boolean
}

export interface ToolPresentation {
  readonly tool: string
  /** The command's name where it is not the tool's. */
  readonly name?: string
  readonly group: CommandGroup
  readonly summary: string
  readonly example: string
  /** Words in their order; those of the schema that must be there where nobody says. */
  readonly words?: readonly ArgumentWord[]
  /** Arguments that are always the same here; undefined for those that make no sense here. */
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly spellings?: Readonly<Record<string, Spelling>>
  /** Options beside those of the tool. */
  readonly options?: OptionTable
  /** The last word on the arguments. */
  prepare?(
    args: Record<string, unknown>,
    context: CommandContext,
  ): Record<string, unknown> | Promise<Record<string, unknown>>
  /** Asks further calls for what one answer left out. Not done for `--json`. */
  complete?(answer: Answer, call: ToolCaller, context: CommandContext): Promise<Answer>
  /** Prints the answer for a person. */
  print?(answer: Answer, context: CommandContext, places: Places): void
  /** Whether there is anything; the exit code says so to a script. */
  found?(answer: Answer): boolean
}

export function toolCommand(
  tool: ToolDescription,
  presentation: ToolPresentation = unknownTool(tool),
): Command {
  const { name = tool.name, group, summary, example, fixed = {} } = presentation
  const set = Object.fromEntries(Object.entries(fixed).filter(([, value]) => value !== undefined))
  // Of all commands one is run: what the others take is not worked out.
  let known: ReturnType<typeof whatItTakes> | undefined
  const taking = () => (known ??= whatItTakes(tool, presentation))
  return {
    name,
    group,
    summary,
    example,
    get positionals() {
      return taking().words
    },
    get options() {
      return { ...taking().options, ...REFRESH_OPTION, ...BASE_OPTIONS }
    },
    run: (context) =>
      context.withBase(async (base) => {
        context.app.isBrief?.(true)
        if (context.args.options['refresh'] !== false) await refresh(base, context)
        const places = await context.places()
        const { words, options } = taking()
        const given = {
          ...set,
          ...(await wordArguments(words, context, places)),
          ...(await optionArguments(options, context)),
        }
        const args = (await presentation.prepare?.(given, context)) ?? given
        if (group === 'change' && !(await changesElsewhere(context, args))) return 1
        const call: ToolCaller = async (callArgs) => {
          const { structured, isError } = await base.call(tool.name, callArgs)
          if (isError) throw inWordsOfTheShell(errorOf(structured), tool.name, options)
          return structured
        }
        const answer = await pageAt(context.args.options['page'], args, call)
        if (context.json) context.terminal.out(toJson(withPaths(answer, places)))
        else {
          const whole = (await presentation.complete?.(answer, call, context)) ?? answer
          const print = presentation.print ?? printFacts
          print(whole, context, places)
        }
        const found = presentation.found?.(answer) ?? true
        if (!found && context.args.options['refresh'] === false) await tellEmpty(base, context)
        return found ? 0 : 1
      }),
  }
}

function whatItTakes(
  tool: ToolDescription,
  presentation: ToolPresentation,
): { readonly words: readonly ArgumentWord[]; readonly options: OptionTable } {
  const words = presentation.words ?? requiredWords(tool)
  const taken = new Set([
    ...words.flatMap(({ argument, isOptionToo }) => (isOptionToo ? [] : [argument])),
    ...Object.keys(presentation.fixed ?? {}),
  ])
  const own = toolOptions(tool, taken, presentation.spellings)
  return { words, options: { ...own, ...(own['cursor'] && PAGE_OPTION), ...presentation.options } }
}

const PAGE_OPTION: OptionTable = {
  page: { kind: 'integer', placeholder: 'N', min: 1, summary: 'The second page is 2, and so on' },
}

/** A page is found by turning the ones before it: only an answer knows where it ended. */
async function pageAt(
  page: unknown,
  args: Record<string, unknown>,
  call: ToolCaller,
): Promise<Answer> {
  let answer = await call(args)
  for (let at = 1; at < Number(page ?? 1); at++) {
    const cursor = textOf(answer['next_cursor'])
    if (cursor === '') {
      throw notFound(
        `There is no page ${at + 1}.`,
        at === 1 ? 'Leave --page out.' : `The last one is --page ${at}.`,
      )
    }
    answer = await call({ ...args, cursor })
  }
  return answer
}

/** A script wants the file, and an id is no path. */
function withPaths(answer: Answer, places: Places): Answer {
  const lists = ['results', 'items', 'answers']
  const each = (item: unknown): unknown => {
    if (!isAnswer(item)) return item
    const path = typeof item['id'] === 'string' ? places.fileOf(item['id']) : undefined
    return withPaths({ ...item, ...(path !== undefined && { path }) }, places)
  }
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [
      key,
      lists.includes(key) && Array.isArray(value) ? value.map(each) : value,
    ]),
  )
}

/** An index that another version made is emptied when it is opened, and a new one has nothing yet. */
async function tellEmpty(
  base: Pick<import('./base.ts').CliBase, 'call'>,
  { terminal }: CommandContext,
): Promise<void> {
  const { structured } = await base.call('list', { limit: 1 })
  if ((structured as { readonly total?: number }).total !== 0) return
  warn(terminal, 'Nothing is indexed here yet, or by this version. Leave --no-refresh out once.')
}

/** So many files to read, or passages to learn from, take a while. */
const MANY = 200

export async function refresh(
  base: { index: import('./base.ts').CliBase['index'] },
  { terminal, app }: Pick<CommandContext, 'terminal' | 'app'>,
): Promise<void> {
  const progress = showProgress(terminal, { announce: false })
  const { warnings } = await base.index({
    onProgress(now) {
      if (now.total - now.done > MANY) app.isBrief?.(false)
      progress.update(now)
    },
  })
  progress.finish()
  // Those about single documents belong to `cairn index`.
  for (const { message, ref } of warnings) {
    if (ref === undefined) warn(terminal, message)
  }
}

/** A tool that nobody has given a presentation yet can be called all the same. */
function unknownTool({ name, title }: ToolDescription): ToolPresentation {
  const summary = `${title.replace(/\.$/, '')}.`
  return { tool: name, group: 'find', summary, example: `cairn ${name} --folder examples/handbook` }
}

function requiredWords({ inputSchema }: ToolDescription): ArgumentWord[] {
  const required = (inputSchema['required'] ?? []) as readonly string[]
  return required.map((argument) => ({
    name: argument.toUpperCase(),
    argument,
    summary: `The ${argument.replaceAll('_', ' ')}`,
    required: true,
  }))
}

async function wordArguments(
  rows: readonly ArgumentWord[],
  { args: { positionals }, input }: CommandContext,
  places: Places,
): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = []
  for (const [index, row] of rows.entries()) {
    const words = row.many ? positionals.slice(index) : positionals.slice(index, index + 1)
    if (words.length === 0) continue
    if (row.mayBeInput && words[0] === '-') entries.push([row.argument, await input.text()])
    else if (!row.isDocument) entries.push([row.argument, words.join(' ')])
    else entries.push([row.argument, row.many ? words.map(places.idOf) : places.idOf(words[0]!)])
  }
  return Object.fromEntries(entries)
}

async function optionArguments(
  options: OptionTable,
  { args: { options: given }, input, now }: CommandContext,
): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = []
  for (const [flag, row] of Object.entries(options)) {
    const value = given[flag]
    if (row.argument === undefined || value === undefined) continue
    if (row.isDate && typeof value === 'string') {
      entries.push([row.argument, parseWhen(value, now())])
    } else if (row.mayBeInput && value === '-') entries.push([row.argument, await input.text()])
    else if (row.kind === 'json') entries.push([row.argument, parsedJson(flag, String(value))])
    else entries.push([row.argument, value])
  }
  return Object.fromEntries(entries)
}

function parsedJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(
      `--${flag} must be JSON, not ${quoted(text)}.`,
      `For example: --${flag} '{"key": "value"}'`,
    )
  }
}

function printFacts(answer: Answer, context: CommandContext): void {
  for (const line of factLines(answer)) context.terminal.out(`${line}\n`)
  seeMore(answer, context)
}

function warn({ err, errStyle }: Terminal, message: string): void {
  err(`${errStyle.yellow('warning:')} ${cleanLine(message)}\n`)
}

/** A tool's `{ error: { code, message, hint } }` as the error it was. */
function errorOf(structured: Answer): KnowledgeError {
  const error = isAnswer(structured['error']) ? structured['error'] : {}
  const code =
    ERROR_CODES.find((known) => known === error['code']) ?? ('internal' satisfies ErrorCode)
  return new KnowledgeError(
    code,
    textOf(error['message']) || 'The call failed.',
    textOf(error['hint']),
  )
}

export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Objects of a list, and an empty list for anything else. */
export function answersOf(value: unknown): Answer[] {
  return Array.isArray(value) ? value.filter(isAnswer) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
