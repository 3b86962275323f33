/** A node's id is the path of its file in lower case, with forward slashes and the extension. */
import { foldName } from '../../core/kit/fold-name.ts'

/** The id of the file at a path. The file keeps its own spelling on disk. */
export function nodeId(path: string): string {
  return foldName(path.replaceAll('\\', '/'))
}

/** What a caller may mean by an id, likeliest first: any case is accepted, `.md` may be left off. */
export function idsMeant(text: string): readonly string[] {
  const id = nodeId(text.trim())
  return [id, `${id}.md`]
}
