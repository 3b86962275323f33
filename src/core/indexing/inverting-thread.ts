/** The thread of `inverter.ts`. */
import { parentPort } from 'node:worker_threads'
import type { IndexableDocument } from '../search/contract.ts'
import { Inverting } from './inverter.ts'

const inverting = new Inverting()

parentPort?.on('message', (message: readonly IndexableDocument[] | 'finish') => {
  if (message !== 'finish') return inverting.add(message)
  const inverted = inverting.finish()
  const { resident, paged } = inverted.streams
  const streams = [...Object.values(resident), ...Object.values(paged)]
  // Given away, not copied.
  const buffers = new Set(streams.map(({ buffer }) => buffer as ArrayBuffer))
  parentPort?.postMessage(inverted, [...buffers])
})
