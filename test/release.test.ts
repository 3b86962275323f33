/** What is released says the same everywhere: package, registry entry, bundle, image. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nativeToolDefinitions } from '../src/serve/wiring/native-tools.ts'
import { mcpbFiles } from '../scripts/release/mcpb.ts'
import { zip } from '../scripts/release/zip.ts'
import { startCairn } from './support/cairn-process.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const MANIFEST = JSON.parse(read('package.json'))

it('the registry entry names this package and this version', () => {
  const entry = JSON.parse(read('server.json'))
  expect(entry.name).toBe(MANIFEST.mcpName)
  expect(entry.version).toBe(MANIFEST.version)
  // The registry takes no more.
  expect(entry.description.length).toBeLessThanOrEqual(100)
  expect(entry.packages).toMatchObject([
    { identifier: MANIFEST.name, version: MANIFEST.version, transport: { type: 'stdio' } },
  ])
  expect(read('package-lock.json')).toContain(
    `"name": "${MANIFEST.name}",\n  "version": "${MANIFEST.version}"`,
  )
})

it('a published package says where it came from', () => {
  expect(MANIFEST.publishConfig).toEqual({ access: 'public', provenance: true })
})

it('the image runs a Node that the package supports, as nobody special', () => {
  const text = read('Dockerfile')
  expect([...text.matchAll(/^FROM node:(\d+)-slim/gm)].map((match) => match[1])).toEqual([
    '24',
    '24',
  ])
  expect(text).toMatch(/^USER node$/m)
  expect(text).toContain('"serve", "/notes", "--http"')
})

it('the image starts what it says: its command serves a folder', async () => {
  const text = read('Dockerfile')
  const list = (word: string): string[] =>
    JSON.parse(new RegExp(`^${word} (\\[.*\\])$`, 'm').exec(text)![1]!)
  expect(list('ENTRYPOINT')).toEqual([Object.keys(MANIFEST.bin)[0]])
  expect(text).toContain(`${MANIFEST.name}-*.tgz`)
  const notes = temporaryFolder({ 'tea.md': '# Tea\n\nNeeds a kettle.\n' })
  const words = list('CMD').flatMap((word) =>
    word === '--http' ? [word, '0'] : [word === '/notes' ? notes : word],
  )
  const { stderr } = startCairn(words)
  await expect.poll(stderr).toMatch(/http:\/\/[^\s/]+:\d+\//)
  const port = /http:\/\/[^\s/]+:(\d+)/.exec(stderr())![1]
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
  expect(answer.status).toBe(200)
})

describe('the bundle', () => {
  const files = mcpbFiles(nativeToolDefinitions())
  const manifest = JSON.parse(files[0]!.content.toString())

  it('has a manifest for what is inside', () => {
    expect(files[0]!.name).toBe('manifest.json')
    expect(manifest).toMatchObject({
      manifest_version: '0.3',
      name: MANIFEST.name,
      version: MANIFEST.version,
      compatibility: { runtimes: { node: MANIFEST.engines.node } },
    })
    const names = files.map(({ name }) => name)
    expect(names).toContain(manifest.server.entry_point)
    expect(names).toContain('dist/program/main.js')
    expect(names.filter((name) => name.startsWith('dist/release'))).toEqual([])
    expect(manifest.tools.map(({ name }: { name: string }) => name)).toContain('search')
  })

  it('starts what it says, with the folders a person chose', () => {
    const { command, args } = manifest.server.mcp_config
    expect(command).toBe('node')
    expect(args).toEqual(['${__dirname}/bin/cairn.js', 'serve', '${user_config.folders}'])
    expect(manifest.user_config.folders).toMatchObject({ type: 'directory', multiple: true })
  })
})

it('zips files so that they can be read back', () => {
  const files = [
    { name: 'bin/a.js', content: Buffer.from('#!/usr/bin/env node\n'), executable: true },
    { name: 'ü.md', content: Buffer.from('grüße '.repeat(500)) },
    { name: 'empty', content: Buffer.alloc(0) },
  ]
  const archive = zip(files)
  expect(unzipped(archive)).toEqual(
    files.map(({ name, content, executable }) => ({
      name,
      content,
      mode: executable ? 0o755 : 0o644,
    })),
  )
  expect(zip(files).equals(archive)).toBe(true)
})

/** Reads an archive from its directory at the end, as other programs do. */
function unzipped(archive: Buffer) {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  let at = archive.readUInt32LE(end + 16)
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    const nameLength = archive.readUInt16LE(at + 28)
    const start = archive.readUInt32LE(at + 42)
    const data = start + 30 + archive.readUInt16LE(start + 26)
    const packed = archive.subarray(data, data + archive.readUInt32LE(at + 20))
    const entry = {
      name: archive.toString('utf8', at + 46, at + 46 + nameLength),
      content: inflateRawSync(packed),
      mode: (archive.readUInt32LE(at + 38) >>> 16) & 0o777,
    }
    at += 46 + nameLength
    return entry
  })
}

it('names in the bundle only what is offered without asking', () => {
  const names = nativeToolDefinitions().map(({ name }) => name)
  expect(names).toContain('search')
  expect(names).not.toContain('admin')
})
