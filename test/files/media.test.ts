/** Sounds and films that notes show: parts of files of any size, and only of those one may see. */
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readMedia } from '../../src/explorer/operations/read-media.ts'
import { sendMedia } from '../../src/explorer/routes/send-media.ts'
import { viewFor } from '../../src/core/operations/view/view.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FILM = 'abcdefghij'
const asked = (headers: Record<string, string>) => new Request('http://x/', { headers })

it.each([
  [{}, 200, undefined, FILM],
  [{ range: 'bytes=0-' }, 206, 'bytes 0-9/10', FILM],
  [{ range: 'bytes=2-4' }, 206, 'bytes 2-4/10', 'cde'],
  [{ range: 'bytes=8-99' }, 206, 'bytes 8-9/10', 'ij'],
  [{ range: 'bytes=-3' }, 206, 'bytes 7-9/10', 'hij'],
  [{ range: 'bytes=-99' }, 206, 'bytes 0-9/10', FILM],
  [{ range: 'bytes=10-' }, 416, 'bytes */10', ''],
  [{ range: 'bytes=-0' }, 416, 'bytes */10', ''],
  [{ range: 'bytes=4-2' }, 200, undefined, FILM],
  [{ range: 'bytes=0-1,3-4' }, 200, undefined, FILM],
  [{ range: 'bytes=999999999999999-' }, 416, 'bytes */10', ''],
  [{ range: `bytes=${'9'.repeat(400)}-` }, 200, undefined, FILM],
  [{ range: 'lines=1-2' }, 200, undefined, FILM],
  [{ range: 'bytes=2-4', 'if-range': '"older"' }, 200, undefined, FILM],
] as const)('answers %j', async (headers, status, range, text) => {
  const { kb } = await openSmallBase({ 'talk.mp4': FILM, 'n.md': '# N' })
  const media = await readMedia(kb, 'notes', 'talk.mp4', 'n.md')
  const answer = sendMedia(media, asked(headers), {})
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-range') ?? undefined).toBe(range)
  expect(answer.headers.get('content-type')).toBe('video/mp4')
  expect(await answer.text()).toBe(text)
  const again = { range: 'bytes=1-1', 'if-range': answer.headers.get('etag')! }
  expect(await sendMedia(media, asked(again), {}).text()).toBe('b')
})

it('sends a film that nobody could have in memory, from its end', async () => {
  const { kb, folder } = await openSmallBase({ 'talk.webm': '', 'n.md': '# N' })
  const size = 6 * 1024 ** 3
  truncateSync(join(folder, 'talk.webm'), size)
  appendFileSync(join(folder, 'talk.webm'), 'the end')
  const media = await readMedia(kb, 'notes', 'talk.webm', 'n.md')
  const before = process.memoryUsage().rss
  expect(await sendMedia(media, asked({ range: 'bytes=-7' }), {}).text()).toBe('the end')
  const reader = sendMedia(media, asked({}), {}).body!.getReader()
  for (let part = 0; part < 20; part++)
    expect((await reader.read()).value?.length).toBeGreaterThan(0)
  await reader.cancel()
  expect(process.memoryUsage().rss - before).toBeLessThan(500 * 1024 * 1024)
})

it('breaks off where the file becomes another one', async () => {
  const { kb, folder } = await openSmallBase({ 'a.mp3': 'x'.repeat(600_000), 'n.md': '# N' })
  const media = await readMedia(kb, 'notes', 'a.mp3', 'n.md')
  const reader = sendMedia(media, asked({}), {}).body!.getReader()
  expect((await reader.read()).value?.length).toBe(256 * 1024)
  writeFileSync(join(folder, 'a.mp3'), 'y'.repeat(600_001))
  await expect(reader.read()).rejects.toThrow('changed')
})

it('plays nothing that is hidden, elsewhere, or of another kind', async () => {
  const { base, kb, folder } = await openSmallBase({
    'n.md': '# N',
    'secret/a.mp3': 'hidden',
    'attachments/b.mp3': 'beside',
    'private.md': '---\ncairn: private\n---\n',
  })
  const outside = temporaryFolder({ 'c.mp3': 'outside' })
  symlinkSync(join(outside, 'c.mp3'), join(folder, 'c.mp3'))
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.git/d.mp3'), 'tool')
  mkdirSync(join(folder, 'e.mp3'))
  const guest = viewFor(base, {
    principal: 'guest',
    may: ['read'],
    sees: ({ path }) => !path.startsWith('secret/'),
  })
  const said = (path: string, view = kb, source = 'notes') =>
    readMedia(view, source, path, 'n.md').then(
      async (media) => Buffer.from((await media.part(0, 99))!).toString(),
      ({ code, message }) => `${code} ${message}`,
    )
  expect(await said('secret/a.mp3')).toBe('hidden')
  expect(await said('secret/a.mp3', guest)).toBe(
    (await said('secret/z.mp3', guest)).replace('z.', 'a.'),
  )
  expect(await said('b.mp3')).toBe('beside')
  for (const path of [
    'c.mp3',
    '.git/d.mp3',
    'e.mp3',
    '../c.mp3',
    '/etc/c.mp3',
    'n.md',
    'private.md',
    'none.mp3',
    '',
    'a\0.mp3',
  ]) {
    expect(await said(path)).toMatch(/^not_found/)
  }
  expect(await said('b.mp3', kb, 'nowhere')).toMatch(/^not_found/)
})
