import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  type KnowledgeError,
  notFound,
  quoted,
  unavailable,
  unsupported,
} from '../../../core/domain/error.ts'
import { BASE_OPTIONS, REFRESH_OPTION } from '../command.ts'
import type { Command, CommandContext } from '../command.ts'
import { cleanLine, toJson } from '../terminal.ts'
import { isAnswer, refresh, textOf } from '../tool-command.ts'

export const openDocument: Command = {
  name: 'open',
  group: 'find',
  summary: 'Open a document in your editor, or in the program it belongs to.',
  example: 'cairn open handbook/index.md --print --folder examples/handbook',
  positionals: [
    {
      name: 'ID',
      summary: 'Path, id, title or alias of a document; :LINE goes to a line',
      required: true,
    },
  ],
  options: {
    print: { kind: 'flag', summary: 'Only print the path of the file' },
    ...REFRESH_OPTION,
    ...BASE_OPTIONS,
  },
  run: (context) =>
    context.withBase(async (base) => {
      if (context.args.options['refresh'] !== false) await refresh(base, context)
      const places = await context.places()
      const [, name = '', line] = /^(.*?)(?::(\d+))?$/s.exec(context.args.positionals[0]!)!
      const { structured, isError } = await base.call('fetch', {
        id: places.idOf(name),
        lines: '1',
        max_tokens: 50,
      })
      if (isError) throw missing(structured, name)
      const id = textOf(structured['id'])
      const file = places.fileOf(id)
      if (file === undefined) {
        throw unsupported(`${cleanLine(id)} is no file.`, `Read it: cairn fetch ${cleanLine(id)}`)
      }
      if (context.json) context.terminal.out(toJson({ id, file }))
      else if (context.args.options['print'] === true) context.terminal.out(`${file}\n`)
      else await start(file, line === undefined ? undefined : Number(line), context)
    }),
}

function missing(structured: Record<string, unknown>, name: string): KnowledgeError {
  const error = isAnswer(structured['error']) ? structured['error'] : {}
  return notFound(
    textOf(error['message']) || `There is no document ${quoted(name)}.`,
    textOf(error['hint']),
  )
}

async function start(
  file: string,
  line: number | undefined,
  context: CommandContext,
): Promise<void> {
  const [command, ...args] = openerOf(file, line, context.configInput.env, process.platform)
  const child = spawn(command!, args, { stdio: 'inherit' })
  const [code] = await Promise.race([
    once(child, 'close'),
    once(child, 'error').then(([error]) => {
      throw unavailable(
        `${command} cannot be started: ${(error as Error).message}`,
        'Set EDITOR to your editor.',
      )
    }),
  ])
  if (code !== 0) throw unavailable(`${command} ended with ${code}.`, '')
}

/** The editor a person has chosen, at the line; else whatever opens such files. */
export function openerOf(
  file: string,
  line: number | undefined,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): readonly string[] {
  const editor = (env['VISUAL'] || env['EDITOR'] || '').split(' ').filter((word) => word !== '')
  if (editor.length === 0) {
    if (platform === 'darwin') return ['open', file]
    return platform === 'win32' ? ['explorer', file] : ['xdg-open', file]
  }
  if (line === undefined) return [...editor, file]
  const name = editor[0]!.replace(/^.*[\\/]/, '').replace(/\.(exe|cmd)$/i, '')
  if (['code', 'code-insiders', 'codium', 'cursor', 'windsurf'].includes(name)) {
    return [...editor, '--goto', `${file}:${line}`]
  }
  if (['subl', 'zed', 'hx', 'helix'].includes(name)) return [...editor, `${file}:${line}`]
  return [...editor, `+${line}`, file]
}
