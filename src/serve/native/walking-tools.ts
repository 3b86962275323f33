/** Tools that follow links. */
import { z } from 'zod'
import { findPath } from '../../core/operations/walking/find-path.ts'
import { getNeighbors } from '../../core/operations/walking/get-neighbors.ts'
import { tool } from '../door/tool.ts'
import { cursorField, idField, limitField, rows } from './fields.ts'
import { rowsText } from './lean-text.ts'
import { compact, LINKS_SHOWN } from './present.ts'

export const neighborsTool = tool({
  name: 'neighbors',
  title: 'Neighbors',
  description: 'What links to a document and what it links to.',
  access: 'read',
  rare: ['as', 'types'],
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
  }),
  output: z.object({
    neighbors: rows,
  }),
  run: (kb, { id, direction, types, depth, limit, cursor }) =>
    getNeighbors(kb, id, { direction, types, depth, limit, cursor }),
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
  rare: ['directed', 'max_hops'],
  input: z.strictObject({
    from: idField,
    to: idField,
    directed: z.boolean().optional().describe('Forwards only'),
    max_hops: limitField(10, 50),
  }),
  output: z.object({
    found: z.boolean(),
    path: rows,
  }),
  run: (kb, { from, to, directed, max_hops: maxHops }) =>
    findPath(kb, from, to, { directed, maxHops }),
  present: (path) =>
    compact({
      found: path !== undefined,
      path: (path ?? []).map(compact),
      length: path && path.length - 1,
    }),
  text: (path) =>
    path ? rowsText(path.map((step) => ({ ...step }))) : 'There is no way within these hops.',
})
