/** What every place for edits promises. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { FileChange, SourceWriter } from '../../src/core/domain/source.ts'

export interface OpenedWriter {
  readonly writer: SourceWriter
  /** As another program sees it; undefined where there is nothing. */
  look(path: string): string | undefined | Promise<string | undefined>
  /** As another program would. */
  put(path: string, text: string): void | Promise<void>
}

const bytes = (text: string) => new TextEncoder().encode(text)
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

function change(path: string, before: string | undefined, after: string | undefined): FileChange {
  return {
    path,
    expect: before === undefined ? undefined : digest(before),
    bytes: after === undefined ? undefined : bytes(after),
  }
}

export function describeSourceWriter(
  name: string,
  open: (files: Readonly<Record<string, string>>) => OpenedWriter | Promise<OpenedWriter>,
): void {
  describe(`${name} writer`, () => {
    it('loads the bytes there are, or nothing', async () => {
      const { writer } = await open({ 'a.md': 'one' })
      expect(await writer.load('a.md')).toMatchObject({
        path: 'a.md',
        size: 3,
        digest: digest('one'),
      })
      expect(await writer.load('b.md')).toBeUndefined()
    })

    it('makes, changes and removes files as one group', async () => {
      const { writer, look } = await open({ 'a.md': 'one', 'b.md': 'two' })
      await writer.apply(
        [
          change('x/y/new.md', undefined, 'fresh'),
          change('a.md', 'one', 'uno'),
          change('b.md', 'two', undefined),
        ],
        'op',
      )
      expect(await Promise.all(['x/y/new.md', 'a.md', 'b.md'].map(look))).toEqual([
        'fresh',
        'uno',
        undefined,
      ])
    })

    it.each<[string, FileChange]>([
      ['is not what was expected', change('a.md', 'something else', 'x')],
      ['should not be there', change('a.md', undefined, 'x')],
      ['should be there', change('c.md', 'one', 'x')],
    ])('changes nothing at all when one file %s', async (_, wrong) => {
      const { writer, look } = await open({ 'a.md': 'one', 'b.md': 'two' })
      const group = [change('b.md', 'two', 'dos'), wrong]
      await expect(writer.apply(group, 'op')).rejects.toMatchObject({
        code: 'conflict',
        changed: [],
      })
      expect(await Promise.all(['a.md', 'b.md', 'c.md'].map(look))).toEqual([
        'one',
        'two',
        undefined,
      ])
    })

    it('keeps what another program saved since', async () => {
      const { writer, look, put } = await open({ 'a.md': 'one' })
      const known = await writer.load('a.md')
      await put('a.md', 'theirs')
      const late = { path: 'a.md', expect: known?.digest, bytes: bytes('ours') }
      await expect(writer.apply([late], 'op')).rejects.toMatchObject({ code: 'conflict' })
      expect(await look('a.md')).toBe('theirs')
    })

    it.each(['../out.md', '/etc/out.md', 'a/../../out.md', 'a.md/', '', '.git/config'])(
      'has no place for %j',
      async (path) => {
        const { writer } = await open({ 'a.md': 'one' })
        await expect(writer.place(path)).rejects.toThrow()
      },
    )

    it('spells a new path the way the folders are spelled, and says when it is taken', async () => {
      const { writer, look } = await open({ 'Plans/a.md': 'one' })
      expect(await writer.place('new.md')).toBe('new.md')
      expect(await writer.place('plans/b.md')).toBe('Plans/b.md')
      await expect(writer.place('Plans/a.md')).rejects.toThrow()
      expect(await writer.place('Plans/a.md', { except: 'Plans/a.md' })).toBe('Plans/a.md')
      expect(await look('new.md')).toBeUndefined()
    })

    it('leaves nothing of its own behind', async () => {
      const { writer } = await open({ 'a.md': 'one' })
      await writer.apply([change('a.md', 'one', 'uno')], 'op-1')
      await writer.apply([change('a.md', 'one', 'x')], 'op-2').catch(() => {})
      expect(await writer.strays()).toEqual([])
      expect(await writer.sweep()).toBe(0)
    })
  })
}
