/** One line for every km- call: which tool, with what, how long, and what was odd about it. */
import type { Observer } from '../../../serve/door/observer.ts'
import type { Log } from '../../../serve/wiring/start-serving.ts'
import { observeCalls } from '../telemetry.ts'
import { duskmantleTools } from '../tools.ts'

export function tellCalls(log: Log): Observer {
  return observeCalls(
    duskmantleTools,
    ({ tool = 'unknown', parameters, durationMs, error, warnings }) => {
      const line = {
        tool,
        parameters,
        duration_ms: Math.round(durationMs * 10) / 10,
        result: error === undefined ? 'success' : 'error',
        ...(error !== undefined && { error }),
        warnings,
      }
      log('info', JSON.stringify(line))
    },
  )
}
