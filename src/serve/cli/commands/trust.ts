import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findBase } from '../../config/find-base.ts'
import { CONFIG_FILE } from '../../config/settings.ts'
import { distrustFile, trustFile } from '../../config/trust.ts'
import { notFound, quoted } from '../../../core/domain/error.ts'
import type { Command, CommandContext } from '../command.ts'
import { cleanLine, toJson } from '../terminal.ts'

export const trust: Command = {
  group: 'care',
  name: 'trust',
  summary: 'Stand behind a cairn.yaml, so that everything it says counts; until it is changed.',
  example: 'cairn trust ~/notes/cairn.yaml',
  positionals: [
    {
      name: 'FILE',
      summary: 'The configuration file (default: the cairn.yaml that is meant here)',
      required: false,
    },
  ],
  options: { remove: { kind: 'flag', summary: 'Stand behind it no longer' } },
  async run(context) {
    const { terminal, json, args, configInput } = context
    const file = fileOf(context)
    const remove = args.options['remove'] === true
    if (remove) distrustFile(configInput, file)
    else trustFile(configInput, file)
    if (json) terminal.out(toJson({ file, trusted: !remove }))
    else terminal.out(`${cleanLine(file)} is ${remove ? 'not trusted' : 'trusted as it is now'}\n`)
  },
}

function fileOf({ args, configInput }: CommandContext): string {
  const named = args.positionals[0]
  const found = named === undefined ? findBase(configInput) : undefined
  const file =
    named !== undefined
      ? resolve(configInput.cwd, named)
      : found?.kind === 'registered'
        ? found.file
        : join(found?.folder ?? configInput.cwd, CONFIG_FILE)
  if (existsSync(file)) return file
  throw notFound(`There is no file ${quoted(file)}.`, 'Check the path.')
}
