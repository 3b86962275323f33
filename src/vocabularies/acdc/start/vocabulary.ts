import type { Vocabulary } from '../../vocabulary.ts'

export const acdc: Vocabulary = {
  open: async (...given) =>
    (await import('./open-resources-surface.ts')).openResourcesSurface(...given),
  commands: async () => [(await import('../commands/acdc.ts')).acdc],
}
