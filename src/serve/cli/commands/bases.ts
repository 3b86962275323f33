import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { findBase, forgetBase, registeredBases } from '../../config/find-base.ts'
import { notFound, quoted } from '../../../core/domain/error.ts'
import type { Command } from '../command.ts'
import { cleanLine, columns, toJson } from '../terminal.ts'

export const bases: Command = {
  group: 'care',
  name: 'bases',
  summary: 'List the bases set up with "cairn init", and the one that is meant here.',
  example: 'cairn bases',
  positionals: [],
  options: {
    forget: {
      kind: 'text',
      placeholder: 'PATH',
      summary: 'Take a base off the list; its files stay',
    },
  },
  async run({ terminal, json, args, configInput }) {
    const { forget } = args.options
    if (typeof forget === 'string' && !forgetBase(configInput, resolve(configInput.cwd, forget))) {
      throw notFound(`${quoted(forget)} is not on the list.`, '"cairn bases" shows the list.')
    }
    const found = findBase(configInput)
    const here = found === undefined || found.kind === 'registered' ? undefined : found.folder
    const rows = registeredBases(configInput).map((file) => ({
      file,
      folder: dirname(file),
      exists: existsSync(file),
      used: found?.kind === 'registered' ? found.file === file : dirname(file) === here,
    }))
    if (json) terminal.out(toJson({ here: here ?? null, bases: rows }))
    else {
      const lines = rows.map(({ folder, exists, used }) => [
        used ? terminal.style.green('*') : ' ',
        cleanLine(folder),
        exists ? '' : terminal.style.yellow('gone'),
      ])
      for (const line of columns(lines, ' ')) terminal.out(`${line}\n`)
      if (here !== undefined && !rows.some(({ used }) => used)) {
        terminal.out(`${terminal.style.green('*')} ${cleanLine(here)}\n`)
      } else if (rows.length === 0) {
        terminal.err('No base yet. Run "cairn init" where your notes are.\n')
      }
    }
    return rows.length > 0 || here !== undefined ? 0 : 1
  },
}
