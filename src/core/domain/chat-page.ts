/**
 * The page inside of a chat (MCP Apps): what it is called, and how it asks for what no tool gives.
 * A chat hands on reads of resources, so each read of the page is a resource that nobody lists.
 */

export const CHAT_PAGE = 'ui://cairn/page'
export const CHAT_MAP = 'ui://cairn/map'
export const CHAT_PAGE_TYPE = 'text/html;profile=mcp-app'

const READ = 'ui://cairn/read/'
const PICTURE = 'ui://cairn/picture/'

export type ChatRead =
  | { readonly kind: 'page' }
  | { readonly kind: 'map' }
  | { readonly kind: 'read'; readonly name: string; readonly args: string }
  /** `place` as it stands in a rendered note: `source/path?from=note`. */
  | { readonly kind: 'picture'; readonly place: string }

export function chatReadUri(name: string, args: object): string {
  return `${READ}${encodeURIComponent(name)}?${encodeURIComponent(JSON.stringify(args))}`
}

export function chatPictureUri(place: string): string {
  return `${PICTURE}${place}`
}

/** Undefined for what is no address of the page. Never throws. */
export function parseChatUri(uri: string): ChatRead | undefined {
  if (uri === CHAT_PAGE) return { kind: 'page' }
  if (uri === CHAT_MAP) return { kind: 'map' }
  if (uri.startsWith(PICTURE)) return { kind: 'picture', place: uri.slice(PICTURE.length) }
  if (!uri.startsWith(READ)) return undefined
  const [name = '', ...args] = uri.slice(READ.length).split('?')
  try {
    return {
      kind: 'read',
      name: decodeURIComponent(name),
      args: decodeURIComponent(args.join('?')) || '{}',
    }
  } catch {
    return undefined
  }
}
