/**
 * The base for programs that read addresses and speak no MCP: `/llms.txt` lists the documents,
 * `/llms-full.txt` has their texts one after the other, `/llms/<source>/<path>` is one of them.
 * They are the resources of the surface, with what its callers may see and nothing else.
 */
import { Hono } from 'hono'
import { KnowledgeError } from '../../../core/domain/error.ts'
import { openReading, type Reading } from '../../door/reading.ts'
import type { CallContext, ResourceEntry, Surface } from '../../door/surface.ts'
import { createExchanges } from './exchanges.ts'
import type { Mount, OpenMount, Sender } from './mount.ts'
import { problem } from './node-listener.ts'

export interface LlmsOptions {
  readonly version: string
  /** Resolves when every document is in the index, or with false when that takes long. */
  readonly isWhole: () => Promise<boolean>
  readonly onBug: (error: unknown) => void
}

/** So many characters of texts are sent at most; the list says how to get the others. */
const MOST_CHARACTERS = 1_000_000
const FOLDER = '/llms/'
const LIST = '/llms.txt'
const FULL = '/llms-full.txt'

export function llmsMount(surface: Surface, { version, isWhole, onBug }: LlmsOptions): OpenMount {
  const resources = openReading(surface)
  const exchanges = createExchanges()
  const closed = new AbortController()

  const answer = async (request: Request, { caller, origin }: Sender): Promise<Response> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refused(405, 'Use GET.')
    if (caller && !caller.may.includes('read'))
      return refused(403, 'This needs the permission read.')
    // A list with documents missing would pass for the whole.
    if (!(await isWhole())) return later('The files are still being looked through.')
    const call: CallContext = {
      signal: AbortSignal.any([request.signal, closed.signal]),
      client: `llms/${version}`,
      ...(caller && { principal: caller.principal, caller }),
      progress: () => {},
    }
    const { pathname, search } = new URL(request.url)
    if (pathname === LIST) return text(await listOf(resources, origin, call))
    if (pathname === FULL) return text(await textsOf(resources, origin, call))
    const found = await read(resources, `kb://${pathname.slice(FOLDER.length)}${search}`, call)
    return found === undefined
      ? refused(404, 'There is no such document.', `${origin}${LIST} lists those that there are.`)
      : text(found)
  }

  const mount: Mount = {
    path: LIST,
    owns: (path) => path === LIST || path === FULL || path.startsWith(FOLDER),
    countsAs: () => 'work',
    methods: () => 'GET, HEAD',
    maxBodyBytes: () => 0,
    problem: refused,
    routes: new Hono<{ Bindings: Sender }>().all('*', ({ req: { raw }, env }) =>
      exchanges.run(() =>
        answer(raw, env).catch((error: unknown) => {
          if (error instanceof KnowledgeError) return refused(400, error.message, error.hint)
          onBug(error)
          return refused(500, 'Something went wrong inside the server.')
        }),
      ),
    ),
    idle: () => exchanges.idle(),
    async close() {
      closed.abort()
    },
  }
  return () => mount
}

async function* entriesOf(resources: Reading, call: CallContext) {
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await resources.list(cursor, call)
    yield* items
    cursor = nextCursor
  } while (cursor !== undefined)
}

async function listOf(resources: Reading, origin: string, call: CallContext): Promise<string> {
  const lines: string[] = []
  let heading = ''
  for await (const { uri, name, title, description } of entriesOf(resources, call)) {
    const source = name.split('/', 1)[0]!
    if (source !== heading) lines.push('', `## ${source}`, '')
    heading = source
    const about = description ? `: ${oneLine(description)}` : ''
    lines.push(
      `- [${oneLine(title ?? name).replaceAll(/[[\]\\]/g, '\\$&')}](${address(uri, origin)})${about}`,
    )
  }
  return [...head(origin), ...lines, ''].join('\n')
}

async function textsOf(resources: Reading, origin: string, call: CallContext): Promise<string> {
  const parts = [head(origin).join('\n')]
  let room = MOST_CHARACTERS
  let left = 0
  for await (const { uri, name, title } of entriesOf(resources, call)) {
    call.signal.throwIfAborted()
    const body = room > 0 ? await read(resources, uri, call) : undefined
    if (body === undefined || body.length > room) {
      // One that cannot be read is no reason to leave out the rest.
      if (body !== undefined) room = 0
      left++
      continue
    }
    room -= body.length
    parts.push(
      `---\n\nSource: ${address(uri, origin)}\nTitle: ${oneLine(title ?? name)}\n\n${body}`,
    )
  }
  if (left > 0) parts.push(`---\n\n${left} more are listed in ${origin}${LIST}.`)
  return `${parts.join('\n\n')}\n`
}

function head(origin: string): string[] {
  return [
    '# Cairn',
    '',
    `> A knowledge base. Every document below is Markdown or plain text; "?lines=10-40" or "?section=Heading" reads a part of it, and what is called kb://… in a text is at ${origin}${FOLDER}…. Search, links and edits: ${origin}/mcp (MCP).`,
  ]
}

async function read(
  resources: Reading,
  uri: string,
  call: CallContext,
): Promise<string | undefined> {
  const [content] = (await resources.read(uri, call)) ?? []
  return content?.text
}

function address(uri: ResourceEntry['uri'], origin: string): string {
  return uri.replace('kb://', `${origin}${FOLDER}`)
}

function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim()
}

function text(body: string): Response {
  return new Response(body, {
    headers: {
      'content-type': 'text/markdown; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    },
  })
}

function later(message: string): Response {
  const response = refused(503, message, 'Try again in a moment.')
  response.headers.set('retry-after', '5')
  return response
}

function refused(status: number, message: string, hint = ''): Response {
  return problem(status, message, hint)
}
