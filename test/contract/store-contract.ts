/** What every store promises. A store is done when this passes. */
import type { FileRecord } from '../../src/core/domain/document.ts'
import { asPart, withMaker } from '../../src/core/domain/document.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LinkKind } from '../../src/core/domain/text.ts'
import { resolveLink } from '../../src/core/indexing/resolve-link.ts'
import { documentNames, isAttachment, linkKey } from '../../src/core/indexing/link-names.ts'
import type { Lease, NewDocument, NewLink, Store } from '../../src/core/store/store.ts'

export function describeStore(
  name: string,
  open: () => Promise<{
    store: Store
    /** Another base, kept in the same place as far as the store has one place for several. */
    neighbour: Store
    reopen: () => Promise<Store>
    /** For a store that has a clock of its own. */
    minutePasses?: () => Promise<void>
    close: () => void
  }>,
): void {
  describe(`${name} store`, () => {
    let opened: Awaited<ReturnType<typeof open>>
    let store: Store
    let beside: unknown
    beforeEach(async () => {
      opened = await open()
      store = opened.store
      // The same names and numbers as the cases use, so that whatever reaches over shows.
      await furnish(opened.neighbour)
      beside = await everythingIn(opened.neighbour)
    })
    afterEach(async () => {
      // Whatever was done to the base, the one beside it knows nothing of it.
      expect(await everythingIn(opened.neighbour)).toEqual(beside)
      await opened.neighbour.close()
      await store.close()
      opened.close()
    })
    const put = (...documents: NewDocument[]) =>
      store.commit({ put: documents, segment: segmentOf(documents) }, resolveLink)
    /** `1 wiki 2`, or `1 uses 2` for a relation. */
    const edges = async () => {
      const { from, to, type, types } = await store.edges()
      const named = Array.from(from, (doc, index) => {
        const { kind, label } = types[type[index] ?? 0]!
        return `${doc} ${label ?? kind} ${to[index]}`
      })
      return named.toSorted()
    }

    it('keeps what a writer put in since a batch was begun, and says so', async () => {
      await put(note(1, 'tea.md'), note(2, 'gone.md'), note(3, 'kept.md'))
      const asOf = (await store.stamps()).generation
      // A writer changes one document, deletes one and makes one, without the lease.
      await put({ ...note(1, 'tea.md'), digest: 'newer' }, note(4, 'made.md'))
      await store.commit({ remove: [2] }, resolveLink)
      const late = [note(1, 'tea.md'), note(2, 'gone.md'), note(5, 'made.md'), note(6, 'x.md')]
      const left: string[] = []
      const onLeftOut = ({ path }: { path: string }) => left.push(path)
      await store.commit(
        { asOf, onLeftOut, put: late, remove: [4], segment: segmentOf(late) },
        resolveLink,
      )
      expect(left.toSorted()).toEqual(['gone.md', 'made.md', 'made.md', 'tea.md'])
      expect((await store.findByPath('notes', 'tea.md'))?.digest).toBe('newer')
      expect(await store.findByPath('notes', 'gone.md')).toBeUndefined()
      expect((await store.findByPath('notes', 'made.md'))?.no).toBe(4)
      expect(await store.findByPath('notes', 'x.md')).toBeDefined()
      // The segment of the late batch holds what was left out, marked as not there.
      expect([...((await store.segments()).at(-1)?.deleted ?? [])]).toEqual([1, 2, 5])
      expect(await store.check()).toEqual([])
    })

    it('gives a path that two processes numbered to the later one', async () => {
      await put(note(1, 'tea.md'))
      await put({ ...note(7, 'tea.md'), digest: 'later' })
      expect(await store.findByPath('notes', 'tea.md')).toMatchObject({ no: 7, digest: 'later' })
      expect((await store.counts()).documents).toBe(1)
      expect(await store.check()).toEqual([])
    })

    it('merges around a document that was written meanwhile', async () => {
      await put(note(1, 'a.md'), note(2, 'b.md'))
      const from = (await store.segments()).map(({ id }) => id)
      await put({ ...note(1, 'a.md'), digest: 'newer' })
      const writer = (await store.segments()).at(-1)!.id
      await store.commit(
        { merge: { from, to: segmentOf([note(1, 'a.md'), note(2, 'b.md')]) } },
        resolveLink,
      )
      const merged = (await store.segments()).find(({ id }) => id !== writer)
      expect([...(merged?.deleted ?? [])]).toEqual([1])
      expect(await store.segmentDocs(writer)).toEqual([1])
      expect(await store.check()).toEqual([])
    })

    it('does not merge away a document that was put into a segment meanwhile', async () => {
      const [a, b] = [note(1, 'a.md'), note(2, 'b.md')]
      await store.commit({ merge: { from: [], to: segmentOf([a, b]) } }, resolveLink)
      const within = (await store.segments())[0]!.id
      await store.commit({ put: [a, b], within }, resolveLink)
      for (const to of [segmentOf([a]), undefined]) {
        const merge = store.commit({ merge: { from: [within], to } }, resolveLink)
        await expect(merge).rejects.toMatchObject({ code: 'conflict' })
      }
      expect((await store.segments()).map(({ id }) => id)).toEqual([within])
      expect(await store.segmentDocs(within)).toEqual([1, 2])
      expect(await store.check()).toEqual([])
    })

    it('puts documents into a segment that came before them', async () => {
      const [a, b, c] = [note(1, 'a.md'), note(2, 'b.md'), note(3, 'c.md')]
      await store.commit({ merge: { from: [], to: segmentOf([a, b, c]) } }, resolveLink)
      const within = (await store.segments())[0]!.id
      const deleted = async () => (await store.segments()).map((each) => [...each.deleted])
      expect([await deleted(), await store.segmentDocs(within)]).toEqual([[[1, 2, 3]], []])
      await store.commit({ put: [a, c], within }, resolveLink)
      expect([await deleted(), await store.segmentDocs(within)]).toEqual([[[2]], [1, 3]])
      expect(await store.check()).toEqual([])
      await store.commit({ remove: [3] }, resolveLink)
      await store.commit({ put: [b], within }, resolveLink)
      expect([await deleted(), await store.segmentDocs(within)]).toEqual([[[3]], [1, 2]])
      expect(await store.check()).toEqual([])
      // One that was merged meanwhile takes no document.
      await store.commit({ merge: { from: [within], to: segmentOf([a, b]) } }, resolveLink)
      const late = store.commit({ put: [note(4, 'd.md')], within }, resolveLink)
      await expect(late).rejects.toMatchObject({ code: 'conflict' })
      expect(await store.findByPath('notes', 'd.md')).toBeUndefined()
    })

    it('counts generations, and only committed ones', async () => {
      expect((await store.stamps()).generation).toBe(0)
      expect(await put(note(1, 'tea.md'))).toBe(1)
      const twice = { put: [note(2, 'a.md'), note(3, 'a.md')] }
      await expect(store.commit(twice, resolveLink)).rejects.toThrow()
      expect((await store.stamps()).generation).toBe(1)
      expect((await store.counts()).documents).toBe(1)
    })

    it('gives back what was put, after reopening too', async () => {
      const document = note(7, 'guides/Tea.md', {
        title: 'Tea',
        aliases: ['chai'],
        tags: ['Drink'],
        properties: { version: '1.0', steps: [1, 'two'], draft: false },
        createdAt: 1_700_000_000_000,
        secrets: [{ kind: 'AWS key', start: 3, end: 23 }],
      })
      await put(document)
      await store.close()
      store = await opened.reopen()
      const [found] = await store.documents([7])
      expect(found).toMatchObject({
        no: 7,
        source: 'notes',
        path: 'guides/Tea.md',
        title: 'Tea',
        aliases: ['chai'],
        tags: ['Drink'],
        properties: { version: '1.0', steps: [1, 'two'], draft: false },
        createdAt: 1_700_000_000_000,
        secrets: [{ kind: 'AWS key', start: 3, end: 23 }],
      })
      expect(await store.findByPath('notes', 'guides/Tea.md')).toEqual(found)
      expect(await store.findByPath('notes', 'guides/tea.md')).toBeUndefined()
      expect(await store.findByPathFolded('GUIDES/tea.MD')).toEqual([found])
      expect((await store.chunksOf([7]))[0]).toEqual([
        { doc: 7, ordinal: 0, start: 0, end: 5, lineStart: 1, lineEnd: 1, headingPath: ['A', 'B'] },
      ])
    })

    it('remembers when reading the files began, not when they were written down', async () => {
      const tea = note(1, 'tea.md')
      const batch = { put: [tea], segment: segmentOf([tea]), checkedAt: 1_700_000_000_000 }
      await store.commit(batch, resolveLink)
      expect(await store.files('notes')).toMatchObject([{ checkedAt: 1_700_000_000_000 }])
      const touch = [{ no: 1, size: 5, modifiedAt: 2 }]
      await store.commit({ touch, checkedAt: 1_800_000_000_000 }, resolveLink)
      expect(await store.files('notes')).toMatchObject([{ checkedAt: 1_800_000_000_000 }])
    })

    it('keeps a link to a note that does not exist yet, and heals it when the note appears', async () => {
      await put(note(1, 'tea.md', { links: [wiki('kettle')] }))
      expect((await store.brokenLinks({ offset: 0, limit: 10 })).total).toBe(1)
      await put(note(2, 'Kettle.md'))
      expect((await store.linksFrom(1))[0]?.to).toBe(2)
      expect((await store.linksTo(2)).map(({ from }) => from)).toEqual([1])
      await store.commit({ remove: [2] }, resolveLink)
      expect((await store.linksFrom(1))[0]?.to).toBeUndefined()
      expect((await store.brokenLinks({ offset: 0, limit: 10 })).total).toBe(1)
    })

    it('resolves links again when a title or alias changes', async () => {
      await put(note(1, 'tea.md', { links: [wiki('Water Boiler')] }), note(2, 'kettle.md'))
      expect((await store.linksFrom(1))[0]?.to).toBeUndefined()
      await put(note(2, 'kettle.md', { aliases: ['Water boiler'] }))
      expect((await store.linksFrom(1))[0]?.to).toBe(2)
      await put(note(2, 'kettle.md', { title: 'Something else' }))
      expect((await store.linksFrom(1))[0]?.to).toBeUndefined()
    })

    it('lets a better match take a link over', async () => {
      await put(note(1, 'tea.md', { links: [wiki('item')] }), note(2, 'b/item.md'))
      expect((await store.linksFrom(1))[0]?.to).toBe(2)
      await put(note(3, 'a/item.md'))
      expect((await store.linksFrom(1))[0]?.to).toBe(3)
    })

    it('never calls an attachment a broken link', async () => {
      await put(note(1, 'tea.md', { links: [wiki('cup.png')] }))
      expect((await store.brokenLinks({ offset: 0, limit: 10 })).total).toBe(0)
    })

    it('names each target that leads nowhere once, in the order of the text', async () => {
      const links = ['d', 'b', 'cup.png', 'c', 'd', 'a'].map(wiki)
      await put(note(1, 'tea.md', { links }), note(2, 'b.md', { links: [wiki('e')] }))
      expect(await store.deadEnds(1, 10)).toEqual(['d', 'c', 'a'])
      expect(await store.deadEnds(1, 2)).toEqual(['d', 'c'])
      expect(await store.deadEnds(3, 10)).toEqual([])
    })

    it('gives every distinct edge once', async () => {
      await put(
        note(1, 'a.md', { links: [wiki('b'), wiki('B'), wiki('a')] }),
        note(2, 'b.md', { links: [wiki('a')] }),
        note(3, 'c.md', { links: [{ ...wiki('a.md'), kind: 'markdown' }] }),
      )
      expect(await edges()).toEqual(['1 wiki 1', '1 wiki 2', '2 wiki 1', '3 markdown 1'])
    })

    it('tells the links between two documents, and edges with their kinds and predicates', async () => {
      const to = (kind: LinkKind, target: string, label?: string) => ({
        ...wiki(target),
        kind,
        label,
      })
      await put(
        { ...note(1, 'a.md'), links: [to('wiki', 'b'), to('relation', 'b', 'uses')] },
        { ...note(2, 'b.md'), links: [to('relation', 'a', 'hates'), to('embed', 'a')] },
      )
      const between = (await store.linksBetween(1, 2)).map(({ kind, label }) => [kind, label])
      expect(between).toEqual([
        ['wiki', undefined],
        ['relation', 'uses'],
      ])
      expect(await edges()).toEqual(['1 uses 2', '1 wiki 2', '2 embed 1', '2 hates 1'])
    })

    it('has a number for 255 types of edges, and one for all that are more', async () => {
      const links = Array.from({ length: 300 }, (_, index) => ({
        ...wiki('b'),
        kind: 'relation' as const,
        label: `p${String(index).padStart(3, '0')}`,
      }))
      await put({ ...note(1, 'a.md'), links }, note(2, 'b.md'))
      const { from, type, types } = await store.edges()
      expect(from.length).toBe(300)
      expect(types.length).toBe(256)
      expect(Math.max(...type)).toBe(255)
      expect(types[type[0] ?? 0]).toEqual({ kind: 'relation', label: 'p000' })
      expect(types[255]).toEqual({ kind: 'relation' })
    })

    it('tells entities from other documents', async () => {
      await put(note(1, 'a.md'), note(2, 'entity://a'), note(3, 'entity/a.md'))
      const matching = async (kind: 'entity' | 'document') => [...(await store.matching({ kind }))]
      expect(await matching('entity')).toEqual([2])
      expect((await matching('document')).toSorted()).toEqual([1, 3])
    })

    it('lists links as they are written, whether anything is there or not', async () => {
      await put(
        note(2, 'b.md', { links: [wiki('Ghost'), wiki('a'), wiki('Ghost')] }),
        note(1, 'a.md', { links: [{ ...wiki('pic'), kind: 'embed' }] }),
        note(3, 'c.md', { links: [{ ...wiki('a.md'), kind: 'markdown' }] }),
      )
      const written = async (...kinds: LinkKind[]) =>
        (await store.linkTargets(kinds)).map(({ from, target }) => `${from} ${target}`)
      expect(await written('wiki', 'embed')).toEqual(['1 pic', '2 Ghost', '2 a', '2 Ghost'])
      expect(await written('markdown')).toEqual(['3 a.md'])
      expect(await written()).toEqual([])
    })

    it('filters by source, path, tag, type and time', async () => {
      await put(
        note(1, 'a/one.md', { tags: ['Red', 'big'], updatedAt: 100 }),
        note(2, 'a/two.md', { tags: ['red'], updatedAt: 200, type: 'meeting' }),
        note(3, 'b/three.md', { inlineTags: ['BIG'], updatedAt: 300, source: 'docs' }),
      )
      const check = async (filter: Parameters<Store['matching']>[0], expected: number[]) =>
        expect([...(await store.matching(filter))].toSorted()).toEqual(expected)
      await check({}, [1, 2, 3])
      await check({ sources: ['docs'] }, [3])
      await check({ sources: [] }, [])
      await check({ pathPrefix: 'A/' }, [1, 2])
      await check({ tags: ['RED'] }, [1, 2])
      await check({ tags: ['red', 'big'], tagMode: 'all' }, [1])
      await check({ tags: ['red', 'big'] }, [1, 2, 3])
      await check({ tags: ['#red', 'red'], tagMode: 'all' }, [1, 2])
      await check({ types: ['meeting'] }, [2])
      await check({ updatedAfter: 200 }, [2, 3])
      await check({ updatedBefore: 200 }, [1])
    })

    it('lists in every order, a page at a time', async () => {
      await put(
        note(1, 'b.md', { title: 'alpha', updatedAt: 1 }),
        note(2, 'a.md', { title: 'Beta', updatedAt: 3 }),
        note(3, 'c.md', { title: 'gamma', updatedAt: 2, createdAt: 9 }),
      )
      const order = async (sort: Parameters<Store['list']>[1]) =>
        (await store.list({}, sort, { offset: 0, limit: -1 })).documents.map(({ no }) => no)
      expect(await order('path')).toEqual([2, 1, 3])
      expect(await order('title')).toEqual([1, 2, 3])
      expect(await order('updated')).toEqual([2, 3, 1])
      expect(await order('stale')).toEqual([1, 3, 2])
      expect(await order('created')).toEqual([3, 2, 1])
      await put(note(4, 'd.md', { title: 'zeta', updatedAt: undefined }))
      expect(await order('updated')).toEqual([2, 3, 1, 4])
      expect(await order('stale')).toEqual([1, 3, 2, 4])
      expect((await store.list({ updatedBefore: 9 }, 'path', { offset: 0, limit: -1 })).total).toBe(
        3,
      )
      await store.commit({ remove: [4] }, resolveLink)
      const page = await store.list({}, 'path', { offset: 1, limit: 1 })
      expect([page.documents.map(({ no }) => no), page.total]).toEqual([[1], 3])
      expect([...(await store.pathOrder())]).toEqual([2, 1, 3])
    })

    it('remembers what became of every file', async () => {
      await put(note(1, 'a.md'))
      const skipped = fileRecord('big.md', 'skipped', 'too large')
      await store.commit({ files: [skipped] }, resolveLink)
      expect((await store.files('notes')).map(({ path, state }) => [path, state])).toEqual([
        ['a.md', 'indexed'],
        ['big.md', 'skipped'],
      ])
      expect((await store.files('notes', ['big.md'])).map(({ reason }) => reason)).toEqual([
        'too large',
      ])
      expect((await store.listFiles({ state: 'skipped' }, { offset: 0, limit: 5 })).total).toBe(1)
      await put(note(2, 'big.md'))
      expect((await store.listFiles({ state: 'skipped' }, { offset: 0, limit: 5 })).total).toBe(0)
    })

    it('remembers the stamp of a file, and takes over the one it is touched with', async () => {
      await put({ ...note(1, 'a.md'), stamp: '1 2' }, note(2, 'b.md'))
      const stamps = async () => (await store.files('notes')).map(({ stamp }) => stamp)
      expect(await stamps()).toEqual(['1 2', undefined])
      const touch = [{ no: 1, size: 5, modifiedAt: 1_000, stamp: '1 3' }]
      expect(await store.commit({ touch }, resolveLink)).toBe(1)
      expect(await stamps()).toEqual(['1 3', undefined])
      const skipped = { ...fileRecord('c.md', 'skipped', 'why'), stamp: '7 7' }
      await store.commit({ files: [skipped] }, resolveLink)
      expect(await stamps()).toEqual(['1 3', undefined, '7 7'])
    })

    it('keeps odd texts: long ones, lone surrogates, NUL, many links', async () => {
      const long = 'Xy'.repeat(4_500)
      const path = `${'deep/'.repeat(600)}a.md`
      const odd = note(1, path, {
        title: 'nul \0 and half \ud83d of a face',
        aliases: [long],
        tags: [long, 'a\0b'],
        properties: { [long]: 'lone \udc00' },
        description: '\0',
        links: [wiki(long), ...Array.from({ length: 20_000 }, (_, at) => wiki(`n${at % 7}`))],
      })
      const named = Array.from({ length: 7 }, (_, at) => note(10 + at, `n${at}.md`))
      await put(odd, note(2, 'b.md', { links: [wiki(long)] }), ...named)
      const found = await store.findByPath('notes', path)
      expect(found?.title.toWellFormed()).toBe(odd.title.toWellFormed())
      expect(found).toMatchObject({ aliases: [long], tags: [long, 'a\0b'], description: '\0' })
      expect([...(await store.matching({ tags: [long] }))]).toEqual([1])
      expect([...(await store.matching({ tags: ['A\0B'] }))]).toEqual([1])
      expect((await store.linksFrom(2))[0]?.to).toBe(1)
      expect(await store.linksFrom(1)).toHaveLength(20_001)
      expect((await store.counts()).links).toBe(20_002)
      expect((await store.linksTo(10)).length).toBeGreaterThan(2_800)
      await put({ ...odd, links: [] })
      await store.commit({ remove: [2] }, resolveLink)
      expect((await store.counts()).links).toBe(0)
      expect(await store.check()).toEqual([])
    })

    it('finds the files below a folder and no others', async () => {
      await put(note(1, 'a/x.md'), note(2, 'a.md'), note(3, 'a-b/x.md'), note(4, 'a/b/y.md'))
      const found = async (...under: string[]) =>
        (await store.files('notes', under)).map(({ path }) => path).toSorted()
      expect(await found('a')).toEqual(['a/b/y.md', 'a/x.md'])
      expect(await found('a.md', 'a/x.md')).toEqual(['a.md', 'a/x.md'])
      expect(await found('')).toHaveLength(4)
    })

    it('shows each file of a source once, however many there are', async () => {
      if (!store.eachFile) return
      const paths = Array.from({ length: 2_100 }, (_, at) => `${at % 7}/é-${at}.md`)
      await put(note(1, 'a.md'), note(2, 'b/\u{1F343}.md'), note(3, 'b/\uFFE6.md'))
      await store.commit(
        { files: paths.map((path) => fileRecord(path, 'skipped', 'too large')) },
        resolveLink,
      )
      const shown: FileRecord[] = []
      await store.eachFile('notes', (file) => shown.push(file))
      const inOrder = (files: readonly FileRecord[]): FileRecord[] =>
        files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
      expect(inOrder(shown)).toEqual(inOrder(await store.files('notes')))
      expect(shown).toHaveLength(2_103)
      await store.eachFile('others', () => expect.unreachable())
    })

    it('keeps segments and reads any range of their streams', async () => {
      const big = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7) % 251)
      const small = Uint8Array.from([1, 2, 3])
      await store.commit(
        {
          put: [note(1, 'a.md')],
          segment: { docs: [1], resident: { small, empty: new Uint8Array() }, paged: { big } },
        },
        resolveLink,
      )
      const [segment] = await store.segments()
      expect(segment).toMatchObject({ docs: 1, bytes: 200_003 })
      const id = segment!.id
      expect([...(await store.segmentStream(id, 'small'))]).toEqual([1, 2, 3])
      expect((await store.segmentStream(id, 'empty')).length).toBe(0)
      const ranges = [
        { start: 0, end: 10 },
        { start: 65_530, end: 65_550 },
        { start: 0, end: 200_000 },
        { start: 5, end: 5 },
      ]
      const parts = await store.segmentRanges(id, 'big', ranges)
      parts.forEach((part, index) => {
        const { start, end } = ranges[index]!
        expect(Buffer.from(part).equals(Buffer.from(big.subarray(start, end)))).toBe(true)
      })
      await expect(store.segmentStream(id, 'nothing')).rejects.toThrow('nothing')
    })

    it('marks changed and removed documents in the segments that hold them, and merges', async () => {
      await put(note(1, 'a.md'), note(2, 'b.md'))
      await put(note(1, 'a.md', { title: 'new' }))
      await store.commit({ remove: [2] }, resolveLink)
      const segments = await store.segments()
      expect(segments.map(({ deleted }) => [...deleted])).toEqual([[1, 2], []])
      expect(await store.segmentDocs(segments[1]!.id)).toEqual([1])
      await store.commit(
        { merge: { from: segments.map(({ id }) => id), to: segmentOf([note(1, 'a.md')]) } },
        resolveLink,
      )
      const [merged, ...others] = await store.segments()
      expect([others.length, await store.segmentDocs(merged!.id)]).toEqual([0, [1]])
      // Whoever began before the merge can finish. A minute later it is gone; its number never comes back.
      const stream = () => store.segmentStream(segments[0]!.id, 'stream')
      expect([...(await stream())]).toEqual([1])
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
      try {
        await opened.minutePasses?.()
        await put(note(3, 'c.md'))
      } finally {
        vi.useRealTimers()
      }
      await expect(stream()).rejects.toMatchObject({ code: 'conflict' })
      const ids = (await store.segments()).map(({ id }) => id)
      expect(new Set([...ids, ...segments.map(({ id }) => id)]).size).toBe(ids.length + 2)
      expect(await store.check()).toEqual([])
    })

    it('keeps what a merge has replaced also where it is large', async () => {
      const large = new Uint8Array(5 * 1024 * 1024).fill(7)
      const documents = [note(1, 'a.md'), note(2, 'b.md')]
      for (const document of documents) {
        const segment = { ...segmentOf([document]), paged: { list: large } }
        await store.commit({ put: [document], segment }, resolveLink)
      }
      const from = (await store.segments()).map(({ id }) => id)
      const to = { ...segmentOf(documents), paged: { list: large } }
      await store.commit({ merge: { from, to } }, resolveLink)
      await put(note(3, 'c.md'))
      await put(note(4, 'd.md'))
      for (const id of from) {
        const [part] = await store.segmentRanges(id, 'list', [{ start: 70_000, end: 70_003 }])
        expect([...part!]).toEqual([7, 7, 7])
      }
      expect(await store.check()).toEqual([])
    })

    it('tells apart edits that leave the links as they were', async () => {
      const tea = note(1, 'tea.md', { links: [wiki('kettle')] })
      let stamp = -1
      const moves = async (work: Promise<unknown>): Promise<boolean> => {
        await work
        const before = stamp
        stamp = (await store.stamps()).graph
        return stamp > before
      }
      expect(await moves(put(tea, note(3, 'cup.md')))).toBe(true)
      expect(await moves(put({ ...tea, digest: 'edited' }))).toBe(false)
      const again = [wiki('kettle'), wiki('nowhere')]
      expect(await moves(put(note(1, 'tea.md', { links: again })))).toBe(false)
      expect(await moves(put(note(1, 'tea.md', { links: [...again, wiki('cup')] })))).toBe(true)
      expect(await moves(put(note(2, 'kettle.md')))).toBe(true)
      // A title that another document's link means now.
      expect(await moves(put(note(3, 'cup.md', { title: 'nowhere' })))).toBe(true)
      // The same path under another number.
      expect(await moves(put(note(8, 'cup.md', { title: 'nowhere' })))).toBe(true)
      expect(await moves(store.commit({ remove: [2] }, resolveLink))).toBe(true)
      expect(await moves(store.commit({ remove: [2] }, resolveLink))).toBe(false)
    })

    it('begins no generation for files that were looked at again and are as they were', async () => {
      await put(note(1, 'a.md'))
      const touch = [{ no: 1, size: 5, modifiedAt: 1_000 }]
      expect(await store.commit({ checkedAt: 2_000, touch }, resolveLink)).toBe(1)
      expect((await store.files('notes'))[0]?.checkedAt).toBe(2_000)
      expect((await store.stamps()).generation).toBe(1)
      const later = [{ no: 1, size: 5, modifiedAt: 3_000 }]
      expect(await store.commit({ checkedAt: 4_000, touch: later }, resolveLink)).toBe(2)
      expect(await store.findByPath('notes', 'a.md')).toMatchObject({ modifiedAt: 3_000 })
    })

    it('tells all stamps at once', async () => {
      const start = await store.stamps()
      expect(start).toMatchObject({ generation: 0, graph: 0, vectors: 0 })
      await put(note(1, 'a.md'), note(2, 'b.md'))
      await put(note(1, 'a.md', { digest: 'edited' }))
      await store.putVectors('x', [{ doc: 1, digest: 'edited', data: new Uint8Array(4) }])
      const stamps = await store.stamps()
      expect(stamps).toEqual({ epoch: start.epoch, generation: 2, graph: 1, vectors: 1 })
      await store.serveEmbedder('x')
      expect(await store.stamps()).toEqual({ ...stamps, vectors: 2 })
    })

    it('gives the passages of several documents in the order asked for', async () => {
      const place = { lineStart: 1, lineEnd: 2, headingPath: ['A'] }
      const chunk = (start: number) => ({ ...place, start, end: start + 5 })
      await put(
        note(1, 'a.md', { chunks: [chunk(0), chunk(5)] }),
        note(2, 'b.md', { chunks: [chunk(7)] }),
        note(3, 'c.md', { chunks: [] }),
      )
      const starts = (await store.chunksOf([2, 9, 1, 3, 2])).map((chunks) =>
        chunks.map(({ doc, ordinal, start }) => [doc, ordinal, start]),
      )
      const [one, two] = [
        [
          [1, 0, 0],
          [1, 1, 5],
        ],
        [[2, 0, 7]],
      ]
      expect(starts).toEqual([two, [], one, [], two])
      expect(await store.chunksOf([])).toEqual([])
    })

    it('tells what changed since a generation', async () => {
      await put(note(1, 'a.md'), note(2, 'b.md'))
      await put(note(1, 'a.md', { title: 'new' }))
      await store.commit({ remove: [2] }, resolveLink)
      expect(await store.changesSince(1)).toEqual({
        generation: 3,
        put: ['notes/a.md'],
        removed: ['notes/b.md'],
        listChanged: true,
        unnamed: false,
        putDocs: [1],
        goneDocs: [2],
        relinkedDocs: [],
      })
      expect(await store.changesSince(3)).toMatchObject({ put: [], listChanged: false })
      expect((await store.changesSince(1_000)).unnamed).toBe(true)
    })

    it('tells by number what has to be asked for again', async () => {
      const tea = note(1, 'tea.md', { links: [wiki('kettle')] })
      await put(tea, note(2, 'cup.md'))
      // A link of a document that nobody touched leads somewhere now, and later nowhere.
      await put(note(3, 'kettle.md'))
      expect(await store.changesSince(1)).toMatchObject({ putDocs: [3], relinkedDocs: [1] })
      await store.commit({ remove: [3] }, resolveLink)
      const now = await store.changesSince(1)
      expect(now).toMatchObject({ putDocs: [], goneDocs: [3], relinkedDocs: [1] })
      expect([now.put, now.removed]).toEqual([[], ['notes/kettle.md']])
      // The same path under another number.
      await put(note(9, 'cup.md'))
      const { generation } = await store.stamps()
      const renumbered = await store.changesSince(generation - 1)
      expect(renumbered).toMatchObject({ put: ['notes/cup.md'], removed: [], listChanged: false })
      expect(renumbered).toMatchObject({ putDocs: [9], goneDocs: [2] })
    })

    it('tells the links and vectors of some documents without those of all others', async () => {
      const uses = { ...wiki('c'), kind: 'relation' as const, label: 'uses' }
      await put(
        note(1, 'a.md', { links: [wiki('b'), wiki('b'), uses] }),
        note(2, 'b.md', { links: [wiki('a')] }),
        note(3, 'c.md', { links: [wiki('b')] }),
      )
      const { from, to, type, types } = await store.edges(Uint32Array.of(1, 3))
      const told = [...from].map((each, edge) => [each, to[edge], types[type[edge]!]])
      expect(told.toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
        [1, 2, { kind: 'wiki' }],
        [1, 3, { kind: 'relation', label: 'uses' }],
        [3, 2, { kind: 'wiki' }],
      ])
      expect((await store.edges(new Uint32Array())).from).toHaveLength(0)
      const rows = [1, 2].map((doc) => ({
        doc,
        digest: `digest of ${doc === 1 ? 'a' : 'b'}.md ${doc}`,
        data: Uint8Array.of(doc),
      }))
      await store.putVectors('e', rows)
      expect([...(await store.vectorDocs('e', Uint32Array.of(2, 3)))]).toEqual([2])
    })

    it('says of a number that got another path that the old path is gone', async () => {
      await put(note(1, 'a.md'), note(2, 'b.md'))
      await put(note(1, 'z.md'))
      const changes = await store.changesSince(1)
      expect(changes).toMatchObject({ put: ['notes/z.md'], removed: ['notes/a.md'] })
      expect(changes).toMatchObject({ listChanged: true, putDocs: [1], goneDocs: [] })
      expect([...(await store.pathOrder())]).toEqual([2, 1])
    })

    it('gives up naming changes when there are too many', async () => {
      const lease = (await store.acquireLease('1@elsewhere:a', 60_000))!
      const many = Array.from({ length: 1_001 }, (_, no) => note(no, `n/${no}.md`))
      await store.commit({ lease, put: many, segment: segmentOf(many) }, resolveLink)
      const changes = await store.changesSince(0)
      expect(changes).toMatchObject({ unnamed: true, put: [], relinkedDocs: undefined })
      expect((await store.changesSince(1)).unnamed).toBe(false)
    })

    it('counts what a link says among the relations, and never among broken links', async () => {
      const typed = (target: string, label: string) => ({
        ...wiki(target),
        kind: 'typed' as const,
        label,
        attachment: true,
      })
      const links = (label: string) => [wiki('b'), typed('b', label), wiki('x'), typed('x', label)]
      await put(note(1, 'a.md', { links: links('uses') }), note(2, 'b.md'))
      const { from, to, type, types } = await store.edges()
      const told = [...from].map((each, edge) => [each, to[edge], types[type[edge]!]])
      expect(told).toEqual([
        [1, 2, { kind: 'wiki' }],
        [1, 2, { kind: 'relation', label: 'uses' }],
      ])
      expect((await store.brokenLinks({ offset: 0, limit: 9 })).total).toBe(1)
      expect(await store.deadEnds(1, 9)).toEqual(['x'])
      const { graph } = await store.stamps()
      await put(note(1, 'a.md', { links: links('uses') }))
      expect((await store.stamps()).graph).toBe(graph)
      await put(note(1, 'a.md', { links: links('hates') }))
      expect((await store.stamps()).graph).toBeGreaterThan(graph)
    })

    it('counts a relation that says something else as another link', async () => {
      const uses = (label: string) => ({ ...wiki('b'), kind: 'relation' as const, label })
      await put({ ...note(1, 'a.md'), links: [uses('uses')] }, note(2, 'b.md'))
      const { graph } = await store.stamps()
      await put({ ...note(1, 'a.md'), links: [uses('hates')] })
      expect((await store.stamps()).graph).toBeGreaterThan(graph)
    })

    it('gives the lease to one owner at a time, and refuses batches of others', async () => {
      const lease = await store.acquireLease('1@elsewhere:a', 60_000)
      expect(lease).toEqual({ owner: '1@elsewhere:a', fence: 1 })
      expect(await store.acquireLease('2@elsewhere:b', 60_000)).toBeUndefined()
      expect(await store.acquireLease('1@elsewhere:a', 60_000)).toEqual(lease)
      const batch = { lease: { owner: '2@elsewhere:b', fence: 1 }, put: [note(1, 'a.md')] }
      await expect(store.commit(batch, resolveLink)).rejects.toMatchObject({ code: 'conflict' })
      expect((await store.counts()).documents).toBe(0)
      await store.releaseLease('2@elsewhere:b')
      expect(await store.leaseHolder()).toBe('1@elsewhere:a')
      await store.releaseLease('1@elsewhere:a')
      expect(await store.acquireLease('2@elsewhere:b', -1)).toMatchObject({ fence: 2 })
      expect(await store.acquireLease('3@elsewhere:c', 60_000)).toMatchObject({ fence: 3 })
    })

    it('refuses a holder of the lease that comes back late, even after it has it again', async () => {
      const early = (await store.acquireLease('1@elsewhere:a', -1))!
      const other = (await store.acquireLease('2@elsewhere:b', -1))!
      const again = (await store.acquireLease('1@elsewhere:a', 60_000))!
      const commit = (lease: Lease) => store.commit({ lease, put: [note(1, 'a.md')] }, resolveLink)
      for (const lease of [early, other]) {
        await expect(commit(lease)).rejects.toMatchObject({ code: 'conflict' })
      }
      expect((await store.stamps()).generation).toBe(0)
      expect(await commit(again)).toBe(1)
      await store.releaseLease('1@elsewhere:a')
      await expect(commit(again)).rejects.toMatchObject({ code: 'conflict' })
    })

    it('gives every role to one owner at a time, whoever has the others', async () => {
      expect(await store.heldRoles()).toEqual([])
      await store.acquireLease('1@elsewhere:a', 60_000)
      const merging = (await store.acquireLease('2@elsewhere:b', 60_000, 'merging'))!
      expect(merging).toEqual({ owner: '2@elsewhere:b', fence: 1, role: 'merging' })
      expect(await store.acquireLease('1@elsewhere:a', 60_000, 'merging')).toBeUndefined()
      const before = await store.heldRoles()
      expect(before.map(({ role, owner }) => [role, owner])).toEqual([
        ['indexing', '1@elsewhere:a'],
        ['merging', '2@elsewhere:b'],
      ])
      // Renewing changes neither the number nor since when.
      await store.acquireLease('2@elsewhere:b', 90_000, 'merging')
      expect(await store.heldRoles()).toEqual(before)
      await store.releaseLease('2@elsewhere:b', 'merging')
      expect(await store.leaseHolder()).toBe('1@elsewhere:a')
      const next = await store.acquireLease('1@elsewhere:a', 60_000, 'merging')
      expect(next).toMatchObject({ fence: 2 })
      const { since } = (await store.heldRoles())[1]!
      expect(since).toBeGreaterThanOrEqual(before[1]!.since)
      // A right to one thing is none to another, and a right that was passed on is none at all.
      for (const lease of [merging, { ...merging, fence: 2 }]) {
        const batch = { lease, put: [note(1, 'a.md')] }
        await expect(store.commit(batch, resolveLink)).rejects.toMatchObject({ code: 'conflict' })
      }
      await store.releaseLease('1@elsewhere:a', 'indexing')
      expect((await store.heldRoles()).map(({ role }) => role)).toEqual(['merging'])
    })

    it('refuses what was learned by a right that another has now', async () => {
      await put(note(1, 'a.md', { digest: 'd' }))
      const late = (await store.acquireLease('1@elsewhere:a', -1, 'learning'))!
      const now = (await store.acquireLease('2@elsewhere:b', 60_000, 'learning'))!
      const rows = [{ doc: 1, digest: 'd', data: Uint8Array.of(1) }]
      const learn = async (lease: Lease): Promise<void> => {
        await store.putModel('e', Uint8Array.of(7), lease)
        await store.putVectors('e', rows, lease)
        await store.serveEmbedder('e', lease)
      }
      const { vectors } = await store.stamps()
      await expect(store.putModel('e', rows[0]!.data, late)).rejects.toThrow(/learning/)
      await expect(store.putVectors('e', rows, late)).rejects.toMatchObject({ code: 'conflict' })
      await expect(store.serveEmbedder('e', late)).rejects.toMatchObject({ code: 'conflict' })
      expect((await store.stamps()).vectors).toBe(vectors)
      expect([...(await store.vectorDocs('e'))]).toEqual([])
      expect(await store.model('e')).toBeUndefined()
      await learn(now)
      expect([...(await store.vectorDocs('e'))]).toEqual([1])
      expect(await store.servingEmbedder()).toBe('e')
    })

    it('never gives out a number twice', async () => {
      expect(await store.reserveNumbers(5)).toBe(0)
      expect(await store.reserveNumbers(1)).toBe(5)
      await store.close()
      store = await opened.reopen()
      expect(await store.reserveNumbers(1)).toBe(6)
    })

    it('counts tags, duplicates and names', async () => {
      await put(
        note(1, 'a.md', { tags: ['x'], digest: 'same' }),
        note(2, 'b.md', { tags: ['X', 'y'], digest: 'same' }),
        note(3, 'c.md', { digest: 'other' }),
        { ...note(4, 'd.pdf', { digest: 'long' }), stamp: asPart(withMaker('1 2', 'pdf 1')) },
      )
      expect(await store.tags(10)).toEqual([
        { tag: 'x', documents: 2 },
        { tag: 'y', documents: 1 },
      ])
      expect(await store.duplicates()).toEqual([{ digest: 'same', nos: [1, 2] }])
      expect(await store.digests([2, 4, 99])).toEqual(['same', undefined, undefined])
      expect((await store.named(['b'])).map(({ no }) => no)).toEqual([2])
      expect(await store.namesLike('c', 5)).toEqual([{ key: 'c', no: 3 }])
    })

    it('lists and counts among some documents as if there were no others', async () => {
      await put(
        note(1, 'a.md', { tags: ['x'], links: [wiki('b'), wiki('c'), wiki('nobody')] }),
        note(2, 'b.md', { tags: ['x', 'y'], links: [wiki('a')] }),
        note(3, 'c.md', { tags: ['z'], links: [wiki('a'), wiki('nowhere')] }),
      )
      const among = Uint32Array.of(1, 2)
      const page = { offset: 1, limit: 1 }
      const { documents, total } = await store.list({ among }, 'path', page)
      expect([documents.map(({ no }) => no), total]).toEqual([[2], 2])
      expect([...(await store.matching({ among, tags: ['x', 'z'] }))].toSorted()).toEqual([1, 2])
      expect(await store.tags(10, among)).toEqual([
        { tag: 'x', documents: 2 },
        { tag: 'y', documents: 1 },
      ])
      const broken = await store.brokenLinks({ offset: 0, limit: 10 }, among)
      expect(broken.links.map(({ from, target, to }) => [from, target, to])).toEqual([
        [1, 'c', undefined],
        [1, 'nobody', undefined],
      ])
      expect(await store.counts(among)).toMatchObject({
        documents: 2,
        links: 2,
        brokenLinks: broken.total,
        tags: 2,
      })
      expect(await store.counts(new Uint32Array())).toMatchObject({ documents: 0, links: 0 })
    })

    it('gives records and passages at once, where it does, as it gives them one by one', async () => {
      await put(note(1, 'a.md', { tags: ['x'] }), note(2, 'b.md', { chunks: [] }))
      const nos = [2, 9, 1, 2]
      const [documents, chunks] = [await store.documents(nos), await store.chunksOf(nos)]
      const each = documents.map((document, at) => document && { document, chunks: chunks[at] })
      expect((await store.documentsWithChunks?.(nos)) ?? each).toEqual(each)
    })

    it('is sound after all of this', async () => {
      await put(note(1, 'a.md', { links: [wiki('b')] }), note(2, 'b.md'))
      await store.commit({ remove: [2] }, resolveLink)
      expect(await store.check()).toEqual([])
    })
  })
}

