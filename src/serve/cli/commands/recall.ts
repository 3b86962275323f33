/** What the notes have on a prompt, or nothing. Called by hooks of clients, which it never disturbs. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { HOOK_CLIENTS, HOOK_MOMENTS } from '../../../keep/clients/hooks.ts'
import type { HookClient, HookMoment } from '../../../keep/clients/hooks.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command, CommandContext, ExitCode } from '../command.ts'
import { promptIn } from '../hook-input.ts'
import type { HookInput } from '../hook-input.ts'
import { clean } from '../terminal.ts'

const DEFAULT_TOKENS = 400
/** A client waits no longer than this, whatever the base is like; a prompt waits least. */
const WAIT_MS = { start: 4_000, prompt: 1_500, compact: 4_000 } as const

export const recall: Command = {
  group: 'find',
  name: 'recall',
  summary: 'Say what the notes clearly have on a prompt, and nothing otherwise; for hooks.',
  example: 'cairn recall "how do we roll back a release" --folder examples/handbook',
  positionals: [{ name: 'PROMPT', summary: 'What is asked', required: false, many: true }],
  options: {
    'max-tokens': {
      kind: 'integer',
      min: 50,
      summary: `At most so many (default: ${DEFAULT_TOKENS})`,
    },
    moment: {
      kind: 'text',
      choices: HOOK_MOMENTS,
      summary: 'start: what is new and open; compact: keep a note (default: prompt)',
    },
    hook: {
      kind: 'text',
      placeholder: 'CLIENT',
      choices: HOOK_CLIENTS.map(({ id }) => id),
      summary: 'Read what this client sends on standard input, and answer in its form',
    },
    wait: {
      kind: 'integer',
      min: 1,
      placeholder: 'MS',
      summary: 'With --hook: give up after so long (default: 1500 at a prompt, else 4000)',
    },
    at: {
      kind: 'text',
      placeholder: 'DIR',
      summary: 'The state folder of a server that may be running; saves reading the settings',
    },
    ...BASE_OPTIONS,
  },
  run: async (context) => {
    const { args } = context
    const client = HOOK_CLIENTS.find(({ id }) => id === args.options['hook'])
    if (!client) {
      const text = await recalled(context, args.positionals.join(' '))
      context.terminal.out(text === '' ? '' : `${clean(text)}\n`)
      return text === '' ? 1 : 0
    }
    return withoutFail(context, client)
  },
}

/** Whatever happens, the client goes on: nothing is said, and the exit code is 0. */
async function withoutFail(context: CommandContext, client: HookClient): Promise<ExitCode> {
  let text = ''
  const given = context.args.options['wait']
  const wait = typeof given === 'number' ? given : WAIT_MS[momentOf(context)]
  try {
    const sent = promptIn(await context.input.text())
    text = await Promise.race([
      momentOf(context) === 'compact'
        ? checkpoint(context, client, sent)
        : recalled(context, sent.prompt),
      new Promise<string>((resolve) => setTimeout(resolve, wait, '').unref()),
    ])
  } catch {
    // Said nowhere: hooks have no one to say it to.
  }
  const event = client.events[momentOf(context)] ?? ''
  if (text !== '') context.terminal.out(`${JSON.stringify(client.answer(event, text))}\n`)
  return 0
}

function momentOf({ args }: CommandContext): HookMoment {
  return HOOK_MOMENTS.find((each) => each === args.options['moment']) ?? 'prompt'
}

/** A server that runs answers at once; without one, the base is opened as it was indexed last. */
async function recalled(context: CommandContext, prompt: string): Promise<string> {
  const { args, app } = context
  const moment = momentOf(context) === 'start' ? 'start' : 'prompt'
  const tokens = Number(args.options['max-tokens'] ?? DEFAULT_TOKENS)
  const request = { moment, prompt, tokens } as const
  const at = args.options['at']
  const quick = typeof at === 'string' ? await app.askServer(at, request) : undefined
  if (quick !== undefined) return quick
  const { config } = await context.loadConfig()
  const answer = at === config.state ? undefined : await app.askServer(config.state, request)
  return answer ?? app.recall(config, request)
}

const KEPT_MESSAGES = 12
const KEPT_LETTERS = 1_500
const TRANSCRIPT_BYTES = 400_000

/** A note of what was said last, before the client shortens the conversation. */
async function checkpoint(
  context: CommandContext,
  client: HookClient,
  { transcript }: HookInput,
): Promise<string> {
  const said = transcript === undefined ? [] : messagesIn(tailOf(transcript))
  if (said.length === 0) return ''
  const now = context.now().toISOString()
  const { config } = await context.loadConfig()
  const id = `${config.sources[0]!.name}/checkpoints/${now.slice(0, 19).replaceAll(':', '-')}.md`
  const title = `# Checkpoint ${now.slice(0, 16).replace('T', ' ')}`
  const head = `A conversation with ${client.title}, kept before it was shortened.`
  const parts = said.map(({ role, text }) => `**${role}:** ${text}`)
  await context.withBase(async (base) => {
    await base.call('write', {
      action: 'create',
      id,
      content: `${[title, head, ...parts].join('\n\n')}\n`,
    })
    return 0
  })
  return ''
}

/** The end of a file: transcripts grow without end. */
function tailOf(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const { size } = fstatSync(handle)
    const from = Math.max(0, size - TRANSCRIPT_BYTES)
    const bytes = Buffer.alloc(Math.min(size, TRANSCRIPT_BYTES))
    const read = readSync(handle, bytes, 0, bytes.length, from)
    return bytes.subarray(0, read).toString('utf8')
  } finally {
    closeSync(handle)
  }
}

/** Lines of JSON, one a message, as Claude Code, Codex and Gemini keep them; others say nothing. */
function messagesIn(text: string): { readonly role: string; readonly text: string }[] {
  const found = text.split('\n').flatMap((line) => {
    try {
      const entry = JSON.parse(line) as Record<string, any>
      const message = entry['message'] ?? entry['payload'] ?? entry
      const role = message.role ?? entry['type']
      const said = textIn(message.content)
      const isSaid = (role === 'user' || role === 'assistant') && said !== ''
      return isSaid ? [{ role: role as string, text: clean(said).slice(0, KEPT_LETTERS) }] : []
    } catch {
      return []
    }
  })
  return found.slice(-KEPT_MESSAGES)
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content.trim()
  if (!Array.isArray(content)) return ''
  return content
    .map((part: { readonly text?: unknown }) => (typeof part?.text === 'string' ? part.text : ''))
    .join('\n')
    .trim()
}
