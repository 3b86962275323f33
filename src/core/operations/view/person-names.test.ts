import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { writeFiles } from '../../../../test/support/temporary-folder.ts'
import { namesOfPeople, personNamesOf } from './person-names.ts'

const person = (name: string): string => `---\ntype: person\n---\n# ${name}\n\nSomebody.\n`

it('knows a first name and a surname that one person alone has', () => {
  const people = ['Mara Lind', 'Tom van Berg', 'Ruth Carter', 'Will Carter', 'Who does what', 'Bo']
  const names = namesOfPeople(people.map((title, no) => ({ no, title })))
  expect(Object.fromEntries(names)).toEqual({ mara: 0, lind: 0, tom: 1, berg: 1, ruth: 2, will: 3 })
})

it('follows what is written', async () => {
  const { kb, folder, sync } = await openSmallBase({
    'mara.md': person('Mara Lind'),
    'tea.md': '# Tea Time\n',
  })
  const names = async () => [...(await personNamesOf(kb).now()).keys()].toSorted()
  expect(await names()).toEqual(['lind', 'mara'])
  writeFiles(folder, { 'tea.md': '# Tea Time\n\nHot.\n' })
  await sync()
  expect(await names()).toEqual(['lind', 'mara'])
  writeFiles(folder, { 'jo.md': person('Jo Lind') })
  await sync()
  expect(await names()).toEqual(['mara'])
})
