import { expect, it } from 'vitest'
import { nameRuns } from './name-runs.ts'
import { mostSaying, speaks } from './speaking-names.ts'
import type { BorneAs } from './speaking-names.ts'

function isHeard(text: string, name: string, as: BorneAs = 'title', spread = 1): boolean {
  const start = text.indexOf(name)
  const run = nameRuns(text).find(
    (each) => each.start === start && each.end === start + name.length,
  )
  return speaks(text, run!, { as, isExact: true, spread, documents: 1_000 })
}

it.each<[text: string, name: string, as?: BorneAs]>([
  ['the ingest service', 'ingest'],
  ['ask mara about it', 'mara', 'alias'],
  ['the on-call handover', 'on-call', 'alias'],
  ['do a code review', 'code review'],
  ['the queue is stuck', 'queue is stuck'],
  ['read "Plan" first', 'Plan'],
  ['look into [[Plan]]', 'Plan'],
  ['open the note called plan', 'plan'],
  ['the Plan page is old', 'Plan'],
  ['open plan.md', 'plan.md'],
  ['I should ask Grace first', 'Grace', 'person'],
  ['what Hysteresis means', 'Hysteresis', 'heading'],
  ['the nightly canary failed', 'nightly canary', 'heading'],
  ['a Kestrel-based tool', 'Kestrel'],
  ['我正在准备值班交接', '值班交接'],
  ['看《计划》', '计划'],
  ['인수인계를 준비', '인수인계'],
])('in %j, %j is heard', (text, name, as) => {
  expect(isHeard(text, name, as)).toBe(true)
})

it.each<[text: string, name: string, as?: BorneAs]>([
  ['what is the plan', 'plan'],
  ['the deadline is in May', 'May'],
  ['see you in May then', 'May', 'person'],
  ['grace under pressure', 'grace', 'person'],
  ['Index the table', 'Index'],
  ['start here and count', 'start here', 'alias'],
  ['take notes', 'notes'],
  ['update README.md', 'README.md'],
  ['what are the consequences', 'consequences', 'heading'],
  ['it is 42 now', '42'],
  ['is on call now', 'on call', 'alias'],
  ['Mara-Lena is here', 'Mara', 'person'],
  ['这是一个计划', '计划'],
  ['北京大学', '京大'],
  ['in der Küche', 'Küche'],
])('in %j, %j is not', (text, name, as) => {
  expect(isHeard(text, name, as)).toBe(false)
})

it('does not hear a word that very many documents have, unless it is written as a name', () => {
  expect(isHeard('we use obsidian daily', 'obsidian', 'title', 900)).toBe(false)
  expect(isHeard('we use Obsidian daily', 'Obsidian', 'title', 900)).toBe(true)
})

it.each([
  ['Zia McCabe', true],
  ['The Jetsons', true],
  ['1946 NFL season', false],
  ['Rate limits', false],
  ['Code Review', true],
  ['Kestrel', true],
  ['kestrel', false],
  ['Notes', false],
  ['The', false],
  ['42', false],
  ['', false],
  ['One Two Three Four Five Six Seven Eight Nine', false],
])('is %j a name wherever it stands? %s', (title, isName) => {
  expect(mostSaying(title) > 0).toBe(isName)
})
