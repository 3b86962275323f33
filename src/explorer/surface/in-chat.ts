/**
 * The page inside of a chat (MCP Apps, 2026-01-26). Tools whose results a person may want to look
 * at name the page; a chat that can show pages reads it as a resource and hands on what it asks for.
 * No tool is added, nothing is listed, and what models read stays as it is.
 */
import { orElse } from '../../core/kit/or-else.ts'
import {
  CHAT_PAGE,
  CHAT_PAGE_TYPE,
  parseChatUri,
  type ChatRead,
} from '../../core/domain/chat-page.ts'
import { KnowledgeError, invalid, notFound, quoted } from '../../core/domain/error.ts'
import type { CallContext, ResourceContents, Resources, Surface } from '../../serve/door/surface.ts'
import type { Explorer } from './open-explorer.ts'

/** Questions whose answers people look at. What only models read, or what writes, shows no page. */
const SHOW_THE_PAGE: readonly string[] = ['search', 'ask', 'neighbors', 'path', 'history']

const META = { ui: { resourceUri: CHAT_PAGE } }

export interface ChatPage {
  readonly explorer: Explorer
  /** The page as one document that loads nothing. */
  readonly html: string
}

/** The same surface with the page; `open` is called when the page is asked for first. */
export function surfaceInChat(surface: Surface, open: () => Promise<ChatPage>): Surface {
  const { resources } = surface
  if (!resources) return surface
  let opened: Promise<ChatPage> | undefined
  const page = (): Promise<ChatPage> => (opened ??= open())
  return {
    ...surface,
    showsPages: true,
    tools: (caller) =>
      surface
        .tools(caller)
        .map((tool) => (SHOW_THE_PAGE.includes(tool.name) ? { ...tool, meta: META } : tool)),
    resources: {
      ...resources,
      async read(uri, call) {
        const wanted = parseChatUri(uri)
        if (!wanted) return resources.read(uri, call)
        return [{ uri, ...(await answer(await page(), wanted, call)) }]
      },
    } satisfies Resources,
  }
}

type Answered = Omit<ResourceContents, 'uri'>

async function answer(
  { explorer, html }: ChatPage,
  wanted: ChatRead,
  call: CallContext,
): Promise<Answered> {
  switch (wanted.kind) {
    case 'page':
      return {
        mimeType: CHAT_PAGE_TYPE,
        text: html,
        isProgram: true,
        // It loads nothing from anywhere, so it names no place to load from.
        meta: { ui: { prefersBorder: true } },
      }
    case 'map': {
      const { bytes } = await explorer.map(call)
      return { mimeType: 'application/octet-stream', blob: base64(bytes) }
    }
    case 'picture': {
      const { pathname, searchParams } = new URL(wanted.place, 'ui://cairn/picture/')
      const [, , source = '', ...path] = pathname.split('/').map(decoded)
      const from = searchParams.get('from') ?? ''
      const { type, bytes } = await explorer.picture(source, path.join('/'), from, call)
      return { mimeType: type, blob: base64(bytes) }
    }
    case 'read':
      return { mimeType: 'application/json', text: await readAsText(explorer, wanted, call) }
    default:
      return wanted satisfies never
  }
}

/** Chats hand on errors in words of their own, so the page finds ours in the answer. */
async function readAsText(
  explorer: Explorer,
  { name, args }: Extract<ChatRead, { kind: 'read' }>,
  call: CallContext,
): Promise<string> {
  try {
    const found = await explorer.read(name, parsed(args), call)
    if (found === undefined) {
      throw notFound(
        `The server does not know how to read ${quoted(name)}.`,
        'Start the conversation anew; the page may be older than the server.',
      )
    }
    return JSON.stringify({ value: found })
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    const { code, message, hint, candidates } = error
    const said = { code, message, hint, ...(candidates.length > 0 && { candidates }) }
    return JSON.stringify({ error: said })
  }
}

function parsed(args: string): unknown {
  try {
    return JSON.parse(args) as unknown
  } catch {
    throw invalid('The request is no JSON.', 'Start the conversation anew.')
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function decoded(text: string): string {
  return orElse(() => decodeURIComponent(text), text)
}
