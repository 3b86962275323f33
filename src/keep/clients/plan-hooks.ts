/** What would `hook install` and `hook remove` change? Nothing is written here. */
import { hasHooks, withHooks, withoutHooks } from './hooks.ts'
import type { HookClient, HookMoment } from './hooks.ts'
import type { ConnectionPlan, Found } from './plan-connection.ts'
import { settingsDiff } from './settings-diff.ts'

export type HookPlan = Omit<ConnectionPlan, 'client' | 'name'> & { readonly client: HookClient }

type Commands = (moment: HookMoment) => string | undefined

export function planInstall(client: HookClient, found: Found, commandFor: Commands): HookPlan {
  const { text } = found
  const after = withHooks(client, restored(client, found) ?? text, commandFor)
  const action = after === text ? 'none' : hasHooks(client, text ?? '') ? 'change' : 'add'
  return planned(client, found, action, after)
}

export function planRemove(client: HookClient, found: Found): HookPlan {
  const { text } = found
  if (text === undefined || !hasHooks(client, text)) return planned(client, found, 'none', text)
  const after = restored(client, found) ?? withoutHooks(client, text)
  return planned(client, found, 'remove', after)
}

/** Where nothing else was changed since, what was there before, byte for byte. */
function restored(client: HookClient, { text, backup }: Found): string | undefined {
  if (text === undefined || backup === undefined || hasHooks(client, backup)) return undefined
  return sameWithout(client, text, backup) ? backup : undefined
}

/** Whether the text is the backup with our hooks in it. */
function sameWithout(client: HookClient, text: string, backup: string): boolean {
  const commands = commandsIn(text, client)
  return withHooks(client, backup, (moment) => commands.get(client.events[moment] ?? '')) === text
}

function commandsIn(text: string, { events }: HookClient): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const event of Object.values(events)) {
    const pattern = new RegExp(
      `"${event}"[^]*?"command":\\s*("(?:[^"\\\\]|\\\\.)*recall --hook (?:[^"\\\\]|\\\\.)*")`,
    )
    const command = pattern.exec(text)?.[1]
    if (command !== undefined) found.set(event, JSON.parse(command) as string)
  }
  return found
}

function planned(
  client: HookClient,
  { file, text }: Found,
  action: HookPlan['action'],
  after: string | undefined,
): HookPlan {
  const diff = settingsDiff(text, after, file)
  const isLast = action === 'remove'
  return { client, file, action, before: text, after, diff, isFirst: action === 'add', isLast }
}
