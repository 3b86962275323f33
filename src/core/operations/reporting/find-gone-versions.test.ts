import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { viewFor } from '../view/view.ts'
import type { View } from '../view/view.ts'
import { reportStale } from './report-stale.ts'

/** Notes that name what is gone: what they name, and who says so. */
async function gone(kb: View): Promise<Readonly<Record<string, string>>> {
  const { items } = await reportStale(kb, { limit: 100 })
  return Object.fromEntries(
    items.flatMap(({ record, reason }) =>
      reason?.kind === 'version'
        ? [[record.path, `${reason.named} < ${reason.by}:${reason.byLine}`]]
        : [],
    ),
  )
}

const PACKAGE = `{
  "name": "shop",
  "version": "3.1.0",
  "engines": { "node": ">=20" },
  "dependencies": {
    "react": "^18.2.0",
    "express": "4 || 5",
    "@angular/core": "~16.1.0",
    "left-pad": "^0.4.0",
    "next": "^14.0.0"
  },
  "devDependencies": { "typescript": "~6.0.3" }
}
`

it('names what a manifest of the same program asks a later one of', async () => {
  const { kb } = await openSmallBase({
    'package.json': PACKAGE,
    'docs/setup.md': '# Setup\n\nFirst.\n\nThe server requires Node 18 or newer.\n',
    'docs/pages.md': 'Pages are built with React 17.0, and nothing else.\n',
    'docs/stack.md': '# Stack\n\n- Angular 12\n',
    'docs/spec.md': 'It depends on `left-pad@^0.3`.\n',
    'docs/install.md': 'Do this:\n\n```sh\nnpm install react@16\n```\n',
    'docs/table.md': '# Requirements\n\n| what | version |\n| --- | --- |\n| Node.js | v16.3 |\n',
    'docs/deutsch.md': 'Der Server benötigt Node.js 16.\n',
    'docs/chinese.md': '服务器需要 Node 16。\n',
    'docs/behind.md': 'Node 18 is required to build it.\n',
    'docs/work.md': 'It is written in TypeScript 5, always.\n',
  })
  expect(await gone(kb)).toEqual({
    'docs/setup.md': 'Node 18 < notes/package.json:4',
    'docs/pages.md': 'React 17.0 < notes/package.json:6',
    'docs/stack.md': 'Angular 12 < notes/package.json:8',
    'docs/spec.md': 'left-pad@^0.3 < notes/package.json:9',
    'docs/install.md': 'react@16 < notes/package.json:6',
    'docs/table.md': 'Node.js | v16.3 < notes/package.json:4',
    'docs/deutsch.md': 'Node.js 16 < notes/package.json:4',
    'docs/chinese.md': 'Node 16 < notes/package.json:4',
    'docs/behind.md': 'Node 18 < notes/package.json:4',
    'docs/work.md': 'TypeScript 5 < notes/package.json:12',
  })
})

it('leaves alone what still holds, and what tells of another time, place or thing', async () => {
  const { kb } = await openSmallBase({
    'package.json': PACKAGE,
    'old/package.json': '{ "dependencies": { "jest": "^28.0.0" } }',
    'new/package.json': '{ "dependencies": { "jest": "^29.0.0" } }',
    'tests/x/package.json': '{ "dependencies": { "vitest": "^9.0.0" } }',
    'holds.md':
      'Requires Node 22, uses React 18.1 and Express 4, tested with jest 28 and vitest 3.\n',
    'history.md': 'We use React since we upgraded it from React 16.\n',
    'told.md': 'It used Node 16. In React 17 events attach to the root.\n',
    'plan.md':
      'If you use Node 18, upgrade.\n\nDo we need Node 18?\n\nIt does not run on Node 18.\n',
    'count.md': 'We use Next 5 days of the month, and need Express 2 times.\n',
    'parts.md': 'It uses React Native 0.7.\n',
    'v17.md': '# React 17\n\nUses React 17.\n',
    'CHANGELOG.md': '## 1.0\n\n- Requires Node 14\n',
    '2023-01-05.md': 'We use Node 16.\n',
    'dated.md': '---\ndate: 2023-01-05\n---\nWe use Node 16.\n',
    'heads.md': '## 2023-01-05\n\nWe use Node 16.\n\n## v1.2.0\n\nUses React 16.\n',
    'code.md': '```\nerror in react@16 of node 14\n```\n',
    'other.md': 'Requires unknown 2 and other-package@^1.\n',
    'below.md': 'Supports Node <20 as well.\n',
    'asof.md': 'As of React 17.2 it is possible to use this.\n',
    'since.md': 'In React >=17.2, use the command for it.\n',
    'found.md': 'We recommend the package you can use, with all that is found in React 17.\n',
    'users.md': 'The minimum required version is TypeScript 5.1.\n',
    'examples/x.md': 'Requires Node 18.\n',
    'versioned_docs/version-1.x/x.md': 'Requires Node 18.\n',
  })
  expect(await gone(kb)).toEqual({})
})

