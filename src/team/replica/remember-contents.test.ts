/** Documents without files, as they are known while the database does not answer. */
import { expect, it } from 'vitest'
import type { Content, Contents } from '../../core/domain/contents.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import { rememberContents } from './remember-contents.ts'

function openRemote(mostBytes?: number) {
  const rows = new Map<string, string>()
  const remote = { rows, isAway: false }
  const contentOf = (path: string): Content | undefined => {
    const text = rows.get(path)
    if (text === undefined) return undefined
    const times = { modifiedAt: 1, bornAt: 1, version: 1 }
    return { path, size: text.length, digest: `of ${text}`, bytes: Buffer.from(text), ...times }
  }
  const ask = async (_source: string, paths: readonly string[]) => paths.map(contentOf)
  const around = async () => {
    throw new KnowledgeError('unavailable', 'It does not answer.', 'Start it.')
  }
  const contents = rememberContents(
    { look: ask, read: ask, around } as Partial<Contents> as Contents,
    async (now, known) => (remote.isAway ? known() : now()),
    mostBytes,
  )
  const texts = async (...paths: string[]) =>
    (await contents.read('notes', paths)).map((each) => each && Buffer.from(each.bytes).toString())
  return { remote, contents, texts }
}

it('shows what was read before, and says what was not', async () => {
  const { remote, contents, texts } = openRemote()
  remote.rows.set('a.md', 'one').set('b.md', 'two')
  await texts('a.md')
  remote.isAway = true
  expect(await texts('a.md')).toEqual(['one'])
  expect(await contents.look('notes', ['a.md'])).toMatchObject([{ digest: 'of one' }])
  await expect(texts('a.md', 'b.md')).rejects.toMatchObject({ code: 'unavailable' })
  await expect(contents.read('others', ['a.md'])).rejects.toMatchObject({ code: 'unavailable' })
  await expect(contents.around('notes', 'a.md')).rejects.toMatchObject({ code: 'unavailable' })
})

it('forgets what is something else or nothing by now, and what was read longest ago', async () => {
  const { remote, contents, texts } = openRemote(1_600)
  remote.rows.set('a.md', 'one').set('b.md', 'two').set('c.md', 'three').set('d.md', 'four')
  await texts('a.md', 'b.md', 'c.md')
  remote.rows.set('a.md', 'changed').delete('b.md')
  await contents.look('notes', ['a.md'])
  await texts('b.md')
  remote.isAway = true
  expect(await texts('c.md')).toEqual(['three'])
  for (const path of ['a.md', 'b.md']) await expect(texts(path)).rejects.toThrow('does not answer')
  remote.isAway = false
  remote.rows.set('b.md', 'x'.repeat(400))
  await texts('a.md', 'd.md', 'b.md')
  remote.isAway = true
  await expect(texts('c.md')).rejects.toThrow('does not answer')
  expect(await texts('d.md')).toEqual(['four'])
})
