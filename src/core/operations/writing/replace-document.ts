/** Gives a document a new text as a whole, front matter included. */
import { newlineOf, withNewlines } from '../../editing/text-file.ts'
import { changeFiles } from './change-files.ts'
import type { WriteResult } from './change-files.ts'
import type { View } from '../view/view.ts'
import { planFollowing, readyToFollow } from './plan-following.ts'
import type { FollowOptions, TextChange } from './plan-following.ts'

/** The byte order mark and the line endings of the file stay as they were. */
export async function replaceDocument(
  kb: View,
  id: string,
  content: string,
  options: FollowOptions,
): Promise<WriteResult> {
  const plan = (view: View) => planFollowing(view, id, options, replacing(content))
  await readyToFollow(kb, options, plan)
  return changeFiles(kb, 'replace', options, plan)
}

export function replacing(content: string): TextChange {
  return (text) => (newlineOf(text) === '\r\n' ? withNewlines(content, '\r\n') : content)
}
