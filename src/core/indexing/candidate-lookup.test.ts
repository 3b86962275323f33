import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { NamedDocument } from '../store/store.ts'
import { FewCandidates, MANY_CANDIDATES, ManyCandidates } from './candidate-lookup.ts'
import type { CandidateLookup } from './candidate-lookup.ts'
import { resolveLink } from './resolve-link.ts'

const part = fc.constantFrom('a', 'b', '02-a', 'index', '_index', 'readme', 'a.b', 'index.x')
const ending = fc.constantFrom('.md', '.MDX', '.txt', '')
const path = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), ending)
  .map(([parts, end]) => parts.join('/') + end)
const candidate = fc.record({
  path,
  source: fc.constantFrom('notes', 'Other'),
  pageName: fc.option(fc.constantFrom('a', 'a/b', 'b', 'docs/a/b'), { nil: undefined }),
})

function named(entries: readonly Pick<NamedDocument, 'path' | 'source' | 'pageName'>[]) {
  return entries.map((entry, no): NamedDocument => {
    return { no, ...entry, foldedPath: entry.path.toLowerCase(), title: `Title ${no}`, aliases: [] }
  })
}

it('finds the same documents, whether they are looked through or put in order', () => {
  fc.assert(
    fc.property(fc.array(candidate, { maxLength: 30 }), path, (entries, asked) => {
      const documents = named(entries)
      const texts = [asked, ...documents.map((each) => each.foldedPath)].flatMap((text) => {
        const stem = text.replace(/\.[^.]*$/, '')
        return [text, stem, `notes/${text}`, `other/${text}`, `en/docs/${stem}`, '']
      })
      const found = (lookup: CandidateLookup) =>
        texts.map((text) => [
          lookup.atPath(text)?.no,
          lookup.atFoldedPath(text)?.no,
          lookup.atFile(text)?.no,
          lookup.noteBefore(text)?.no,
          lookup.inSource(text)?.no,
          lookup.atPage(text)?.no,
          lookup.endingWith(text).map(({ no }) => no),
          lookup.hasEntities,
        ])
      expect(found(new ManyCandidates(documents))).toEqual(found(new FewCandidates(documents)))
    }),
  )
})

it('knows the page of a link among very many that have its name', () => {
  const folders = Array.from({ length: MANY_CANDIDATES * 2 }, (_, number) => `part-${number}`)
  const documents = named(
    folders.map((folder) => ({ path: `${folder}/index.md`, source: 'notes', pageName: undefined })),
  )
  const last = documents.at(-1)!
  const from = { source: 'notes', path: 'part-3/index.md' }
  const target = `../${folders.at(-1)}/index.md`
  expect(resolveLink({ kind: 'markdown', target }, from, documents)).toBe(last.no)
  expect(resolveLink({ kind: 'markdown', target: `/${folders.at(-1)}/` }, from, documents)).toBe(
    last.no,
  )
  expect(resolveLink({ kind: 'markdown', target: '/' }, from, documents)).toBeUndefined()
  // Of another source nothing is beside it.
  const elsewhere = { source: 'other', path: 'part-3/index.md' }
  expect(resolveLink({ kind: 'markdown', target }, elsewhere, documents)).toBeUndefined()
})
