/** Where a person begins: how much there is, what changed last, what it is about. */
import type { DocumentRecord } from '../../core/domain/document.ts'
import { onePer } from '../../core/kit/one-per.ts'
import type { Counts } from '../../core/store/store.ts'
import { derived } from '../../core/operations/view/derived.ts'
import type { View } from '../../core/operations/view/view.ts'
import { listForTyping } from './list-for-typing.ts'
import { searchPage } from './search-page.ts'

/** Counting reads whole tables; every page asks for it, and again whenever a note comes or goes. */
const counted = onePer((kb: View) =>
  derived<Counts>(kb.base.store, { on: ['generation', 'graph'], load: () => kb.store.counts() }),
)

export function countForPage(kb: View): Promise<Counts> {
  return counted(kb).now()
}

export interface Beginning {
  readonly recent: readonly DocumentRecord[]
  readonly tags: readonly { readonly tag: string; readonly documents: number }[]
}

const RECENT = 9
const TAGS = 30

const begun = onePer((kb: View) =>
  derived<Beginning>(kb.base.store, {
    on: ['generation'],
    async load() {
      const { documents } = await kb.store.list({}, 'updated', { offset: 0, limit: RECENT })
      return { recent: documents, tags: await kb.store.tags(TAGS) }
    },
  }),
)

export function showBeginning(kb: View): Promise<Beginning> {
  return begun(kb).now()
}

/** Loads what the first keys will ask for, names, words and meaning, so that they need not wait. */
export async function prepareTyping(kb: View): Promise<void> {
  await listForTyping(kb).now()
  await searchPage(kb, 'where to begin', { selection: {}, typing: true, limit: 1 })
}
