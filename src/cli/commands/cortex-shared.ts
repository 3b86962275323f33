/** What the commands of `cairn cortex` share: one graph, and where it is. */
import { resolve } from 'node:path'
import type { EntityGraph } from '../../domain/entity-graph.ts'
import type { CommandContext, ExitCode, OptionTable } from '../command.ts'
import { cleanLine, toJson } from '../terminal.ts'

const DEFAULT_ROOT = 'docs/brain'

export const ROOT_OPTION: OptionTable = {
  root: {
    kind: 'text',
    placeholder: 'DIR',
    summary: `The folder that holds knowledge/ (default: ${DEFAULT_ROOT})`,
  },
}

export function rootOf({ args, configInput }: CommandContext): string {
  const { root } = args.options
  return resolve(configInput.cwd, typeof root === 'string' ? root : DEFAULT_ROOT)
}

/** Opens the graph, says what could not be read, runs, and closes it whatever happens. */
export async function withGraph(
  context: CommandContext,
  work: (graph: EntityGraph) => Promise<ExitCode>,
  { readOnly = true }: { readonly readOnly?: boolean } = {},
): Promise<ExitCode> {
  const { terminal } = context
  const { openGraph } = await import('../../app/open-graph.ts')
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
): Promise<ExitCode> {
  const work = async (graph: EntityGraph): Promise<ExitCode> => {
    const { terminal, json } = context
    const { callCortexTool } = await import('../../app/start-cortex.ts')
    const report = (error: unknown): void => terminal.err(`${String(error)}\n`)
    const { texts, structured, isError } = await callCortexTool(graph, name, args, report)
    const text = cleanLine(texts.join(' '))
    if (isError) {
      terminal.err(json ? toJson({ error: text }) : `${terminal.errStyle.red('error:')} ${text}\n`)
      return 1
    }
    terminal.out(json ? toJson(structured) : `${text}\n`)
    return 0
  }
  return withGraph(context, work, { readOnly: false })
}
