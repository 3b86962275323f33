/** Who commits a change is decided in one spot, and whoever is told to begin again does so in bounds. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import type { View } from '../view/view.ts'
import { changeFiles } from './change-files.ts'
import type { Again, Place } from './place.ts'

async function openWith(answers: readonly (Again | 'not here')[]) {
  const { kb, folder } = await openSmallBase({ 'tea.md': 'Tea\n' })
  let asked = 0
  const place: Place = {
    looksAhead: () => true,
    takes: () => answers[Math.min(asked, answers.length - 1)] !== 'not here',
    commit: async () => answers[Math.min(asked++, answers.length - 1)] as Again,
  }
  const view: View = { ...kb, writing: { ...kb.writing!, places: [place] } }
  let plans = 0
  const change = () =>
    changeFiles(view, 'update', { by: {} }, async (now) => {
      plans++
      const before = await now.sources.get('notes')!.writer!.load('tea.md')
      return { edits: [{ source: 'notes', path: 'tea.md', before, after: Buffer.from('Mug\n') }] }
    })
  const text = () => readFileSync(join(folder, 'tea.md'), 'utf8')
  return { change, text, plans: () => plans, asked: () => asked }
}

it.each([
  ['raced', 'conflict', 'changed by others'],
  ['held', 'unavailable', 'lock folders'],
  ['moved', 'unavailable', 'changed by others'],
] as const)('gives up after a while where every plan is %s', async (again, code, words) => {
  const { change, text, plans, asked } = await openWith([{ again }])
  await expect(change()).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
  expect([plans(), asked()]).toEqual([20, 20])
  expect(text()).toBe('Tea\n')
})

it('takes a change to where it belongs by now', async () => {
  const { change, text, plans, asked } = await openWith([{ again: 'moved' }, 'not here'])
  expect(await change()).toMatchObject({ operation: expect.any(String), warnings: [] })
  expect(text()).toBe('Mug\n')
  // To be offered twice, and under the lock of the files.
  expect([plans(), asked()]).toEqual([3, 1])
})
