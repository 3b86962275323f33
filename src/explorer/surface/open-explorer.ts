/**
 * What a page for people can ask besides the tools of agents: notes as they look, names while one
 * types, the map, pictures. Everything else, and everything that writes, goes through the tools of
 * the native surface, so that a person and an agent do the same things.
 */
import { z } from 'zod'
import { documentId } from '../../core/domain/document.ts'
import { forbidden, invalid, type KnowledgeError } from '../../core/domain/error.ts'
import { masked } from '../../core/domain/safe-text.ts'
import { named } from '../../core/domain/secrets.ts'
import { drawMap, type DrawnBase, type PlaceKeeper } from '../operations/draw-map.ts'
import { completeLink, completePlace, listVocabulary } from '../operations/complete.ts'
import { findTitles } from '../operations/find-titles.ts'
import { listGhosts } from '../../core/operations/walking/list-ghosts.ts'
import { listBacklinks, listMentions } from '../operations/list-backlinks.ts'
import { readFile, type ShownFile } from '../operations/read-file.ts'
import { isMedia, readMedia, type Media } from '../operations/read-media.ts'
import { isPicture, readPicture, type Picture } from '../operations/read-picture.ts'
import { previewText } from '../operations/preview-text.ts'
import { readForEdit } from '../operations/read-for-edit.ts'
import { searchPage } from '../operations/search-page.ts'
import { showDay } from '../operations/list-due-tasks.ts'
import { listFolders, tabulate } from '../operations/list-folder.ts'
import { countForPage, prepareTyping, showBeginning } from '../operations/show-beginning.ts'
import { showNote, showSource } from '../operations/show-note.ts'
import { SEARCH_MODES } from '../../core/operations/searching/rank-documents.ts'
import type { Caller } from '../../core/domain/caller.ts'
import type { LiveCall, LiveEvent } from '../../core/domain/live.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import { narrowBase, refuseToWrite } from '../../core/operations/view/narrow-base.ts'
import { viewFor, withSecrets, type View } from '../../core/operations/view/view.ts'
import { indexingNote } from '../../serve/native/present.ts'
import { safeInSlices, type Safely } from '../../serve/door/safe-result.ts'
import { openPassage, type DoorOptions } from '../../serve/door/serve-rows.ts'
import type { CallContext, Surface } from '../../serve/door/surface.ts'

export type { Media }

export interface Explorer {
  /** The tools that the page calls by name. */
  readonly surface: Surface
  /** A read by its name, with arguments as they came; undefined where there is no such read. */
  read(name: string, args: unknown, call: CallContext): Promise<unknown> | undefined
  picture(source: string, path: string, from: string, call: CallContext): Promise<Picture>
  /** The file that a text was made from, or a picture. */
  file(source: string, path: string, from: string, call: CallContext): Promise<Picture | ShownFile>
  /** A sound or a film, by parts; undefined where the path is of neither. */
  media(source: string, path: string, from: string, call: CallContext): Promise<Media> | undefined
  /** Puts a file beside a note. Offered to whoever has the tool `write`. */
  attach(args: unknown, bytes: Uint8Array, call: CallContext): Promise<unknown>
  map(call: CallContext): Promise<DrawnBase>
  /** Calls and changes as they happen; who sees a part hears of changes in it, and of no calls. */
  events(caller?: Caller): LiveEvents
}

export interface LiveEvents {
  follow(listener: (event: LiveEvent) => void): () => void
}

export interface ExplorerOptions extends DoorOptions {
  readonly surface: Surface
  readonly version: string
  /** Where the places on the map are remembered; they are made anew at every start without. */
  readonly places?: PlaceKeeper
  /** Whether there is what draws diagrams. */
  readonly diagrams?: boolean
  /** Calls of all processes on the base; none where nobody writes them down. */
  readonly calls?: { follow(listener: (calls: readonly LiveCall[]) => void): () => void }
}

