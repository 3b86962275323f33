/** Where prose says the name of a note and does not link to it, with the edit that would. */
import { documentId } from '../../domain/document.ts'
import { Slices } from '../../kit/slices.ts'
import { makeCursor, parseCursor } from '../reading/cursor.ts'
import { readDocuments } from '../reading/read-document.ts'
import type { View } from '../view/view.ts'
import { asLink, linkNameOf, mentionsIn } from '../walking/find-mentions.ts'
import type { PageOptions } from './report-insights.ts'

export interface UnlinkedMention {
  readonly from: string
  readonly line: number
  readonly to: string
  readonly sentence: string
  /** A line of the file, and the same with a link. */
  readonly find: string
  readonly replace: string
}

export interface UnlinkedMentions {
  readonly items: readonly UnlinkedMention[]
  /** Documents that were read for this page, and all there are. */
  readonly read: number
  readonly documents: number
  readonly nextCursor: string | undefined
}

const DEFAULT_LIMIT = 20
/** Read for one page at most: a base that says no names is not read to its end in one call. */
const MOST_READ = 1_000
const AT_ONCE = 50

/** More names than words are read of a note are in none. */
const MOST_OF_ONE = 2 ** 17

/** In the order of paths, and in each document in that of its text. */
export async function reportMentions(
  kb: View,
  { limit = DEFAULT_LIMIT, cursor }: PageOptions = {},
): Promise<UnlinkedMentions> {
  const place = parseCursor('mentions', cursor)
  const offset = Math.floor(place / MOST_OF_ONE)
  let told = place % MOST_OF_ONE
  const order = await kb.store.pathOrder()
  const items: UnlinkedMention[] = []
  const slices = new Slices()
  const last = Math.min(order.length, offset + MOST_READ)
  let at = offset
  while (at < last && items.length < limit) {
    const docs = [...order.subarray(at, Math.min(last, at + AT_ONCE))]
    const lives = new Map((await readDocuments(kb, docs)).map((live) => [live.record.no, live]))
    for (const doc of docs) {
      if (items.length >= limit) break
      const live = lives.get(doc)
      if (slices.over) await slices.pause()
      const all = live ? await mentionsIn(kb, live) : []
      const mentions = all.slice(told, told + limit - items.length)
      const targets = await kb.store.documents(mentions.map(({ to }) => to))
      for (const [index, mention] of mentions.entries()) {
        const to = targets[index]
        if (!live || !to) continue
        const { line, sentence } = mention
        const [from, id] = [documentId(live.record), documentId(to)]
        const name = await linkNameOf(kb, to)
        items.push({ from, line, to: id, sentence, ...asLink(live.text, mention, name) })
      }
      told += mentions.length
      if (told < all.length) break
      told = 0
      at++
    }
  }
  const nextCursor = at < order.length ? makeCursor('mentions', at * MOST_OF_ONE + told) : undefined
  return { items, read: at - offset + Number(told > 0), documents: order.length, nextCursor }
}
