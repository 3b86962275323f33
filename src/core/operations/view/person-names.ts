/**
 * First names and surnames of people: what a note of `type: person`, or with such a tag, is called
 * besides its title. A word that two of them share names neither.
 */
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { onePer } from '../../kit/one-per.ts'
import { wordsOfName } from '../../search/name-runs.ts'
import type { DocumentFilter } from '../../store/store.ts'
import { derived } from './derived.ts'
import type { View } from './view.ts'

const PEOPLE: readonly DocumentFilter[] = [
  { types: ['person', 'Person'] },
  { tags: ['person', 'people', 'contact', 'contacts'], tagMode: 'any' },
]
/** Initials and particles name nobody. */
const LEAST_LETTERS = 3
/** Two to four words, each with a capital: notes about people bear their tag as well. */
const PERSON = /^\p{Lu}\S*(?:\s+(?:\p{Ll}{1,3}\s+){0,2}\p{Lu}\S*){1,3}$/u

/** A word of somebody's name, and whose it is. */
export type PersonNames = ReadonlyMap<string, DocNo>

export const personNamesOf = onePer((view: View) =>
  derived<PersonNames>(view.store, {
    on: ['generation', 'graph'],
    async load() {
      const page = { offset: 0, limit: -1 }
      const lists = await Promise.all(PEOPLE.map((each) => view.store.list(each, 'path', page)))
      const people = new Map(
        lists.flatMap(({ documents }) => documents.map((each) => [each.no, each])),
      )
      return namesOfPeople([...people.values()])
    },
    async follow(before, { generation }) {
      const { unnamed, putDocs, goneDocs } = await view.store.changesSince(generation)
      if (unnamed) return undefined
      const known = new Set(before.values())
      if ([...putDocs, ...goneDocs].some((doc) => known.has(doc))) return undefined
      const among = Uint32Array.from(putDocs)
      if (among.length === 0) return before
      const put = await Promise.all(PEOPLE.map((each) => view.store.matching({ ...each, among })))
      return put.some(({ length }) => length > 0) ? undefined : before
    },
  }),
)

export function namesOfPeople(
  people: readonly Pick<DocumentRecord, 'no' | 'title'>[],
): Map<string, DocNo> {
  const bearers = new Map<string, DocNo | undefined>()
  for (const { no, title } of people) {
    // What has one word is a title already.
    if (!PERSON.test(title)) continue
    const words = wordsOfName(title)
    for (const word of new Set([words[0]!, words.at(-1)!])) {
      if (word.length >= LEAST_LETTERS) bearers.set(word, bearers.has(word) ? undefined : no)
    }
  }
  const names = new Map<string, DocNo>()
  for (const [word, doc] of bearers) if (doc !== undefined) names.set(word, doc)
  return names
}
