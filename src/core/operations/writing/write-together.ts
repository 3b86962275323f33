/** Several edits of several documents as one operation: all of them happen or none, one undo. */
import { invalid } from '../../domain/error.ts'
import { documentId } from '../../domain/document.ts'
import { encodeEditable } from '../../editing/text-file.ts'
import type { View } from '../view/view.ts'
import { digestOf } from './carry-out.ts'
import type { FileEdit } from './carry-out.ts'
import { requireIndex } from '../view/await-index.ts'
import { changeFiles, checkDigest } from './change-files.ts'
import type { BrokenLink, Plan, WriteOptions, WriteResult } from './change-files.ts'
import { withMetadata } from './edit-document.ts'
import type { MetadataChange } from './edit-document.ts'
import { locateNew } from './locate-file.ts'
import { planMovesTogether, planMoveTo } from './move-document.ts'
import { requireWritable } from './require-edits.ts'
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
  | {
      readonly kind: 'move'
      readonly id: string
      readonly ifDigest?: string
      readonly to: string
      readonly updateLinks?: boolean
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
  const moves = edits.filter((edit) => edit.kind === 'move')
  if (moves.some(({ updateLinks = true }) => updateLinks)) await requireIndex(kb)
  let planned: readonly FileEdit[] = []
  const {
    id: _,
    digest: __,
    ...result
  } = await changeFiles(kb, 'update', options, async () => {
    const whole = await plan(kb, edits)
    planned = whole.edits
    return whole
  })
  return {
    ...result,
    documents: planned.map((edit) => ({
      id: documentId(edit),
      digest: edit.after && digestOf(edit.after),
    })),
  }
}

async function plan(kb: View, edits: readonly TogetherEdit[]): Promise<Plan> {
  const files = new Map<string, FileEdit>()
  /** Documents that are moved, or rewritten because of it. */
  const settled = new Set<string>()
  const brokenLinks: BrokenLink[] = []
  let linksRewritten = 0
  const settle: Settle = (planned, ifDigests) => {
    const moved = ifDigests.map((ifDigest, at) => {
      const { source, path, from = path, before } = planned.edits[at]!
      const name = documentId({ source, path: from })
      if (ifDigest !== undefined) checkDigest(name, before?.digest, ifDigest)
      return name
    })
    const names = planned.edits.map(documentId)
    const taken =
      [...moved, ...names].find((each) => files.has(each) || settled.has(each)) ??
      moved.find((each, at) => moved.indexOf(each) < at)
    if (taken !== undefined) throw entangled(taken)
    for (const [at, each] of planned.edits.entries()) files.set(names[at]!, each)
    for (const each of [...moved, ...names]) settled.add(each)
    brokenLinks.push(...(planned.brokenLinks ?? []))
    linksRewritten += planned.linksRewritten ?? 0
  }
  for (const edit of await movesFirst(kb, edits, settle)) {
    if (edit.kind === 'move') {
      const { updateLinks } = edit
      settle(await planMoveTo(kb, edit.id, edit.to, { updateLinks }), [edit.ifDigest])
      continue
    }
    if (edit.kind === 'create') {
      const place = await locateNew(kb, edit.id)
      requireWritable(kb, place)
      const name = documentId(place)
      if (settled.has(name)) throw entangled(name)
      if (files.has(name)) throw twice(name)
      const text = withMetadata(name, edit.content, kb.formatOf(place.path), edit.metadata ?? {})
      const after = encodeEditable(text, { marked: false })
      files.set(name, { ...place, before: undefined, after })
      continue
    }
    const { edits: first } = await planFollowing(kb, edit.id, {}, (text) => text)
    const own = first[0]!
    const name = documentId(own)
    if (settled.has(name)) throw entangled(name)
    if (edit.ifDigest !== undefined) checkDigest(name, own.before?.digest, edit.ifDigest)
    const before = files.get(name)
    const changed = await planFollowing(kb, edit.id, {}, edit.change, before?.after)
    files.set(name, changed.edits[0]!)
  }
  return { edits: [...files.values()], brokenLinks, linksRewritten }
}

/** The first edits of the plan are the moved documents, each with the digest it must have. */
type Settle = (planned: Plan, ifDigests: readonly (string | undefined)[]) => void

/** Moves that may have links to each other are planned as one; what is left is done one by one. */
async function movesFirst(
  kb: View,
  edits: readonly TogetherEdit[],
  settle: Settle,
): Promise<readonly TogetherEdit[]> {
  const moves = edits.filter((edit) => edit.kind === 'move' && edit.updateLinks !== false)
  if (moves.length < 2) return edits
  const { plan, alone } = await planMovesTogether(kb, moves as readonly MoveEdit[])
  const done = moves.filter((each) => !alone.includes(each as MoveEdit)) as readonly MoveEdit[]
  if (done.length > 0) {
    settle(
      plan,
      done.map(({ ifDigest }) => ifDigest),
    )
  }
  return edits.filter((each) => !done.includes(each as MoveEdit))
}

type MoveEdit = Extract<TogetherEdit, { readonly kind: 'move' }>

/** What follows a move is worked out from the files as they are, not as another edit leaves them. */
function entangled(name: string) {
  return invalid(
    `${name} is changed by a move and by another of the edits.`,
    'Make these two one after the other, in calls of their own.',
  )
}

function twice(name: string) {
  return invalid(`${name} is created twice.`, 'Put both texts into one edit.')
}
