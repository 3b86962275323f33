/**
 * Asks the questions of the evaluation sets and lights every quote of every answer in its note: how
 * many are lit at their very words, how many at their block, and whether any is lost.
 *
 *     node bench/quotes.ts [SET…]        (default: all that have questions with answers in prose)
 */
import { join } from 'node:path'
import { askQuestion } from '../src/core/operations/answering/ask-question.ts'
import { litQuote, type Cited, type Lit } from '../test/support/lit-quotes.ts'
import { questionsOf, withBase } from './answering-base.ts'
import { findEvaluationSet, headline, markdownTable, NO_EVALUATION_SETS } from './harness.ts'

const SETS = ['cookbook-docs', 'hotpot', 'vault-jzhao', 'handbook-para', 'cran', 'vault-mdn']
const AIM = 0.95

async function measureSet(name: string, set: string): Promise<readonly string[]> {
  const count: Record<Lit, number> = { words: 0, block: 0, unconfirmed: 0, lost: 0 }
  const others: string[] = []
  await withBase(join(set, 'docs'), async (kb) => {
    const seen = new Set<string>()
    for (const { text } of questionsOf(set)) {
      const { claims } = await askQuestion(kb, text)
      for (const cited of claims.flatMap(({ citations }) => citations)) {
        const key = `${cited.id}\n${cited.quote}`
        if (seen.has(key)) continue
        seen.add(key)
        const lit = await litQuote(kb, cited)
        count[lit]++
        if (lit !== 'words') others.push(describe(lit, cited))
      }
    }
  })
  if (process.argv.includes('--show')) console.error(others.join('\n'))
  const all = Object.values(count).reduce((sum, each) => sum + each, 0)
  const share = all === 0 ? 1 : count.words / all
  headline({
    what: `quotes of ${name} lit at their words`,
    measured: `${(100 * share).toFixed(1)} %, ${count.lost} lost`,
    aim: `≥ ${100 * AIM} %, none lost`,
    met: share >= AIM && count.lost === 0,
  })
  return [
    name,
    String(all),
    `${(100 * share).toFixed(1)} %`,
    String(count.block),
    String(count.unconfirmed),
    String(count.lost),
  ]
}

function describe(lit: Lit, { id, lines, quote }: Cited): string {
  return `${lit} ${id}:${lines.join('-')} ${JSON.stringify(quote.slice(0, 160))}`
}

const rows: (readonly string[])[] = []
const named = process.argv.slice(2).filter((each) => !each.startsWith('--'))
for (const name of named.length > 0 ? named : SETS) {
  const set = await findEvaluationSet(name)
  if (set) rows.push(await measureSet(name, set))
}
console.log(
  rows.length === 0
    ? `## Quotes\n\n${NO_EVALUATION_SETS}`
    : `## Quotes\n\n${markdownTable(['set', 'quotes', 'lit at their words', 'at their block', 'not confirmed', 'lost'], rows)}`,
)
