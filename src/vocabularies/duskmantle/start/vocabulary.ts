import type { Vocabulary } from '../../vocabulary.ts'

export const duskmantle: Vocabulary = {
  open: async (...given) =>
    (await import('./open-repository-surface.ts')).openRepositorySurface(...given),
  commands: async () => [(await import('../commands/duskmantle.ts')).duskmantle],
}
