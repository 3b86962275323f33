/** One line for every km- call: which tool, with what, how long, and what was odd about it. */
import type { CallReport } from '../telemetry.ts'
import type { Log } from '../../../serve/wiring/start-serving.ts'

export function tellCall(report: CallReport, log: Log): void {
  const { tool = 'unknown', parameters, durationMs, error, warnings } = report
  const line = {
    tool,
    parameters,
    duration_ms: Math.round(durationMs * 10) / 10,
    result: error === undefined ? 'success' : 'error',
    ...(error !== undefined && { error }),
    warnings,
  }
  log('info', JSON.stringify(line))
}
