/** A base in the words of the Roux MCP server: nodes, neighbors, hubs and paths. */
import { cutText } from '../../core/kit/cut-text.ts'
import { invalid } from '../../core/domain/error.ts'
import { isBehind, createBuilding } from '../../core/operations/view/await-index.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import { withSecrets } from '../../core/operations/view/view.ts'
import type { Surface } from '../../serve/door/surface.ts'
import { serveRows } from '../../serve/door/serve-rows.ts'
import type { DoorOptions } from '../../serve/door/serve-rows.ts'
import { isOffered } from '../../serve/door/tool.ts'
import { presentError } from './errors.ts'
import { presentAnswer } from './present.ts'
import type { RouxRow } from './row.ts'
import { rouxTools } from './tools.ts'
import { createRouxView } from './view.ts'
import { aboutNodes, createWarningBuffer } from './warnings.ts'

/** At most so much of what a caller sent is repeated back. */
const LONGEST_NAME = 300

const BEHIND = 'Sync: files are still being read; nodes and links may be missing'

export function openRouxSurface(kb: Knowledge, options: DoorOptions): Surface {
  const view = createRouxView(kb)
  const warnings = createWarningBuffer(view, options.log)
  const door = serveRows(
    {
      surface: 'roux',
      rows: rouxTools,
      has: (row) => isOffered(row, kb),
      // These tools say null for what is not there: a node that was not read yet must not look so.
      building: createBuilding(kb, options.timeLimitMs),
      tellsBuilding: true,
      subject: ({ showSecrets }) => (showSecrets ? withSecrets(view) : view),
      read: readInput,
      async show(shown) {
        if (shown.written) warnings.expect(shown.written.path, shown.written.digest)
        const behind = isBehind(kb) ? [BEHIND, ...stale(kb)] : stale(kb)
        const { shows = [], value } = shown
        const trouble = await aboutNodes(view, shows, Array.isArray(value))
        const first = [...behind, ...(shown.warnings ?? []), ...trouble]
        return presentAnswer(shown, await warnings.drain([...new Set(first)], shows))
      },
      fail: presentError,
      unknown: (name) =>
        presentError({ code: 'invalid', message: `Unknown tool: ${cutText(name, LONGEST_NAME)}` }),
    },
    options,
  )
  return {
    name: 'roux',
    // What the original calls itself: clients may tell servers apart by it.
    serverInfo: { name: 'roux', version: '0.1.0' },
    ...door,
    subscribe: () => () => {},
  }
}

/** One complaint at a time, in the words of the field it is about. Unknown arguments are ignored. */
function readInput(row: RouxRow, args: unknown): Record<string, unknown> {
  const result = row.input.safeParse(args ?? {})
  if (result.success) return result.data
  throw invalid(result.error.issues[0]?.message ?? 'The arguments cannot be read', '')
}

function stale(kb: Knowledge): string[] {
  const trouble = kb.trouble()
  return trouble === undefined ? [] : [`Sync: answers may be out of date: ${trouble}`]
}
