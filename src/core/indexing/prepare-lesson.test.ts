/** What is learned from is the same whether lists or texts say it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSmallBase } from '../../../test/support/open-small-base.ts'
import type { SmallBase } from '../../../test/support/open-small-base.ts'
import type { Source } from '../domain/source.ts'
import { passageText } from '../models/corpus/corpus-embedder.ts'
import { TermMatrixBuilder } from '../models/corpus/term-matrix.ts'
import type { TermMatrix } from '../models/corpus/term-matrix.ts'
import { contentTerms } from '../search/analysis/content-terms.ts'
import { prepareLesson } from './prepare-lesson.ts'
import { readDocuments } from './read-documents.ts'

const GERMAN = `---
title: Wasserkessel
---
# Der Kessel

Der Kessel steht auf dem Herd und das Wasser ist heiß. Die Tassen sind mit dem Tee auf dem
Tisch, und der Gast ist nicht da. Wir trinken den Tee mit einer Zitrone.
`

const FILES = {
  'kettle.md': `---
title: The kettle of two cups
aliases: [boiler, tea-kettle]
tags: [kitchen]
---
# Boiling water

Water boils in a kettle, and kettles boil water: \`getKettleState\` tells when. A T-cell is none.

## Descaling the kettle

Vinegar takes the scale away, v1.2.3 of it. **Vinegar** smells.

## Descaling the kettle

Again, with 1,000 drops of vinegar.
`,
  'tea/steeping.md': '# Steeping\n\nTea steeps. [Kettles](../kettle.md) and the steam of tea.\n',
  'plain.txt': 'Only a line about steam engines, カタカナ and чайник.\n',
  'bare.md': '',
}

/** The matrix as what stands in each row. */
function rowsOf({ terms, rowStart, columns, counts }: TermMatrix) {
  return Array.from({ length: rowStart.length - 1 }, (_, row) =>
    Object.fromEntries(
      Array.from(columns.subarray(rowStart[row], rowStart[row + 1]), (column, at) => [
        terms[column]!,
        counts[rowStart[row]! + at]!,
      ]).toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
    ),
  )
}

async function lessonOf({ store, base }: SmallBase) {
  const read: string[] = []
  const watched = ([name, source]: [string, Source]): [string, Source] => [
    name,
    {
      ...source,
      read(paths) {
        read.push(...paths)
        return source.read(paths)
      },
    },
  ]
  const sources = new Map([...base.sources].map(watched))
  return { ...(await prepareLesson({ store, sources }, {})), read }
}

async function matrixOfTexts({ store, base }: SmallBase): Promise<TermMatrix> {
  const builder = new TermMatrixBuilder()
  for (const no of await store.pathOrder()) {
    for (const { title, passages } of await readDocuments(base, [no])) {
      builder.addDocument(
        contentTerms(title),
        passages.map((passage) => contentTerms(passageText(passage))),
      )
    }
  }
  return builder.build()
}

it('knows from the lists what stands in which passage, and reads no text', async () => {
  const small = await openSmallBase(FILES)
  const { matrix, records, read } = await lessonOf(small)
  const texts = await matrixOfTexts(small)
  expect(rowsOf(matrix)).toEqual(rowsOf(texts))
  expect(matrix.documentStart).toEqual(texts.documentStart)
  expect(records).toHaveLength(Object.keys(FILES).length)
  expect(read).toEqual([])
})

it('reads what lists say in other terms or counts: other languages and code', async () => {
  const small = await openSmallBase({
    ...FILES,
    'kessel.md': GERMAN,
    'kettle.py': 'def boil_kettle(water):\n    """Boils water."""\n    return water\n',
  })
  const { matrix, read } = await lessonOf(small)
  expect(rowsOf(matrix)).toEqual(rowsOf(await matrixOfTexts(small)))
  expect(read).toContain('kessel.md')
  expect(read).not.toContain('kettle.md')
})

it('says the same however the index came about', async () => {
  const { 'kettle.md': kettle, ...others } = FILES
  const small = await openSmallBase({ ...others, 'kettle.md': 'Something else entirely.\n' })
  const before = await lessonOf(small)
  expect(before.records).toHaveLength(4)
  writeFileSync(join(small.folder, 'kettle.md'), kettle)
  await small.sync()
  const atOnce = await lessonOf(await openSmallBase(FILES))
  expect((await lessonOf(small)).matrix).toEqual(atOnce.matrix)
})
