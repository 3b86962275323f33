import type { Vocabulary } from '../../vocabulary.ts'

export const nexus: Vocabulary = {
  open: async (...given) => (await import('./open-wiki-surface.ts')).openWikiSurface(...given),
  commands: async () => [(await import('../commands/nexus.ts')).nexus],
  view: async (kb) => (await import('../view.ts')).createNexusView(kb).wiki,
}
