/** A report of very many files, page by page: a model is not given thousands of lines unasked. */
import { makeCursor, parseCursor } from './cursors.ts'
import type { Payload } from './row.ts'

/** A longer list has pages. */
export const MOST_ARTIFACTS = 200

export interface CoveragePage {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** Whole where the lists are short; else without files until a page of them is asked for. */
export function pageCoverage(report: Payload, { limit, cursor }: CoveragePage): Payload {
  const { artifacts, left_out: leftOut, ...rest } = report
  const list: unknown[] = Array.isArray(artifacts) ? artifacts : []
  const left = leftOut as { readonly files: readonly unknown[] } | undefined
  const asks = limit !== undefined || cursor !== undefined
  const from = parseCursor(cursor)
  const most = limit ?? MOST_ARTIFACTS
  const whole = !asks && list.length <= MOST_ARTIFACTS
  const end = whole ? list.length : asks ? Math.min(list.length, from + most) : 0
  const shown = list.slice(whole ? 0 : from, end)
  return {
    ...rest,
    artifacts: shown,
    ...(shown.length < list.length && {
      artifacts_omitted: list.length - shown.length,
      artifacts_cursor: makeCursor(end < list.length ? end : undefined),
    }),
    ...(left && {
      left_out: {
        ...left,
        files: left.files.slice(0, MOST_ARTIFACTS),
        files_total: left.files.length,
      },
    }),
  }
}
