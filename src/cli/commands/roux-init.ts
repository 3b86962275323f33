import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KnowledgeError } from '../../domain/error.ts'
import type { Command } from '../command.ts'
import { LAUNCHER } from '../package-files.ts'
import { toJson } from '../terminal.ts'
import { DIRECTORY } from './roux-shared.ts'

const SETTINGS = `# How this folder is served; docs/surfaces/roux.md lists the settings.
providers:
  store:
    type: docstore
`

export const rouxInit: Command = {
  group: 'surfaces',
  name: 'roux init',
  summary: 'Set a folder up for roux: roux.yaml, .roux/ and an entry in .mcp.json.',
  example: 'cairn roux init examples/handbook',
  positionals: [{ ...DIRECTORY, summary: 'The folder to set up (default: the current one)' }],
  takesFolders: true,
  options: {},
  async run({ terminal, json, configInput }) {
    const { isInitialized, rouxFolder, ROUX_CACHE, ROUX_FILE } =
      await import('../../config/roux-config.ts')
    const folder = rouxFolder(configInput)
    const done = isInitialized(folder)
    // Read before anything is written, so that a file we cannot add to changes nothing.
    const clients = withServer(join(folder, '.mcp.json'))
    mkdirSync(join(folder, ROUX_CACHE), { recursive: true })
    writeFileSync(join(folder, '.mcp.json'), clients)
    const settings = join(folder, ROUX_FILE)
    if (!done) writeFileSync(settings, SETTINGS)
    if (json) terminal.out(toJson({ folder, config: settings, initialized: !done }))
    else if (done) terminal.out(`Already initialized: ${settings}\n`)
    else terminal.out(`Initialized Roux in ${folder}\n  Config: ${settings}\n`)
    return 0
  },
}

/** The client's file with our entry in it, in place of an older one; everything else stays. */
function withServer(file: string): string {
  const content = existsSync(file) ? parse(file) : {}
  const servers = isMapping(content['mcpServers']) ? content['mcpServers'] : {}
  // Clients start project servers in the folder of this file, hence the dot.
  const roux = { command: 'node', args: [LAUNCHER, 'roux', 'serve', '.'] }
  return toJson({ ...content, mcpServers: { ...servers, roux } })
}

function parse(file: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isMapping(content)) return content
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new KnowledgeError(
    'unavailable',
    `${file} is not a JSON object, so nothing can be added to it.`,
    'Mend the file, or move it away, and try again.',
  )
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
