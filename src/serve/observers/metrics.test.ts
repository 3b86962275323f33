import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

const call = {
  surface: 'native',
  access: 'read',
  client: undefined,
  principal: undefined,
  startedAt: 0,
} as const

it('counts calls by how they ended, and sorts them by how long they took', () => {
  const metrics = createMetrics(() => ({ uptime: 7, bytes: 42 }))
  metrics.ended?.({ ...call, tool: 'search', durationMs: 3, outcome: 'ok' }, {})
  metrics.ended?.({ ...call, tool: 'search', durationMs: 300, outcome: 'ok' }, {})
  metrics.ended?.({ ...call, tool: undefined, durationMs: 1, outcome: 'not_found' }, {})
  const text = metrics.text()
  expect(text).toContain('cairn_calls_total{surface="native",tool="search",outcome="ok"} 2')
  expect(text).toContain('cairn_calls_total{surface="native",tool="unknown",outcome="not_found"} 1')
  expect(text).toContain('cairn_call_seconds_bucket{surface="native",tool="search",le="0.005"} 1')
  expect(text).toContain('cairn_call_seconds_bucket{surface="native",tool="search",le="0.5"} 2')
  expect(text).toContain('cairn_call_seconds_sum{surface="native",tool="search"} 0.303')
  expect(text).toContain('cairn_uptime_seconds 7\n')
  expect(text.endsWith('process_resident_memory_bytes 42\n')).toBe(true)
})
