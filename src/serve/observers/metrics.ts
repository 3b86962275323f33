/** Counts calls and how long they take, in the text form that Prometheus reads. */
import type { Observer } from '../door/observer.ts'
import { counter, histogram } from './prometheus.ts'

export interface Metrics extends Observer {
  /** `text/plain; version=0.0.4` */
  text(): string
}

/** Seconds; a search takes a few thousandths, an answer of a model some seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(
  now: () => { readonly uptime: number; readonly bytes: number } = processFacts,
): Metrics {
  const calls = counter('cairn_calls_total', 'Tool calls, by how they ended.')
  const times = histogram('cairn_call_seconds', 'How long tool calls took.', BUCKETS)
  return {
    ended({ surface, tool = 'unknown', outcome, durationMs }) {
      calls.add({ surface, tool, outcome })
      times.observe({ surface, tool }, durationMs / 1000)
    },
    text() {
      const { uptime, bytes } = now()
      return (
        calls.text() +
        times.text() +
        [
          '# HELP cairn_uptime_seconds Since the server began.',
          '# TYPE cairn_uptime_seconds gauge',
          `cairn_uptime_seconds ${uptime}`,
          '# HELP process_resident_memory_bytes Memory of the serving process.',
          '# TYPE process_resident_memory_bytes gauge',
          `process_resident_memory_bytes ${bytes}`,
          '',
        ].join('\n')
      )
    },
  }
}

function processFacts() {
  return { uptime: Math.round(process.uptime()), bytes: process.memoryUsage.rss() }
}