export function openExplorer(base: Knowledge, options: ExplorerOptions): Explorer {
  const { surface, places } = options
  // Who sees only a part gets a map of that part, which is nobody else's.
  const map = (caller?: Caller) => drawMap(viewFor(base, caller), caller?.sees ? undefined : places)
  const reads = readsOf(options, map)
  // A person sees what is hidden in a text by looking at it.
  const pass = openPassage('page', {
    ...options,
    safely: ({ showSecrets }) => (showSecrets ? named : masked),
  })
  const enter = <Result>(
    name: string,
    call: CallContext,
    look: (kb: View, caller: Caller | undefined, safe: Safely) => Result | Promise<Result>,
  ): Promise<Result> =>
    pass({ name, access: 'read' }, call, async (safe) => {
      const view = viewFor(base, call.caller)
      return look(call.showSecrets ? withSecrets(view) : view, call.caller, safe)
    })
  return {
    surface,
    read: (name, args, call) =>
      Object.hasOwn(reads, name)
        ? enter(name, call, async (kb, caller, safe) =>
            safeInSlices(await reads[name]!(kb, args, caller), safe),
          )
        : undefined,
    picture: (source, path, from, call) =>
      enter('picture', call, (kb) => readPicture(kb, source, path, from)),
    file: (source, path, from, call) =>
      enter(isPicture(path) ? 'picture' : 'file', call, (kb) =>
        isPicture(path) ? readPicture(kb, source, path, from) : readFile(kb, source, path),
      ),
    media: (source, path, from, call) =>
      isMedia(path) ? enter('media', call, (kb) => readMedia(kb, source, path, from)) : undefined,
    async attach(args, bytes, call) {
      const { to, name, link } = parsed(ATTACHED, args)
      if (!surface.tools(call.caller).some((each) => each.name === 'write')) throw mayNotWrite()
      return pass({ name: 'attach', access: 'write' }, call, async (safe) => {
        const { attachToNote } = await import('../operations/attach-to-note.ts')
        const view = viewFor(base, call.caller)
        const { client, principal } = call
        const by = { ...(client && { client }), ...(principal && { principal }) }
        return safeInSlices(await attachToNote(view, { to, name, link, bytes }, { by }), safe)
      })
    },
    map: (call) => enter('map', call, (_, caller) => map(caller)),
    events: (caller) =>
      eventsOf(narrowBase(base, caller), caller?.sees ? undefined : options.calls),
  }
}

/** What agents do and what becomes of files, in one stream. */
function eventsOf(base: Knowledge, calls: ExplorerOptions['calls']): LiveEvents {
  return {
    follow(listener) {
      const stops = [
        calls?.follow((all) => {
          for (const call of all) listener({ kind: 'call', call })
        }),
        base.subscribe(({ put, removed, listChanged }) =>
          listener({
            kind: 'change',
            put: put.slice(0, MOST_NAMED),
            removed: removed.slice(0, MOST_NAMED),
            listChanged,
          }),
        ),
      ]
      return () => {
        for (const stop of stops) stop?.()
      }
    },
  }
}

const MOST_NAMED = 200

type Read = (kb: View, args: unknown, caller: Caller | undefined) => Promise<unknown>

const selection = {
  sources: z.array(z.string()).optional(),
  path: z.string().optional(),
  tags: z.array(z.string()).optional(),
  types: z.array(z.string()).optional(),
  updatedAfter: z.string().optional(),
  updatedBefore: z.string().optional(),
  where: z.string().max(1_000).optional(),
}

const line = z.int().min(1).max(10_000_000)
const quote = z.object({ text: z.string().max(20_000), lines: z.tuple([line, line]) })

const folder = z.string().max(4_000).default('')

