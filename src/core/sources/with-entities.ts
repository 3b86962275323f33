/** A folder that holds notes and a graph is one source of both. */
import { compareIds } from '../domain/document.ts'
import { isEntityPath } from '../domain/entity-document.ts'
import type { Scan, Source } from '../domain/source.ts'

export function withEntities(notes: Source, entities: Source): Source {
  /** Asks each for its own; answers come in the order of the paths. */
  const split = async <Answer>(
    paths: readonly string[],
    ask: (source: Source, some: readonly string[]) => Promise<readonly Answer[]>,
  ): Promise<Answer[]> => {
    const answers = new Map<string, Answer>()
    const groups = Map.groupBy(paths, (path) => (isEntityPath(path) ? entities : notes))
    for (const [source, some] of groups) {
      const found = await ask(source, some)
      for (const [index, path] of some.entries()) answers.set(path, found[index]!)
    }
    return paths.map((path) => answers.get(path)!)
  }
  const { areAsRead } = notes
  return {
    name: notes.name,
    root: notes.root,
    // Entities have no file of their own, so nobody can tell by a look.
    ...(areAsRead && {
      areAsRead: (files, readAt) =>
        !files.some(({ path }) => isEntityPath(path)) && areAsRead(files, readAt),
    }),
    writer: notes.writer,
    ...(notes.beside && { beside: notes.beside }),
    ...(notes.holdsCode && { holdsCode: true }),
    ...(notes.converts && { converts: notes.converts }),
    graph: entities.graph,
    privateAmong: async (paths) =>
      (await notes.privateAmong?.(paths.filter((path) => !isEntityPath(path)))) ?? [],
    close: () => entities.close?.() ?? Promise.resolve(),
    scan: async (onFound) => both(await notes.scan(onFound), await entities.scan()),
    async rescan(paths) {
      const ofEntities = paths.filter((path) => path === '' || isEntityPath(path))
      const ofNotes = paths.filter((path) => !isEntityPath(path))
      return both(
        ofNotes.length > 0 ? await notes.rescan(ofNotes) : NOTHING,
        ofEntities.length > 0 ? await entities.rescan(ofEntities) : NOTHING,
      )
    },
    read: (paths, indexed, isFirst) =>
      split(paths, (source, some) => source.read(some, indexed, isFirst)),
    bornAt: (paths) => split(paths, (source, some) => source.bornAt(some)),
    async watch(onChange, recent) {
      const ofNotes = recent?.filter((path) => !isEntityPath(path))
      const watching = [await notes.watch(onChange, ofNotes), await entities.watch(onChange)]
      return { close: () => watching.forEach((each) => each.close()) }
    },
  }
}

const NOTHING: Scan = { files: [], skipped: [] }

function both(a: Scan, b: Scan): Scan {
  const byPath = () => [...a.files, ...b.files].toSorted((x, y) => compareIds(x.path, y.path))
  return {
    files: b.files.length > 0 ? byPath() : a.files,
    skipped: [...a.skipped, ...b.skipped],
    ...(a.leftOut && { leftOut: a.leftOut }),
  }
}
