/** What every place promises to whoever changes documents. A place is done when this passes. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { FileEdit } from '../../src/core/domain/file-edit.ts'
import { changeFiles } from '../../src/core/operations/writing/change-files.ts'
import type { Plan, WriteOptions } from '../../src/core/operations/writing/change-files.ts'
import type { Place } from '../../src/core/operations/writing/place.ts'
import type { View } from '../../src/core/operations/view/view.ts'

export interface OpenPlace {
  /** The base of the server that is asked, with the source `notes`. */
  readonly kb: View
  /** Where its changes are to be committed. */
  readonly place: Place
  /** Another program, which knows nothing of this one. */
  save(path: string, text: string): Promise<void>
}

const by = { client: 'contract' }
const source = 'notes'
const bytes = (text: string) => new TextEncoder().encode(text)
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const load = (kb: View, path: string) => kb.sources.get(source)!.writer!.load(path)

async function textAt(kb: View, path: string): Promise<string | undefined> {
  const file = await load(kb, path)
  return file && Buffer.from(file.bytes).toString('utf8')
}

/** One file that becomes what `change` makes of it. */
async function edit(
  kb: View,
  path: string,
  change: (text: string) => string | undefined,
): Promise<FileEdit> {
  const before = await load(kb, path)
  const text = change(before ? Buffer.from(before.bytes).toString('utf8') : '')
  return { source, path, before, after: text === undefined ? undefined : bytes(text) }
}

const append = (line: string) => async (kb: View) => ({
  edits: [await edit(kb, 'tea.md', (text) => `${text}${line}\n`)],
})

async function operationsIn({ writing }: View) {
  const all: { id: string; kind: string; state: string; paths: string[] }[] = []
  await writing!.history.each(({ id, kind, state, changes }) => {
    all.push({ id, kind, state, paths: changes.map(({ path }) => path) })
    return true
  })
  return all
}

