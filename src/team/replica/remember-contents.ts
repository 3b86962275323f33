/**
 * LRU cache of documents that have no file, as one of several servers has them: what was read
 * lately is kept, up to a bound, and shown while the database does not answer. Whatever it takes to
 * change one is asked of the database alone.
 */
import { BoundedMap } from '../../core/kit/bounded-map.ts'
import type { Content, ContentEntry, Contents } from '../../core/domain/contents.ts'
import { type KnowledgeError, quoted, unavailable } from '../../core/domain/error.ts'
import type { Replica } from './open-replica.ts'

/** About as many documents as there is room for of what is remembered about them. */
const MOST_BYTES = 32 * 1024 * 1024
/** What a document takes besides its bytes. */
const ENTRY_BYTES = 500

export function rememberContents(
  contents: Contents,
  orKnown: Replica['orKnown'],
  mostBytes = MOST_BYTES,
): Contents {
  const read = new BoundedMap<string, Content>(mostBytes, ({ size }) => size + ENTRY_BYTES)
  const keyOf = (source: string, path: string): string => `${source}\n${path}`
  const known = (source: string, paths: readonly string[]): Content[] =>
    paths.map((path) => {
      const content = read.get(keyOf(source, path))
      if (content) return content
      throw outOfReach(path)
    })
  /** What is something else by now is forgotten. */
  const compare = (
    source: string,
    paths: readonly string[],
    found: readonly (ContentEntry | undefined)[],
  ): void => {
    for (const [index, path] of paths.entries()) {
      const key = keyOf(source, path)
      const before = read.get(key)
      if (before && before.digest !== found[index]?.digest) read.delete(key)
    }
  }
  return {
    ...contents,
    look: (source, paths) =>
      orKnown(
        async () => {
          const found = await contents.look(source, paths)
          compare(source, paths, found)
          return found
        },
        () => known(source, paths),
      ),
    read: (source, paths) =>
      orKnown(
        async () => {
          const found = await contents.read(source, paths)
          compare(source, paths, found)
          for (const each of found) if (each) read.set(keyOf(source, each.path), each)
          return found
        },
        () => known(source, paths),
      ),
  }
}

function outOfReach(path: string): KnowledgeError {
  return unavailable(
    `The text of ${quoted(path)} lies in the database, which does not answer, and was not read here before.`,
    'Try again when the database is back; search goes on with what is known here.',
  )
}
