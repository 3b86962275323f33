/**
 * Collects who is told of calls, as configured. What nobody asked for is not loaded; a new one is a
 * line here.
 */
import type { Config } from '../config/config.ts'
import type { Observer } from '../door/observer.ts'
import { openTokenCounter } from '../observers/token-counts.ts'
import type { Log } from './start-serving.ts'

export interface ObserversOptions {
  /** Whether somebody can ask for numbers. */
  readonly counts: boolean
  readonly duskmantle: boolean
  readonly log: Log
}

export async function openObservers(
  { state, governor, live, liveArguments, readOnly, tracesTo }: Config,
  { counts, duskmantle, log }: ObserversOptions,
) {
  const warn = (message: string): void => log('warn', message)
  const metrics = counts ? (await import('../observers/metrics.ts')).createMetrics() : undefined
  const kmMetrics =
    counts && duskmantle
      ? (await import('../../vocabularies/duskmantle/start/km-metrics.ts')).openKmMetrics()
      : undefined
  const audit = readOnly
    ? undefined
    : (await import('../observers/audit.ts')).openAudit(state, warn)
  const all: readonly (Observer | false | undefined)[] = [
    governor !== false && (await import('../observers/governor.ts')).openGovernor(),
    openTokenCounter(state),
    metrics,
    tracesTo !== undefined &&
      (await import('../observers/tracing.ts')).openTracing({ endpoint: tracesTo, warn }),
    audit,
    live &&
      (await import('../../explorer/live/live-files.ts')).openCallWatch(state, {
        withArguments: liveArguments ?? false,
      }),
    kmMetrics,
    duskmantle && (await import('../../vocabularies/duskmantle/start/tell-call.ts')).tellCalls(log),
  ]
  const asked = all.filter((each) => each !== false && each !== undefined)
  return {
    all: asked,
    audit,
    kmMetrics,
    /** What they have counted, and in between what the store has to say: `/metrics`. */
    text: (aboutStore: string): string =>
      (metrics?.text() ?? '') + aboutStore + (kmMetrics?.text() ?? ''),
    /** One that cannot end keeps no other from writing what it has. */
    async close() {
      const ends = asked.map(async (observer) => observer.close?.())
      for (const end of await Promise.allSettled(ends)) {
        if (end.status === 'rejected') warn(String(end.reason))
      }
    },
  }
}