export function describePlace(
  name: string,
  open: (files: Readonly<Record<string, string>>) => Promise<OpenPlace>,
): void {
  describe(`a place for changes: ${name}`, () => {
    /** Asks for a change, and holds that this place commits it and no other. */
    const opened = async (files: Readonly<Record<string, string>>) => {
      const { kb, place, save } = await open(files)
      let commits = 0
      const spied: Place = {
        ...place,
        commit: (wanted, plan) => (commits++, place.commit(wanted, plan)),
      }
      const others = (kb.writing!.places ?? []).map((each) => (each === place ? spied : each))
      const view = { ...kb, writing: { ...kb.writing!, places: others } }
      const isNamed = others.includes(spied)
      return {
        kb: view,
        save,
        change: (plan: (kb: View) => Promise<Plan>, options: Partial<WriteOptions> = {}) =>
          changeFiles(view, 'update', { by, ...options }, plan),
        commits: () => (isNamed ? commits : undefined),
      }
    }

    it('makes what was planned, in one operation that is in the history when it answers', async () => {
      const { kb, change, commits } = await opened({ 'tea.md': 'Tea\n', 'old.md': 'Old\n' })
      const result = await change(async () => ({
        edits: [
          await edit(kb, 'tea.md', () => 'Green tea\n'),
          await edit(kb, 'new/cup.md', () => 'Cup\n'),
          { ...(await edit(kb, 'old.md', (text) => text)), path: 'moved.md', from: 'old.md' },
        ],
      }))
      expect(result).toMatchObject({ id: 'notes/tea.md', digest: digest('Green tea\n') })
      const paths = ['tea.md', 'new/cup.md', 'moved.md', 'old.md']
      expect(await Promise.all(paths.map((path) => textAt(kb, path)))).toEqual([
        'Green tea\n',
        'Cup\n',
        'Old\n',
        undefined,
      ])
      expect(await operationsIn(kb)).toEqual([
        { id: result.operation, kind: 'update', state: 'done', paths: paths.slice(0, 3) },
      ])
      expect(commits() ?? 1).toBe(1)
      // The next call finds it.
      expect(await kb.store.findByPath(source, 'new/cup.md')).toMatchObject({
        digest: digest('Cup\n'),
      })
      expect(await kb.store.findByPath(source, 'old.md')).toBeUndefined()
    })

    it('plans again what somebody else was quicker with, and loses nothing of it', async () => {
      const { kb, change, save } = await opened({ 'tea.md': 'Tea\n' })
      let plans = 0
      const result = await change(async (view) => {
        const plan = await append('Ours.')(view)
        if (plans++ < 2) await save('tea.md', `Tea\nTheirs ${plans}.\n`)
        return plan
      })
      expect(plans).toBeGreaterThan(2)
      expect(await textAt(kb, 'tea.md')).toBe('Tea\nTheirs 2.\nOurs.\n')
      expect(result.digest).toBe(digest('Tea\nTheirs 2.\nOurs.\n'))
      const done = (await operationsIn(kb)).filter(({ state }) => state === 'done')
      expect(done.map(({ id }) => id)).toEqual([result.operation])
    })

    it('refuses a change of another text than the caller has read', async () => {
      const { kb, change } = await opened({ 'tea.md': 'Tea\n' })
      const refused = change(append('Ours.'), { ifDigest: digest('Coffee\n') })
      await expect(refused).rejects.toMatchObject({ code: 'conflict' })
      expect(await textAt(kb, 'tea.md')).toBe('Tea\n')
      expect(await operationsIn(kb)).toEqual([])
    })

    it('changes nothing where one of several documents cannot be changed', async () => {
      const { kb, change } = await opened({ 'tea.md': 'Tea\n', 'cup.md': 'Cup\n' })
      const stale = change(
        async () => {
          const tea = await edit(kb, 'tea.md', () => 'Green tea\n')
          const cup = await edit(kb, 'cup.md', () => 'Mug\n')
          const before = { ...cup.before!, bytes: bytes('Bowl\n'), digest: digest('Bowl\n') }
          return { edits: [tea, { ...cup, before }] }
        },
        { ifDigest: digest('Tea\n') },
      )
      await expect(stale).rejects.toMatchObject({ code: 'conflict' })
      expect(await textAt(kb, 'tea.md')).toBe('Tea\n')
      expect(await textAt(kb, 'cup.md')).toBe('Cup\n')
      expect((await operationsIn(kb)).filter(({ state }) => state === 'done')).toEqual([])
    })

    it('changes nothing for a plan that fails, a plan that changes nothing, and a dry run', async () => {
      const { kb, change } = await opened({ 'tea.md': 'Tea\n' })
      const wrong = new Error('no such plan')
      await expect(change(() => Promise.reject(wrong))).rejects.toBe(wrong)
      const same = await change(async () => ({ edits: [await edit(kb, 'tea.md', (text) => text)] }))
      expect(same).toMatchObject({ id: 'notes/tea.md', operation: undefined, diff: '' })
      const dry = await change(append('Ours.'), { dryRun: true })
      expect(dry).toMatchObject({ operation: undefined, diff: expect.stringContaining('+Ours.') })
      expect(await textAt(kb, 'tea.md')).toBe('Tea\n')
      expect(await operationsIn(kb)).toEqual([])
    })

    it('loses none of many changes of one document that come at once', async () => {
      const { kb, change } = await opened({ 'tea.md': 'Tea\n' })
      const lines = Array.from({ length: 12 }, (_, index) => `Line ${index}.`)
      const results = await Promise.all(lines.map((line) => change(append(line))))
      const text = await textAt(kb, 'tea.md')
      expect(text!.split('\n').slice(1, -1).toSorted()).toEqual(lines.toSorted())
      const done = (await operationsIn(kb)).filter(({ state }) => state === 'done')
      const ids = results.map(({ operation }) => operation).toSorted()
      expect(done.map(({ id }) => id).toSorted()).toEqual(ids)
    })
  })
}
