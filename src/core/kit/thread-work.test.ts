import { Worker } from 'node:worker_threads'
import { afterEach, expect, it, vi } from 'vitest'
import { ownWork, threadNumber, workOfProcess, workOfThread } from './thread-work.ts'

afterEach(() => void vi.unstubAllGlobals())

function work(isDone: () => boolean): void {
  let sum = 0
  while (!isDone()) for (let n = 0; n < 1e5; n++) sum += Math.sqrt(n)
  if (sum < 0) throw new Error('never')
}

it('counts what a thread has done', () => {
  const spent = ownWork()
  work(() => spent() > 30)
  expect(spent()).toBeGreaterThan(30)
})

it.skipIf(process.platform !== 'linux')('counts it for others, also without help of Node', () => {
  vi.stubGlobal('process', Object.assign(Object.create(process), { threadCpuUsage: undefined }))
  const spent = ownWork()
  const before = workOfThread(threadNumber())!
  work(() => spent() > 30)
  expect(workOfThread(threadNumber())! - before).toBeGreaterThan(30)
  expect(workOfThread(0)).toBeUndefined()
  expect(workOfThread(1e9)).toBeUndefined()
})

it.skipIf(process.platform !== 'linux')('does not count what another thread does', async () => {
  const worker = new Worker('for (let n = 0; ; n++) Math.sqrt(n)', { eval: true })
  const [own, all] = [workOfThread(threadNumber())!, workOfProcess()]
  // The other one is at work all the time, and this one waits for it.
  while (workOfProcess() - all < 300) await new Promise((done) => setTimeout(done, 5))
  expect(workOfThread(threadNumber())! - own).toBeLessThan(workOfProcess() - all)
  await worker.terminate()
})
