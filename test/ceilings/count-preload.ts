/**
 * Instrumentation, loaded into a server before it starts: counts by V8's precise coverage what runs
 * between two messages of the parent process, the promises that are made, and how much stands on the heap.
 */
import { createHook } from 'node:async_hooks'
import { Session } from 'node:inspector'
import { isMainThread } from 'node:worker_threads'

/** What one call took; counts, so that a slow machine has the same. */
export interface PathCounts {
  readonly files: number
  readonly functions: number
  readonly calls: number
  readonly promises: number
}

const SOURCES = new URL('../../src/', import.meta.url).href
const session = new Session()
let promises = 0
const hook = createHook({
  init: (_id, type) => {
    if (type === 'PROMISE') promises++
  },
})

function post(method: string, params?: object): any {
  let answer: unknown
  session.post(method, params, (error, result) => {
    if (error) throw error
    answer = result
  })
  return answer
}

function begin(): void {
  post('Profiler.takePreciseCoverage')
  promises = 0
  hook.enable()
}

function end(): PathCounts & { readonly names: readonly string[] } {
  hook.disable()
  const made = promises
  const names: string[] = []
  const files = new Set<string>()
  let calls = 0
  for (const { url, functions } of post('Profiler.takePreciseCoverage').result) {
    if (!url.startsWith(SOURCES)) continue
    for (const { functionName, ranges } of functions) {
      if (ranges[0].count === 0) continue
      files.add(url)
      names.push(`${url.slice(SOURCES.length)} ${functionName}@${ranges[0].startOffset}`)
      calls += ranges[0].count
    }
  }
  return { files: files.size, functions: names.length, calls, promises: made, names }
}

/** Where the young generation is as good as empty, nothing is collected before it is full. */
function heap(): number {
  return process.memoryUsage().heapUsed
}

if (isMainThread && process.send) {
  session.connect()
  post('Profiler.enable')
  process.on('message', (message) => {
    if (message === 'cover') {
      post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    } else if (message === 'begin') begin()
    process.send!(message === 'end' ? end() : message === 'heap' ? heap() : 'done')
  })
  process.channel?.unref()
}
