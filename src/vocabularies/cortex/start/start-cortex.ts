/** Serves a graph of entities in the words of NEXUS CORTEX, until it is closed. */
import { GraphError } from '../../../core/domain/entity-graph.ts'
import type { EntityDraft, EntityGraph } from '../../../core/domain/entity-graph.ts'
import { KnowledgeError } from '../../../core/domain/error.ts'
import { presentError } from '../errors.ts'
import { entityObject } from '../../../core/domain/stored-entity.ts'
import { openCortexSurface } from '../open-cortex-surface.ts'
import type { Surface, ToolResult } from '../../../serve/door/surface.ts'
import { openGraph } from '../../../serve/parts/open-graph.ts'
import { startServing } from '../../../serve/wiring/start-serving.ts'
import type {
  Log,
  Offering,
  Opening,
  StartedServer,
  Wire,
} from '../../../serve/wiring/start-serving.ts'

export interface CortexSettings {
  /** The folder that holds `knowledge/`. */
  readonly root: string
  /** `sse` and `http` serve the same: both wires, at paths of their own. */
  readonly transport: 'stdio' | 'sse' | 'http'
  readonly host: string
  readonly port: number
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

export interface CortexOptions {
  /** Lines for standard error. */
  readonly log: Log
}

/** A client that starts us says hello within this time. */
const SETTLED_MS = 100

/** A graph of which much is unreadable does not flood the log; the report has all of them. */
const WARNINGS_SHOWN = 20

export async function startCortex(
  settings: CortexSettings,
  { log }: CortexOptions,
): Promise<StartedServer> {
  const open = async ({ closing, onBug }: Opening): Promise<readonly Offering[]> => {
    const graph = openGraph(settings.root)
    closing.add(() => graph.close())
    warnAbout(graph, (message) => log('warn', message))
    // The handshake comes first.
    const onIdle = (work: () => void) => void setTimeout(work, SETTLED_MS).unref()
    return [{ surface: openCortexSurface(graph, { log: onBug, onIdle }), speaksSse: true }]
  }
  const server = await startServing(open, wireOf(settings), log)
  if (server.url !== undefined) {
    log('info', `listening on ${new URL(server.url).origin} (/sse and /messages, /mcp, /health)`)
  }
  return server
}

function wireOf({ transport, host, port, allowedHosts, allowedOrigins }: CortexSettings): Wire {
  if (transport === 'stdio') return { kind: 'stdio' }
  const allowRemote = allowedHosts.length > 0
  const http = { host, port, allowRemote, allowedHosts, allowedOrigins, health: 'ok' }
  return { kind: 'http', http, path: transport === 'sse' ? '/sse' : '/mcp' }
}

/** Calls one tool, as a client would. */
export async function callCortexTool(
  graph: EntityGraph,
  name: string,
  args: Readonly<Record<string, unknown>>,
  log: (error: unknown) => void,
): Promise<ToolResult> {
  const surface: Surface = openCortexSurface(graph, { log })
  const { signal } = new AbortController()
  return surface.call(name, args, { signal, client: 'cairn', progress: () => {} })
}

/**
 * Adds an entity for somebody at a shell, who may name any file and any id, as the original's
 * command line lets them; over MCP the schema of the specification rules.
 */
export async function addByHand(graph: EntityGraph, draft: EntityDraft): Promise<ToolResult> {
  try {
    const { entity, category, file } = await graph.writer!.addEntity(draft, {
      anyId: true,
      anyCategory: true,
    })
    const text = `Successfully added entity '${entity.id}' to category '${category}'.`
    return { texts: [text], structured: { entity: entityObject(entity), category, file } }
  } catch (error) {
    if (isSecurity(error)) {
      return { texts: [`Security Violation: ${error.message} ${error.hint}`], isError: true }
    }
    if (error instanceof KnowledgeError) return presentError(error, draft)
    throw error
  }
}

/** What the tools' sentences say about ids and categories does not hold at a shell. */
function isSecurity(error: unknown): error is GraphError {
  return error instanceof GraphError && (error.refusal === 'id' || error.refusal === 'category')
}

function warnAbout(graph: EntityGraph, warn: (message: string) => void): void {
  const warnings = graph.warnings()
  for (const { message } of warnings.slice(0, WARNINGS_SHOWN)) warn(message)
  const more = warnings.length - WARNINGS_SHOWN
  if (more > 0) warn(`and ${more} more; get_entropy_report lists them all`)
}
