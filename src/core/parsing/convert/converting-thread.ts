/** The thread of `open-converter.ts`: hostile files are read where they can be stopped. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { Unreadable } from '../../domain/conversion.ts'
import type { Converted, FileKind } from '../../domain/conversion.ts'
import { orElse } from '../../kit/or-else.ts'
import { threadNumber } from '../../kit/thread-work.ts'
import { FILE_READERS } from './readers.ts'
import { renderContents } from './render-contents.ts'

export interface ConvertingRequest {
  readonly kind: FileKind
  readonly path: string
  readonly bytes: Uint8Array
  readonly isFirst: boolean
  readonly isBare?: boolean
}

// Whoever asks comes first. Linux has a priority for each thread, other systems for the process.
if (parentPort && process.platform === 'linux') {
  orElse(() => setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL), undefined)
}

// Whoever waits asks the system how much it has done.
if (workerData instanceof Int32Array) workerData[0] = threadNumber()

// Without it pdf.js unpacks by itself: a tenth less work than through the streams of the web.
if (parentPort) Reflect.deleteProperty(globalThis, 'DecompressionStream')

parentPort?.on('message', async (request: ConvertingRequest) => {
  parentPort?.postMessage(await answer(request))
})

async function answer(request: ConvertingRequest): Promise<Converted> {
  const { kind, path, bytes, isFirst, isBare } = request
  try {
    const read = await FILE_READERS[kind]()
    const contents = await read(bytes, path, isFirst, isBare)
    const { isPart = false } = contents
    return { kind: 'text', text: renderContents(kind, contents), isPart }
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'unreadable', reason: error.message }
    const said = error instanceof Error ? error.message : String(error)
    return { kind: 'unreadable', reason: `damaged, or no ${kind} file: ${said.slice(0, 200)}` }
  }
}
