/** A text that was made from a file, as a document: Markdown whose passages say where they stand. */
import { anchorsIn } from '../../domain/conversion.ts'
import type { Chunk, Parsed, Parser, Trail } from '../../domain/text.ts'
import { atOnce } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import { parsingMarkdown } from '../markdown/parse-markdown.ts'
import { parsePlainText } from '../text/parse-text.ts'
import { isRendered } from './render-contents.ts'

export const parseConverted: Parser = (text, path) => atOnce(parsingConverted(text, path))

/** In the folder of a program some of these files are read as the text that they are. */
export function* parsingConverted(text: string, path: string): Steps<Parsed> {
  if (!isRendered(text)) return parsePlainText(text, path)
  const { document, warnings } = yield* parsingMarkdown(text, path)
  return { document: { ...document, chunks: placed(text, document.chunks) }, warnings }
}

/** `Methods › page=3`: the innermost heading of a passage is the place that leads to it. */
function placed(text: string, chunks: readonly Chunk[]): readonly Chunk[] {
  const anchors = anchorsIn(text)
  if (anchors.length === 0) return chunks
  let next = 0
  let current: string | undefined
  return chunks.map((chunk) => {
    for (; next < anchors.length && anchors[next]!.at <= chunk.start; next++) {
      current = anchors[next]!.name
    }
    const under = (path: readonly string[]): readonly string[] =>
      current === undefined ? path : [...path, current]
    const headingPath = under(chunk.headingPath)
    const trails: Trail[] = []
    let path = chunk.headingPath
    const turns = [...(chunk.trails ?? [])]
    for (;;) {
      const anchor = anchors[next]
      const isAnchor = anchor !== undefined && anchor.at < chunk.end
      const turn = turns[0]
      if (turn && (!isAnchor || turn.at <= anchor.at)) {
        path = turn.path
        turns.shift()
        trails.push({ at: turn.at, path: under(path) })
      } else if (isAnchor) {
        current = anchor.name
        next++
        trails.push({ at: anchor.at, path: under(path) })
      } else break
    }
    const { trails: _, ...rest } = chunk
    return { ...rest, headingPath, ...(trails.length > 0 && { trails }) }
  })
}
