import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { headingsAt } from '../../domain/document.ts'
import { findPassages } from './find-passages.ts'

it('names the headings above a place, of the file as it is now', async () => {
  const { folder, kb } = await openSmallBase({
    'tea.md': '# Tea\n\nShort.\n\n## Old\n\nA kettle boils.\n\n## Last\n\nNothing.\n',
  })
  const trail = async () => {
    const { passages } = await findPassages(kb, 'kettle', { selection: {}, limit: 1 })
    const { live, chunk } = passages[0]!
    return headingsAt(chunk!, live.text.indexOf('kettle'))
  }
  expect(await trail()).toEqual(['Tea', 'Old'])
  // The index does not know yet.
  writeFileSync(join(folder, 'tea.md'), '# Tea\n\nShort.\n\nNew\n---\n\nA kettle boils.\n')
  expect(await trail()).toEqual(['Tea', 'New'])
})
