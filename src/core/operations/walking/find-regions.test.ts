import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { reportRegions } from '../reporting/report-insights.ts'
import { viewFor } from '../view/view.ts'

/** Five notes about a subject that name each other, the first of them most of all. */
function about(subject: string, more = ''): Record<string, string> {
  const names = ['hub', 'one', 'two', 'three', 'four'].map((name) => `${subject} ${name}`)
  return Object.fromEntries(
    names.map((name, at) => {
      const links = at === 0 ? names.slice(1) : [names[0], names[(at % 4) + 1]]
      const text = links.map((link) => `[[${link}]]`).join(' ')
      return [`${subject}/${name}.md`, `# ${name}\n\n${text}\n${at === 0 ? more : ''}\n`]
    }),
  )
}

const FILES = {
  ...about('tea', 'As for [[ships one]].'),
  ...about('ships'),
  'index.md': '# Index\n\n[[tea hub]] [[ships hub]] [[tea one]] [[ships two]]\n',
  'pair/a.md': '[[b]]',
  'pair/b.md': '[[a]]',
  'alone.md': 'Nobody.',
}

it('calls what hangs together after the note that is most its own', async () => {
  const { kb } = await openSmallBase(FILES)
  const { items, total } = await reportRegions(kb)
  expect(total).toBe(2)
  expect(items.map(({ name, near }) => [name, near])).toEqual(
    expect.arrayContaining([
      ['tea hub', ['ships hub']],
      ['ships hub', ['tea hub']],
    ]),
  )
  // The index hangs on to one of them.
  expect(items.map(({ size }) => size)).toEqual([6, 5])
  for (const { name, typical } of items) {
    expect(typical[0]).toEqual({ id: `notes/${name.slice(0, -4)}/${name}.md`, title: name })
    expect(typical.map(({ title }) => title)).not.toContain('Index')
  }
})

it('knows nothing of what somebody does not see', async () => {
  const { base } = await openSmallBase(FILES)
  const sees = ({ path }: { path: string }) => !path.startsWith('tea/')
  const part = viewFor(base, { principal: 'reader', may: ['read'], sees })
  const { items } = await reportRegions(part)
  expect(items.map(({ name, near, inside }) => [name, near, inside])).toEqual([
    ['ships hub', [], 14],
  ])
})