/** What the page may say when it reads; reads that are not here take nothing. */
export const PAGE_INPUTS = {
  search: z.object({
    query: z.string().max(10_000),
    typing: z.boolean().default(false),
    /** Names too, so that typing asks once. */
    titles: z.boolean().default(false),
    limit: z.int().min(1).max(100).default(20),
    mode: z.enum(SEARCH_MODES).optional(),
    links: z.boolean().optional(),
    ...selection,
  }),
  note: z.object({
    id: z.string(),
    part: z.int().min(0).max(100_000).optional(),
    at: z.object({ line: line.optional(), fragment: z.string().max(2_000).optional() }).optional(),
    digest: z.string().max(200).optional(),
    quotes: z.array(quote).max(20).optional(),
    breaks: z.boolean().optional(),
  }),
  source: z.object({ id: z.string(), line: line.default(1) }),
  backlinks: z.object({
    id: z.string(),
    offset: z.int().min(0).max(1_000_000).default(0),
    limit: z.int().min(1).max(200).default(20),
  }),
  mentions: z.object({ id: z.string() }),
  folders: z.object({ path: folder }),
  table: z.object({
    path: folder,
    tag: z.string().max(500).optional(),
    sort: z.string().max(200).default('title'),
    reverse: z.boolean().default(false),
    where: z.string().max(1_000).optional(),
    words: z.string().max(10_000).optional(),
    raw: z.boolean().optional(),
    columns: z.array(z.string().max(200)).max(20).optional(),
    offset: z.int().min(0).max(10_000_000).default(0),
    limit: z.int().min(1).max(500).default(100),
  }),
  queries: z.object({
    id: z.string(),
    /** Of one of them, with the view and as many rows as one wants to see. */
    at: z.int().min(0).max(1_000).optional(),
    view: z.union([z.int().min(0).max(1_000), z.string().max(500)]).optional(),
    limit: z.int().min(1).max(2_000).default(100),
  }),
  text: z.object({
    id: z.string(),
    line: line.optional(),
    near: line.optional(),
    was: z
      .object({
        text: z.string().max(512 * 1024),
        first: line,
        above: z.string().max(2_000).optional(),
        below: z.string().max(2_000).optional(),
      })
      .optional(),
    whole: z.boolean().optional(),
  }),
  preview: z.object({
    id: z.string(),
    text: z.string().max(64 * 1024),
    line: line.default(1),
    breaks: z.boolean().optional(),
  }),
  links: z.object({ id: z.string(), text: z.string().max(200) }),
  sections: z.object({ id: z.string(), name: z.string().max(1_000) }),
  vocabulary: z.object({ id: z.string() }),
  day: z.object({ today: z.iso.date().optional() }),
  making: z.object({
    name: z.string().max(1_000).default(''),
    from: z.string().optional(),
    relative: z.boolean().optional(),
    beside: z.boolean().optional(),
    folder: z.string().max(4_000).optional(),
    today: z.iso.date(),
  }),
  task: z.object({
    id: z.string(),
    line,
    mark: z.enum([' ', 'x', '/', '-']),
    text: z.string().max(100_000).optional(),
  }),
  template: z.object({ name: z.string().max(1_000), id: z.string() }),
  property: z.object({
    id: z.string(),
    from: z.string().max(1_000),
    to: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^\u0000-\u001f\u007f]+$/),
  }),
  mends: z.object({
    id: z.string(),
    line,
    end: line.optional(),
    target: z.string().max(4_000),
  }),
}

/** What comes with a file that is put beside a note. */
const ATTACHED = z.object({
  to: z.string(),
  name: z.string().max(4_000),
  /** The note gets a link at its end. */
  link: z.boolean(),
})

