import type { Vocabulary } from '../../vocabulary.ts'

export const cortex: Vocabulary = {
  open: async (...given) => (await import('./open-graph-surface.ts')).openGraphSurface(...given),
  commands: async () => (await import('../commands/commands.ts')).cortexCommands,
}
