/** Files of the installed package that a command needs to name or read. */
import { fileURLToPath } from 'node:url'

// Two folders up, from here as from the built program.
const PACKAGE = new URL('../../', import.meta.url)

export const GRAPH_PAGE = new URL('assets/graph.html', PACKAGE)
export const LAUNCHER = fileURLToPath(new URL('bin/cairn.js', PACKAGE))
