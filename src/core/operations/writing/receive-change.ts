/**
 * Carries out what another server has planned, as if it had been asked here: lock, log, files,
 * index. One that is in the history already is not done again: it is said how it ended.
 */
import { KnowledgeError } from '../../domain/error.ts'
import type { Sent, SentAnswer, SentChange } from '../../domain/homes.ts'
import type { OperationState } from '../../history/history.ts'
import { receiveAddition } from '../entities/record-addition.ts'
import { trunkOf } from '../view/narrow-base.ts'
import { wholeView } from '../view/view.ts'
import type { View } from '../view/view.ts'
import { writerOf, writingOf, writtenFolders } from './carry-out.ts'
import type { FileEdit } from './carry-out.ts'
import { changeFiles } from './change-files.ts'
import type { Plan } from './change-files.ts'
import { settleOpen } from './settle-open.ts'

export async function receiveSent(view: View, sent: Sent): Promise<SentAnswer> {
  return 'edits' in sent ? receiveChange(view, sent) : receiveAddition(view, sent)
}

async function receiveChange(view: View, change: SentChange): Promise<SentAnswer> {
  const kb = wholeView(trunkOf(view.base))
  const writing = writingOf(kb)
  const { id, kind, by } = change
  try {
    // Whoever began with it before may have been killed; now the history says how it ended.
    await writing.lock.hold(writtenFolders(kb), () => settleOpen(kb, writing))
    const options = { by, operation: id }
    const { warnings } = await changeFiles(kb, kind, options, () => planOf(kb, change))
    return { kind: 'done', warnings }
  } catch (error) {
    if (error instanceof Known) return endOf(error.state)
    if (!(error instanceof KnowledgeError)) throw error
    // What was begun and failed had better be planned anew.
    const raced = error instanceof ChangedSince || error.code === 'exists'
    return refused(error, raced)
  }
}

/** The change as it was planned, as long as every file is what it was then. */
async function planOf(kb: View, { id, edits, undoes }: SentChange): Promise<Plan> {
  const known = await writingOf(kb).history.stateOf(id)
  if (known) throw new Known(known)
  const planned: FileEdit[] = []
  for (const edit of edits) {
    const before = await writerOf(kb, edit.source).load(edit.from ?? edit.path)
    if (before?.digest !== edit.before) throw new ChangedSince()
    planned.push({ ...edit, before })
  }
  return { edits: planned, undoes }
}

class Known extends Error {
  readonly state: OperationState

  constructor(state: OperationState) {
    super('known')
    this.state = state
  }
}

class ChangedSince extends KnowledgeError {
  constructor() {
    super(
      'conflict',
      'The document has changed since it was read.',
      'Nothing was changed. Fetch it again and repeat the edit.',
    )
  }
}

function endOf(state: OperationState): SentAnswer {
  if (state === 'done') return { kind: 'done', warnings: [] }
  const what = 'The server that writes these files was interrupted before the change was made.'
  return refused(new KnowledgeError('unavailable', what, 'Nothing was changed. Try again.'), false)
}

function refused({ code, message, hint }: KnowledgeError, raced: boolean): SentAnswer {
  return { kind: 'refused', raced, code, message, hint }
}
