import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, mkdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { openFolderSource } from './open-folder-source.ts'
import { readableExtensions } from '../../../serve/parts/formats.ts'

async function read(root: string, ...paths: string[]) {
  return openFolderSource({ name: 'notes', extensions: readableExtensions(), root }).read(paths)
}

const utf16le = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
const utf16be = (text: string) => utf16le(text).swap16()

it.each<[string, string | Uint8Array, string]>([
  ['nothing', '', ''],
  ['ASCII', 'tea', 'tea'],
  ['UTF-8', 'Tee für zwei 🍵', 'Tee für zwei 🍵'],
  ['a byte order mark, which is not text', '\uFEFFtea', 'tea'],
  ['only a byte order mark', '\uFEFF', ''],
  ['a second mark, which is', '\uFEFF\uFEFFtea', '\uFEFFtea'],
  ['CRLF as it is', 'a\r\nb', 'a\r\nb'],
  ['UTF-16, little endian', utf16le('Grüße 🍵'), 'Grüße 🍵'],
  ['UTF-16, big endian', utf16be('Grüße 🍵'), 'Grüße 🍵'],
  ['a megabyte', 'é'.repeat(524_288), 'é'.repeat(524_288)],
])('reads %s', async (_, content, text) => {
  const bytes = Buffer.from(content)
  const root = temporaryFolder({ 'a.md': bytes })
  const digest = createHash('sha256').update(bytes).digest('hex')
  const modifiedAt = statSync(join(root, 'a.md')).mtimeMs
  expect(await read(root, 'a.md')).toEqual([
    {
      kind: 'text',
      path: 'a.md',
      text,
      digest,
      size: bytes.length,
      modifiedAt,
      stamp: expect.any(String),
    },
  ])
})

it.each<[string, Uint8Array]>([
  ['latin-1', Buffer.from('für', 'latin1')],
  ['a cut character', Buffer.from('für').subarray(0, 2)],
  ['an encoded surrogate', Buffer.from([0x61, 0xed, 0xa0, 0x80])],
  ['an overlong encoding', Buffer.from([0xc0, 0xae])],
  ['NUL bytes', Buffer.from('a\0b')],
  ['UTF-16 without a mark', Buffer.from('tea', 'utf16le')],
  ['half a UTF-16 character', utf16le('tea').subarray(0, 5)],
  ['a lone surrogate in UTF-16', utf16le('\ud800x')],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x74, 0, 0, 0])],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
])('skips %s', async (_, bytes) => {
  const root = temporaryFolder({ 'a.md': bytes })
  expect(await read(root, 'a.md')).toMatchObject([
    { kind: 'skipped', path: 'a.md', reason: 'not UTF-8 text', size: bytes.length },
  ])
})

it('answers for every path, in order, whatever happened to it', async () => {
  const root = temporaryFolder({ 'a.md': 'a', 'b.md': 'b', 'big.md': '' })
  truncateSync(join(root, 'big.md'), 50 * 1024 * 1024)
  mkdirSync(join(root, 'folder.md'))
  const contents = await read(
    root,
    'b.md',
    'gone.md',
    'big.md',
    'a.md/x',
    'folder.md',
    'a.md',
    'b.md',
  )
  expect(contents).toMatchObject([
    { kind: 'text', text: 'b' },
    { kind: 'gone', path: 'gone.md' },
    { kind: 'skipped', reason: 'larger than the limit of 10 MiB (50 MiB)' },
    { kind: 'gone', path: 'a.md/x' },
    { kind: 'skipped', reason: 'not a regular file' },
    { kind: 'text', text: 'a' },
    { kind: 'text', text: 'b' },
  ])
})

it.each([
  '..',
  '../x.md',
  'a/../../x.md',
  '/etc/passwd',
  './a.md',
  'a//b.md',
  'a\0.md',
  'a\\b.md',
  '',
])('refuses the path %j', async (path) => {
  const root = temporaryFolder({ 'a.md': 'a' })
  expect(await read(root, path)).toMatchObject([{ kind: 'failed', path }])
})

it('takes an encoded ".." for the name it is', async () => {
  expect(await read(temporaryFolder(), '%2e%2e/x.md')).toEqual([
    { kind: 'gone', path: '%2e%2e/x.md' },
  ])
})

it('reads a file of exactly the limit, and what was appended since the scan', async () => {
  const root = temporaryFolder({ 'a.md': 'x'.repeat(300_000) })
  const source = openFolderSource({
    name: 'notes',
    extensions: readableExtensions(),
    root,
    maxFileBytes: 300_000,
  })
  expect(await source.read(['a.md'])).toMatchObject([{ kind: 'text', size: 300_000 }])
  appendFileSync(join(root, 'a.md'), 'y')
  expect(await source.read(['a.md'])).toMatchObject([{ kind: 'skipped' }])
})

// root reads everything, so there is nothing to see when the tests run as root.
it.skipIf(process.getuid?.() === 0)('reports a file it may not read', async () => {
  const root = temporaryFolder({ 'a.md': 'a' })
  chmodSync(join(root, 'a.md'), 0)
  expect(await read(root, 'a.md')).toEqual([
    { kind: 'failed', path: 'a.md', reason: 'permission denied' },
  ])
})
