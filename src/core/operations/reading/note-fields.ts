/** What a note is called and tagged with where only its front matter and its name count. */
import type { Properties } from '../../domain/text.ts'
import { plainTitleFromPath } from '../../parsing/names.ts'

/** The front matter decides, else the file's name; a heading is text like any other. */
export function noteTitle({ title }: Properties, path: string): string {
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : plainTitleFromPath(path)
}

/** Only a list in the front matter counts; `#words` in the text are text. */
export function noteTags({ tags }: Properties): readonly string[] {
  if (!Array.isArray(tags)) return []
  return [...new Set(tags.filter((tag) => typeof tag === 'string'))]
}
