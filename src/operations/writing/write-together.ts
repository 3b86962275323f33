/** Several edits of several documents as one operation: all of them happen or none, one undo. */
import { invalid } from '../../domain/error.ts'
import { documentId } from '../../domain/document.ts'
import { encodeEditable } from '../../editing/text-file.ts'
import type { View } from '../view/view.ts'
import { digestOf } from './carry-out.ts'
import type { FileEdit } from './carry-out.ts'
import { changeFiles, checkDigest } from './change-files.ts'
import type { WriteOptions, WriteResult } from './change-files.ts'
import { withMetadata } from './edit-document.ts'
import type { MetadataChange } from './edit-document.ts'
import { locateNew } from './locate-file.ts'
import { planFollowing } from './plan-following.ts'
import type { TextChange } from './plan-following.ts'

export type TogetherEdit =
  | {
      readonly kind: 'create'
      readonly id: string
      readonly content: string
      readonly metadata?: Pick<MetadataChange, 'set' | 'tags'>
    }
  | {
      readonly kind: 'change'
      readonly id: string
      readonly ifDigest?: string
      readonly change: TextChange
    }

export interface TogetherResult extends Omit<WriteResult, 'id' | 'digest'> {
  readonly documents: readonly { readonly id: string; readonly digest: string | undefined }[]
}

/** Edits of one document are made one after the other, each on what the one before left. */
export async function writeTogether(
  kb: View,
  edits: readonly TogetherEdit[],
  options: Omit<WriteOptions, 'ifDigest'>,
): Promise<TogetherResult> {
  if (edits.length === 0) throw invalid('edits is empty.', 'Pass at least one edit.')
  let planned: readonly FileEdit[] = []
  const {
    id: _,
    digest: __,
    ...result
  } = await changeFiles(kb, 'update', options, async () => {
    planned = await plan(kb, edits)
    return { edits: planned }
  })
  return {
    ...result,
    documents: planned.map((edit) => ({
      id: documentId(edit),
      digest: edit.after && digestOf(edit.after),
    })),
  }
}

async function plan(kb: View, edits: readonly TogetherEdit[]): Promise<readonly FileEdit[]> {
  const files = new Map<string, FileEdit>()
  for (const edit of edits) {
    if (edit.kind === 'create') {
      const place = locateNew(kb, edit.id)
      const name = documentId(place)
      if (files.has(name)) throw twice(name)
      const text = withMetadata(name, edit.content, kb.formatOf(place.path), edit.metadata ?? {})
      const after = encodeEditable(text, { marked: false })
      files.set(name, { ...place, before: undefined, after })
      continue
    }
    const { edits: first } = await planFollowing(kb, edit.id, {}, (text) => text)
    const own = first[0]!
    const name = documentId(own)
    if (edit.ifDigest !== undefined) checkDigest(name, own.before?.digest, edit.ifDigest)
    const before = files.get(name)
    const changed = await planFollowing(kb, edit.id, {}, edit.change, before?.after)
    files.set(name, changed.edits[0]!)
  }
  return [...files.values()]
}

function twice(name: string) {
  return invalid(`${name} is created twice.`, 'Put both texts into one edit.')
}
