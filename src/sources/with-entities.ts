/** A folder that holds notes and a graph is one source of both. */
import { compareIds } from '../domain/document.ts'
import { isEntityPath } from '../domain/entity-document.ts'
import type { FileContent, Scan, Source } from '../domain/source.ts'

export function withEntities(notes: Source, entities: Source): Source {
  return {
    name: notes.name,
    root: notes.root,
    writer: notes.writer,
    graph: entities.graph,
    close: () => entities.close?.() ?? Promise.resolve(),
    scan: async () => both(await notes.scan(), await entities.scan()),
    async rescan(paths) {
      const ofEntities = paths.filter((path) => path === '' || isEntityPath(path))
      const ofNotes = paths.filter((path) => !isEntityPath(path))
      return both(
        ofNotes.length > 0 ? await notes.rescan(ofNotes) : NOTHING,
        ofEntities.length > 0 ? await entities.rescan(ofEntities) : NOTHING,
      )
    },
    async read(paths) {
      const contents = new Map<string, FileContent>()
      for (const [source, some] of Map.groupBy(paths, (path) =>
        isEntityPath(path) ? entities : notes,
      )) {
        const read = await source.read(some)
        for (const [index, path] of some.entries()) contents.set(path, read[index]!)
      }
      return paths.map((path) => contents.get(path)!)
    },
    async watch(onChange) {
      const watching = [await notes.watch(onChange), await entities.watch(onChange)]
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
  }
}
