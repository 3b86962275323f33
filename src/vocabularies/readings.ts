/** The table of own ways to read notes, by the names that configurations have for them. */
import type { Format } from '../core/domain/format.ts'
import type { Parser } from '../core/domain/text.ts'

export interface OwnReading {
  readonly name: string
  /** Called with the first note. */
  load(): Promise<{ readonly parse: Parser; readonly parsing: NonNullable<Format['parsing']> }>
}

export const READINGS: readonly OwnReading[] = [
  {
    name: 'curated',
    async load() {
      const { parseCurated, parsingCurated } = await import('./acdc/curated/parse-curated.ts')
      return { parse: parseCurated, parsing: parsingCurated }
    },
  },
]
