/** The tool that reports on the base as a whole: one row, one presenter per report. */
import { z } from 'zod'
import { documentId } from '../../core/domain/document.ts'
import type { View } from '../../core/operations/view/view.ts'
import {
  pickSeveral,
  reportBrokenLinks,
  reportCoverage,
  reportDuplicates,
  reportHubs,
  reportOrphans,
  reportOverview,
  reportRegions,
  reportTags,
} from '../../core/operations/reporting/report-insights.ts'
import { OLD_DAYS, reportEntropy } from '../../core/operations/reporting/report-entropy.ts'
import { reportLifecycle } from '../../core/operations/reporting/report-lifecycle.ts'
import { reportMentions } from '../../core/operations/reporting/report-mentions.ts'
import { reportStale } from '../../core/operations/reporting/report-stale.ts'
import type { Contradiction } from '../../core/operations/reporting/report-contradictions.ts'
import type { StaleReason } from '../../core/operations/reporting/report-stale.ts'
import { tool } from '../door/tool.ts'
import { cursorField, limitField, rows } from './fields.ts'
import { lineOf, paragraphs, rowsText } from './lean-text.ts'
import { compact, instant } from './present.ts'

const REPORTS = [
  'overview',
  'hubs',
  'orphans',
  'broken_links',
  'stale',
  'duplicates',
  'coverage',
  'lifecycle',
  'entropy',
  'mentions',
  'regions',
  'contradictions',
  'tags',
  'random',
] as const

const LISTED_IN_PART = 20

const METRICS = { in_degree: 'in', out_degree: 'out', pagerank: 'pagerank' } as const

const input = z.strictObject({
  report: z.enum(REPORTS).optional().describe('Default overview'),
  metric: z.enum(['in_degree', 'out_degree', 'pagerank']).optional().describe('hubs: what counts'),
  state: z.enum(['indexed', 'skipped', 'failed']).optional().describe('coverage: which files'),
  seed: z.number().optional().describe('random: the same number picks the same notes'),
  limit: limitField(20, 100),
  cursor: cursorField,
})

type Options = z.output<typeof input>
type Report = Readonly<Record<string, unknown>>

/** Rows of every report go under `items`; `summary` holds its single figures. */
const presenters = {
  overview: async (kb) => {
    const { recent, sources, ...figures } = await reportOverview(kb)
    return {
      summary: compact({ ...figures, sources }),
      items: recent.map((each) => compact({ ...named(each), updated: instant(each.updatedAt) })),
    }
  },
  hubs: async (kb, { metric, limit }) => ({
    items: (await reportHubs(kb, { metric: metric && METRICS[metric], limit })).map((hub) => ({
      ...hub,
      score: Number(hub.score.toPrecision(6)),
    })),
  }),
  orphans: async (kb, options) => pageOf(await reportOrphans(kb, options), (each) => ({ ...each })),
  broken_links: async (kb, options) =>
    pageOf(await reportBrokenLinks(kb, options), (each) => ({ ...each })),
  stale: async (kb, options) =>
    pageOf(await reportStale(kb, options), ({ record, reason }) =>
      compact({
        ...named(record),
        updated: instant(record.updatedAt),
        reason: reason && sayReason(reason),
      }),
    ),
  duplicates: async (kb, options) =>
    pageOf(await reportDuplicates(kb, options), (each) => ({ ...each })),
  coverage: async (kb, options) => {
    const report = await reportCoverage(kb, options)
    const page = pageOf(report, ({ source, path, state, reason, size }) =>
      compact({ file: documentId({ source, path }), state, reason, size }),
    )
    const { states, leftOut, inPart } = report
    const summary = compact({
      ...states,
      in_part: inPart.length > 0 ? inPart.slice(0, LISTED_IN_PART) : undefined,
      left_out: leftOut.length > 0 ? leftOut : undefined,
    })
    return { summary, ...page }
  },
  lifecycle: async (kb, { limit = 20 }) => {
    const { lacking, subsystems, staleDocuments, isolated } = await reportLifecycle(kb)
    return {
      summary: { subsystems, stale_documents: staleDocuments, isolated },
      items: lacking.slice(0, limit).map(({ subsystem, sourceFiles, tests, documents }) => ({
        subsystem,
        source_files: sourceFiles,
        tests,
        documents,
      })),
      total: lacking.length,
    }
  },
  entropy: async (kb) => {
    const { disorder, density, ...counts } = await reportEntropy(kb)
    return {
      summary: { ...counts, density: Number(density.toPrecision(4)), stale_days: OLD_DAYS },
      items: disorder.map((each) => ({ ...each, share: Number(each.share.toPrecision(4)) })),
    }
  },
  mentions: async (kb, options) => {
    const { items, read, documents, nextCursor } = await reportMentions(kb, options)
    return compact({ summary: { read, documents }, items, next_cursor: nextCursor })
  },
  regions: async (kb, options) =>
    pageOf(await reportRegions(kb, options), ({ name, size, inside, outside, typical, near }) =>
      compact({
        region: name,
        documents: size,
        links_inside: inside,
        links_outside: outside,
        typical: typical.map(({ id }) => id),
        near: near.length > 0 ? near : undefined,
      }),
    ),
  contradictions: async (kb, options) => {
    // Loaded when it is asked for: it reads every note.
    const { reportContradictions } =
      await import('../../core/operations/reporting/report-contradictions.ts')
    const { items, total, read, documents, nextCursor } = await reportContradictions(kb, options)
    const summary = { read, documents }
    return compact({
      summary,
      items: items.map(presentContradiction),
      total,
      next_cursor: nextCursor,
    })
  },
  tags: async (kb, { limit }) => ({ items: await reportTags(kb, { limit }) }),
  random: async (kb, { seed, limit = 1 }) => ({
    items: (await pickSeveral(kb, { seed, limit })).map(named),
  }),
} satisfies Record<(typeof REPORTS)[number], (kb: View, options: Options) => Promise<Report>>

