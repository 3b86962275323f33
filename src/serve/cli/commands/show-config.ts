import type { Setting, SourceConfig } from '../../config/config.ts'
import { describeOrigin } from '../../config/config.ts'
import { BASE_OPTIONS, FOLDERS, SERVE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { cleanLine, columns, toJson } from '../terminal.ts'

export const showConfig: Command = {
  group: 'care',
  name: 'config show',
  summary: 'Show every setting, its value and where the value came from.',
  example: 'cairn config show examples/handbook --port 8080',
  positionals: [FOLDERS],
  takesFolders: true,
  options: { ...BASE_OPTIONS, ...SERVE_OPTIONS },
  async run({ terminal, json, configInput }) {
    const { readSettings } = await import('../../config/load-config.ts')
    const { settings, file, warnings } = await readSettings(configInput)
    for (const warning of warnings)
      terminal.err(`${terminal.errStyle.yellow('warning:')} ${warning}\n`)
    if (json) {
      const values = settings.map(({ key, value, origin }) => [
        key,
        { value: value ?? null, origin: origin.kind, from: describeOrigin(origin) },
      ])
      terminal.out(toJson({ file: file ?? null, settings: Object.fromEntries(values) }))
      return 0
    }
    const rows = settings.map((setting) => [
      setting.key,
      shown(setting),
      describeOrigin(setting.origin),
    ])
    for (const line of columns(rows)) terminal.out(`${line}\n`)
  },
}

function shown({ key, value }: Setting): string {
  if (key === 'sources') {
    const sources = value as readonly SourceConfig[]
    return sources.map(({ name, path }) => cleanLine(`${name}=${path}`)).join(', ') || '(none)'
  }
  if (value === undefined) return '(none)'
  if (Array.isArray(value)) return value.join(', ') || '(none)'
  return cleanLine(String(value))
}
