import { misnamedIn } from '../../access/named-folders.ts'
import { parsePermissions } from '../../access/open-tokens.ts'
import type { TokenEntry } from '../../access/open-tokens.ts'
import { amountTo } from '../../../core/domain/caller.ts'
import { invalid, quoted } from '../../../core/domain/error.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command, CommandContext } from '../command.ts'
import { cleanLine, columns, toJson } from '../terminal.ts'

const NAME = { name: 'NAME', summary: 'Whose it is, or what for', required: true }

export const tokenCreate: Command = {
  name: 'token create',
  group: 'care',
  summary: 'Make a token: from then on, whoever calls over HTTP has to show one.',
  example: 'cairn token create laptop --may read,write --folder examples/handbook',
  positionals: [NAME],
  options: {
    may: {
      kind: 'text',
      placeholder: 'WORDS',
      summary: 'read, write (and read), maintain; several with commas between (default: read)',
    },
    see: {
      kind: 'list',
      placeholder: 'FOLDER',
      summary: 'Source or folder it sees, such as docs/public; may be repeated (default: all)',
    },
    hide: {
      kind: 'list',
      placeholder: 'FOLDER',
      summary: 'Source or folder it does not see; may be repeated',
    },
    'write-in': {
      kind: 'list',
      placeholder: 'FOLDER',
      summary: 'Source or folder it may write in; may be repeated (default: all it sees)',
    },
    days: {
      kind: 'integer',
      min: 1,
      placeholder: 'N',
      summary: 'How long it is good (default: for ever)',
    },
    ...BASE_OPTIONS,
  },
  async run(context) {
    const { terminal, json, args } = context
    const { may, days } = args.options
    const words = String(may ?? 'read')
      .split(',')
      .map((word) => word.trim())
    const expiresAt = typeof days === 'number' ? { expiresAt: afterDays(days) } : {}
    const folders = {
      see: listOf(args.options['see']),
      hide: listOf(args.options['hide']),
      write: listOf(args.options['write-in']),
    }
    const { config } = await context.loadConfig()
    const wrong = misnamedIn(
      Object.values(folders).flat(),
      config.sources.map((source) => source.name),
    )
    if (wrong) throw wrong
    const { token, entry } = (await tokens(context)).create(args.positionals[0]!, {
      may: parsePermissions(words),
      ...folders,
      ...expiresAt,
    })
    if (json) terminal.out(toJson({ token, ...shown(entry) }))
    else {
      terminal.out(`${token}\n`)
      terminal.err('It is shown this once. Send it as "Authorization: Bearer …".\n')
      if (!words.includes('read') && entry.may.includes('read')) {
        terminal.err(
          'Who may write may read as well: changes and their history show what notes say.\n',
        )
      }
    }
  },
}

export const tokenList: Command = {
  name: 'token list',
  group: 'care',
  summary: 'List the tokens of a base, and what each may do and see.',
  example: 'cairn token list --folder examples/handbook',
  positionals: [],
  options: { ...BASE_OPTIONS },
  async run(context) {
    const { terminal, json } = context
    const entries = (await tokens(context)).list()
    if (json) terminal.out(toJson({ tokens: entries.map(shown) }))
    else {
      const rows = entries.map(({ id, name, may, see, hide, write = [], expiresAt }) => [
        id,
        cleanLine(name),
        amountTo(may).join(','),
        cleanLine([...see, ...hide.map((each) => `not ${each}`)].join(', ') || 'all'),
        cleanLine(write.length > 0 ? `writes in ${write.join(', ')}` : ''),
        expiresAt === undefined ? '' : `until ${expiresAt.slice(0, 10)}`,
      ])
      for (const line of columns(rows)) terminal.out(`${line}\n`)
      if (entries.length === 0) terminal.err('There are no tokens.\n')
    }
  },
}

export const tokenRevoke: Command = {
  name: 'token revoke',
  group: 'care',
  summary: 'Take a token back, by its name or id; a running server refuses it at once.',
  example: 'cairn token revoke laptop --folder examples/handbook',
  positionals: [NAME],
  options: { ...BASE_OPTIONS },
  async run(context) {
    const { terminal, json, args } = context
    const entry = (await tokens(context)).revoke(args.positionals[0]!)
    if (json) terminal.out(toJson({ revoked: shown(entry) }))
    else terminal.out(`${entry.id} (${cleanLine(entry.name)}) is revoked\n`)
  },
}

async function tokens({ loadConfig }: CommandContext) {
  const { config } = await loadConfig()
  const { tokensOf } = await import('../../wiring/access.ts')
  return tokensOf(config)
}

function shown({ id, name, may, see, hide, write = [], createdAt, expiresAt }: TokenEntry) {
  const rest = { createdAt, ...(expiresAt !== undefined && { expiresAt }) }
  return { id, name, may: amountTo(may), see, hide, ...(write.length > 0 && { write }), ...rest }
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function afterDays(days: number): string {
  const at = new Date(Date.now() + days * 24 * 60 * 60 * 1000)
  if (Number.isNaN(at.getTime()))
    throw invalid(`${quoted(String(days))} days are too many.`, 'Say less.')
  return at.toISOString()
}