const NEIGHBOUR = '9@neighbour:n'

async function furnish(store: Store): Promise<void> {
  const documents = [
    note(1, 'a.md', { tags: ['x'], links: [wiki('b'), wiki('kettle')], digest: 'same' }),
    note(2, 'b.md', { tags: ['x', 'beside'], aliases: ['tea'], digest: 'same' }),
    note(3, 'tea.md', { source: 'docs', links: [wiki('a')] }),
  ]
  const lease = await store.acquireLease(NEIGHBOUR, 600_000)
  await store.commit({ lease, put: documents, segment: segmentOf(documents) }, resolveLink)
  await store.putModel('e', Uint8Array.of(1))
  await store.putVectors('e', [{ doc: 1, digest: 'same', data: Uint8Array.of(9) }])
  await store.serveEmbedder('e')
  await store.putMeta('key', 'beside')
}

/** What a base says of itself in every way there is. */
async function everythingIn(store: Store): Promise<unknown> {
  const nos = [...(await store.pathOrder())]
  const all = { offset: 0, limit: -1 }
  const segments = await store.segments()
  const { from, to } = await store.edges()
  return {
    stamps: await store.stamps(),
    documents: await store.documents(nos),
    chunks: await store.chunksOf(nos),
    list: await store.list({}, 'updated', all),
    files: await store.listFiles({}, all),
    sources: await store.sources(),
    links: await Promise.all(nos.map((no) => store.linksFrom(no))),
    edges: [[...from], [...to]],
    broken: await store.brokenLinks(all),
    names: await store.namesLike('', -1),
    tags: await store.tags(99),
    duplicates: await store.duplicates(),
    counts: await store.counts(),
    changes: await store.changesSince(0),
    segments,
    streams: await Promise.all(segments.map(({ id }) => store.segmentStream(id, 'stream'))),
    holder: [await store.leaseHolder(), await store.heldRoles()],
    embedder: [await store.servingEmbedder(), await store.model('e')],
    vectors: [...(await store.vectorDocs('e'))],
    meta: await store.getMeta('key'),
    check: await store.check(),
  }
}

