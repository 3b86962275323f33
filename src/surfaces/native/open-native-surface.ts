/** Cairn in its own words. */
import { KnowledgeError, quoted } from '../../domain/error.ts'
import { documentUriOf } from '../../operations/reading/document-url.ts'
import type { Knowledge } from '../../operations/view/knowledge.ts'
import { wholeView } from '../../operations/view/view.ts'
import type { Surface } from '../surface.ts'
import { definitionOf, failureOf, isOffered, runTool } from '../tool.ts'
import { presentError } from './errors.ts'
import { instructionsFor } from './instructions.ts'
import { nativePrompts } from './prompts.ts'
import { nativeResources } from './resources.ts'
import { nativeTools } from './tools.ts'

export interface NativeSurfaceOptions {
  readonly version: string
  /** Where bugs go: never to the client. */
  readonly log: (error: unknown) => void
}

/**
 * A base that may only be read shows no tool that writes. A tool that needs what a base has not is
 * not shown either; whoever calls it by name is told what is missing.
 */
export function openNativeSurface(base: Knowledge, options: NativeSurfaceOptions): Surface {
  const kb = wholeView(base)
  const writes = kb.writing !== undefined
  const tools = nativeTools.filter(({ access }) => writes || access === 'read')
  const rows = new Map(tools.map((row) => [row.name, row]))
  const definitions = tools.filter((row) => isOffered(row, kb)).map(definitionOf)
  return {
    name: 'native',
    serverInfo: { name: 'cairn', title: 'Cairn', version: options.version },
    instructions: instructionsFor({ writes }),
    tools: () => definitions,
    async call(name, args, call) {
      const row = rows.get(name)
      if (!row) throw unknownTool(name, [...rows.keys()])
      try {
        return await runTool(row, kb, args, call)
      } catch (error) {
        return presentError(failureOf(error, options.log))
      }
    },
    resources: nativeResources(kb),
    prompts: nativePrompts,
    subscribe: (listener) =>
      kb.subscribe(({ put, listChanged }) => {
        if (listChanged) listener({ kind: 'resources_changed' })
        for (const id of put) listener({ kind: 'resource_updated', uri: documentUriOf(id) })
      }),
  }
}

function unknownTool(name: string, known: readonly string[]): KnowledgeError {
  return new KnowledgeError(
    'not_found',
    `There is no tool ${quoted(name)}.`,
    `The tools are: ${known.join(', ')}.`,
  )
}
