/** Counts calls and how long they take, in the text form that Prometheus reads. */
import type { Observer } from '../door/observer.ts'

export interface Metrics extends Observer {
  /** `text/plain; version=0.0.4` */
  text(): string
}

/** Seconds; a search takes a few thousandths, an answer of a model some seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

interface Series {
  count: number
  seconds: number
  readonly buckets: number[]
}

export function openMetrics(
  now: () => { readonly uptime: number; readonly bytes: number } = processFacts,
): Metrics {
  const calls = new Map<string, number>()
  const times = new Map<string, Series>()
  return {
    ended({ surface, tool = 'unknown', outcome, durationMs }) {
      const where = labels({ surface, tool })
      const how = labels({ surface, tool, outcome })
      calls.set(how, (calls.get(how) ?? 0) + 1)
      let series = times.get(where)
      if (!series)
        times.set(where, (series = { count: 0, seconds: 0, buckets: BUCKETS.map(() => 0) }))
      const seconds = durationMs / 1000
      series.count++
      series.seconds += seconds
      for (const [index, bound] of BUCKETS.entries()) {
        if (seconds <= bound) series.buckets[index]! += 1
      }
    },
    text() {
      const { uptime, bytes } = now()
      return [
        '# HELP cairn_calls_total Tool calls, by how they ended.',
        '# TYPE cairn_calls_total counter',
        ...[...calls].map(([key, count]) => `cairn_calls_total{${key}} ${count}`),
        '# HELP cairn_call_seconds How long tool calls took.',
        '# TYPE cairn_call_seconds histogram',
        ...[...times].flatMap(([key, series]) => [
          ...BUCKETS.map(
            (bound, index) =>
              `cairn_call_seconds_bucket{${key},le="${bound}"} ${series.buckets[index]}`,
          ),
          `cairn_call_seconds_bucket{${key},le="+Inf"} ${series.count}`,
          `cairn_call_seconds_sum{${key}} ${series.seconds}`,
          `cairn_call_seconds_count{${key}} ${series.count}`,
        ]),
        '# HELP cairn_uptime_seconds Since the server began.',
        '# TYPE cairn_uptime_seconds gauge',
        `cairn_uptime_seconds ${uptime}`,
        '# HELP process_resident_memory_bytes Memory of the serving process.',
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${bytes}`,
        '',
      ].join('\n')
    },
  }
}

function processFacts() {
  return { uptime: Math.round(process.uptime()), bytes: process.memoryUsage.rss() }
}

export function labels(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, '_')}"`)
    .join(',')
}
