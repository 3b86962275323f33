/** A repository in the words of the Duskmantle knowledge gateway: `km-` tools over its graph. */
import { KnowledgeError } from '../../core/domain/error.ts'
import { createBuilding } from '../../core/operations/view/await-index.ts'
import { withSecrets } from '../../core/operations/view/view.ts'
import { serveRows } from '../../serve/door/serve-rows.ts'
import type { DoorOptions } from '../../serve/door/serve-rows.ts'
import type { Surface } from '../../serve/door/surface.ts'
import { presentError } from './errors.ts'
import { readInput } from './read-input.ts'
import type { Payload } from './row.ts'
import { CALLERS } from './settings.ts'
import type { Scope } from './settings.ts'
import { openDuskmantle } from './subject.ts'
import type { Duskmantle, DuskmantleParts } from './subject.ts'
import { duskmantleTools } from './tools.ts'

export interface DuskmantleSurfaceOptions extends Omit<DuskmantleParts, 'callTool'>, DoorOptions {
  readonly version: string
}

const INSTRUCTIONS =
  'A repository as a graph of docs, code, tests and subsystems. Ask with km-search, look around with km-graph-node, km-graph-subsystem and km-graph-search; km-coverage-summary and km-lifecycle-report say what is missing. km-help explains every tool.'

export function openDuskmantleSurface(options: DuskmantleSurfaceOptions): Surface {
  const { settings } = options
  const subject = openDuskmantle({
    ...options,
    callTool: {
      names: () => duskmantleTools.map(({ name }) => name),
      call: (...call) => door.call(...call),
    },
  })
  const door = serveRows(
    {
      surface: 'duskmantle',
      rows: duskmantleTools,
      // Who was let in by the transport is held to what they may do; others to this process's token.
      caller: CALLERS[settings.scope ?? 'nobody'],
      building: createBuilding(options.repository.view, options.timeLimitMs),
      tellsBuilding: true,
      subject: ({ showSecrets }) => (showSecrets ? withSecretsIn(subject) : subject),
      read: readInput,
      show: (shown, { building }) => ({
        structured: { status: 'ok', ...withWarning(shown, building) },
      }),
      fail: (error) => presentError(asKnown(error, settings.scope)),
    },
    options,
  )
  return {
    name: 'duskmantle',
    // What the original calls itself: clients may tell servers apart by it.
    serverInfo: { name: 'duskmantle-km', version: options.version },
    instructions: INSTRUCTIONS,
    ...door,
    subscribe: () => () => {},
  }
}

/** A search says what is wrong among its metadata, everything else beside its answer. */
function withWarning(shown: Payload, warning: string | undefined): Payload {
  if (warning === undefined) return shown
  const { metadata } = shown as { metadata?: { readonly warnings: readonly string[] } }
  if (!metadata) return { ...shown, warnings: [warning] }
  return { ...shown, metadata: { ...metadata, warnings: [...metadata.warnings, warning] } }
}

function withSecretsIn(subject: Duskmantle): Duskmantle {
  const { repository } = subject
  return { ...subject, repository: { ...repository, view: withSecrets(repository.view) } }
}

/** Without any token a caller is not known at all. */
function asKnown(error: KnowledgeError, scope: Scope | undefined): KnowledgeError {
  if (error.code !== 'forbidden' || scope !== undefined) return error
  return new KnowledgeError(
    'unauthorized',
    'There is no token to call this tool with.',
    'Set KM_READER_TOKEN or KM_ADMIN_TOKEN where this server is started, or KM_AUTH_ENABLED=false.',
  )
}
