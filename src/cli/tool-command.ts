/** A command that calls one native tool and shows its answer. */
import { KnowledgeError, ERROR_CODES } from '../domain/error.ts'
import type { ErrorCode } from '../domain/error.ts'
import { BASE_OPTIONS, REFRESH_OPTION } from './command.ts'
import type { Arguments, Command, CommandContext, OptionTable, PositionalRow } from './command.ts'
import { showProgress } from './progress.ts'
import { cleanLine, toJson } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export type Answer = Record<string, unknown>

/** Calls the command's tool. A failed call throws. */
export type ToolCaller = (args: Record<string, unknown>) => Promise<Answer>

export interface ToolCommandRow {
  readonly tool: string
  /** The command's name where it is not the tool's. */
  readonly name?: string
  readonly summary: string
  readonly example: string
  readonly positionals: readonly PositionalRow[]
  /** Rows with `argument` fill the tool's argument of that name. */
  readonly options: OptionTable
  /** Tool arguments that come from the positionals. */
  arguments(positionals: readonly string[]): Record<string, unknown>
  /** Asks further calls for what one answer left out. Not done for `--json`. */
  complete?(answer: Answer, call: ToolCaller, context: CommandContext): Promise<Answer>
  /** Prints the answer for a person. */
  print(answer: Answer, context: CommandContext): void
}

export function toolCommand(row: ToolCommandRow): Command {
  return {
    name: row.name ?? row.tool,
    summary: row.summary,
    example: row.example,
    positionals: row.positionals,
    options: { ...row.options, ...REFRESH_OPTION, ...BASE_OPTIONS },
    run: (context) =>
      context.withBase(async (base) => {
        if (context.args.options['refresh'] !== false) {
          const progress = showProgress(context.terminal, { announce: false })
          const { warnings } = await base.index({ onProgress: progress.update })
          progress.finish()
          // Those about single documents belong to `cairn index`.
          for (const { message, ref } of warnings) {
            if (ref === undefined) warn(context.terminal, message)
          }
        }
        const args = {
          ...row.arguments(context.args.positionals),
          ...optionArguments(row.options, context.args),
        }
        const call: ToolCaller = async (callArgs) => {
          const { structured, isError } = await base.call(row.tool, callArgs)
          if (isError) throw errorOf(structured)
          return structured
        }
        const answer = await call(args)
        if (context.json) context.terminal.out(toJson(answer))
        else row.print((await row.complete?.(answer, call, context)) ?? answer, context)
        return 0
      }),
  }
}

function warn({ err, errStyle }: Terminal, message: string): void {
  err(`${errStyle.yellow('warning:')} ${cleanLine(message)}\n`)
}

function optionArguments(
  options: OptionTable,
  { options: given }: Arguments,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([name, row]) => row.argument !== undefined && given[name] !== undefined)
      .map(([name, row]) => [row.argument, given[name]]),
  )
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
