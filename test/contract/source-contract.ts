/** What every source promises. A source is done when this passes. */
import { describe, expect, it } from 'vitest'
import type { Source, SourceChange } from '../../src/core/domain/source.ts'

/** A source over a place of its own that other programs change as well. */
export interface OpenedSource {
  readonly source: Source
  /** The path under which the source offers what is called so. */
  pathOf(name: string): string
  /** As another program would. */
  put(name: string, text: string): void | Promise<void>
  remove(name: string): void | Promise<void>
  /** Takes the whole place away, as an unmounted drive is. */
  takeAway(): void | Promise<void>
}

export function describeSource(
  name: string,
  open: (files: Readonly<Record<string, string>>) => OpenedSource | Promise<OpenedSource>,
): void {
  describe(`${name} source`, () => {
    it('offers what is there, in the order of paths, with size and time', async () => {
      const { source, pathOf } = await open({ b: 'two', a: 'one', ä: 'three' })
      const { files } = await source.scan()
      expect(files.map(({ path }) => path)).toEqual(['a', 'b', 'ä'].map(pathOf).toSorted(byUnits))
      for (const { size, modifiedAt } of files) {
        expect([size > 0, Number.isFinite(modifiedAt)]).toEqual([true, true])
      }
    })

    it('looks at some paths as it would at all, and leaves out what is gone', async () => {
      const { source, pathOf, put, remove } = await open({ a: 'one', b: 'two', c: 'three' })
      await source.scan()
      await remove('a')
      await put('b', 'two and more')
      const some = await source.rescan(['a', 'b', 'nothing'].map(pathOf))
      const { files } = await source.scan()
      expect(files.map(({ path }) => path)).toEqual(['b', 'c'].map(pathOf))
      expect(some.files).toEqual(files.filter(({ path }) => path === pathOf('b')))
      expect((await source.rescan([''])).files).toEqual(files)
    })

    it('reads in the order asked for, and fails for no single path', async () => {
      const { source, pathOf } = await open({ a: 'one', b: 'two' })
      const paths = ['b', 'nothing', 'a', 'b'].map(pathOf)
      const contents = await source.read(paths)
      expect(contents.map(({ kind, path }) => [kind, path])).toEqual([
        ['text', paths[0]],
        ['gone', paths[1]],
        ['text', paths[2]],
        ['text', paths[3]],
      ])
      const [two, , one, again] = contents.map((each) => (each.kind === 'text' ? each : undefined))
      expect(two?.text).toContain('two')
      expect(two).toEqual(again)
      expect(two?.digest).toMatch(/^[0-9a-f]{64}$/)
      expect(one?.digest).not.toBe(two?.digest)
    })

    it('gives the same digest for the same text and another for another', async () => {
      const { source, pathOf, put } = await open({ a: 'one', b: 'two' })
      const digest = async () => {
        const [content] = await source.read([pathOf('a')])
        return content?.kind === 'text' ? content.digest : content?.kind
      }
      const before = await digest()
      await put('b', 'changed')
      expect(await digest()).toBe(before)
      await put('a', 'changed')
      expect(await digest()).not.toBe(before)
    })

    it('says of every path when it came to be, or that nobody knows', async () => {
      const { source, pathOf } = await open({ a: 'one' })
      const births = await source.bornAt(['a', 'nothing'].map(pathOf))
      expect(births).toHaveLength(2)
      expect(births[1]).toBeUndefined()
    })

    it('tells of a change, and of no more once it was closed', async () => {
      const { source, pathOf, put } = await open({ a: 'one', b: 'two' })
      const told: SourceChange[] = []
      let wake = (): void => {}
      const watching = await source.watch((change) => {
        told.push(change)
        wake()
      })
      const next = new Promise<void>((resolve) => (wake = resolve))
      await put('a', 'changed')
      await next
      expect(told.some(({ paths }) => !paths || paths.includes(pathOf('a')))).toBe(true)
      watching.close()
      watching.close()
    })

    it('is out of reach, and not empty, when its place is gone', async () => {
      const { source, pathOf, takeAway } = await open({ a: 'one' })
      await source.scan()
      await takeAway()
      await expect(source.scan()).rejects.toMatchObject({ code: 'unavailable' })
      const [content] = await source.read([pathOf('a')])
      expect(content?.kind).not.toBe('text')
    })
  })
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