export const insightsTool = tool({
  name: 'insights',
  title: 'Insights',
  description: 'What the base holds, lacks or has wrong.',
  access: 'read',
  rare: ['metric', 'state', 'seed', 'limit', 'cursor'],
  input,
  output: z.object({
    items: rows,
  }),
  run: (kb, options) => presenters[options.report ?? 'overview'](kb, options),
  present: (report, options) => compact({ report: options.report ?? 'overview', ...report }),
  text: ({ items, summary, ...more }, { report = 'overview' }) =>
    rowsText(items as readonly Report[], {
      head: paragraphs(report, summary ? lineOf(summary as Report) : undefined),
      ...more,
    }),
})

function pageOf<Item>(
  listing: {
    readonly items: readonly Item[]
    readonly total: number
    readonly nextCursor?: string
  },
  present: (item: Item) => Report,
): Report {
  return compact({
    items: listing.items.map(present),
    total: listing.total,
    next_cursor: listing.nextCursor,
  })
}

function presentContradiction({ differs, sides, newer, edits }: Contradiction): Report {
  const { bothTrue, old, merge } = edits
  return compact({
    differs,
    sides: sides.map(({ record, line, quote, at }) =>
      compact({ ...named(record), line, quote, said: at === undefined ? undefined : dayOf(at) }),
    ),
    newer,
    both_true: bothTrue,
    old: old.length > 0 ? old : undefined,
    merge: merge.length > 0 ? merge : undefined,
  })
}

function named(document: Parameters<typeof documentId>[0] & { readonly title: string }) {
  return { id: documentId(document), title: document.title }
}

/** A day that is told as such is one: a time of it would be made up. */
function sayReason(reason: StaleReason): string {
  switch (reason.kind) {
    case 'superseded':
      return `superseded by ${reason.by}`
    case 'status':
      return `status: ${reason.status}`
    case 'until':
      return `held until ${dayOf(reason.at - 1)}`
    case 'review':
      return `review was due ${dayOf(reason.at)}`
    case 'changed':
      return `${reason.id} changed on ${dayOf(reason.at)}, after it`
    case 'version':
      return `names ${reason.named} in line ${reason.line} ("${reason.sentence}"), which is gone: ${reason.by}, line ${reason.byLine}, says "${reason.says}"`
    default:
      return reason satisfies never
  }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
