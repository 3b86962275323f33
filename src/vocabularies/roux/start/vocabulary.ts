import type { Vocabulary } from '../../vocabulary.ts'

export const roux: Vocabulary = {
  open: async (...given) => (await import('./open-notes-surface.ts')).openNotesSurface(...given),
  commands: async () => (await import('../commands/commands.ts')).rouxCommands,
  view: async (kb) => (await import('../view.ts')).createRouxView(kb),
}
