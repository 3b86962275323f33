/** The tools, in the order their users know. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { echoed } from '../../core/kit/cut-text.ts'
import { type KnowledgeError, notFound, unsupported } from '../../core/domain/error.ts'
import { searchChunks } from './operations/search-chunks.ts'
import { getNode, getSubsystem, searchNodes } from './operations/walk-repository.ts'
import { makeCursor, parseCursor } from './cursors.ts'
import { backupTools } from './backup-tools.ts'
import { contentTools } from './content-tools.ts'
import { count, filtersField, flag, readFilters, shortcut, text } from './fields.ts'
import { feedbackTools, withFeedback } from './feedback-tools.ts'
import { helpFor, interfaceText } from './help.ts'
import { nodeId, parseNodeId } from './ids.ts'
import { ingestNow } from './ingest-now.ts'
import {
  presentHit,
  presentNodeReport,
  presentRun,
  presentSubsystem,
  shownTags,
} from './present.ts'
import { MOST_ARTIFACTS, pageCoverage } from './page-coverage.ts'
import { recipeTools } from './recipe-tools.ts'
import { row } from './row.ts'
import type { DuskmantleRow } from './row.ts'
import type { Schedule } from '../../core/domain/schedule.ts'

export type { DuskmantleRow, RowFacts } from './row.ts'

const help = row({
  name: 'km-help',
  unindexed: true,
  title: 'Help',
  description:
    'What each km- tool does and takes. Call it with a tool name for one of them, and with include_spec for the whole interface. Example: {"tool": "km-search"}',
  details:
    'Optional: tool (name of a tool), include_spec (default false). Example: /sys mcp run duskmantle km-help --tool km-search',
  scope: 'reader',
  input: z.object({
    tool: z.string({ error: 'tool must be a string' }).optional(),
    include_spec: flag('include_spec', 'Adds the whole interface document'),
  }),
  run: async (_, { tool }) => helpFor(duskmantleTools, tool),
  present: (help, { include_spec: whole }) =>
    whole ? { ...help, spec: interfaceText(duskmantleTools) } : help,
})

const TAGS_CUT = 'not every tag of every result is shown; tag_count says how many there are'
const NO_MODEL = 'no usable ranking model; the heuristic score is used'

const search = row({
  name: 'km-search',
  title: 'Search chunks',
  description:
    'Find chunks of docs, code and tests for a question, with their place in the graph and what their score is made of. Example: {"query": "retry policy of the ingest pipeline", "limit": 5, "filters": {"artifact_types": ["code"]}}',
  details:
    'Required: query. Optional: limit (default 10, at most 25), include_graph (default true), filters (subsystems, artifact_types, namespaces, tags, symbols, symbol_kinds, symbol_languages, updated_after, max_age_days), sort_by_vector (default false), symbol, kind, lang. Example: /sys mcp run duskmantle km-search --query "ingest pipeline" --limit 5 --lang python',
  scope: 'reader',
  input: z.object({
    query: text('query', 'A question or words'),
    limit: count('limit', 10, 25),
    include_graph: flag('include_graph', 'Default true'),
    filters: filtersField,
    sort_by_vector: flag('sort_by_vector', 'Order by similarity alone; default false'),
    symbol: shortcut.describe('Qualified names; joins filters.symbols'),
    kind: shortcut.describe('Kinds of symbols; joins filters.symbol_kinds'),
    lang: shortcut.describe('Languages; joins filters.symbol_languages'),
  }),
  async run(subject, input) {
    const { repository, settings } = subject
    const now = Math.floor(Date.now() / 1000)
    const { filters, applied } = readFilters(input.filters, input, now)
    const withGraph = input.include_graph ?? true
    const model = subject.rankingModel()
    const { hits, warnings } = await searchChunks(repository, await subject.graph(), {
      query: input.query,
      limit: input.limit,
      filters,
      graph: withGraph,
      sortByVector: input.sort_by_vector ?? settings.sortByVector,
      weights: settings.weights,
      model,
      dummies: subject.records.ledger().dummyEmbeddings ?? false,
      now,
    })
    const mode = model ? 'ml' : 'heuristic'
    const lost = settings.scoringMode === 'ml' && !model ? [NO_MODEL] : []
    const isCut = hits.some(({ artifact }) => shownTags(artifact).length < artifact.tags.length)
    const told = [...warnings, ...lost, ...(isCut ? [TAGS_CUT] : [])]
    return { hits, warnings: told, applied, settings, root: repository.root, mode }
  },
  present(
    { hits, warnings, applied, settings, root, mode },
    { query, include_graph: withGraph = true },
  ) {
    const { vector, lexical, coveragePenalty, ...weights } = settings.weights
    return {
      query: echoed(query),
      results: hits.map((hit) => presentHit(hit, settings, root)),
      metadata: {
        request_id: randomUUID(),
        result_count: hits.length,
        graph_context_included: withGraph,
        warnings,
        scoring_mode: mode,
        weight_profile: settings.weightProfile,
        weights: { ...weights, coverage_penalty: coveragePenalty },
        hybrid_weights: { vector, lexical },
        ...(applied && { filters_applied: applied }),
      },
    }
  },
})

const DIRECTIONS = { outgoing: 'out', incoming: 'in', all: 'both', none: 'none' } as const

const graphNode = row({
  name: 'km-graph-node',
  title: 'One node of the graph',
  description:
    'A node by id with what it is joined to. Example: {"node_id": "DesignDoc:docs/README.md", "relationships": "all"}',
  details:
    'Required: node_id (<Label>:<key>; Code, Doc, Test and Config are accepted as labels too). Optional: relationships outgoing|incoming|all|none (default outgoing), limit (default 50, at most 200). Example: /sys mcp run duskmantle km-graph-node --node-id DesignDoc:docs/README.md --relationships all',
  scope: 'reader',
  input: z.object({
    node_id: text('node_id', '<Label>:<key>, such as SourceFile:src/app.py'),
    relationships: z
      .enum(['outgoing', 'incoming', 'all', 'none'], {
        error: 'relationships must be outgoing, incoming, all or none',
      })
      .optional(),
    limit: count('limit', 50, 200),
  }),
  async run(subject, { node_id: id, relationships = 'outgoing', limit }) {
    const place = parseNodeId(id)
    const direction = DIRECTIONS[relationships]
    return getNode(await subject.graph(), place, { direction, limit })
  },
  present: presentNodeReport,
})

const graphSubsystem = row({
  name: 'km-graph-subsystem',
  title: 'A subsystem and what surrounds it',
  description:
    'A subsystem with every node within some hops, and how each is reached. Example: {"name": "Core", "depth": 2}',
  details:
    'Required: name. Optional: depth (default 1, at most 5), limit (default 25, at most 100), cursor (default null), include_artifacts (default true). Example: /sys mcp run duskmantle km-graph-subsystem --name Kasmina --depth 2',
  scope: 'reader',
  input: z.object({
    name: text('name', 'Name of the subsystem'),
    depth: count('depth', 1, 5),
    limit: count('limit', 25, 100),
    cursor: z.string({ error: 'cursor must be a string' }).optional(),
    include_artifacts: flag('include_artifacts', 'Default true'),
  }),
  async run(subject, { name, depth, limit, cursor, include_artifacts: artifacts = true }) {
    const options = { depth, limit, offset: parseCursor(cursor), artifacts }
    return getSubsystem(await subject.graph(), name.trim(), options)
  },
  present: (report) => presentSubsystem(report, makeCursor(report.next)),
})

const graphSearch = row({
  name: 'km-graph-search',
  title: 'Find nodes by name',
  description:
    'Subsystems, files and symbols whose name or path contains a term. Example: {"term": "handler"}',
  details:
    'Required: term. Optional: limit (default 20, at most 50). Example: /sys mcp run duskmantle km-graph-search --term coverage',
  scope: 'reader',
  input: z.object({
    term: text('term', 'Part of a name or path, in any case'),
    limit: count('limit', 20, 50),
  }),
  run: async (subject, { term, limit }) => searchNodes(await subject.graph(), term.trim(), limit),
  present: (found) => ({
    results: found.map(({ node, score, snippet }) => ({
      id: nodeId(node),
      label: node.label,
      score,
      snippet,
    })),
  }),
})

/** A report this old is said to be stale. */
const STALE_SECONDS = 24 * 3_600
/** Two runs that were missed, where they come by themselves. */
function staleAfter(schedule: Schedule | undefined): number {
  if (!schedule || !('everyMs' in schedule)) return STALE_SECONDS
  return Math.max(3_600, (2 * schedule.everyMs) / 1_000)
}

