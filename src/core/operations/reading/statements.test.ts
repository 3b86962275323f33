import { expect, it } from 'vitest'
import { differenceOf, isSameFrame, parseStatement } from './statements.ts'

/** What differs between two sentences of one frame; `no frame` where they are of two. */
function between(one: string, other: string): string {
  const [a, b] = [parseStatement(one), parseStatement(other)]
  if (!a || !b) return 'says nothing'
  return isSameFrame(a, b) ? (differenceOf(a, b) ?? 'same') : 'no frame'
}

const cases: readonly (readonly [string, string, string])[] = [
  [
    'Uploads take 10 MB, says [the list](a.md).',
    'Uploads take 20 MB, says [the list](b.md).',
    'same',
  ],
  [
    'Uploads take 10 MB, says [the list](a.md).',
    'Uploads take 20 MB, says [the list](a.md).',
    'number',
  ],
  ['The answer of the server is `85` here.', 'The answer of the server is `10` here.', 'same'],
  ['We update the shown value to "6".', 'We update the shown value to "2".', 'same'],
  ['About 52% of teams test offline.', 'About 52.4% of teams test offline.', 'same'],
  ['The survey began in May 2026.', 'The survey began in 12 May 2026.', 'same'],
  ['A demo takes 2 steps of an agent.', 'An agent of a demo takes 20 steps.', 'no frame'],
  ['The page waits while it has not loaded.', 'The page waits while it has loaded.', 'same'],
  ['An agreement isn’t truth for voters.', 'An agreement ≠ truth for voters.', 'same'],
  ['Uploads may take 10 MB.', 'Uploads may take **20** MB.', 'number'],
  ['Uploads may take 1,000 MB.', 'Uploads may take 1000 MB.', 'same'],
  ['Keep backups for seven days.', 'Keep backups for 7 days.', 'same'],
  ['Keep backups for seven days.', 'Keep backups for 30 days.', 'number'],
  ['A review takes 5–10 minutes.', 'A review takes 5-10 minutes.', 'same'],
  ['A review takes 5 to 10 minutes.', 'A review takes 15 to 20 minutes.', 'number'],
  ['The freeze begins on 2026-03-05.', 'The freeze begins on 2026-04-07.', 'date'],
  ['The freeze begins on March 5, 2026.', 'The freeze begins on April 7, 2026.', 'date'],
  ['Releases go out on Monday.', 'Releases go out on Thursdays.', 'choice'],
  ['The staging cluster is public.', 'The staging cluster is private.', 'choice'],
  ['Public notes are copied.', 'Private notes are copied.', 'no frame'],
  [
    'The proxy caches answers of the API.',
    'The proxy does not cache answers of the API.',
    'polarity',
  ],
  ['The proxy caches answers.', "The proxy doesn't cache answers.", 'polarity'],
  [
    'It says whether the proxy caches answers.',
    'It says whether or not the proxy caches answers.',
    'same',
  ],
  ['See figure 3 of the report on latency.', 'See figure 4 of the report on latency.', 'no frame'],
  ['The Berlin office has 20 desks.', 'The Munich office has 30 desks.', 'no frame'],
  ['Uploads of pictures take 10 MB.', 'Uploads of videos take 20 MB.', 'no frame'],
  [
    'The rate limit of the public API is 100 requests a minute.',
    'The rate limit of the public API is now 200 requests a minute.',
    'number',
  ],
  [
    'The rate limit of the public API is 100 requests a minute.',
    'The general rate limit of the public API is 200 requests a minute.',
    'number',
  ],
  [
    'The rate limit of the public API is 100 requests a minute.',
    'The rate limit of the public Stripe API is 200 requests a minute.',
    'no frame',
  ],
  ['Between 3 and 9 people, of 40.', 'Between 4 and 8 people, of 50.', 'says nothing'],
  [
    'Does the limit of uploads stay 10 MB?',
    'Does the limit of uploads stay 20 MB?',
    'says nothing',
  ],
  ['Last updated: 2026-03-05', 'Last updated: 2026-03-06', 'says nothing'],
  ['data: {"type": "stop", "index": 1}', 'data: {"type": "stop", "index": 2}', 'says nothing'],
  ['Today 12 people came to the standup.', 'Today 9 people came to the standup.', 'says nothing'],
  [
    'Die Frist für Anträge endet nach 14 Tagen.',
    'Die Frist für Anträge endet nach 30 Tagen.',
    'number',
  ],
  [
    'As of January 2026, the team of Kite has 7 people.',
    'The team of Kite has 9 people (as of 5 March 2026).',
    'number',
  ],
  [
    'As of January 2026, the proxy stores answers.',
    'As of March 2026, the proxy does not store answers.',
    'polarity',
  ],
  [
    'The new travel policy is effective as of 1 May 2026.',
    'The new travel policy is effective as of 1 June 2026.',
    'date',
  ],
  ['会议报名截止到2026年5月1日。', '会议报名截止到2026年6月1日。', 'number'],
  ['Der Proxy speichert Antworten.', 'Der Proxy speichert keine Antworten.', 'polarity'],
  ['La réunion a lieu le lundi.', 'La réunion a lieu le jeudi.', 'choice'],
  ['El límite es de 10 megas.', 'El límite es de 20 megas.', 'number'],
  ['Срок подачи заявок 14 дней.', 'Срок подачи заявок 30 дней.', 'number'],
  ['上传文件的上限是100兆。', '上传文件的上限是200兆。', 'number'],
  ['该接口支持缓存结果。', '该接口不支持缓存结果。', 'polarity'],
]

it.each(cases)('%s / %s: %s', (one, other, expected) => {
  expect(between(one, other)).toBe(expected)
})

it('reads a sentence of a megabyte as none, and hostile marks at once', () => {
  expect(parseStatement(`The limit is ${'1 '.repeat(500_000)}.`)).toBeUndefined()
  for (const hostile of ['[['.repeat(300), '*'.repeat(599), '1,'.repeat(299), '-1'.repeat(299)]) {
    expect(() => parseStatement(`The limit ${hostile}`.slice(0, 600))).not.toThrow()
  }
})
