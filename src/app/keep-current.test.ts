import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Store } from '../store/store.ts'
import { keepCurrent } from './keep-current.ts'

it('tries less and less often what fails again and again', async () => {
  const warnings: string[] = []
  const store = {
    acquireLease: async (owner: string) => ({ owner, fence: 1 }),
    releaseLease: async () => {},
    putMeta: async () => {
      throw new Error('the disk is full')
    },
  } as unknown as Store
  const stopping = new AbortController()
  const keeping = keepCurrent({
    store,
    sources: new Map(),
    owner: '1@here:test',
    watch: true,
    signal: stopping.signal,
    report: (report) => {
      if (report.kind === 'warning') warnings.push(report.message)
    },
    indexElsewhere: async () => {},
    wanted: { kind: 'none' },
    learnElsewhere: async () => true,
  })
  await sleep(3_500)
  stopping.abort()
  await keeping.done
  // At once and after two seconds; the next would be after six.
  expect(warnings).toEqual(['the disk is full', 'the disk is full'])
})
