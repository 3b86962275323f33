/**
 * What the chat says: how it looks, how much room there is, and what was asked. The page then shows
 * what the tool was called with, and goes on by itself.
 */
import { signal } from '@preact/signals'
import type { Answer } from '../../wire/wire.ts'
import type { Route } from '../state/route.ts'
import { openHost, windowFrame, type Host } from './host.ts'
import { IN_CHAT } from './in-chat.ts'

const PROTOCOL = '2026-01-26'
const MODES = ['inline', 'fullscreen'] as const
type Mode = (typeof MODES)[number]

/** As much as reading needs, where the chat leaves it to us. */
const HEIGHT = 640
const WIDTH = 1_100

interface Context {
  readonly theme?: unknown
  readonly styles?: { readonly variables?: Readonly<Record<string, unknown>> }
  readonly displayMode?: unknown
  readonly availableDisplayModes?: readonly unknown[]
  readonly containerDimensions?: Readonly<Record<string, unknown>>
  readonly safeAreaInsets?: Readonly<Record<string, unknown>>
  readonly toolInfo?: { readonly tool?: { readonly name?: unknown } }
}

export const host: Host | undefined = IN_CHAT ? openHost(windowFrame()) : undefined

/** Why the chat cannot be used; undefined while all is well. */
export const refused = signal<string | undefined>(undefined)
/** The mode one could change to. */
export const otherMode = signal<Mode | undefined>(undefined)
/**
 * The question that the chat has asked itself, and the answer once it has come: it is not asked for
 * again, for it may have cost something.
 */
export const prepared = signal<{ readonly question: string; readonly answer?: Answer } | undefined>(
  undefined,
)

const started = Promise.withResolvers<void>()
/** Settles when the chat may be asked. */
export const ready = started.promise

interface Hooks {
  readonly theme: (name: 'light' | 'dark') => void
  readonly go: (to: Partial<Route>) => void
}

export async function startInChat({ theme, go }: Hooks): Promise<void> {
  if (!host) return
  let context: Context = {}
  const take = (news: Context): void => {
    context = { ...context, ...news }
    applyContext(host, context, theme)
  }
  host.on('ui/notifications/host-context-changed', take)
  host.on('ui/notifications/tool-input', (params) => {
    const args = (params['arguments'] ?? {}) as Readonly<Record<string, unknown>>
    const to = placeFor(String(context.toolInfo?.tool?.name ?? ''), args)
    const question = to?.more?.['asked']
    if (question) prepared.value = { question }
    if (to) go(to)
  })
  host.on('ui/notifications/tool-result', ({ structuredContent }) => {
    const answer = structuredContent as Answer | undefined
    const question = prepared.value?.question
    const given = question !== undefined && Array.isArray(answer?.claims)
    prepared.value = given ? { question, answer: answer as Answer } : undefined
  })
  host.on('ui/notifications/tool-cancelled', () => {
    prepared.value = undefined
  })
  try {
    const { hostContext } = await host.request<{ hostContext?: Context }>('ui/initialize', {
      protocolVersion: PROTOCOL,
      appInfo: { name: 'cairn', title: 'Cairn', version: '1' },
      appCapabilities: { availableDisplayModes: MODES },
    })
    take(hostContext ?? {})
    host.notify('ui/notifications/initialized', {})
    started.resolve()
  } catch {
    refused.value = 'This page is for chats that can show pages (MCP Apps), and none answers.'
  }
}

/** What a call of a tool looks like here. Undefined: the page stays where it is. */
export function placeFor(
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Partial<Route> | undefined {
  const text = (name: string): string => {
    const value = args[name]
    return typeof value === 'string' ? value.slice(0, 2_000) : ''
  }
  // A client may put the name of the server in front.
  switch (/[a-z]+$/.exec(tool)?.[0]) {
    case 'search':
      return { view: 'search', q: text('query'), more: {} }
    case 'ask':
      return { view: 'ask', q: text('question'), more: { asked: text('question').trim() } }
    case 'neighbors': {
      const depth = Math.max(1, Math.min(3, Number(args['depth']) || 1))
      return { view: 'graph', q: '', more: { node: text('id'), depth: String(depth) } }
    }
    case 'path':
      return { view: 'graph', q: '', more: { node: text('from'), to: text('to') } }
    case 'history':
      return { view: 'history', q: '', more: text('by') === '' ? {} : { by: text('by') } }
    default:
      return undefined
  }
}

function applyContext(host: Host, context: Context, theme: Hooks['theme']): void {
  if (context.theme === 'light' || context.theme === 'dark') theme(context.theme)
  const { style } = document.documentElement
  for (const [ours, theirs] of [
    ['--sans', '--font-sans'],
    ['--mono', '--font-mono'],
  ] as const) {
    const value = context.styles?.variables?.[theirs]
    if (typeof value === 'string' && value.length < 500) style.setProperty(ours, value)
  }
  for (const side of ['top', 'right', 'bottom', 'left'] as const) {
    const inset = Number(context.safeAreaInsets?.[side])
    if (inset > 0 && inset < 200) document.body.style.setProperty(`padding-${side}`, `${inset}px`)
  }
  const modes = context.availableDisplayModes ?? []
  const current = context.displayMode ?? 'inline'
  otherMode.value = MODES.find((mode) => mode !== current && modes.includes(mode))
  if (current === 'fullscreen') return
  const room = context.containerDimensions ?? {}
  const wanted = (fixed: string, most: string, ours: number, now: number): number =>
    room[fixed] === undefined ? Math.min(ours, Number(room[most]) || ours) : now
  host.notify('ui/notifications/size-changed', {
    width: wanted('width', 'maxWidth', WIDTH, innerWidth),
    height: wanted('height', 'maxHeight', HEIGHT, innerHeight),
  })
}

/** The chat decides: what it answers is what it shows now. */
export async function changeMode(mode: Mode): Promise<void> {
  const answered = await host?.request<{ mode?: string }>('ui/request-display-mode', { mode })
  if (answered?.mode === mode) otherMode.value = mode === 'inline' ? 'fullscreen' : 'inline'
}

export async function sendToChat(text: string): Promise<void> {
  const part = { type: 'text', text }
  const send = (content: object): Promise<unknown> | undefined =>
    host?.request('ui/message', { role: 'user', content })
  // The specification says one part, and what chats are built with says a list of them.
  await send([part])?.catch(() => send(part))
}

export function openOutside(url: string): void {
  host?.request('ui/open-link', { url }).catch(() => undefined)
}
