import { cortexAdd, cortexClean, cortexConnect } from './cortex-change.ts'
import { cortexEvolve, cortexSearch, cortexStatus, cortexVisualize } from './cortex-read.ts'
import { cortexServe } from './cortex-serve.ts'

export const cortexCommands = [
  cortexServe,
  cortexStatus,
  cortexSearch,
  cortexVisualize,
  cortexEvolve,
  cortexConnect,
  cortexAdd,
  cortexClean,
]
