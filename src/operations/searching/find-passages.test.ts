import { expect, it } from 'vitest'
import { openTestBase } from '../../../test/support/open-test-base.ts'
import { findPassages, headingsAt } from './find-passages.ts'

it('names the headings of the text at hand, not of one that the passage met before', async () => {
  const { kb } = await openTestBase({
    'tea.md': '# Tea\n\nShort.\n\n## Old\n\nA kettle boils.\n',
  })
  const { passages } = await findPassages(kb, 'kettle', { selection: {}, limit: 1 })
  const { live, chunk } = passages[0]!
  const at = live.text.indexOf('kettle')
  expect(headingsAt(kb, live, chunk!, at)).toEqual(['Tea', 'Old'])
  const renamed = { ...live, text: live.text.replace('Old', 'New'), digest: 'another' }
  expect(headingsAt(kb, renamed, chunk!, at)).toEqual(['Tea', 'New'])
})
