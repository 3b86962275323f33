/**
 * A base in the words of NEXUS: pages by slug, as a surface for MCP and as an envelope for HTTP.
 */
import { notFound } from '../../core/domain/error.ts'
import { named } from '../../core/domain/secrets.ts'
import { BeingBuilt, createBuilding } from '../../core/operations/view/await-index.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import { withSecrets } from '../../core/operations/view/view.ts'
import type {
  CallContext,
  ObjectSchema,
  Surface,
  ToolDefinition,
} from '../../serve/door/surface.ts'
import { openPassage, serveRows } from '../../serve/door/serve-rows.ts'
import type { DoorOptions } from '../../serve/door/serve-rows.ts'
import { safely } from '../../serve/door/safe-result.ts'
import { definitionOf } from '../../serve/door/tool.ts'
import { z } from 'zod'
import type { WriteAnswer } from './ask.ts'
import { failureOf, missingParameter, missingTool, unknownTool } from './errors.ts'
import type { Failure } from './errors.ts'
import { openNexusNotes } from './notes.ts'
import type { NexusNotes } from './notes.ts'
import { NEXUS_DEFAULTS } from './settings.ts'
import type { NexusSettings } from './settings.ts'
import { nexusTools } from './tools.ts'
import type { NexusRow, NexusSubject } from './tools.ts'
import { createNexusView } from './view.ts'

export interface NexusOptions extends DoorOptions {
  readonly settings?: NexusSettings
  /** Writes answers to questions. Without it, `ask` is not available. */
  readonly answer?: WriteAnswer
}

export interface Nexus {
  readonly settings: NexusSettings
  /** The tools for MCP clients. */
  readonly surface: Surface
  /** What the tools are, for clients that only speak HTTP. */
  readonly manifest: Readonly<Record<string, unknown>> & {
    readonly tools: readonly { readonly name: string }[]
  }
  /** Runs a tool as `{ tool, input }` names it. Throws what `failure` can tell. */
  callTool(tool: unknown, input: unknown, call: CallContext): Promise<unknown>
  /** The notes for someone who is shown secrets in them, or is not. */
  notesFor(call: Pick<CallContext, 'showSecrets'>): NexusNotes
  /** Lets a call of one of its routes in, and tells whoever watches. */
  readonly pass: ReturnType<typeof openPassage>
  /** What a client is told of something that was thrown; bugs go to the log. */
  failure(error: unknown): Failure
}

// What the original calls itself: clients may tell servers apart by it.
const SERVER = { name: 'nexus-mcp', version: '1.0.0' }

export function openNexus(
  kb: Knowledge,
  { settings = NEXUS_DEFAULTS, answer, ...options }: NexusOptions,
): Nexus {
  const { log } = options
  const view = createNexusView(kb)
  const subject: NexusSubject = { view, answer: settings.ai ? answer : undefined }
  const subjectFor = ({ showSecrets }: Pick<CallContext, 'showSecrets'>): NexusSubject =>
    showSecrets ? { ...subject, view: { ...view, wiki: withSecrets(view.wiki) } } : subject
  // A page that was not read yet must not look as if it did not exist.
  const building = createBuilding(kb, options.timeLimitMs)
  const ready = async (): Promise<void> => {
    await building.wait()
    const missing = building.note()
    if (missing !== undefined) throw new BeingBuilt(missing)
  }
  const door = serveRows(
    {
      surface: 'nexus',
      rows: nexusTools,
      define: nexusDefinition,
      building,
      subject: subjectFor,
      read: readInput,
      show: (structured, { row: { wrapper } }) => ({ structured, under: wrapper }),
      // The door has logged what was a bug.
      fail: (error) => ({
        texts: [failureOf(error, error.code === 'internal' ? () => {} : log).error],
        isError: true,
      }),
      unknown: (name) => {
        throw notFound(unknownTool(name).message, '')
      },
    },
    options,
  )

  const isLeft = (tool: string): boolean => door.tools().some(({ name }) => name === tool)
  return {
    settings,
    manifest: {
      ...SERVER,
      description: descriptionOf(settings),
      tools: nexusTools.filter(({ name }) => isLeft(name)).map(listing),
    },
    surface: {
      name: 'nexus',
      serverInfo: { ...SERVER, title: settings.title },
      instructions:
        'A wiki of notes. search finds pages by text, get_page reads one by its slug, get_connections shows what is linked.',
      ...door,
      subscribe: () => () => {},
    },
    async callTool(tool, input, call) {
      if (typeof tool !== 'string' || tool === '') throw missingTool()
      if (!isLeft(tool)) throw unknownTool(tool)
      return door.perform(tool, input, call)
    },
    pass: openPassage('nexus', {
      ...options,
      safely: (call) => (call.showSecrets ? named : safely(call)),
    }),
    notesFor: (call) => openNexusNotes({ ...subjectFor(call), ready, log }),
    failure(error) {
      const failure = failureOf(error, log)
      return { ...failure, error: safely({})(failure.error) }
    },
  }
}

type Structured = Readonly<Record<string, unknown>>

/** The one text a tool takes. Whatever else is in the input is ignored. */
function readInput({ parameter }: NexusRow, input: unknown): string {
  if (!parameter) return ''
  const given = (typeof input === 'object' && input !== null ? input : {}) as Structured
  // Later versions of the original know pages by their title.
  const byTitle = parameter.name === 'slug' && given['slug'] === undefined
  const value = given[byTitle && given['title'] !== undefined ? 'title' : parameter.name]
  if (typeof value !== 'string' || value.trim() === '') throw missingParameter(parameter.name)
  return value
}

function inputSchema({ parameter }: NexusRow): ObjectSchema {
  if (!parameter) return { type: 'object', properties: {}, required: [] }
  const { name, description } = parameter
  return {
    type: 'object',
    properties: { [name]: { type: 'string', description } },
    required: [name],
  }
}

/** How clients are told about a row. */
export function nexusDefinition(row: NexusRow): ToolDefinition {
  const definition = definitionOf({ ...row, access: 'read', input: z.object({}) })
  return { ...definition, inputSchema: inputSchema(row) }
}

function listing(row: NexusRow) {
  return { name: row.name, description: row.description, inputSchema: inputSchema(row) }
}

function descriptionOf({ title }: NexusSettings): string {
  return `Knowledge base ${title}: list, read, search and ask pages that are linked by slug.`
}
