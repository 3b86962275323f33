/** Loaded into a server before it starts: on a signal it throws away what nobody needs, and says what is left. */
import { isMainThread } from 'node:worker_threads'

const collect = (globalThis as { gc?: () => void }).gc

if (isMainThread && collect) {
  process.on('SIGUSR2', () => {
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    const mebibytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1)
    process.stderr.write(`left: ${mebibytes(heapUsed)} heap, ${mebibytes(external)} besides\n`)
  })
}
