/** What the commands of `cairn cortex` share: one graph, and where it is. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'
import { notFound } from '../../../core/domain/error.ts'
import type { CommandContext, ExitCode, OptionTable } from '../../../serve/cli/command.ts'
import { cleanLine, toJson } from '../../../serve/cli/terminal.ts'

const DEFAULT_ROOT = 'docs/brain'

export const ROOT_OPTION: OptionTable = {
  root: {
    kind: 'text',
    placeholder: 'DIR',
    summary: `The folder that holds knowledge/ (default: ${DEFAULT_ROOT})`,
  },
}

export function rootOf({ args, configInput }: CommandContext): string {
  const root = typeof args.options['root'] === 'string' ? args.options['root'] : DEFAULT_ROOT
  const place = resolve(configInput.cwd, root)
  if (existsSync(place)) return place
  throw notFound(
    `Brain root '${cleanLine(root)}' does not exist. (大脑根目录不存在)`,
    'Name the folder that holds "knowledge/", or make it first.',
  )
}

/** Opens the graph, says what could not be read, runs, and closes it whatever happens. */
export async function withGraph(
  context: CommandContext,
  work: (graph: EntityGraph) => Promise<ExitCode | void>,
  { readOnly = true }: { readonly readOnly?: boolean } = {},
): Promise<ExitCode | void> {
  const { terminal } = context
  const { openGraph } = await import('../../../serve/parts/open-graph.ts')
  const graph = openGraph(rootOf(context), { readOnly })
  try {
    for (const { message } of graph.warnings()) {
      terminal.err(`${terminal.errStyle.yellow('warning:')} ${cleanLine(message)}\n`)
    }
    return await work(graph)
  } finally {
    await graph.close()
  }
}

/** Calls a tool as a client would, and prints what a client would read. */
export function callTool(
  context: CommandContext,
  name: string,
  args: Readonly<Record<string, unknown>>,
  said?: Said,
): Promise<ExitCode | void> {
  const work = async (graph: EntityGraph): Promise<ExitCode | void> => {
    const { callCortexTool } = await import('../start/start-cortex.ts')
    const report = (error: unknown): void => context.terminal.err(`${String(error)}\n`)
    return printResult(context, await callCortexTool(graph, name, args, report), said)
  }
  return withGraph(context, work, { readOnly: false })
}

/** What the original's command line says where a client reads another sentence. */
type Said = (structured: Record<string, any>) => string | undefined

interface Result {
  readonly texts: readonly string[]
  readonly structured?: unknown
  readonly isError?: boolean
}

export function printResult(
  { terminal, json }: CommandContext,
  { texts, structured, isError }: Result,
  said: Said = () => undefined,
): ExitCode {
  const text = cleanLine(texts.join(' '))
  if (isError) {
    terminal.err(json ? toJson({ error: text }) : `${terminal.errStyle.red('error:')} ${text}\n`)
    return 1
  }
  const data = structured as Record<string, any>
  terminal.out(json ? toJson(data) : `${cleanLine(said(data) ?? text)}\n`)
  return 0
}
