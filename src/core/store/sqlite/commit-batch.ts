/** Carries out a batch, inside a transaction: look up, plan, write. */
import type { Batch } from '../batch.ts'
import type { ResolveLink } from '../link-store.ts'
import { requireLease } from '../judge-lease.ts'
import { CHANGES_KEPT, CHANGES_NAMED } from '../plan-commit.ts'
import { namedChanges, planDocuments, planLinks } from '../plan-commit.ts'
import { changesAfter, noteChanges } from './changes-table.ts'
import type { Connection } from './connection.ts'
import {
  candidatesOf,
  deleteDocument,
  insertDocument,
  storedDocuments,
  touchDocument,
} from './documents-table.ts'
import { forgetFile, putFile } from './files-table.ts'
import { heldLease } from './lease-row.ts'
import { healLink, insertLink, linkEndsOf, linksWithKeys } from './links-table.ts'
import {
  forgetReplaced,
  insertSegment,
  markDeleted,
  replaceSegments,
  revive,
} from './segments-table.ts'

/** The generation of the index afterwards. */
export function commitBatch(connection: Connection, batch: Batch, resolve: ResolveLink): number {
  if (batch.lease) requireLease(batch.lease, heldLease(connection, batch.lease.role))
  const before = connection.metaNumber('generation')
  const generation = before + 1
  const checkedAt = batch.checkedAt ?? Date.now()
  const { put = [], remove = [], touch = [], forget = [], merge } = batch

  const numbers = new Set([...remove, ...[...put, ...touch].map(({ no }) => no)])
  const plan = planDocuments(batch, {
    generation: before,
    documents: storedDocuments(connection, numbers, put),
    changedSince: changedSince(connection, batch.asOf, before),
  })
  for (const place of plan.leftOut) batch.onLeftOut?.(place)
  // Of many documents some link always leads elsewhere.
  const ends =
    plan.put.length > CHANGES_NAMED
      ? undefined
      : linkEndsOf(
          connection,
          plan.put.map(({ no }) => no),
        )

  const own = batch.segment && insertSegment(connection, batch.segment)
  const segment = own ?? batch.within
  for (const document of plan.gone) deleteDocument(connection, document)
  for (const document of plan.put) {
    insertDocument(connection, document, { segment, generation, checkedAt })
  }
  for (const each of plan.touch) touchDocument(connection, each, checkedAt)
  for (const file of plan.files) putFile(connection, file)
  for (const place of forget) forgetFile(connection, place)
  markDeleted(connection, plan.deleted)
  if (own !== undefined) markDeleted(connection, new Map([[own, plan.stillborn]]))
  if (batch.within !== undefined) {
    const nos = plan.put.map(({ no }) => no)
    revive(connection, batch.within, nos)
  }
  forgetReplaced(connection, { sparesLast: !merge })
  if (merge) replaceSegments(connection, merge)

  const links = planLinks(
    {
      put: plan.put,
      others: linksWithKeys(connection, plan.affected, generation),
      ends,
      candidates: candidatesOf(connection),
    },
    resolve,
  )
  for (const link of links.insert) insertLink(connection, link)
  for (const link of links.healed) healLink(connection, link)

  if (!plan.isNews) return before
  if (plan.listChanged || links.graphChanged) connection.setMeta('graph_stamp', generation)
  connection.setMeta('generation', generation)
  const named = namedChanges(plan.changes, links, batch.lease === undefined)
  noteChanges(connection, generation, named)
  return generation
}

function changedSince(
  connection: Connection,
  asOf: number | undefined,
  generation: number,
): ReadonlySet<string> | undefined {
  if (asOf === undefined || asOf === generation) return new Set()
  if (asOf < generation - CHANGES_KEPT) return undefined
  return new Set(
    changesAfter(connection, asOf)
      .filter(({ kind }) => kind === 'new' || kind === 'put' || kind === 'gone')
      .map(({ source, path }) => `${source}/${path}`),
  )
}
