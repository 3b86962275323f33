/**
 * Changing a base one does not stand in: outside of every base, the one that was set up last is
 * meant. Reading it is what people want; before it is changed, it is named, and a person is asked.
 */
import type { CommandContext } from './command.ts'
import { agrees } from './input.ts'
import { clean } from './terminal.ts'

export async function changesElsewhere(
  { configInput: { foundFile }, terminal, input }: CommandContext,
  args: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const changes = args['dry_run'] !== true && args['action'] !== 'list'
  if (foundFile === undefined || !changes) return true
  const base = clean(foundFile)
  if (!input.isTerminal) {
    terminal.err(`In the base set up last, ${base}\n`)
    return true
  }
  if (await agrees(input, `You are in no base. Change the one set up last, ${base}?`)) return true
  terminal.err('Nothing was changed. Name a base with --folder DIR, or go there.\n')
  return false
}
