/**
 * Documents as the pages of a wiki: what is kept of each at hand, so that lists and links need no
 * file. How a page is called, a surface says.
 */
import type { DocNo, DocumentRecord } from '../../../core/domain/document.ts'
import { onePer } from '../../../core/kit/one-per.ts'
import { eachInSteps, inSlices, sortInSteps, stepsInSlices } from '../../../core/kit/slices.ts'
import type { Properties } from '../../../core/domain/text.ts'
import type { Knowledge } from '../../../core/operations/view/knowledge.ts'
import type { Named, NameTable } from '../../../core/operations/view/name-table.ts'
import type { NameRules } from '../../../core/operations/view/scope.ts'
import type { View } from '../../../core/operations/view/view.ts'
import { noteTitle } from '../../../core/operations/reading/note-fields.ts'

export interface PageDetail {
  readonly title: string
  readonly digest: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** A page as far as it is always at hand; its text is in the file. */
export type Page = Named<PageDetail>
export type Pages = NameTable<PageDetail>
export type Wiki = View<PageDetail>

type RecordRules = Extract<NameRules<PageDetail>, { by: 'record' }>

export interface PageRules extends Pick<RecordRules, 'spellings' | 'assign'> {
  /** What a page would be called if it were alone, and how good its claim is. */
  readonly wish: (page: {
    readonly path: string
    readonly title: string
    readonly properties: Properties
  }) => { readonly name: string; readonly claim: number }
}

export function pageNames(kb: Knowledge, { wish, ...rules }: PageRules): RecordRules {
  return {
    by: 'record',
    ...rules,
    alsoKnown: ({ title }) => title,
    async describe(records) {
      const births = await birthsOf(kb, records)
      return inSlices(records, (record) => {
        const { path, digest, properties, modifiedAt, updatedAt = modifiedAt } = record
        const title = noteTitle(properties, path)
        const createdAt = record.createdAt ?? births.get(record.no) ?? modifiedAt
        const detail = { title, digest, createdAt, updatedAt }
        return { ...wish({ path, title, properties }), detail }
      })
    },
  }
}

/** When files were made, for documents that do not say it themselves. */
async function birthsOf(
  { sources }: Knowledge,
  records: readonly DocumentRecord[],
): Promise<ReadonlyMap<DocNo, number>> {
  const births = new Map<DocNo, number>()
  const undated = new Map<string, { readonly nos: DocNo[]; readonly paths: string[] }>()
  const grouping = eachInSteps(records, ({ no, source, path, createdAt }) => {
    if (createdAt !== undefined) return
    const group = undated.get(source) ?? { nos: [], paths: [] }
    undated.set(source, group)
    group.nos.push(no)
    group.paths.push(path)
  })
  await stepsInSlices(grouping)
  for (const [name, { nos, paths }] of undated) {
    const times = (await sources.get(name)?.bornAt(paths)) ?? []
    const noting = eachInSteps(nos.entries(), ([index, no]) => {
      const time = times[index]
      if (time !== undefined) births.set(no, time)
    })
    await stepsInSlices(noting)
  }
  return births
}

/** Those of one moment in the order of their names. */
export const newestFirst = onePer(({ all }: Pages): Promise<readonly Page[]> =>
  stepsInSlices(sortInSteps(all, (a, b) => b.detail.createdAt - a.detail.createdAt)),
)
