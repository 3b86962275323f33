import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { basename, extname, relative, resolve, sep } from 'node:path'
import { MAX_CONVERTED_BYTES } from '../../../core/domain/conversion.ts'
import { invalid, KnowledgeError, notFound, quoted } from '../../../core/domain/error.ts'
import { orElse } from '../../../core/kit/or-else.ts'
import { hasExtension } from '../../../core/operations/writing/locate-file.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command, CommandContext } from '../command.ts'
import { changesElsewhere } from '../elsewhere.ts'
import { cleanLine, toJson } from '../terminal.ts'

export const add: Command = {
  group: 'change',
  name: 'add',
  summary: 'Copy a file, or what is piped in, into the inbox of the base.',
  example: 'cairn add examples/brain/retrieval.md --folder examples/handbook',
  positionals: [
    {
      name: 'FILE',
      summary: 'A file from anywhere, or - for standard input',
      required: true,
      mayBeInput: true,
    },
  ],
  options: {
    name: {
      kind: 'text',
      placeholder: 'NAME',
      summary: 'Its name in the inbox (default: that of the file, or the time it was piped in)',
    },
    ...BASE_OPTIONS,
  },
  async run(context) {
    if (!(await changesElsewhere(context, {}))) return 1
    const { config } = await context.loadConfig()
    const [file = ''] = context.args.positionals
    const limit = Math.max(config.maxFileBytes, MAX_CONVERTED_BYTES)
    const given = file === '-' ? await piped(context, limit) : copied(context, file, limit)
    const { name } = context.args.options
    if (file === '-' && name === undefined && !isUtf8(given.bytes)) throw noText()
    return context.withBase(async (base) => {
      const added = await base.add({
        ...given,
        ...(typeof name === 'string' && { name: spelled(name, given.name) }),
        addedAt: context.now(),
      })
      const { terminal, json } = context
      if (json) return terminal.out(toJson(added))
      terminal.out(`Added ${cleanLine(added.id)}.\n`)
      for (const warning of added.warnings) terminal.err(`warning: ${cleanLine(warning)}\n`)
    })
  },
}

/** A name without an ending has that of the file. */
function spelled(name: string, own: string): string {
  return hasExtension(name) ? name : name + extname(own)
}

interface Given {
  readonly name: string
  readonly bytes: Uint8Array
  readonly origin: string
}

async function piped({ input, now }: CommandContext, limit: number): Promise<Given> {
  const bytes = await input.bytes(limit)
  if (bytes.length === 0)
    throw invalid('Nothing was piped in.', 'For example: pbpaste | cairn add -')
  const time = now().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')
  return { name: `added-${time}.md`, bytes, origin: 'stdin' }
}

function copied({ configInput }: CommandContext, file: string, limit: number): Given {
  const place = resolve(configInput.cwd, file)
  const home = relative(configInput.home, place)
  // Whose home it is, is nobody's business who reads the note.
  const isAtHome = !home.startsWith('..') && home !== place
  const origin = isAtHome ? `~/${home.split(sep).join('/')}` : place
  return { name: basename(place), bytes: bytesOf(place, limit), origin }
}

/** Opened before it is looked at, so that it is the same file; a FIFO is not waited for. */
function bytesOf(place: string, limit: number): Uint8Array {
  const descriptor = orElse(() => openSync(place, FLAGS), undefined)
  if (descriptor === undefined) {
    throw notFound(
      `${quoted(place)} cannot be read.`,
      'Name a file that is there, or - for a pipe.',
    )
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw invalid(`${quoted(place)} is no ordinary file.`, 'Name a file.')
    if (stats.size > limit) throw tooLarge(limit)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

function noText(): KnowledgeError {
  return invalid(
    'What is piped in is no text, and nothing says what it is.',
    'Nothing was changed. Give it a name: cairn add - --name report.pdf',
  )
}

function tooLarge(limit: number): KnowledgeError {
  return invalid(
    `The file is larger than ${Math.floor(limit / 1024 ** 2)} MiB, and would not be read.`,
    'Nothing was changed. Set maxFileBytes to allow more.',
  )
}
