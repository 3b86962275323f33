import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { SOON } from '../../../test/support/soon.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { LiveCall } from '../../core/domain/live.ts'
import type { CallRecord } from '../../serve/door/observer.ts'
import { openCallFile, openCallWatch, openLiveFeed } from './live-files.ts'

function call(key: string, args = '{}'): LiveCall {
  const at = Number(key.replace(/\D/g, '')) || 1
  return {
    key,
    at,
    client: 'a/1',
    who: '',
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

function linesIn(state: string): string[] {
  const folder = join(state, 'live')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter((name) => name.includes('.jsonl')).map((name) => join(folder, name))
}

function record(surface = 'native'): CallRecord {
  return {
    surface,
    tool: 'search',
    access: 'read',
    client: 'a/1',
    principal: 'token:ann',
    startedAt: 1,
    durationMs: 2,
    outcome: 'ok',
  }
}

const SAID = { args: { query: 'salary of Mara' }, reply: { items: [{ id: 'notes/pay.md' }] } }

it('shows what every process wrote, also before one looked', async () => {
  const state = temporaryFolder()
  const [one, other] = [openCallFile(state), openCallFile(state)]
  one.add(call('k1'))
  const seen = follow(state)
  await vi.waitFor(() => expect(seen).toEqual(['k1']), SOON)
  other.add(call('k2'))
  one.add(call('k3'))
  await vi.waitFor(() => expect(seen.toSorted()).toEqual(['k1', 'k2', 'k3']), SOON)
})

it('leaves out lines that make no sense, and half lines until they are whole', async () => {
  const state = temporaryFolder()
  openCallFile(state).add(call('k1'))
  const seen = follow(state)
  await vi.waitFor(() => expect(seen).toEqual(['k1']), SOON)
  const [file = ''] = linesIn(state)
  const line = JSON.stringify(call('k2'))
  appendFileSync(file, `nonsense\n{"key":7}\n${line.slice(0, 20)}`)
  appendFileSync(file, `${line.slice(20)}\n`)
  await vi.waitFor(() => expect(seen).toEqual(['k1', 'k2']), SOON)
})

it('keeps its files small', () => {
  const state = temporaryFolder()
  const file = openCallFile(state)
  for (let i = 0; i < 4_000; i++) file.add(call(`k${i}`, 'x'.repeat(200)))
  file.close()
  const folder = join(state, 'live')
  const bytes = readdirSync(folder).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  )
  expect(bytes).toBeLessThan(600 * 1_024)
})

it('loses nothing when a file is begun anew', async () => {
  const state = temporaryFolder()
  const file = openCallFile(state)
  file.add(call('k0'))
  const seen = follow(state)
  await vi.waitFor(() => expect(seen).toEqual(['k0']), SOON)
  const keys = Array.from({ length: 900 }, (_, index) => `k${index + 1}`)
  for (const key of keys) file.add(call(key, 'x'.repeat(200)))
  expect(readdirSync(join(state, 'live')).some((name) => name.endsWith('.old'))).toBe(true)
  // A look that was under way when it was begun anew may meet the new file before the old one.
  const inOrder = () => seen.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
  await vi.waitFor(() => expect(inOrder()).toEqual(['k0', ...keys]), SOON)
  // Who comes later sees all that is still kept.
  const later = follow(state)
  await vi.waitFor(() => expect(later).toEqual(['k0', ...keys]), SOON)
})

it('writes nothing while no page follows, nor after the last one has gone', async () => {
  const state = temporaryFolder()
  const watch = openCallWatch(state)
  // What is written is written a moment after the reply.
  const seeCall = async (): Promise<void> => {
    watch.ended?.(record(), SAID)
    await new Promise((resolve) => setImmediate(resolve))
    void watch.close?.()
  }
  await seeCall()
  expect(existsSync(join(state, 'live'))).toBe(false)
  mkdirSync(join(state, 'live'))
  const lease = join(state, 'live', 'followed')
  writeFileSync(lease, '')
  const longAgo = new Date(Date.now() - 31_000)
  utimesSync(lease, longAgo, longAgo)
  await seeCall()
  expect(linesIn(state)).toEqual([])
  // And something as soon as one does.
  utimesSync(lease, new Date(), new Date())
  await seeCall()
  expect(linesIn(state)).toHaveLength(1)
})

it('tells a page of another process who did what, after the reply, and never what was asked', async () => {
  const state = temporaryFolder()
  const seen: LiveCall[] = []
  onTestFinished(openLiveFeed(state).follow((calls) => seen.push(...calls)))
  const watch = openCallWatch(state)
  watch.ended?.(record(), SAID)
  watch.ended?.(record('page'), SAID)
  expect(linesIn(state)).toEqual([])
  await vi.waitFor(() => expect(seen).toHaveLength(1), SOON)
  expect(seen[0]).toMatchObject({
    tool: 'search',
    who: 'token:ann',
    ms: 2,
    outcome: 'ok',
    args: '',
    documents: ['notes/pay.md'],
  })
  for (const file of linesIn(state)) expect(readFileSync(file, 'utf8')).not.toContain('salary')
})

it('tells what was asked where the operator says so', async () => {
  const state = temporaryFolder()
  const seen: string[] = []
  onTestFinished(openLiveFeed(state).follow((calls) => seen.push(...calls.map(({ args }) => args))))
  openCallWatch(state, { withArguments: true }).ended?.(record(), SAID)
  await vi.waitFor(() => expect(seen).toEqual(['{"query":"salary of Mara"}']), SOON)
})

it('removes what others left long ago', async () => {
  const state = temporaryFolder({ 'live/1-ab.jsonl': '{"args":"old"}\n' })
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
  utimesSync(join(state, 'live/1-ab.jsonl'), longAgo, longAgo)
  openCallWatch(state)
  await vi.waitFor(() => expect(linesIn(state)).toEqual([]), SOON)
})
