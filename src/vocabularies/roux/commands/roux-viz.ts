import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from '../../../serve/cli/command.ts'
import { graphPage } from '../../../serve/cli/graph-page.ts'
import { toJson } from '../../../serve/cli/terminal.ts'
import { DIRECTORY, LOG_OPTION, withRouxBase } from './roux-shared.ts'

export const rouxViz: Command = {
  group: 'surfaces',
  name: 'roux viz',
  summary: 'Draw the graph: one HTML file that works without a network.',
  example: 'cairn roux viz examples/handbook --open',
  positionals: [DIRECTORY],
  takesFolders: true,
  options: {
    output: {
      kind: 'text',
      short: 'o',
      placeholder: 'FILE',
      summary: 'Where to write it (default: .roux/graph.html)',
    },
    open: { kind: 'flag', summary: 'Show it in the browser' },
    ...LOG_OPTION,
  },
  run: (context) =>
    withRouxBase(context, async (base, { cache, folder }) => {
      const { output, open } = context.args.options
      const { nodes, edges } = await base.graph()
      const file =
        typeof output === 'string'
          ? resolve(context.configInput.cwd, output)
          : join(cache, 'graph.html')
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, graphPage(basename(folder), { nodes, edges }))
      const { terminal } = context
      if (context.json) {
        terminal.out(toJson({ file, nodes: nodes.length, edges: edges.length }))
      } else {
        terminal.out(
          `Generated visualization: ${nodes.length} nodes, ${edges.length} edges\n  Output: ${file}\n`,
        )
      }
      if (open === true) show(file, () => terminal.err('No browser could be started.\n'))
    }),
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

function show(file: string, onFailure: () => void): void {
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? []
  const options = { detached: true, stdio: 'ignore' } as const
  const browser = spawn(command, [...args, pathToFileURL(file).href], options)
  browser.on('error', onFailure)
  browser.unref()
}
