/**
 * Carries out a batch, inside a transaction: look up, plan, write. The number of statements does
 * not grow with the batch. What is large travels first, before the base is locked.
 */
import { Slices } from '../../core/kit/slices.ts'
import type { Batch } from '../../core/store/batch.ts'
import type { ResolveLink } from '../../core/store/link-store.ts'
import { CHANGES_KEPT, CHANGES_NAMED } from '../../core/store/plan-commit.ts'
import { namedChanges, planDocuments, planLinks } from '../../core/store/plan-commit.ts'
import type { LinkPlan, LinksBefore } from '../../core/store/plan-commit.ts'
import type { BaseRows } from './base-rows.ts'
import { changesAfter, noteChanges } from './changes-table.ts'
import { putWrites } from './contents-table.ts'
import {
  candidatesOf,
  deleteDocuments,
  insertDocuments,
  storedDocuments,
  touchDocuments,
} from './documents-table.ts'
import { forgetFiles, putFiles } from './files-table.ts'
import { requireHeld } from './lease-row.ts'
import { healLinks, insertLinks, linkEndsOf, linksWithKeys } from './links-table.ts'
import {
  forgetReplaced,
  insertSegment,
  markDeleted,
  replaceSegments,
  revive,
} from './segments-table.ts'
import { takeStep } from './steps.ts'

export interface Committed {
  /** The generation of the index afterwards. */
  readonly generation: number
  /** Segments that nobody can read any more. */
  readonly forgotten: readonly number[]
}

export async function commitBatch(
  base: BaseRows,
  batch: Batch,
  resolve: ResolveLink,
  { mark, lock }: { readonly mark: string; readonly lock: (rows: BaseRows) => Promise<number> },
): Promise<Committed> {
  const { put = [], remove = [], touch = [], forget = [], writes = [], merge } = batch
  const own = batch.segment && (await insertSegment(base, batch.segment))
  const segment = own ?? batch.within
  const merged = merge?.to && (await insertSegment(base, merge.to))

  const before = await lock(base)
  await requireHeld(base, batch.lease)
  await putWrites(base, writes)
  const generation = before + 1
  const checkedAt = batch.checkedAt ?? Date.now()
  const numbers = new Set([...remove, ...[...put, ...touch].map(({ no }) => no)])
  const plan = planDocuments(batch, {
    generation: before,
    documents: numbers.size + put.length === 0 ? [] : await storedDocuments(base, numbers, put),
    changedSince: await changedSince(base, batch.asOf, before),
  })
  for (const place of plan.leftOut) batch.onLeftOut?.(place)
  // Of many documents some link always leads elsewhere.
  const many = plan.put.length > CHANGES_NAMED
  const nos = plan.put.map(({ no }) => no)
  const ends = many ? undefined : nos.length === 0 ? new Map() : await linkEndsOf(base, nos)

  await deleteDocuments(
    base,
    plan.gone.map(({ no }) => no),
  )
  await insertDocuments(base, plan.put, { segment, generation, checkedAt })
  await touchDocuments(base, plan.touch, checkedAt)
  await putFiles(base, plan.files)
  await forgetFiles(base, forget)
  const deleted = new Map(plan.deleted)
  if (own !== undefined) deleted.set(own, plan.stillborn)
  await markDeleted(base, deleted)
  if (batch.within !== undefined) await revive(base, batch.within, nos)
  if (merge) await replaceSegments(base, merge, merged)
  const forgotten = await forgetReplaced(base)

  const others = await linksWithKeys(base, plan.affected, generation)
  const keys = new Set([
    ...plan.put.flatMap(({ links }) => links.map(({ key }) => key)),
    ...others.map(({ key }) => key),
  ])
  const candidates = await candidatesOf(base, keys)
  const links = await planInSlices({ put: plan.put, others, ends, candidates }, resolve)
  await insertLinks(base, links.insert)
  await healLinks(base, links.healed)

  if (!plan.isNews) {
    // The mark tells that it was done.
    if (writes.length > 0) await takeStep(base, mark)
    return { generation: before, forgotten }
  }
  const named = namedChanges(plan.changes, links, batch.lease === undefined)
  await noteChanges(base, generation, named)
  await base.rows(
    'UPDATE cairn.bases SET generation = $2, graph = CASE WHEN $3 THEN $2 ELSE graph END WHERE id = $1',
    generation,
    plan.listChanged || links.graphChanged,
  )
  await takeStep(base, mark)
  return { generation, forgotten }
}

/** So many links of other documents are looked at between two stops. */
const OTHERS_AT_ONCE = 500

/** What `planLinks` says, piece by piece: it takes long for a large batch, and the base is locked. */
async function planInSlices(before: LinksBefore, resolve: ResolveLink): Promise<LinkPlan> {
  const slices = new Slices()
  const parts: LinkPlan[] = []
  const plan = async (some: Pick<LinksBefore, 'put' | 'others'>): Promise<void> => {
    if (slices.over) await slices.pause()
    parts.push(planLinks({ ...before, ...some }, resolve))
  }
  for (const document of before.put) await plan({ put: [document], others: [] })
  for (let at = 0; at < before.others.length; at += OTHERS_AT_ONCE) {
    await plan({ put: [], others: before.others.slice(at, at + OTHERS_AT_ONCE) })
  }
  const relinked = new Map(parts.flatMap((part) => part.relinked).map((each) => [each.no, each]))
  return {
    insert: parts.flatMap(({ insert }) => insert),
    healed: parts.flatMap(({ healed }) => healed),
    relinked: [...relinked.values()].toSorted((a, b) => a.no - b.no),
    graphChanged: before.ends === undefined || parts.some(({ graphChanged }) => graphChanged),
  }
}

async function changedSince(
  base: BaseRows,
  asOf: number | undefined,
  generation: number,
): Promise<ReadonlySet<string> | undefined> {
  if (asOf === undefined || asOf === generation) return new Set()
  if (asOf < generation - CHANGES_KEPT) return undefined
  return new Set(
    (await changesAfter(base, asOf))
      .filter(({ kind }) => kind === 'new' || kind === 'put' || kind === 'gone')
      .map(({ source, path }) => `${source}/${path}`),
  )
}
