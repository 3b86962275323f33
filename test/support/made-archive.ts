/** An archive as anybody can make one, with any entries and any manifest. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { MANIFEST } from '../../src/keep/archives/manifest.ts'
import { END, headerBlocks, padding } from '../../src/keep/archives/tar.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface MadeArchive {
  /** In this order; one path may come twice. */
  readonly entries: readonly (readonly [path: string, content: string])[]
  /** Those of the entries that the manifest counts, the last of each path; all unless said. */
  readonly counted?: readonly string[]
  /** Instead of what an honest one would say. */
  readonly manifest?: Readonly<Record<string, unknown>>
}

export function makeArchive({ entries, counted, manifest = {} }: MadeArchive): string {
  const files = Object.fromEntries(
    entries
      .filter(([path]) => counted?.includes(path) ?? true)
      .map(([path, content]) => [path, { size: Buffer.byteLength(content), sha256: sum(content) }]),
  )
  const said = {
    format: 1,
    version: '0.1.0',
    createdAt: '2026-01-01T00:00:00.000Z',
    sources: [{ name: 'notes' }],
    files,
    ...manifest,
  }
  const blocks = [...entries, [MANIFEST, JSON.stringify(said)] as const].map(entryBlocks)
  const file = join(temporaryFolder(), 'made.tgz')
  writeFileSync(file, gzipSync(Buffer.concat([...blocks, END])))
  return file
}

function entryBlocks([path, content]: readonly [string, string]): Buffer {
  const bytes = Buffer.from(content)
  const header = { path, kind: 'file', size: bytes.length, mode: 0o644, modifiedAt: 0 } as const
  return Buffer.concat([headerBlocks(header), bytes, padding(bytes.length)])
}

function sum(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
