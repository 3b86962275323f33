/** The launcher as users start it: under an old Node, without a build, into a closed pipe. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const LAUNCHER = resolve(import.meta.dirname, '../bin/cairn.js')

/** A Node on this machine's path that the launcher has to replace. */
function findOldNode(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .find((path) => {
      const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' })
      return Number(version.split('.')[0]) < 22
    })
}

const oldNode = findOldNode()
let folder: string

/** A package with a program of its own, so that these tests need no build. */
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-launcher-')))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  copyFileSync(LAUNCHER, join(folder, 'bin/cairn.js'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function program(body: string): void {
  mkdirSync(join(folder, 'dist/program'), { recursive: true })
  const part = (name: string, text: string): void =>
    writeFileSync(join(folder, 'dist/program', name), text)
  part('package.json', '{ "type": "commonjs" }')
  part('main.js', `exports.main = async () => {\n${body}\n}\n`)
  part('code-cache.js', 'exports.loadProgram = (folder, entry) => require(`${folder}/${entry}`)\n')
}

function bringNode(): void {
  mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true })
  symlinkSync(process.execPath, join(folder, 'node_modules/node/bin/node'))
}

function launch(node: string, ...args: string[]) {
  return spawnSync(node, [join(folder, 'bin/cairn.js'), ...args], { encoding: 'utf8', input: 'in' })
}

describe('on a current Node', () => {
  it('runs the program', () => {
    program('process.stdout.write(process.argv.slice(2).join()); process.exitCode = 3')
    expect(launch(process.execPath, 'a', 'b c')).toMatchObject({
      stdout: 'a,b c',
      stderr: '',
      status: 3,
    })
  })

  it('says what to do when it is not built', () => {
    const { stdout, stderr, status } = launch(process.execPath)
    expect([stdout, status]).toEqual(['', 1])
    expect(stderr).toContain('npm install')
  })

  it('silences the SQLite warning and no other', () => {
    program(`
      process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
      process.emitWarning('something else', 'ExperimentalWarning')`)
    const { stdout, stderr } = launch(process.execPath)
    expect(stdout).toBe('')
    expect(stderr).not.toContain('SQLite')
    expect(stderr).toContain('something else')
  })

  it('leaves nothing in the package or the current folder', () => {
    program('')
    const before = execFileSync('find', ['.'], { cwd: folder, encoding: 'utf8' })
    spawnSync(process.execPath, [join(folder, 'bin/cairn.js')], { cwd: folder })
    expect(execFileSync('find', ['.'], { cwd: folder, encoding: 'utf8' })).toBe(before)
  })
})

describe.skipIf(oldNode === undefined)('on an old Node (skipped when the path has none)', () => {
  it('says in one line what to run when there is no newer one', () => {
    program('')
    const { stdout, stderr, status } = launch(oldNode!, 'search', "what's new")
    expect([stdout, status]).toEqual(['', 1])
    const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    expect(stderr).toMatch(/^cairn: needs Node 22\.13 .*, and this is Node \d+\S+; run: .*\n$/)
    expect(stderr).toContain(`-${platform}@24 ${folder}/bin/cairn.js search 'what'\\''s new'\n`)
  })

  it('says in a clone how to get one', () => {
    mkdirSync(join(folder, 'scripts/node'), { recursive: true })
    writeFileSync(join(folder, 'scripts/node/package.json'), '{}')
    expect(launch(oldNode!).stderr).toMatch(/; run: npm --prefix \S+ install\n$/)
  })

  it('starts again on the binary of this platform', () => {
    const name = execFileSync(process.execPath, ['-p', 'process.platform + "-" + process.arch'])
    const bin = join(folder, 'node_modules', `node-${name.toString().trim()}`, 'bin')
    mkdirSync(bin, { recursive: true })
    symlinkSync(process.execPath, join(bin, 'node'))
    program('process.stdout.write(process.versions.node)')
    expect(launch(oldNode!).stdout).toBe(process.versions.node)
  })

  it('starts again on the one that came with the package', () => {
    bringNode()
    program(`
      let input = ''
      for await (const part of process.stdin) input += part
      process.stdout.write([process.versions.node, input, ...process.argv.slice(2)].join())
      process.exitCode = 4`)
    const { stdout, status } = launch(oldNode!, '--flag', 'x y')
    expect([stdout, status]).toEqual([`${process.versions.node},in,--flag,x y`, 4])
  })

  it('finds one above, and passes over one that is old itself', () => {
    bringNode()
    program('process.stdout.write(process.versions.node)')
    const inner = join(folder, 'node_modules/cairn')
    mkdirSync(join(inner, 'bin'), { recursive: true })
    mkdirSync(join(inner, 'node_modules/node/bin'), { recursive: true })
    symlinkSync(oldNode!, join(inner, 'node_modules/node/bin/node'))
    symlinkSync(join(folder, 'dist'), join(inner, 'dist'))
    copyFileSync(LAUNCHER, join(inner, 'bin/cairn.js'))
    writeFileSync(join(inner, 'package.json'), '{ "type": "module" }')
    const { stdout } = spawnSync(oldNode!, [join(inner, 'bin/cairn.js')], { encoding: 'utf8' })
    expect(stdout).toBe(process.versions.node)
  })

  it('passes a signal on, and the way the program ended back', async () => {
    bringNode()
    program(`
      process.on('SIGTERM', () => { process.stdout.write('stopped'); process.exit(7) })
      process.stdout.write('ready')
      setInterval(() => {}, 1000)`)
    const child = spawn(oldNode!, [join(folder, 'bin/cairn.js')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (part) => {
      if (out === '') child.kill('SIGTERM')
      out += part
    })
    const ended = await new Promise((settle) =>
      child.on('close', (code, signal) => settle([code, signal])),
    )
    expect([ended, out]).toEqual([[7, null], 'readystopped'])

    program(`process.kill(process.pid, 'SIGKILL')`)
    expect(launch(oldNode!)).toMatchObject({ status: null, signal: 'SIGKILL' })
  })
})

describe('the built program', () => {
  it('ends quietly when nobody reads its output any more', async () => {
    const child = spawn(process.execPath, [LAUNCHER, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let err = ''
    child.stderr.on('data', (part) => (err += part))
    const code = await new Promise((settle) => child.on('close', settle))
    expect([code, err]).toEqual([0, ''])
  })

  it('keeps results apart from messages', () => {
    expect(cairn('--version')).toMatchObject({ status: 0, stderr: '' })
    expect(cairn('config', 'show', '--json')).toMatchObject({ status: 0, stderr: '' })
    expect(cairn('serach')).toMatchObject({ status: 2, stdout: '' })
    expect(cairn('serve')).toMatchObject({ status: 2, stdout: '' })
  })
})

function cairn(...args: string[]) {
  const env = { PATH: process.env['PATH'] }
  return spawnSync(process.execPath, [LAUNCHER, ...args], { encoding: 'utf8', cwd: folder, env })
}
