/**
 * Which clients call a program when a session starts, a prompt is sent or a conversation is about to
 * be shortened, and how is that said in their settings?
 */
import { join } from 'node:path'
import type { Entry, Places, Scope } from './client.ts'
import { addToList, itemsAt, removeFromList } from './edit-jsonc-list.ts'
import { readJsonc, setInJsonc } from './edit-jsonc.ts'

export const HOOK_MOMENTS = ['start', 'prompt', 'compact'] as const
export type HookMoment = (typeof HOOK_MOMENTS)[number]

export interface HookClient {
  readonly id: string
  readonly title: string
  file(scope: Scope, places: Places): string
  /** What the client calls each moment; a client may know only some. */
  readonly events: Partial<Readonly<Record<HookMoment, string>>>
  /** The item of the list of an event. */
  item(command: string): Entry
  /** What must stand in the file besides. */
  readonly head?: readonly [key: string, value: number]
  /** What it reads as context, from what it is told. */
  answer(event: string, context: string): Entry
  /** What a person does for it to count, and where the client asks first. */
  readonly after: string
}

const SECONDS = 5

/** Claude Code, Codex and Gemini put commands into groups. */
const grouped =
  (timeout: number, more: Entry = {}) =>
  (command: string): Entry => ({
    hooks: [{ ...more, type: 'command', command, timeout }],
  })

const inHookOutput = (hookEventName: string, additionalContext: string): Entry => ({
  hookSpecificOutput: { hookEventName, additionalContext },
})

export const HOOK_CLIENTS: readonly HookClient[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    file: (scope, { home, project, env }) =>
      scope === 'project'
        ? join(project, '.claude', 'settings.json')
        : join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'settings.json'),
    events: { start: 'SessionStart', prompt: 'UserPromptSubmit', compact: 'PreCompact' },
    item: grouped(SECONDS),
    answer: inHookOutput,
    after: 'It counts from the next session on, in folders that you trust; /hooks lists it.',
  },
  {
    id: 'codex',
    title: 'Codex',
    file: (scope, { home, project, env }) =>
      scope === 'project'
        ? join(project, '.codex', 'hooks.json')
        : join(env['CODEX_HOME'] || join(home, '.codex'), 'hooks.json'),
    events: { start: 'SessionStart', prompt: 'UserPromptSubmit', compact: 'PreCompact' },
    item: grouped(SECONDS),
    answer: inHookOutput,
    after:
      'Codex runs it once you have approved it: start codex, open /hooks and trust it; after every change again. Older versions need "[features] hooks = true" in config.toml.',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    file: (scope, { home, project }) =>
      join(scope === 'project' ? project : home, '.gemini', 'settings.json'),
    events: { start: 'SessionStart', prompt: 'BeforeAgent', compact: 'PreCompress' },
    // Counted in milliseconds there.
    item: grouped(SECONDS * 1_000, { name: 'cairn' }),
    answer: inHookOutput,
    after: 'It counts from the next session on, in folders that you trust.',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    file: (scope, { home, project }) =>
      join(scope === 'project' ? project : home, '.cursor', 'hooks.json'),
    // A prompt can be stopped there and not be added to.
    events: { start: 'sessionStart', compact: 'preCompact' },
    item: (command) => ({ command, timeout: SECONDS }),
    head: ['version', 1],
    answer: (_event, context) => ({ additional_context: context }),
    after:
      'It counts from the next session on; Cursor lets no hook add to a prompt, so it recalls at the start of a session.',
  },
]

/** Ours are known by how they begin to be called, wherever Cairn is installed. */
const OURS = /\brecall --hook (?:claude-code|cursor|codex|gemini) /

function isOurs(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  const { command, hooks } = item as { readonly command?: unknown; readonly hooks?: unknown }
  if (typeof command === 'string') return OURS.test(command)
  return Array.isArray(hooks) && hooks.length > 0 && hooks.every(isOurs)
}

/** The settings with a hook for each moment; undefined text stands for a file that is not there. */
export function withHooks(
  client: HookClient,
  text: string | undefined,
  commandFor: (moment: HookMoment) => string | undefined,
): string {
  let next = withoutHooks(client, text ?? '') ?? ''
  const settings = readJsonc(next) as Readonly<Record<string, unknown>>
  if (client.head && settings[client.head[0]] === undefined) {
    next = setInJsonc(next, [client.head[0]], client.head[1] as unknown as Entry)
  }
  for (const moment of HOOK_MOMENTS) {
    const event = client.events[moment]
    const command = event === undefined ? undefined : commandFor(moment)
    if (event !== undefined && command !== undefined) {
      next = addToList(next, ['hooks', event], client.item(command))
    }
  }
  return next
}

/** The settings without ours; undefined where nothing else was in them. */
export function withoutHooks(client: HookClient, text: string): string | undefined {
  let next = text
  for (const event of Object.values(client.events)) {
    next = removeFromList(next, ['hooks', event], isOurs)
  }
  if (next === text) return text
  const rest = Object.keys(readJsonc(next) as object).filter((key) => key !== client.head?.[0])
  const hasRemark = /\/[/*]/.test(next)
  return rest.length === 0 && !hasRemark ? undefined : next
}

export function hasHooks(client: HookClient, text: string): boolean {
  return Object.values(client.events).some((event) => itemsAt(text, ['hooks', event]).some(isOurs))
}
