/** Input validation of rules: one that names nothing would hide nothing, without a word. */
import { invalid, quoted } from '../../core/domain/error.ts'
import type { KnowledgeError } from '../../core/domain/error.ts'
import { folded } from './grant.ts'

/** What is wrong with the first of these that no source can have; undefined where all name a place. */
export function misnamedIn(
  folders: readonly string[],
  sources: readonly string[],
): KnowledgeError | undefined {
  const known = new Set(sources.map(folded))
  const called = sources.map(quoted).join(', ')
  for (const folder of folders) {
    if (folder.includes('*')) {
      return invalid(
        `${quoted(folder)} is a pattern, and a rule names a source or a folder.`,
        'A folder stands for all that is in it: leave the stars out.',
      )
    }
    if (known.has(folded(folder).split('/')[0]!)) continue
    return invalid(
      `${quoted(folder)} is in no source of this base.`,
      `A rule begins with the name of a source (${called}), and then the folder: ${quoted(`${sources[0] ?? 'notes'}/${folder}`)}.`,
    )
  }
  return undefined
}
