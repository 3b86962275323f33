/**
 * Links whose note is there and whose heading or block is not. The index knows what a link says
 * behind its `#`; whether that is still there only the text of the note can tell.
 */
import { documentId } from '../../domain/document.ts'
import type { DocNo, LinkRecord } from '../../domain/document.ts'
import { onePer } from '../../kit/one-per.ts'
import { isNotePath } from '../../kit/paths.ts'
import { inSlices, Slices, stepsInSlices } from '../../kit/slices.ts'
import type { LinkKind } from '../../domain/text.ts'
import { gatherAnchors } from '../../parsing/find-anchor.ts'
import { findLive, parseLive } from '../reading/read-document.ts'
import { derived } from '../view/derived.ts'
import type { View } from '../view/view.ts'

export interface BrokenAnchor {
  readonly from: string
  readonly line: number
  /** `note#Heading`, as it is written. */
  readonly target: string
}

/** A report looks at so many documents and reads so many at most. */
const MOST_DOCUMENTS = 50_000
const MOST_READ = 5_000

const WRITTEN: readonly LinkKind[] = ['wiki', 'embed', 'markdown', 'relation']

/** In the order of paths and lines. Worked out once for every state of the base. */
export const brokenAnchors = onePer((kb: View) =>
  derived(kb.base.store, { on: ['generation'], load: () => findBrokenAnchors(kb) }),
)

async function findBrokenAnchors(kb: View): Promise<readonly BrokenAnchor[]> {
  const docs = [...(await kb.store.pathOrder())].slice(0, MOST_DOCUMENTS)
  const byTarget = new Map<DocNo, LinkRecord[]>()
  const order = new Map<DocNo, number>()
  const slices = new Slices()
  for (const [place, doc] of docs.entries()) {
    if (slices.over) await slices.pause()
    order.set(doc, place)
    for (const link of await kb.store.linksFrom(doc)) {
      const { to, fragment = '', kind } = link
      if (to === undefined || fragment === '' || !WRITTEN.includes(kind)) continue
      const some = byTarget.get(to) ?? []
      some.push(link)
      byTarget.set(to, some)
    }
  }
  const broken: LinkRecord[] = []
  for (const [to, links] of [...byTarget].slice(0, MOST_READ)) {
    const holds = await anchorsOf(kb, to)
    if (!holds) continue
    const known = new Map<string, boolean>()
    await inSlices(links, (link) => {
      const { fragment = '' } = link
      const isThere = known.get(fragment) ?? holds(fragment)
      known.set(fragment, isThere)
      if (!isThere) broken.push(link)
    })
  }
  const sorted = broken.toSorted(
    (a, b) => (order.get(a.from) ?? 0) - (order.get(b.from) ?? 0) || a.line - b.line,
  )
  const records = await kb.store.documents(sorted.map(({ from }) => from))
  return sorted.flatMap(({ line, target, fragment }, index) => {
    const record = records[index]
    return record ? [{ from: documentId(record), line, target: `${target}#${fragment}` }] : []
  })
}

/** Tells whether a note has a part; undefined for what is no note or cannot be read. */
async function anchorsOf(
  kb: View,
  doc: DocNo,
): Promise<((fragment: string) => boolean) | undefined> {
  const [record] = await kb.store.documents([doc])
  if (!record || !isNotePath(record.path)) return undefined
  const live = await findLive(kb, record)
  if (!live) return undefined
  const { headings } = await parseLive(kb, live)
  return stepsInSlices(gatherAnchors(live.text, headings))
}