it.each([
  ['Node 14 is no longer supported.', 'Requires Node 14.', true],
  ['Node 14 is no longer supported.', 'Requires Node 14.2.', true],
  ['Node 14 is no longer supported.', 'Requires Node 16.', false],
  ['Node 14, 16 and 17 are no longer supported.', 'Runs on Node.js 16.', true],
  ['Node 16 and older are no longer supported.', 'Runs on Node.js 12.', true],
  ['We dropped support for Python 3.7.', 'Needs Python 3.7.', true],
  ['We dropped support for Python 3.7.', 'Needs Python 3.8.', false],
  ['Support for Redis 5 has been removed.', 'Uses Redis 5.', true],
  ['We upgraded Postgres from PostgreSQL 13 to 16.', 'The database runs on PostgreSQL 13.', true],
  ['Spring Boot 2 reached its end of life.', 'It is built with Spring Boot 2.', true],
  ['The Billing API v1 was shut down.', 'The shop uses Billing API v1.', true],
  ['The API v1 was shut down.', 'Clients use the API v1.', true],
  ['Version 1.x is no longer supported.', 'The plugin requires version 1.4.', true],
  ['Version 1.x is no longer supported.', 'The plugin requires version 2.4.', false],
  // What came with a release is there since.
  ['Version 1.x is no longer supported.', 'As of release 1.4, exports are faster.', false],
  ['Node 14 wird nicht mehr unterstützt.', 'Benötigt Node 14.', true],
  ['Node 14 n’est plus pris en charge.', 'Nécessite Node 14.', true],
  ['Node 14 ya no tiene soporte.', 'Requiere Node 14.', true],
  ['Node 14 больше не поддерживается.', 'Требует Node 14.', true],
  ['不再支持 Node 14。', '需要 Node 14。', true],
  // What is to come, may be, is asked, is left to do or is told of elsewhere ends nothing.
  ['Node 14 will be removed.', 'Requires Node 14.', false],
  ['If Node 14 is no longer supported, upgrade.', 'Requires Node 14.', false],
  ['Is Node 14 no longer supported?', 'Requires Node 14.', false],
  ['- [ ] Drop support for Node 14', 'Requires Node 14.', false],
  ['The strategy of Strapi v4 is no longer supported.', 'Requires Strapi v4.', false],
  ['Step 3 was removed.', 'Step 3 requires a key.', false],
])('reads %j and %j: %j', async (says, names, expected) => {
  const { kb } = await openSmallBase({ 'news.md': `${says}\n`, 'note.md': `${names}\n` })
  expect(Object.keys(await gone(kb))).toEqual(expected ? ['note.md'] : [])
})

it('keeps to the folder of what is said, and to what was written before it', async () => {
  const { kb } = await openSmallBase({
    'a/changelog/2.0.md': 'We dropped support for Node 14.\n',
    'a/setup.md': 'Requires Node 14.\n',
    'b/setup.md': 'Requires Node 14.\n',
    'c/over.md': '---\ncreated: 2024-01-01\n---\nThe API v1 was removed.\n',
    'c/before.md': '---\ncreated: 2023-01-01\n---\nUses the API v1.\n',
    'c/later.md': '---\ncreated: 2025-01-01\n---\nUses the API v1.\n',
    'c/deep/before.md': 'Uses the API v1.\n',
    'c/knows.md': 'Uses the API v1. The API v1 was removed.\n',
  })
  expect(await gone(kb)).toEqual({
    'a/setup.md': 'Node 14 < notes/a/changelog/2.0.md:1',
    'c/before.md': 'API v1 < notes/c/over.md:4',
  })
})

it('reads the table of what is supported, of one program', async () => {
  const { kb } = await openSmallBase({
    'go.mod': 'module example.com/x\n\ngo 1.22\n',
    'SECURITY.md':
      '| Version | Supported |\n| --- | --- |\n| 3.x | :white_check_mark: |\n| < 2.0 | :x: |\n',
    'docs/a.md': 'Install version 1.4 with its plugins.\n',
    'docs/b.md': 'Install version 3.4 with its plugins.\n',
    'docs/c.md': 'It is built with Go 1.19.\n',
  })
  expect(await gone(kb)).toEqual({
    'docs/a.md': 'version 1.4 < notes/SECURITY.md:4',
    'docs/c.md': 'Go 1.19 < notes/go.mod:3',
  })
})

it('says nothing of what a caller may not see', async () => {
  const { base } = await openSmallBase({
    'package.json': PACKAGE,
    'secret/news.md': 'Redis 5 is no longer supported.\n',
    'a.md': 'Requires Node 18.\n',
    'b.md': 'Uses Redis 5.\n',
  })
  const sees = ({ path }: { readonly path: string }) => path === 'a.md' || path === 'b.md'
  expect(await gone(viewFor(base, { principal: 'reader', may: ['read'], sees }))).toEqual({})
  expect(Object.keys(await gone(viewFor(base, undefined)))).toEqual(['a.md', 'b.md'])
})

it('is bounded, whatever is written', async () => {
  const { kb } = await openSmallBase({
    'package.json': `{"dependencies":{"__proto__":"^2.0.0","constructor":"^2.0.0","a${'a'.repeat(5_000)}":"^2.0.0"}}`,
    'CHANGELOG.md': 'Node 14 is no longer supported.\n'.repeat(3_000),
    'note.md': `${'Requires Node 13. '.repeat(3_000)}\n${'v1 '.repeat(20_000)}\nRequires Node 14. ${'x'.repeat(5_000)}\n`,
    'props.md': 'Requires constructor 1 and toString 1.\n',
  })
  const { items } = await reportStale(kb, { limit: 10 })
  expect(JSON.stringify(items.map(({ reason }) => reason)).length).toBeLessThan(3_000)
})

it('looks once for the line of a manifest that thousands of sentences are compared with', async () => {
  const told = `${'We had React 16.2, once. '.repeat(7_500)}\n\nIt requires React 16.2.\n`
  // Each time anew it would take longer than a test may.
  const { kb } = await openSmallBase({
    'package.json': `${'\n'.repeat(190_000)}{ "dependencies": { "react": "^18.0.0" } }`,
    'a.md': told,
    'b.md': told,
    'c.md': told,
  })
  const by = 'React 16.2 < notes/package.json:190001'
  expect(await gone(kb)).toEqual({ 'a.md': by, 'b.md': by, 'c.md': by })
})
