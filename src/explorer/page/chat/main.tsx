/** The page in a chat: in one piece. A chat has no room for folders, and no stream of events. */
import { Nowhere, startPage } from '../app.tsx'
import { Ask } from '../views/ask.tsx'
import { Graph } from '../views/graph.tsx'
import { History } from '../views/history.tsx'
import { Inspect } from '../views/inspect.tsx'
import { Reports } from '../views/reports.tsx'
import { Search } from '../views/search.tsx'

startPage({
  search: Search,
  inspect: Inspect,
  browse: Nowhere,
  ask: Ask,
  graph: Graph,
  reports: Reports,
  history: History,
  live: Nowhere,
  nowhere: Nowhere,
})
