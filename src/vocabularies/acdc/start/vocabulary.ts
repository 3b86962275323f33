import type { Vocabulary } from '../../vocabulary.ts'

export const acdc: Vocabulary = {
  open: async (...given) =>
    (await import('./open-resources-surface.ts')).openResourcesSurface(...given),
  commands: async () => [(await import('../commands/acdc.ts')).acdc],
  reading: {
    name: 'curated',
    async load() {
      const { parseCurated, parsingCurated } = await import('../curated/parse-curated.ts')
      return { parse: parseCurated, parsing: parsingCurated }
    },
  },
}
