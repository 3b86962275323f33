/** Optimistic lock: what is planned is held against what the caller may change and has read. */
import { documentId } from '../../domain/document.ts'
import { type KnowledgeError, conflict } from '../../domain/error.ts'
import { refuseToWrite } from '../view/narrow-base.ts'
import type { View } from '../view/view.ts'
import type { Plan, WriteOptions } from './change-files.ts'
import { digestOf, isChange } from './written-files.ts'

/** The first digits are enough where they are long enough to mean one text. */
const SHORTEST_DIGEST = 8

function isDigest(digest: string | undefined, given: string): boolean {
  if (digest === undefined) return false
  return digest === given || (given.length >= SHORTEST_DIGEST && digest.startsWith(given))
}

/** Runs a plan, and refuses what the caller may not change or has not read. */
export async function checked(
  kb: View,
  plan: (kb: View) => Promise<Plan>,
  { ifDigest, ifPlan }: WriteOptions,
): Promise<Plan> {
  const planned = await plan(kb)
  for (const { source, path, from = path } of planned.edits.filter(isChange)) {
    for (const each of [from, path]) refuseToWrite(kb, { source, path: each })
  }
  const [first] = planned.edits
  if (ifDigest !== undefined && first)
    checkDigest(documentId(first), first.before?.digest, ifDigest)
  if (ifPlan !== undefined && ifPlan !== nameOfPlan(planned)) throw otherPlan()
  return planned
}

/** Every file before and after, what is taken back or stays, and which links break. */
export function nameOfPlan({ edits, undoes = [], stays = [], brokenLinks = [] }: Plan): string {
  const files = edits.map(({ source, path, from, before, after }) => [
    source,
    path,
    before?.digest,
    after && digestOf(after),
    from,
  ])
  const broken = brokenLinks.map(({ id, target }) => `${id} ${target}`).toSorted()
  const whole = JSON.stringify([undoes, stays, files, broken])
  return digestOf(Buffer.from(whole)).slice(0, PLAN_DIGITS)
}

const PLAN_DIGITS = 16

function otherPlan(): KnowledgeError {
  return conflict(
    'Something was changed since it was shown what this would do, so it would do something else now.',
    'Nothing was changed. Look at what would happen now (dry_run), and do that.',
  )
}

/** Throws `conflict` for a document that is not what the caller has read. */
export function checkDigest(id: string, found: string | undefined, given: string): void {
  if (!isDigest(found, given)) throw digestMismatch(id, found)
}

function digestMismatch(id: string, found: string | undefined): KnowledgeError {
  return conflict(
    found === undefined
      ? `${id} does not exist, so it cannot have the digest that was asked for.`
      : `${id} has changed since it was read: its digest is now ${found}.`,
    'Nothing was changed. Fetch the document again, repeat the edit on its new text, and pass the new digest.',
  )
}
