/** Tools that follow links. */
import { z } from 'zod'
import { findPath } from '../../core/operations/walking/find-path.ts'
import type { PathByMentions } from '../../core/operations/walking/path-by-mentions.ts'
import { getNeighbors } from '../../core/operations/walking/get-neighbors.ts'
import { tool } from '../door/tool.ts'
import { asOfField, cursorField, idField, limitField, mayReadPast, rows } from './fields.ts'
import { paragraphs, rowsText } from './lean-text.ts'
import { compact, LINKS_SHOWN } from './present.ts'

export const neighborsTool = tool({
  name: 'neighbors',
  title: 'Neighbors',
  description: 'What links to a document and what it links to.',
  access: 'read',
  rare: ['as', 'types', 'as_of'],
  input: z.strictObject({
    id: idField,
    direction: z.enum(['both', 'in', 'out']).optional().describe('in: what links to it'),
    types: z
      .array(z.string())
      .optional()
      .describe('Like RELATES:uses; MENTIONS: names in prose too'),
    depth: limitField(1, 5, { what: 'Links away, ' }),
    limit: limitField(20, 100),
    cursor: cursorField,
    as: z.enum(['list', 'graph']).optional().describe('graph: edges too'),
    as_of: asOfField,
  }),
  output: z.object({
    neighbors: rows,
  }),
  run: async (
    kb,
    { id, as_of: asOf, direction, types, depth, limit, cursor },
    { caller, signal },
  ) => {
    const options = { direction, types, depth, limit, cursor }
    if (asOf === undefined) return getNeighbors(kb, id, options)
    mayReadPast(caller)
    const { getNeighborsThen } = await import('../../core/operations/walking/neighbors-then.ts')
    return getNeighborsThen(kb, id, { ...options, asOf, signal })
  },
  present: (found, { direction, as }) => {
    const unresolved = direction === 'in' ? [] : found.unresolved.slice(0, LINKS_SHOWN)
    return compact({
      id: found.id,
      title: found.title,
      exists: found.exists ? undefined : false,
      neighbors: found.neighbors.map(({ through, ...each }) =>
        compact({ ...each, through: through.length > 0 ? through : undefined }),
      ),
      total: found.total,
      edges: as === 'graph' ? found.edges.map(compact) : undefined,
      unresolved_links: unresolved.length > 0 ? unresolved : undefined,
      next_cursor: found.nextCursor,
      note: found.notes?.join(' '),
    })
  },
  text: (found, { direction }) =>
    rowsText(
      found.neighbors.map(
        ({ id, title, hops, direction: way, types, through, sentence, line }) => ({
          id,
          title,
          way,
          ...(hops > 1 && { hops, through }),
          types,
          ...(sentence !== undefined && { line, sentence }),
        }),
      ),
      {
        head: found.exists ? `${found.id} ${found.title}` : `${found.id} (not written yet)`,
        total: found.total,
        cursor: found.nextCursor,
        ...(found.notes && { note: found.notes.join(' ') }),
        ...(direction !== 'in' &&
          found.unresolved.length > 0 && {
            leads_nowhere: found.unresolved.slice(0, LINKS_SHOWN),
          }),
      },
    ),
})

export const pathTool = tool({
  name: 'path',
  title: 'Path',
  description: 'The shortest chain of links between two.',
  access: 'read',
  rare: ['directed', 'max_hops', 'mentions'],
  input: z.strictObject({
    from: idField,
    to: idField,
    directed: z.boolean().optional().describe('Forwards only'),
    max_hops: limitField(10, 50),
    mentions: z.boolean().optional().describe('Names in prose count too'),
  }),
  output: z.object({
    found: z.boolean(),
    path: rows,
  }),
  run: async (
    kb,
    { from, to, directed, max_hops: maxHops, mentions = false },
    { signal },
  ): Promise<PathByMentions> => {
    if (!mentions) {
      return { path: await findPath(kb, from, to, { directed, maxHops }), cutAt: undefined }
    }
    const found = await import('../../core/operations/walking/path-by-mentions.ts')
    return found.findPathByMentions(kb, from, to, { directed, maxHops, signal })
  },
  present: ({ path, cutAt }) =>
    compact({
      found: path !== undefined,
      path: (path ?? []).map(compact),
      length: path && path.length - 1,
      note: cutNote(cutAt),
    }),
  text: ({ path, cutAt }, { mentions = false }) =>
    paragraphs(
      path
        ? rowsText(path.map((step) => ({ ...step })))
        : `There is no way within these hops.${mentions ? '' : NAMES_COUNT_TOO}`,
      cutNote(cutAt),
    ),
})

const NAMES_COUNT_TOO = ' With mentions: true, names in prose count too.'

function cutNote(cutAt: number | undefined): string | undefined {
  if (cutAt === undefined) return undefined
  return `Names were looked for in ${cutAt} texts; there may be a shorter way through others.`
}
