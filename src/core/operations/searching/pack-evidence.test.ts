import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { estimateTokens } from '../reading/tokens.ts'
import { searchDocuments } from './search-documents.ts'

const filler = (topic: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `Line ${n} about ${topic} and nothing else at all.`).join(
    ' ',
  )

async function evidenceFor(files: Record<string, string>, query: string, tokens: number) {
  const { kb } = await openSmallBase(files)
  const { evidence, hits } = await searchDocuments(kb, query, { evidence: () => ({ tokens }) })
  return evidence.map(({ at, text }) => ({ id: hits[at]!.id, text }))
}

it('shows several places of one document where these say most', async () => {
  const note = `# Pump\n\nThe pump starts at dawn.\n\n${filler('weather', 30)}\n\nThe pump stops at dusk.\n`
  const [first] = await evidenceFor({ 'pump.md': note }, 'when does the pump start and stop', 300)
  expect(first!.text).toContain('starts at dawn')
  expect(first!.text).toContain('stops at dusk')
  expect(first!.text).toContain('…')
})

it('says nothing twice', async () => {
  const same = 'The valve is closed by hand on Mondays.'
  const found = await evidenceFor(
    { 'a.md': `# A\n\n${same}\n`, 'b.md': `# B\n\n*${same}*\n` },
    'who closes the valve',
    400,
  )
  expect(found.map(({ text }) => text.includes('closed by hand')).filter(Boolean)).toHaveLength(1)
})

it('gives both halves of a question a word, whatever one of them fills', async () => {
  const found = await evidenceFor(
    {
      'boiler.md': `# Boiler\n\nThe boiler is serviced by Ada. ${filler('the boiler', 60)}\n`,
      'roof.md': '# Roof\n\nThe roof is repaired by Grace.\n',
    },
    'who services the boiler and who repairs the roof',
    250,
  )
  expect(found.map(({ id }) => id).toSorted()).toEqual(['notes/boiler.md', 'notes/roof.md'])
  expect(found.map(({ text }) => text).join(' ')).toMatch(/(?=.*Ada)(?=.*Grace)/s)
})

it.each([60, 200, 1_000])('keeps to about %i tokens', async (tokens) => {
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [
      `n${n}.md`,
      `# N${n}\n\n${filler(`tea ${n} 茶の水`, 50)}\n`,
    ]),
  )
  const found = await evidenceFor(files, 'tea 茶', tokens)
  expect(found.length).toBeGreaterThan(0)
  const cost = found.reduce((sum, { text }) => sum + estimateTokens(text), 0)
  expect(cost).toBeLessThanOrEqual(tokens + 4 * found.length)
})

it('shows nothing where there is no room or no text', async () => {
  expect(await evidenceFor({ 'a.md': '# Tea\n\nHot.\n' }, 'tea', 5)).toEqual([])
  expect(await evidenceFor({ 'tea.md': '' }, 'tea', 500)).toEqual([])
})

it('says a sentence once that a page repeats, alone or on one line with others', async () => {
  const list = ['Click the button that adds a case.', 'Fill in a value for every variable.']
  const note = `# Cases\n\n${list.join('\n\n')}\n\n${list.join('')}\n\n${list[0]}\n\nThe port is 8.5 for a case, not 85.\n\nThe port is 85 for a case, not 85.\n`
  const [found] = await evidenceFor({ 'cases.md': note }, 'add a case by button or port', 400)
  expect(found!.text.split('Click the button')).toHaveLength(2)
  expect(found!.text.split('Fill in a value')).toHaveLength(2)
  expect(found!.text).toContain('The port is 8.5 for')
  expect(found!.text).toContain('The port is 85 for')
})

it('keeps lines of code that are alike, and leaves out a block that is repeated', async () => {
  const block = '```\nsend(request, timeout, retries)\nwait(for, the, reply, of, send)\n```'
  const other = '```\nsend(request, timeout, retries)\nthrow(away, the, reply, of, send)\n```'
  const note = `# Send\n\nTo send:\n\n${block}\n\nOnce more:\n\n${block}\n\nOr else:\n\n${other}\n`
  const [found] = await evidenceFor({ 'send.md': note }, 'send a request with retries', 400)
  expect(found!.text.split('wait(for')).toHaveLength(2)
  expect(found!.text).toMatch(/send\(request, timeout, retries\)\nthrow/)
})

it('leaves room empty rather than fill it with what says next to nothing', async () => {
  const found = await evidenceFor(
    {
      'valve.md': '# Valve\n\nThe red valve is closed by hand every Monday by Grace.\n',
      'log.md': `# Log\n\n${filler('a Monday', 80)}\n`,
    },
    'who closes the red valve by hand every Monday',
    1_000,
  )
  const text = found.map((each) => each.text).join(' ')
  expect(text).toContain('by Grace')
  expect(estimateTokens(text)).toBeLessThan(500)
})