function readsOf(
  { surface, version, calls, diagrams = false }: ExplorerOptions,
  map: (caller?: Caller) => Promise<DrawnBase>,
): Record<string, Read> {
  return {
    facts: async (kb, _args, caller) => {
      const { documents, links, tags } = await countForPage(kb)
      return {
        version,
        documents,
        links,
        tags,
        // Where files are on this machine is for those who see all of them.
        sources: [...kb.sources.values()].map(({ name, root }) => ({
          name,
          root: caller?.sees ? name : root,
        })),
        tools: surface.tools(caller).map(({ name }) => name),
        ...(caller && { who: caller.principal }),
        follows: calls !== undefined && !caller?.sees,
        diagrams,
        writes: kb.writing !== undefined && (caller?.may.includes('write') ?? true),
        indexing: indexingNote(kb),
      }
    },
    home: async (kb) => {
      const { recent, tags } = await showBeginning(kb)
      return {
        recent: recent.map((record) => ({
          id: documentId(record),
          title: record.title,
          updatedAt: record.updatedAt,
        })),
        tags,
      }
    },
    prepare: async (kb) => {
      await prepareTyping(kb)
      return {}
    },
    search: read(
      PAGE_INPUTS.search,
      async (kb, { query, typing, titles, limit, mode, links, ...chosen }) => {
        if (query.trim() === '') throw invalid('The question is empty.', 'Type what you look for.')
        const page = await searchPage(kb, query, { selection: chosen, typing, limit, mode, links })
        const named = titles ? { titles: await findTitles(kb, query) } : {}
        return { ...page, ...named, indexing: indexingNote(kb) }
      },
    ),
    note: read(PAGE_INPUTS.note, (kb, { id, ...request }) => showNote(kb, id, request)),
    labels: async (_kb, _args, caller) => (await map(caller)).labels,
    ghosts: (kb) => listGhosts(kb),
    source: read(PAGE_INPUTS.source, (kb, { id, line: wanted }) => showSource(kb, id, wanted)),
    backlinks: read(PAGE_INPUTS.backlinks, (kb, { id, ...page }) => listBacklinks(kb, id, page)),
    mentions: read(PAGE_INPUTS.mentions, async (kb, { id }) => ({
      items: await listMentions(kb, id),
    })),
    folders: read(PAGE_INPUTS.folders, (kb, { path }) => listFolders(kb, asFolder(path))),
    table: read(PAGE_INPUTS.table, (kb, { path, ...wanted }) =>
      tabulate(kb, { folder: asFolder(path), ...wanted }),
    ),
    queries: read(PAGE_INPUTS.queries, async (kb, { id, ...wanted }) => {
      const { answerNote } = await import('../operations/answer-note.ts')
      return { items: await answerNote(kb, id, wanted) }
    }),
    text: read(PAGE_INPUTS.text, (kb, { id, ...part }) => readForEdit(kb, id, part)),
    preview: read(PAGE_INPUTS.preview, (kb, { id, ...written }) => previewText(kb, id, written)),
    links: read(PAGE_INPUTS.links, async (kb, { id, text }) => ({
      items: await completeLink(kb, id, text),
    })),
    sections: read(PAGE_INPUTS.sections, (kb, { id, name }) => completePlace(kb, id, name)),
    vocabulary: read(PAGE_INPUTS.vocabulary, (kb, { id }) => listVocabulary(kb, id)),
    making: read(PAGE_INPUTS.making, async (kb, request) => {
      const { listMaking } = await import('../operations/list-making.ts')
      return listMaking(kb, request)
    }),
    task: read(PAGE_INPUTS.task, async (kb, { id, ...wanted }) => {
      const { tickTask } = await import('../operations/tick-task.ts')
      return tickTask(kb, id, wanted)
    }),
    property: read(PAGE_INPUTS.property, async (kb, { id, ...names }) => {
      const { renameProperty } = await import('../operations/rename-property.ts')
      return renameProperty(kb, id, names)
    }),
    template: read(PAGE_INPUTS.template, async (kb, request) => {
      const { showTemplate } = await import('../operations/list-making.ts')
      return showTemplate(kb, request)
    }),
    mends: read(PAGE_INPUTS.mends, async (kb, { id, ...broken }) => {
      const { suggestMends } = await import('../../core/operations/writing/suggest-mends.ts')
      refuseToWrite(kb, await resolveDocument(kb, id))
      return suggestMends(kb, id, broken)
    }),
    day: read(PAGE_INPUTS.day, (kb, { today }) =>
      showDay(kb, today ?? new Date().toISOString().slice(0, 10)),
    ),
  }
}

function asFolder(path: string): string {
  return path === '' || path.endsWith('/') ? path : `${path}/`
}

function read<Input extends z.ZodObject>(
  input: Input,
  run: (kb: View, args: z.output<Input>) => Promise<unknown>,
): Read {
  return async (kb, args) => {
    return run(kb, parsed(input, args))
  }
}

function parsed<Input extends z.ZodObject>(input: Input, args: unknown): z.output<Input> {
  const { success, data, error } = input.safeParse(args ?? {})
  if (success) return data
  const [issue] = error.issues
  const where = issue?.path.join('.') || 'the request'
  throw invalid(
    `The page asked for something that makes no sense: ${where}: ${issue?.message ?? ''}`,
    'Reload the page; it may be older than the server.',
  )
}

function mayNotWrite(): KnowledgeError {
  return forbidden(
    'Nothing may be written here.',
    'Ask whoever runs this server for a token that may write.',
  )
}
