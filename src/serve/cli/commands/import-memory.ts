import { resolve } from 'node:path'
import { BASE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { cleanLine, toJson } from '../terminal.ts'

const SHOWN = 20

export const importMemory: Command = {
  group: 'change',
  name: 'import memory',
  summary: "Bring a memory server's file into the graph of a base; what is there already stays.",
  example: 'cairn import memory examples/brain/memory.jsonl --dry-run --folder examples/brain',
  positionals: [
    { name: 'FILE', summary: 'The file the memory server keeps: memory.jsonl', required: true },
  ],
  options: {
    into: {
      kind: 'text',
      placeholder: 'SOURCE',
      summary: 'Which source, when several have a graph',
    },
    create: { kind: 'flag', summary: 'Make the folder "knowledge" where there is none' },
    'dry-run': { kind: 'flag', summary: 'Show what would happen, and change nothing' },
    ...BASE_OPTIONS,
  },
  async run({ args, terminal, json, configInput, loadConfig }) {
    const { importMemoryFile } = await import('../../../keep/moving/import-memory.ts')
    const { config } = await loadConfig()
    const { into, create, 'dry-run': dryRun } = args.options
    const report = await importMemoryFile(config, resolve(configInput.cwd, args.positionals[0]!), {
      ...(typeof into === 'string' && { into }),
      create: create === true,
      dryRun: dryRun === true,
    })
    if (json) return terminal.out(toJson({ ...report, dryRun: dryRun === true }))
    const { entities, relations, existingIds, refused, source } = report
    const done = dryRun === true ? 'Would add' : 'Added'
    terminal.out(
      `${done} ${counted(entities.added, 'entity', 'entities')} and ${counted(relations.added, 'relation', 'relations')} to ${cleanLine(source)}.\n`,
    )
    const there = entities.existing + relations.existing
    if (there > 0) {
      const names = existingIds.slice(0, SHOWN).map(cleanLine).join(', ')
      const more = existingIds.length > SHOWN ? ', …' : ''
      terminal.err(`Already there: ${there}${names === '' ? '' : ` (${names}${more})`}.\n`)
    }
    for (const line of refused.slice(0, SHOWN)) terminal.err(`Left out: ${cleanLine(line)}\n`)
    if (refused.length > SHOWN) terminal.err(`Left out: ${refused.length - SHOWN} more.\n`)
  },
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
