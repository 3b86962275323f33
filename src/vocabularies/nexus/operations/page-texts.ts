/**
 * The contents of all pages with case folded, so that any piece of text can be looked for in
 * milliseconds. Remembered up to a bound; what does not fit is read for every search. Given back
 * when nobody has searched for a while.
 */
import type { DocNo } from '../../../core/domain/document.ts'
import { withoutSecrets } from '../../../core/domain/secrets.ts'
import { eachInSteps, Slices, stepsInSlices } from '../../../core/kit/slices.ts'
import { foldCase } from '../../../core/operations/reading/fold-case.ts'
import { contentOf } from '../../../core/operations/reading/page-content.ts'
import type { Page, Pages, Wiki } from './pages.ts'

export interface PageTexts {
  /** Where the folded needle first stands in the content of each page that has it. */
  find(pages: Pages, needle: string): Promise<ReadonlyMap<Page, number>>
}

const MAX_BYTES = 96 * 1024 * 1024
const KEPT_MS = 10 * 60_000
/** So many files are read at once. */
const BATCH = 200

interface Folded {
  readonly digest: string
  /** UTF-8: half the memory of a string with one unusual letter, and outside the heap. */
  readonly bytes: Buffer
}

export function openPageTexts(kb: Wiki, bound = MAX_BYTES): PageTexts {
  const known = new Map<DocNo, Folded>()
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const forget = (doc: DocNo): void => {
    bytes -= known.get(doc)?.bytes.length ?? 0
    known.delete(doc)
  }
  const remember = (doc: DocNo, folded: Folded): void => {
    forget(doc)
    if (bytes + folded.bytes.length > bound) return
    known.set(doc, folded)
    bytes += folded.bytes.length
  }
  const forgetLater = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      known.clear()
      bytes = 0
    }, KEPT_MS)
    timer.unref()
  }

  const search = async (pages: Pages, needle: string): Promise<Map<Page, number>> => {
    forgetLater()
    const forgetting = eachInSteps(known.keys(), (doc) => {
      if (!pages.ofDocument(doc)) forget(doc)
    })
    await stepsInSlices(forgetting)
    const wanted = Buffer.from(needle)
    const hits = new Map<Page, number>()
    const look = (page: Page, text: Buffer): void => {
      const at = text.indexOf(wanted)
      // A byte is no character: places are counted in the text.
      if (at >= 0) hits.set(page, text.toString('utf8', 0, at).length)
    }
    const missing: Page[] = []
    const looking = eachInSteps(pages.all, (page) => {
      const folded = known.get(page.doc)
      if (folded?.digest === page.detail.digest) look(page, folded.bytes)
      else missing.push(page)
    })
    await stepsInSlices(looking)
    const slices = new Slices()
    for (const [source, group] of Map.groupBy(missing, (page) => page.source)) {
      for (let from = 0; from < group.length; from += BATCH) {
        const batch = group.slice(from, from + BATCH)
        const files = (await kb.sources.get(source)?.read(batch.map(({ path }) => path))) ?? []
        for (const [index, page] of batch.entries()) {
          if (slices.over) await slices.pause()
          const file = files[index]
          if (file?.kind !== 'text') continue
          const text = Buffer.from(foldCase(contentOf(withoutSecrets(file.text))))
          // Where it is the same, the one that the page has anyway.
          const digest = file.digest === page.detail.digest ? page.detail.digest : file.digest
          remember(page.doc, { digest, bytes: text })
          look(page, text)
        }
      }
    }
    return hits
  }

  return {
    // One after the other: two searches that come first would both read every file.
    find(pages, needle) {
      const next = queue.then(() => search(pages, needle))
      queue = next.then(nothing, nothing)
      return next
    },
  }
}

function nothing(): void {}
