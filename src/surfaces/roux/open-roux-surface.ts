/** A base in the words of the Roux MCP server: nodes, neighbors, hubs and paths. */
import { invalid } from '../../domain/error.ts'
import { awaitIndex, isBehind } from '../../operations/view/await-index.ts'
import type { Knowledge } from '../../operations/view/knowledge.ts'
import type { CallContext, Surface, ToolResult } from '../surface.ts'
import { definitionOf, failureOf, isOffered } from '../tool.ts'
import { presentError } from './errors.ts'
import { presentAnswer } from './present.ts'
import type { RouxRow } from './row.ts'
import { rouxTools } from './tools.ts'
import { openRouxView } from './view.ts'
import { openWarningBuffer } from './warnings.ts'

export interface RouxSurfaceOptions {
  /** Where bugs go: never to the client. */
  readonly log: (error: unknown) => void
}

const BEHIND = 'Sync: files are still being read; nodes and links may be missing'

export function openRouxSurface(kb: Knowledge, { log }: RouxSurfaceOptions): Surface {
  const offered = rouxTools.filter((row) => isOffered(row, kb))
  const rows = new Map(offered.map((row) => [row.name, row]))
  const definitions = offered.map(definitionOf)
  const view = openRouxView(kb)
  const warnings = openWarningBuffer(view, log)

  let firstLook: Promise<void> | undefined

  const answer = async (row: RouxRow, args: unknown, call: CallContext): Promise<ToolResult> => {
    const given = readArguments(row, args)
    // These tools say null for what is not there: a node that was not read yet must not look so.
    await (firstLook ??= awaitIndex(kb))
    const behind = isBehind(kb) ? [BEHIND] : []
    const result = await row.run(view, given, call)
    if (result.written) warnings.expect(result.written.path, result.written.digest)
    return presentAnswer(result, await warnings.drain([...behind, ...(result.warnings ?? [])]))
  }

  return {
    name: 'roux',
    // What the original calls itself: clients may tell servers apart by it.
    serverInfo: { name: 'roux', version: '0.1.0' },
    tools: () => definitions,
    async call(name, args, call) {
      const row = rows.get(name)
      if (!row) return presentError({ code: 'invalid', message: `Unknown tool: ${name}` })
      try {
        return await answer(row, args, call)
      } catch (error) {
        return presentError(failureOf(error, log))
      }
    },
    subscribe: () => () => {},
  }
}

/** One complaint at a time, in the words of the field it is about. Unknown arguments are ignored. */
function readArguments(row: RouxRow, args: unknown): Record<string, unknown> {
  const result = row.input.safeParse(args ?? {})
  if (result.success) return result.data
  throw invalid(result.error.issues[0]?.message ?? 'The arguments cannot be read', '')
}
