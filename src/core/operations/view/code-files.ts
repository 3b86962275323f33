/**
 * Which documents are files of code? Most bases have none: then nobody need be asked what a word
 * names in one, which would be a way to the database for every question of one word.
 */
import type { DocNo } from '../../domain/document.ts'
import { onePer } from '../../kit/one-per.ts'
import type { Store } from '../../store/store.ts'
import { derived } from './derived.ts'

const CODE = { types: ['code'] } as const

/** Whoever sees a part of the base has to leave out the rest. */
export const codeFilesOf = onePer((store: Store) =>
  derived<Uint32Array>(store, {
    on: ['generation'],
    load: () => store.matching(CODE),
    async follow(before, { generation }) {
      const { unnamed, putDocs, goneDocs } = await store.changesSince(generation)
      if (unnamed) return undefined
      const changed = new Set<DocNo>([...putDocs, ...goneDocs])
      const put =
        putDocs.length > 0
          ? await store.matching({ ...CODE, among: Uint32Array.from(putDocs) })
          : []
      return Uint32Array.from([...before.filter((doc) => !changed.has(doc)), ...put])
    },
  }),
)
