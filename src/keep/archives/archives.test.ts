/** What is packed comes out as it was, and what was changed in between is refused. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { MANIFEST } from './manifest.ts'
import { readArchive } from './read-archive.ts'
import { headerBlocks, END, padding } from './tar.ts'
import { openArchiveWriter } from './write-archive.ts'

const ABOUT = { version: '1', createdAt: '2026-01-01T00:00:00.000Z', sources: [{ name: 'notes' }] }
const LONG = `sources/notes/${'folder/'.repeat(30)}längerer Name.md`

async function packed(files: Record<string, string | Uint8Array>) {
  const file = join(temporaryFolder({}), 'a.tgz')
  const writer = openArchiveWriter(`${file}.partial`)
  await writer.addFolder('audit')
  for (const [path, content] of Object.entries(files)) {
    await writer.addBytes(path, Buffer.from(content as string), { modifiedAt: 1_700_000_000_123.5 })
  }
  await writer.finish(ABOUT)
  expect(writer.giveName(file)).toBe(true)
  return file
}

async function unpacked(file: string) {
  const found = new Map<string, string>()
  const times = new Map<string, number>()
  const { manifest, bytes } = await readArchive(file, {
    open({ path, modifiedAt }) {
      const parts: Uint8Array[] = []
      times.set(path, modifiedAt)
      return {
        write: (part) => void parts.push(Buffer.from(part)),
        end: () => void found.set(path, Buffer.concat(parts).toString('utf8')),
      }
    },
  })
  return { manifest, bytes, found, times }
}

/** The same with other bytes, compressed anew, so that only our own sums can tell. */
function altered(file: string, change: (tar: Buffer) => Buffer): string {
  writeFileSync(file, gzipSync(change(gunzipSync(readFileSync(file)))))
  return file
}

describe('an archive', () => {
  it('gives back what was put in, whatever it is called', async () => {
    const large = 'x'.repeat(300_000)
    const files = {
      'audit/a.log': '',
      [LONG]: 'ä\0b',
      'history/1': large,
      'sources/n/512': 'y'.repeat(512),
    }
    const { found, times, manifest, bytes } = await unpacked(await packed(files))
    expect(Object.fromEntries(found)).toEqual(files)
    expect(times.get(LONG)).toBeCloseTo(1_700_000_000_123.5, 1)
    expect(Object.keys(manifest.files).toSorted()).toEqual(Object.keys(files).toSorted())
    expect(bytes).toBe(300_000 + 4 + 512)
  })

  it('counts the last of two, and not what was forgotten', async () => {
    const file = join(temporaryFolder({}), 'a.tgz')
    const writer = openArchiveWriter(`${file}.partial`)
    for (const content of ['old', 'new']) {
      await writer.addBytes('a.md', Buffer.from(content), { modifiedAt: 0 })
    }
    await writer.addBytes('gone.md', Buffer.from('x'), { modifiedAt: 0 })
    writer.forget('gone.md')
    await writer.finish(ABOUT)
    writer.giveName(file)
    const { found, manifest } = await unpacked(file)
    expect(found.get('a.md')).toBe('new')
    expect(Object.keys(manifest.files)).toEqual(['a.md'])
  })

  it('is read by any tar', async () => {
    const file = await packed({ 'audit/a.log': 'one', [LONG]: 'two' })
    const listed = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' })
    expect(listed.split('\n')).toContain('audit/a.log')
    expect(execFileSync('tar', ['-xzOf', file, LONG], { encoding: 'utf8' })).toBe('two')
  })

  it('never takes a name that is taken', async () => {
    const file = await packed({})
    const writer = openArchiveWriter(`${file}.partial`)
    await writer.finish(ABOUT)
    expect(writer.giveName(file)).toBe(false)
    await writer.abandon()
    expect(readdirSync(dirname(file))).toEqual(['a.tgz'])
  })

  it.each<readonly [string, RegExp, (file: string) => unknown]>([
    ['cut off', /cut off/, (file) => writeFileSync(file, readFileSync(file).subarray(0, -40))],
    ['cut off early', /cut off/, (file) => writeFileSync(file, readFileSync(file).subarray(0, 60))],
    ['empty', /no backup|cut off/, (file) => writeFileSync(file, '')],
    ['no archive at all', /no backup/, (file) => writeFileSync(file, 'hello there')],
    ['a tar of others', /no backup/, (file) => altered(file, () => END)],
    [
      'a byte of the stream',
      /changed|cut off|not what it was|no tar/,
      (file) => {
        const bytes = readFileSync(file)
        bytes[Math.floor(bytes.length / 2)]! ^= 0xff
        writeFileSync(file, bytes)
      },
    ],
    [
      'another text',
      /"sources\/n\/a.md" is not what it was/,
      (file) =>
        altered(file, (tar) =>
          Buffer.from(tar.toString('latin1').replace('secret words', 'altered word'), 'latin1'),
        ),
    ],
    [
      'a file less',
      /missing/,
      (file) => altered(file, (tar) => tar.subarray(tar.indexOf('sources/n/b.md'))),
    ],
    [
      'a file more',
      /follows/,
      (file) =>
        altered(file, (tar) => {
          const header = { path: 'x', kind: 'file', size: 1, mode: 0o600, modifiedAt: 0 } as const
          const more = Buffer.concat([headerBlocks(header), Buffer.from('x'), padding(1), END])
          return Buffer.concat([tar.subarray(0, -1024), more])
        }),
    ],
    [
      'a way out',
      /no path of ours/,
      (file) => altered(file, (tar) => renamed(tar, '../../../etc/x')),
    ],
    [
      'a newer form',
      /form that this one does not know/,
      (file) =>
        altered(file, (tar) =>
          Buffer.from(tar.toString('latin1').replace('"format": 1', '"format": 9'), 'latin1'),
        ),
    ],
  ])('is refused: %s', async (_, reason, damage) => {
    const file = await packed({ 'sources/n/a.md': 'secret words', 'sources/n/b.md': 'more' })
    damage(file)
    await expect(readArchive(file)).rejects.toThrow(reason)
  })

  it('is refused where it is a link, or nothing', async () => {
    const file = await packed({ 'a.md': 'x' })
    altered(file, (tar) => {
      const at = tar.indexOf('ustar', 1100) - 257
      tar.write('2', at + 156, 'latin1')
      return fixedSum(tar, at)
    })
    await expect(readArchive(file)).rejects.toThrow(/neither a file nor a folder/)
    await expect(readArchive(`${file}.nope`)).rejects.toThrow(/no file/)
    expect(MANIFEST).toBe('cairn-backup.json')
  })
})

function renamed(tar: Buffer, path: string): Buffer {
  const header = { path, kind: 'file', size: 0, mode: 0o600, modifiedAt: 0 } as const
  return Buffer.concat([headerBlocks(header), tar])
}

function fixedSum(tar: Buffer, at: number): Buffer {
  let sum = 0
  for (let each = 0; each < 512; each++) sum += each >= 148 && each < 156 ? 0x20 : tar[at + each]!
  tar.write(sum.toString(8).padStart(6, '0') + '\0 ', at + 148, 'latin1')
  return tar
}
