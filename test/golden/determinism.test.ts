/**
 * The same corpus gives the same ranking: the same documents and the same scores to the last bit,
 * however the files came to be what they are, by words alone and with meaning and links.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankDocuments } from '../../src/core/operations/searching/rank-documents.ts'
import type { SearchMode } from '../../src/core/operations/searching/rank-documents.ts'
import { openSmallBase, openSmallBaseAt } from '../support/open-small-base.ts'
import type { SmallBase } from '../support/open-small-base.ts'
import { writeFiles } from '../support/temporary-folder.ts'

type Files = Readonly<Record<string, string>>

const WORDS = `tea kettle water leaves brew steep cup pot milk sugar morning garden rose soil seed
  getUserById snake_case 1.2.3 東京都 Straße книга`.split(/\s+/)

const MODES = ['lexical', 'hybrid', 'semantic'] satisfies SearchMode[]
const QUERIES = [
  'tea',
  'kettle water',
  'how do I brew the morning tea leaves in a pot',
  'user by id',
]

const word = fc.constantFrom(...WORDS)
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
const path = fc
  .tuple(fc.constantFrom('', 'a/', 'b/deep/'), fc.nat(7))
  .map(([folder, number]) => `${folder}n${number}.md`)
const note = fc
  .record({ title: sentence, body: fc.array(sentence, { maxLength: 3 }), link: fc.nat(7) })
  .map(({ title, body, link }) => `# ${title}\n\n${body.join('\n\n')}\n\nSee [[n${link}]].\n`)
const files = fc
  .uniqueArray(fc.tuple(path, note), { minLength: 10, maxLength: 16, selector: ([name]) => name })
  .map((entries): Files => Object.fromEntries(entries))

type Step =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, text: note }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('rename' as const), path, to: path }),
)

/** What a search says, with nothing that depends on when and where files were indexed. */
async function ranking({ kb, store }: SmallBase): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const mode of MODES) {
    for (const query of QUERIES) {
      const { hits } = await rankDocuments(kb, query, { limit: 50, mode })
      const paths = await store.paths(hits.map(({ doc }) => doc))
      const told = hits.map(({ score, signals, chunk }, i) => [
        paths[i]?.path,
        score,
        signals,
        chunk,
      ])
      answers.push([mode, query, told])
    }
  }
  return answers
}

async function freshRanking(content: Files): Promise<unknown[]> {
  return ranking(await openSmallBase(content, { learns: true }))
}

function applied(content: Record<string, string>, change: Step): void {
  if (change.kind === 'write') content[change.path] = change.text
  else if (change.kind === 'remove') delete content[change.path]
  else if (content[change.path] !== undefined && change.to !== change.path) {
    content[change.to] = content[change.path]!
    delete content[change.path]
  }
}

function put(folder: string, before: Files, after: Files): void {
  for (const name of Object.keys(before)) {
    if (after[name] === undefined) rmSync(join(folder, name))
  }
  const changed = Object.entries(after).filter(([name, text]) => before[name] !== text)
  writeFiles(folder, Object.fromEntries(changed))
}

describe('the same corpus gives the same ranking', () => {
  it('after any adds, edits, deletes and renames, synced in any portions', async () => {
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        async (start, portions) => {
          const base = await openSmallBase(start, { learns: true })
          let content: Record<string, string> = { ...start }
          for (const portion of portions) {
            const next = { ...content }
            for (const change of portion) applied(next, change)
            put(base.folder, content, next)
            content = next
            await base.sync()
          }
          const touched = await ranking(base)
          expect(touched).toEqual(await freshRanking(content))
          // And on every run.
          expect(await ranking(base)).toEqual(touched)
        },
      ),
      { numRuns: 10, endOnFailure: true },
    )
  })

  it('whichever order the files were added in', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 6 }), async (content, size) => {
        const expected = await freshRanking(content)
        const base = await openSmallBase({}, { learns: true })
        const backwards = Object.entries(content).toReversed()
        for (let at = 0; at < backwards.length; at += size) {
          writeFiles(base.folder, Object.fromEntries(backwards.slice(at, at + size)))
          await base.sync()
        }
        expect(await ranking(base)).toEqual(expected)
      }),
      { numRuns: 5, endOnFailure: true },
    )
  })

  it('after a rebuild over the same folder', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (content) => {
        const base = await openSmallBase(content, { learns: true })
        const again = await openSmallBaseAt(base.folder, { learns: true })
        await again.sync()
        expect(await ranking(again)).toEqual(await ranking(base))
      }),
      { numRuns: 5, endOnFailure: true },
    )
  })
})

it('ties break by path, whatever the order of arrival', async () => {
  const names = ['m.md', 'a.md', 'z/a.md', 'b/z.md', 'k.md', 'b/a.md', 'c.md', 'd.md', 'e.md']
  const same = (text: string): Files =>
    Object.fromEntries(names.map((name) => [name, `---\ntitle: ${text}\n---\nThe same ${text}.`]))
  const base = await openSmallBase({}, { learns: true })
  for (const [name, text] of Object.entries(same('tea'))) {
    writeFiles(base.folder, { [name]: text })
    await base.sync()
  }
  for (const mode of MODES) {
    const { hits } = await rankDocuments(base.kb, 'the same tea', { limit: 20, mode })
    const paths = (await base.store.paths(hits.map(({ doc }) => doc))).map(({ path }) => path)
    // Paths of one depth are equally long to the ranking; the shorter ones come first.
    for (const depth of [1, 2]) {
      const level = paths.filter((each) => each.split('/').length === depth)
      expect(level).toEqual(level.toSorted())
    }
  }
})
