/**
 * The table of meanings is English. Vaults in other languages rank with it exactly as without it, to
 * the last bit of every score: the questions are asked of two bases, one of which never saw the table.
 */
import { beforeEach, expect, it, vi } from 'vitest'
import { rankDocuments } from '../../src/core/operations/searching/rank-documents.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { CHINESE_NOTES, CHINESE_QUESTIONS } from './vaults/chinese.ts'
import { GERMAN_NOTES, GERMAN_QUESTIONS } from './vaults/german.ts'
import { RUSSIAN_NOTES, RUSSIAN_QUESTIONS } from './vaults/russian.ts'

const table = vi.hoisted(() => ({ isThere: true }))

vi.mock('../../src/core/indexing/packaged-words.ts', async (importOriginal) => {
  const { packagedWords, packagedWordsId } =
    await importOriginal<typeof import('../../src/core/indexing/packaged-words.ts')>()
  return {
    packagedWords: () => (table.isThere ? packagedWords() : undefined),
    packagedWordsId: () => (table.isThere ? packagedWordsId() : undefined),
  }
})

beforeEach(() => {
  table.isThere = true
})

type Notes = Readonly<Record<string, string>>

async function answers(notes: Notes, questions: readonly string[], withTable: boolean) {
  table.isThere = withTable
  const { kb, store } = await openSmallBase(notes, { learns: true })
  const all: Record<string, readonly string[]> = {}
  for (const question of questions) {
    const { hits, mode } = await rankDocuments(kb, question, { limit: 10 })
    const places = await store.paths(hits.map(({ doc }) => doc))
    all[question] = [mode, ...hits.map(({ score }, i) => `${places[i]!.path} ${score}`)]
  }
  return all
}

it.each([
  ['German', GERMAN_NOTES, GERMAN_QUESTIONS],
  ['Russian', RUSSIAN_NOTES, RUSSIAN_QUESTIONS],
  ['Chinese', CHINESE_NOTES, CHINESE_QUESTIONS],
])('a %s vault ranks as without the table', async (_, notes, questions) => {
  const without = await answers(notes, questions, false)
  expect(await answers(notes, questions, true)).toEqual(without)
  // Meaning had a say, and so could the table have had.
  expect(Object.values(without).some(([mode]) => mode === 'hybrid')).toBe(true)
})

it('tells the two apart where the table can read', async () => {
  const notes = {
    'learning.md': '# Deep learning\n\nNeural networks with many layers, trained on examples.',
    'bread.md': '# Bread\n\nFlour, water, salt and a sourdough starter.',
    'garden.md': '# The garden\n\nTomatoes want sun; the beans climb along the fence.',
  }
  const questions = ['artificial intelligence']
  expect(await answers(notes, questions, true)).not.toEqual(await answers(notes, questions, false))
})

it('leaves the order of German answers alone in a vault that has English notes too', async () => {
  const english = {
    'README.md':
      '# House scripts\n\nScripts that set up the computers of the house. Run the installer, then check the permissions of every shared folder.',
    'Licence.md':
      '# Licence\n\nYou may use, copy and change these scripts as you like. They come without any warranty.',
    'Router manual.md':
      '# Router manual\n\nHold the reset button for ten seconds. The lamp blinks twice when the factory settings are back.',
  }
  const notes = { ...GERMAN_NOTES, ...english }
  const order = async (withTable: boolean) => {
    const all = await answers(notes, GERMAN_QUESTIONS, withTable)
    const names = (hits: readonly string[]) => hits.slice(1).map((hit) => hit.replace(/ \S+$/, ''))
    return Object.entries(all).map(([question, hits]) => [question, ...names(hits)])
  }
  expect(await order(true)).toEqual(await order(false))
})