const coverageSummary = row({
  name: 'km-coverage-summary',
  unindexed: true,
  title: 'Coverage report',
  description:
    'What the last ingestion read, what has nothing to find in it, what was left out and what is gone. Lists of more than 200 files have pages: {"cursor": "MA"}',
  details:
    'Optional: limit (files of a page, at most 200), cursor (artifacts_cursor of the page before). Without them a list of more than 200 files is left out, and artifacts_cursor leads to its first page. Example: /sys mcp run duskmantle km-coverage-summary',
  scope: 'reader',
  input: z.object({
    limit: z
      .number({ error: 'limit must be a number' })
      .optional()
      .describe(`Files of a page, at most ${MOST_ARTIFACTS}`)
      .transform((value) => value && Math.min(MOST_ARTIFACTS, Math.max(1, Math.trunc(value)))),
    cursor: z
      .string({ error: 'cursor must be a string' })
      .optional()
      .describe('artifacts_cursor of the page before'),
  }),
  async run({ records, settings: { schedules } }) {
    const report = records.report('coverage')
    if (!report) throw noReport('Coverage report not found')
    return { report, staleSeconds: staleAfter(schedules.ingest) }
  },
  present({ report, staleSeconds }, page) {
    const age = Math.max(0, Math.floor(Date.now() / 1000) - Number(report['generated_at'] ?? 0))
    return {
      ...pageCoverage(report, page),
      freshness: {
        age_seconds: age,
        threshold_seconds: staleSeconds,
        stale: age > staleSeconds,
      },
    }
  },
})

