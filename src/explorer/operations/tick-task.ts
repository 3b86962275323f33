/** The edit that gives a task another mark, as `write` with `replace` takes it: one line and no other. */
import { documentId } from '../../core/domain/document.ts'
import { conflict, invalid, unsupported } from '../../core/domain/error.ts'
import { isMasked } from '../../core/domain/secrets.ts'
import { decodeEditable } from '../../core/editing/text-file.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import { tasksIn, withMark } from '../../core/operations/reading/find-tasks.ts'
import { refuseToWrite } from '../../core/operations/view/narrow-base.ts'
import type { View } from '../../core/operations/view/view.ts'
import { locateFile } from '../../core/operations/writing/locate-file.ts'
import { redact } from '../../core/operations/writing/redact.ts'
import { requireWritable } from '../../core/operations/writing/require-edits.ts'
import type { ChangedLine } from '../wire/wire.ts'

export interface TickRequest {
  readonly line: number
  /** What is to stand in the box: a blank, `x`, `/`, `-`. */
  readonly mark: string
  /** The task as it was seen, where its note was not. */
  readonly text?: string | undefined
}

export async function tickTask(
  kb: View,
  id: string,
  { line, mark, text: seen }: TickRequest,
): Promise<ChangedLine> {
  const { source, path } = await resolveDocument(kb, id)
  const name = documentId({ source, path })
  refuseToWrite(kb, { source, path })
  requireWritable(kb, { source, path })
  const { file } = await locateFile(kb, name)
  const { text } = decodeEditable(file.bytes, name)
  const task = tasksIn(name, text).find((each) => each.line === line)
  if (!task || (seen !== undefined && task.text !== seen)) {
    throw conflict(
      `Line ${line} of ${name} is no longer this task.`,
      'The note has changed since; look at it again.',
    )
  }
  const before = text.split('\n')[line - 1]!.replace(/\r$/, '')
  // Written back, a mask would take the place of the secret.
  if (!kb.showsSecrets && isMasked(redact(text).text.split('\n')[line - 1]!)) throw masked(name)
  const content = withMark(before, mark)
  if (content === undefined) {
    throw invalid('A task cannot get this mark.', 'Use a blank, "x", "/" or "-".')
  }
  return { digest: file.digest, lines: String(line), content }
}

function masked(name: string) {
  return unsupported(
    `This task of ${name} holds a secret that is masked here, so it is not changed.`,
    'Edit the file itself.',
  )
}
