/** How does a person start and inspect it? The table of commands, in the order help shows them. */
import type { Command } from './command.ts'
import { acdc } from './commands/acdc.ts'
import { ask } from './commands/ask.ts'
import { buildIndex } from './commands/build-index.ts'
import { changeDocument, deleteDocument, history, undo } from './commands/changes.ts'
import { cortexAdd, cortexConnect } from './commands/cortex-change.ts'
import {
  cortexEvolve,
  cortexSearch,
  cortexStatus,
  cortexVisualize,
} from './commands/cortex-read.ts'
import { cortexServe } from './commands/cortex-serve.ts'
import { bases } from './commands/bases.ts'
import { connect } from './commands/connect.ts'
import { doctor } from './commands/doctor.ts'
import { evaluateSearch } from './commands/evaluate.ts'
import { fetchDocuments } from './commands/fetch.ts'
import { importMemory } from './commands/import-memory.ts'
import { init } from './commands/init.ts'
import { insights } from './commands/insights.ts'
import { list } from './commands/list.ts'
import { neighbors } from './commands/neighbors.ts'
import { nexus } from './commands/nexus.ts'
import { path } from './commands/path.ts'
import { relate } from './commands/relate.ts'
import { rouxInit } from './commands/roux-init.ts'
import { rouxServe } from './commands/roux-serve.ts'
import { rouxStatus } from './commands/roux-status.ts'
import { rouxViz } from './commands/roux-viz.ts'
import { search } from './commands/search.ts'
import { serve } from './commands/serve.ts'
import { showConfig } from './commands/show-config.ts'
import { status } from './commands/status.ts'
import { trust } from './commands/trust.ts'

export const COMMANDS: readonly Command[] = [
  init,
  serve,
  connect,
  buildIndex,
  search,
  ask,
  fetchDocuments,
  list,
  neighbors,
  path,
  insights,
  changeDocument,
  deleteDocument,
  history,
  undo,
  relate,
  importMemory,
  status,
  doctor,
  bases,
  evaluateSearch,
  showConfig,
  trust,
  rouxInit,
  rouxServe,
  rouxStatus,
  rouxViz,
  acdc,
  nexus,
  cortexServe,
  cortexStatus,
  cortexSearch,
  cortexVisualize,
  cortexEvolve,
  cortexConnect,
  cortexAdd,
]
