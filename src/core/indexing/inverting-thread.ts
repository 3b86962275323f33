/** The thread of `inverter.ts`. */
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { orElse } from '../kit/or-else.ts'
import { PACKAGE_FOLDER } from '../kit/package-folder.ts'
import { compiledBuilders } from '../search/segment/compiled-builder.ts'
import type { IndexableDocument } from '../search/contract.ts'
import { Inverting } from './inverter.ts'

const CORE = new URL('assets/inverting-core.wasm', PACKAGE_FOLDER)

// Without WebAssembly (`node --jitless`), or without the file, the plain builder does the same.
const inverting = new Inverting(orElse(() => compiledBuilders(readFileSync(CORE)), undefined))

parentPort?.on('message', (message: readonly IndexableDocument[] | 'finish') => {
  if (message !== 'finish') return inverting.add(message)
  const inverted = inverting.finish()
  const { resident, paged } = inverted.streams
  const streams = [...Object.values(resident), ...Object.values(paged)]
  // Given away, not copied.
  const buffers = new Set(streams.map(({ buffer }) => buffer as ArrayBuffer))
  parentPort?.postMessage(inverted, [...buffers])
})
