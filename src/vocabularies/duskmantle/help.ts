/** What `km-help` tells, made from the rows themselves. */
import { invalid, quoted } from '../../core/domain/error.ts'
import { PROFILES } from './operations/score-chunk.ts'
import { definitionOf } from '../../serve/door/tool.ts'
import type { ToolDescription } from '../../serve/door/tool.ts'
import { RESPONSES } from './responses.ts'
import type { RowFacts } from './row.ts'

type Explained = ToolDescription & RowFacts

export function helpFor(
  rows: readonly Explained[],
  tool: string | undefined,
): Readonly<Record<string, unknown>> {
  if (tool === undefined) {
    return { tools: Object.fromEntries(rows.map((row) => [row.name, usage(row)])) }
  }
  const row = rows.find(({ name }) => name === tool.trim())
  if (!row) {
    throw invalid(
      `There is no tool ${quoted(tool)}.`,
      `The tools are ${rows.map(({ name }) => name).join(', ')}.`,
    )
  }
  return { tool: row.name, usage: usage(row) }
}

function usage({ description, details }: Explained) {
  return { description, details }
}

/** The whole interface as one text. */
export function interfaceText(rows: readonly Explained[]): string {
  return [
    '# The km- tools',
    'Every answer is an object with `status`: "ok", or "success", "failure" and "not_found" where a tool says so. A failure is {"status": "error", "error": {"code", "message"}}. Codes: invalid_request, not_found, unauthorized, forbidden, upstream_error, unsupported_operation, invalid_identifier for an id that is no id of a node, and recipe_not_found, tool_failed, assert_failed and timeout for recipes.',
    '## Who may call what',
    'A reader may search and look; a maintainer may also ingest and read the reports on it. KM_READER_TOKEN and KM_ADMIN_TOKEN make a caller the one or the other; KM_AUTH_ENABLED=false lifts the check.',
    '## Tools',
    ...rows.map(
      ({ name, scope, description, details }) =>
        `### ${name} (${scope})\n${description}\n${details}`,
    ),
    '## Shapes',
    ...rows.map((row) => {
      const { properties = {}, required = [] } = definitionOf(row).inputSchema
      return `${row.name}\nrequest: ${JSON.stringify({ properties, required })}\nresponse: ${RESPONSES[row.name] ?? '{status}'}`
    }),
    '## Nodes and edges',
    'Ids are <Label>:<key>. Subsystem (name), DesignDoc, SourceFile, TestCase, ConfigFile and Artifact (path), Chunk (<path>::<n>), Symbol (<path>::<qualified name>), IntegrationMessage and TelemetryChannel (name). Documents DESCRIBE a subsystem, source files and settings BELONG_TO it, tests VALIDATE it; subsystems DEPEND_ON each other, IMPLEMENT messages and EMIT telemetry; files HAVE_CHUNKs, DECLARE_SYMBOLs, IMPORT each other; tests EXERCISE files; documents MENTION files.',
    '## Scoring',
    'adjusted = vector * w + lexical * w + affinity * subsystem + related artifacts * relationship * 0.1 + supporting bonus * support - coverage penalty * (1 - coverage ratio) + criticality * criticality.',
    ...Object.entries(PROFILES).map(
      ([name, { subsystem, relationship, support, coveragePenalty, criticality }]) =>
        `${name}: subsystem ${subsystem}, relationship ${relationship}, support ${support}, coverage penalty ${coveragePenalty}, criticality ${criticality}`,
    ),
  ].join('\n\n')
}
