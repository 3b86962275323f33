/**
 * Makes cairn-kb.mcpb, which desktop clients install with a click: the package and a manifest that
 * asks for folders. Run it after a build: `npm run mcpb`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nativeToolDefinitions } from '../../src/serve/wiring/native-tools.ts'
import type { ToolDefinition } from '../../src/serve/door/surface.ts'
import { zip } from './zip.ts'
import type { ZipFile } from './zip.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** What a client needs to know; tools are those the server itself announces. */
function mcpbManifest(tools: readonly ToolDefinition[]) {
  const { name, version, description, license } = MANIFEST
  return {
    manifest_version: '0.3',
    name,
    display_name: 'Cairn',
    version,
    description,
    author: { name: 'The Cairn maintainers' },
    license,
    server: {
      type: 'node',
      entry_point: 'bin/cairn.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/bin/cairn.js', 'serve', '${user_config.folders}'],
        env: { CAIRN_READ_ONLY: '${user_config.read_only}' },
      },
    },
    tools: tools.map(({ name: tool, description: what }) => ({ name: tool, description: what })),
    user_config: {
      folders: {
        type: 'directory',
        title: 'Folders',
        description: 'Folders of notes or documents',
        multiple: true,
        required: true,
      },
      read_only: {
        type: 'boolean',
        title: 'Read only',
        description: 'Offer no tool that changes files',
        default: false,
        required: false,
      },
    },
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: MANIFEST.engines.node },
    },
  }
}

/** Everything the npm package has, and the manifest first. */
export function mcpbFiles(tools: readonly ToolDefinition[]): readonly ZipFile[] {
  const [packed]: [{ files: readonly { path: string }[] }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    }),
  )
  const manifest = Buffer.from(`${JSON.stringify(mcpbManifest(tools), undefined, 2)}\n`)
  return [
    { name: 'manifest.json', content: manifest },
    ...packed.files
      .map(({ path }) => path)
      .toSorted()
      .map((path) => ({
        name: path,
        content: readFileSync(join(ROOT, path)),
        executable: path.startsWith('bin/'),
      })),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(ROOT, 'dist', 'release')
  const file = join(folder, `${MANIFEST.name}-${MANIFEST.version}.mcpb`)
  const archive = zip(mcpbFiles(nativeToolDefinitions()))
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, archive)
  process.stdout.write(`${file} ${archive.length} bytes\n`)
}
