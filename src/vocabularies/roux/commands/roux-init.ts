import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../../core/kit/is-object.ts'
import { connectionPlace, realPlace } from '../../../keep/clients/settings-place.ts'
import { readText, swapFile } from '../../../keep/clients/swap-file.ts'
import { unavailable } from '../../../core/domain/error.ts'
import type { Command } from '../../../serve/cli/command.ts'
import { LAUNCHER } from '../../../serve/cli/package-files.ts'
import { toJson } from '../../../serve/cli/terminal.ts'
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
      await import('../start/roux-config.ts')
    const folder = rouxFolder(configInput)
    const done = isInitialized(folder)
    mkdirSync(folder, { recursive: true })
    // Looked at before anything is written, so that a file we cannot add to changes nothing. The
    // folder may be a clone of anybody's: nothing in it leads out of it.
    const [clients, own] = ['.mcp.json', ROUX_FILE].map((name) => inside(folder, name))
    const before = readText(clients!)
    const after = withServer(clients!, before)
    mkdirSync(inside(folder, ROUX_CACHE), { recursive: true })
    await put(clients!, before, after)
    if (!done) await put(own!, undefined, SETTINGS)
    const settings = join(folder, ROUX_FILE)
    if (json) terminal.out(toJson({ folder, config: settings, initialized: !done }))
    else if (done) terminal.out(`Already initialized: ${settings}\n`)
    else terminal.out(`Initialized Roux in ${folder}\n  Config: ${settings}\n`)
  },
}

/** Throws `forbidden` for a link that leads out of the folder, or nowhere. */
function inside(folder: string, name: string): string {
  return realPlace(connectionPlace(join(folder, name), folder)).file
}

/** A new file is made and never written through a link. */
async function put(file: string, before: string | undefined, after: string): Promise<void> {
  if (before === undefined) writeFileSync(file, after, { flag: 'wx' })
  else if (after !== before) await swapFile(file, before, after)
}

/** The client's file with our entry in it, in place of an older one; everything else stays. */
function withServer(file: string, text: string | undefined): string {
  const content = text === undefined ? {} : parse(file, text)
  const servers = isObject(content['mcpServers']) ? content['mcpServers'] : {}
  // Clients start project servers in the folder of this file, hence the dot.
  const roux = { command: 'node', args: [LAUNCHER, 'roux', 'serve', '.'] }
  return toJson({ ...content, mcpServers: { ...servers, roux } })
}

function parse(file: string, text: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text)
    if (isObject(content)) return content
  } catch {
    // Said below.
  }
  throw unavailable(
    `${file} is not a JSON object, so nothing can be added to it.`,
    'Mend the file, or move it away, and try again.',
  )
}