const lifecycleReport = row({
  name: 'km-lifecycle-report',
  title: 'Lifecycle report',
  description:
    'Stale documents, nodes that belong nowhere, subsystems without tests and what was removed.',
  details:
    'No parameters; needs a maintainer. Example: /sys mcp run duskmantle km-lifecycle-report',
  scope: 'maintainer',
  input: z.object({}),
  async run({ records }) {
    const report = records.report('lifecycle')
    if (!report) throw noReport('Lifecycle report not found')
    return report
  },
  present: (report) => report,
})

function noReport(message: string): KnowledgeError {
  return notFound(message, 'Run km-ingest-trigger first.')
}

const ingestStatus = row({
  name: 'km-ingest-status',
  title: 'The last ingestion',
  description: 'The newest run, of one profile or of any. Example: {"profile": "demo"}',
  details:
    'Optional: profile (default any); needs a maintainer. Example: /sys mcp run duskmantle km-ingest-status --profile demo',
  scope: 'maintainer',
  input: z.object({ profile: z.string({ error: 'profile must be a string' }).optional() }),
  run: async ({ records }, { profile }) => records.runs(profile, 1)[0],
  present: (run, { profile }) =>
    run ? presentRun(run) : { status: 'not_found', profile: profile?.slice(0, 200) ?? null },
})

const ingestTrigger = row({
  name: 'km-ingest-trigger',
  title: 'Ingest now',
  description:
    'Look through the repository now and write the reports; answers when it is done. Example: {"profile": "manual"}',
  details:
    'Optional: profile (default manual), dry_run (default false), use_dummy_embeddings; needs a maintainer. paths is not supported. Example: /sys mcp run duskmantle km-ingest-trigger --profile demo',
  scope: 'maintainer',
  input: z.object({
    profile: z
      .string({ error: 'profile must be a string' })
      .optional()
      .describe('A label of yours'),
    dry_run: flag('dry_run', 'Writes nothing; default false'),
    use_dummy_embeddings: flag('use_dummy_embeddings', 'Vectors without meaning, for trials'),
    paths: z.array(z.unknown()).optional().describe('Not supported'),
  }),
  async run(subject, input, call) {
    if (input.paths?.length) {
      throw unsupported(
        'Ingesting single paths is not supported.',
        'Leave paths out: what has not changed is not read again anyway.',
      )
    }
    const { profile, dry_run: dryRun, use_dummy_embeddings: dummyEmbeddings } = input
    return ingestNow(subject, { profile, dryRun, dummyEmbeddings }, call)
  },
  present: ({ run, warnings }) => ({
    status: run.success ? 'success' : 'failure',
    ...presentRun(run),
    ...(warnings.length > 0 && { warnings }),
  }),
})

export const duskmantleTools: readonly DuskmantleRow[] = [
  help,
  withFeedback(search),
  graphNode,
  graphSubsystem,
  graphSearch,
  coverageSummary,
  lifecycleReport,
  ingestStatus,
  ingestTrigger,
  ...feedbackTools,
  ...backupTools,
  ...recipeTools,
  ...contentTools,
]
