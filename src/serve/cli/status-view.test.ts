import { expect, it } from 'vitest'
import type { Places } from './places.ts'
import { activity, statusLines } from './status-view.ts'
import { openTerminal } from './terminal.ts'

const NOW = new Date('2026-11-15T12:00:00Z')
const PLACES = { shown: (id: string) => id } as Places
const { style } = openTerminal({ write: () => {} }, { write: () => {} }, {})

it('shows a base at a glance', () => {
  const lines = statusLines(
    {
      status: {
        sources: [{ name: 'notes', path: '/n' }],
        documents: 9,
        chunks: 20,
        links: 30,
        brokenLinks: 2,
        index_bytes: 3 * 1024 * 1024,
        skipped_files: 1,
        failed_files: 0,
        indexing: false,
        embedding: { provider: 'corpus', serving: 'x' },
      },
      overview: { summary: { orphans: 3, sources: [{ name: 'notes', documents: 9 }] } },
      hubs: { items: [{ id: 'notes/a.md', title: 'A\u001b[2J', score: 4 }] },
      tags: {
        items: [
          { tag: 'tea', documents: 2 },
          { tag: 'cup', documents: 1 },
        ],
      },
      recent: { items: [{ updated: '2026-11-15T10:00:00Z' }] },
    },
    { style, places: PLACES, now: NOW, words: ['status', '/n'] },
  )
  expect(lines.map((line) => line.trimEnd())).toEqual([
    'notes  /n  9 documents',
    '',
    'documents  9                                     last change 2 hours ago',
    'passages   20                                    3.0 MB index',
    'links      30                                    2 lead nowhere',
    'meaning    corpus',
    'coverage   ██████████████████░░ 90%, 1 left out',
    '',
    'Changed, by week',
    '  ···········█',
    '',
    'Most linked',
    '  ██████████  4  A  notes/a.md',
    '',
    'Tags',
    '  ██████████  2  #tea',
    '  █████░░░░░  1  #cup',
    '',
    'Worth a look',
    '  2  links that lead nowhere     cairn insights broken_links --folder /n',
    '  3  documents without any link  cairn insights orphans --folder /n',
    '  1  files left out              cairn insights coverage --files skipped --folder /n',
  ])
})

it('draws what changed week by week', () => {
  const ago = (days: number) => ({
    updated: new Date(NOW.getTime() - days * 86_400_000).toISOString(),
  })
  expect(activity({ items: [ago(0), ago(1), ago(2), ago(3), ago(8), ago(500)] }, NOW)).toBe(
    '··········▂█',
  )
  expect(activity({ items: [] }, NOW)).toBe('············')
})
