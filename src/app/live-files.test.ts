import { appendFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { SOON } from '../../test/support/soon.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { LiveCall } from '../domain/live.ts'
import { openCallWriter, openLiveFeed } from './live-files.ts'

function call(key: string, args = '{}'): LiveCall {
  const at = Number(key.replace(/\D/g, '')) || 1
  return {
    key,
    at,
    client: 'a/1',
    surface: 'native',
    tool: 'search',
    args,
    documents: [],
    ms: 1,
    outcome: 'ok',
  }
}

function follow(state: string): string[] {
  const seen: string[] = []
  onTestFinished(openLiveFeed(state).follow((calls) => seen.push(...calls.map(({ key }) => key))))
  return seen
}

it('shows what every process wrote, also before one looked', async () => {
  const state = temporaryFolder()
  const [one, other] = [openCallWriter(state), openCallWriter(state)]
  one(call('k1'))
  const seen = follow(state)
  await vi.waitFor(() => expect(seen).toEqual(['k1']), SOON)
  other(call('k2'))
  one(call('k3'))
  await vi.waitFor(() => expect(seen.toSorted()).toEqual(['k1', 'k2', 'k3']), SOON)
})

it('leaves out lines that make no sense, and half lines until they are whole', async () => {
  const state = temporaryFolder()
  openCallWriter(state)(call('k1'))
  const seen = follow(state)
  await vi.waitFor(() => expect(seen).toEqual(['k1']), SOON)
  const file = join(state, 'live', readdirSync(join(state, 'live'))[0]!)
  const line = JSON.stringify(call('k2'))
  appendFileSync(file, `nonsense\n{"key":7}\n${line.slice(0, 20)}`)
  appendFileSync(file, `${line.slice(20)}\n`)
  await vi.waitFor(() => expect(seen).toEqual(['k1', 'k2']), SOON)
})

it('keeps its files small', () => {
  const state = temporaryFolder()
  const write = openCallWriter(state)
  for (let i = 0; i < 4_000; i++) write(call(`k${i}`, 'x'.repeat(200)))
  const folder = join(state, 'live')
  const bytes = readdirSync(folder).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  )
  expect(bytes).toBeLessThan(600 * 1_024)
})

it('loses nothing when a file is begun anew', async () => {
  const state = temporaryFolder()
  const write = openCallWriter(state)
  write(call('k0'))
  const seen = follow(state)
  await vi.waitFor(() => expect(seen).toEqual(['k0']), SOON)
  const keys = Array.from({ length: 900 }, (_, index) => `k${index + 1}`)
  for (const key of keys) write(call(key, 'x'.repeat(200)))
  expect(readdirSync(join(state, 'live')).some((name) => name.endsWith('.old'))).toBe(true)
  // A look that was under way when it was begun anew may meet the new file before the old one.
  const inOrder = () => seen.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
  await vi.waitFor(() => expect(inOrder()).toEqual(['k0', ...keys]), SOON)
  // Who comes later sees all that is still kept.
  const later = follow(state)
  await vi.waitFor(() => expect(later).toEqual(['k0', ...keys]), SOON)
})
