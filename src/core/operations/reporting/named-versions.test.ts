import { expect, it } from 'vitest'
import { versionsIn } from './named-versions.ts'

it.each([
  ['Requires Node 18.', ['node 18']],
  ['Requires Node.js >= 18.2 or newer', ['node 18.2']],
  ['We use react@^17.0.2 and @angular/core@~12.', ['react 17.0.2', 'angularcore 12']],
  ['Run pip install django==3.2', ['django 3.2']],
  ['As of release 2.4 the export is faster.', [' 2.4']],
  ['The v1 endpoints', [' 1']],
  ['Version 1.x is no longer supported.', [' 1']],
  ['Node 14, 16 and 18 are no longer supported.', ['node 14', 'node 16', 'node 18']],
  ['Install Spring Boot 2.', ['boot 2']],
  ['TypeScript: 4.9', ['typescript 4.9']],
  ['使用 Node 18。', ['node 18']],
  ['Benötigt das Modul für Version 2.1.', [' 2.1']],
  ['Le problème de la version 2.1', [' 2.1']],
  ['Läuft mit Python 3.8 und Redis 6', ['python 3.8', 'redis 6']],
  // What is counted, measured, dated or numbered is no version.
  ['Next 5 days, in 3 steps, about 12 people', []],
  ['Express 4 thoughts in 5 minutes', []],
  ['On March 5, 2026 at 12:30', []],
  ['React 2023 was a conference in Berlin 2024', []],
  ['It takes 1.5 GB, 20 % and 3.5 ms', []],
  ['See chapter 4 and table 5.', []],
  ['192.168.0.1:8080 and 1,000', []],
])('reads %j', (sentence, expected) => {
  expect(
    versionsIn(sentence).map(
      ({ names, version }) => `${names.at(-1)?.key ?? ''} ${version.join('.')}`,
    ),
  ).toEqual(expected)
})

it('stays quick on hostile sentences', () => {
  const hostile = ['a '.repeat(5_000), '@/'.repeat(5_000), 'v1 '.repeat(5_000), '1.'.repeat(5_000)]
  for (const text of hostile) expect(versionsIn(`${text}Node 18`).length).toBeLessThan(31)
})
