/** Files of the installed package that a command needs to name or read. */
import { fileURLToPath } from 'node:url'
import { PACKAGE_FOLDER } from '../../core/kit/package-folder.ts'

export const GRAPH_PAGE = new URL('assets/graph.html', PACKAGE_FOLDER)
export const LAUNCHER = fileURLToPath(new URL('bin/cairn.js', PACKAGE_FOLDER))
