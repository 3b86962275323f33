/** What others changed in the database: looked for, because nothing tells of it for certain. */
import type { ContentNews } from '../../core/domain/contents.ts'
import type { SourceChange, Watching } from '../../core/domain/source.ts'
import type { Shelf } from './open-database-source.ts'

export async function watchContents(
  { contents, shelf }: Shelf,
  onChange: (change: SourceChange) => void,
  everyMs: number,
): Promise<Watching> {
  let seen: Pick<ContentNews, 'epoch' | 'version'> = await contents().changedSince(shelf)
  let closed = false
  let looking = false
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    try {
      const news = await contents().changedSince(shelf, seen)
      seen = news
      if (!closed && news.paths?.length !== 0) onChange({ paths: news.paths })
    } catch {
      // Out of reach, or closing; what changed meanwhile is told by a later look.
    } finally {
      looking = false
    }
  }
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    close() {
      closed = true
      clearInterval(timer)
    },
  }
}