export function segmentOf(documents: readonly NewDocument[]) {
  return {
    docs: documents.map(({ no }) => no),
    resident: { stream: new Uint8Array([1]) },
    paged: { list: new Uint8Array([2]) },
  }
}

export function wiki(target: string): NewLink {
  const link = { kind: 'wiki', target } as const
  return {
    ...link,
    fragment: undefined,
    label: undefined,
    line: 1,
    key: linkKey(link) ?? '',
    attachment: isAttachment(link),
  }
}

export function note(no: number, path: string, more: Partial<NewDocument> = {}): NewDocument {
  const document = {
    no,
    source: 'notes',
    path,
    digest: `digest of ${path} ${no}`,
    size: 5,
    modifiedAt: 1_000,
    createdAt: undefined,
    updatedAt: 1_000,
    title: `Note ${no}`,
    type: 'markdown',
    aliases: [],
    tags: [],
    inlineTags: [],
    description: undefined,
    properties: {},
    chunks: [{ start: 0, end: 5, lineStart: 1, lineEnd: 1, headingPath: ['A', 'B'] }],
    links: [],
    warnings: [],
    ...more,
  }
  return { ...document, names: documentNames(document) }
}

export function fileRecord(path: string, state: 'skipped' | 'failed', reason: string) {
  return {
    source: 'notes',
    path,
    state,
    reason,
    size: 1,
    modifiedAt: 1,
    stamp: undefined,
    checkedAt: 1,
    doc: undefined,
  } as const
}
