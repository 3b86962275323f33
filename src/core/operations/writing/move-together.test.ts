import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import { undoChanges } from './undo-changes.ts'
import { writeTogether } from './write-together.ts'

const FILES = {
  'old/a.md':
    '---\nnear: "[[b]]"\n---\n# A\n\nTo [b](b.md), [[c]], [here](./a.md) and ![](red.png).\n',
  'old/b.md': '# B\n\nTo [a](a.md), [[old/deep/c]] and [out](../out.md).\n',
  'old/deep/c.md': '# C\n\nTo [a](../a.md) and [[b|so]].\n',
  'out.md': '# Out\n\nTo [a](old/a.md), [[old/deep/c|c]] and [[b]].\n',
  'taken/b.md': '# Taken\n',
}

const moved = (to: string) =>
  ['a.md', 'b.md', 'deep/c.md'].map((path) => ({
    kind: 'move' as const,
    id: `notes/old/${path}`,
    to: `notes/${to}${path}`,
  }))

async function open() {
  const base = await openTestBase(FILES)
  const textOf = (path: string): string => readFileSync(join(base.folder, path), 'utf8')
  return { ...base, textOf }
}

describe('several moves at once', () => {
  it('leave links between the moved as they are, and take along those of others', async () => {
    const { kb, textOf } = await open()
    const result = await writeTogether(kb, moved('new name/'), { by: {} })
    expect(textOf('new name/a.md')).toBe(FILES['old/a.md'].replace('red.png', '../old/red.png'))
    expect(textOf('new name/b.md')).toBe(FILES['old/b.md'].replace('old/deep/c', 'new name/deep/c'))
    expect(textOf('new name/deep/c.md')).toBe(FILES['old/deep/c.md'])
    expect(textOf('out.md')).toBe(
      '# Out\n\nTo [a](new%20name/a.md), [[new name/deep/c|c]] and [[b]].\n',
    )
    expect(result.linksRewritten).toBe(4)
    expect(result.brokenLinks).toEqual([])
    expect(result.documents.map(({ id }) => id)).toEqual([
      'notes/new name/a.md',
      'notes/new name/b.md',
      'notes/new name/deep/c.md',
      'notes/out.md',
    ])
    await undoChanges(kb, { operation: result.operation! }, { by: {} })
    for (const [path, text] of Object.entries(FILES)) expect(textOf(path)).toBe(text)
  })

  it('follow each other when they go to different places under other names', async () => {
    const { kb, textOf } = await open()
    await writeTogether(
      kb,
      [
        { kind: 'move', id: 'notes/old/a.md', to: 'notes/x/first.md' },
        { kind: 'move', id: 'notes/old/b.md', to: 'notes/y/second.md' },
      ],
      { by: {} },
    )
    expect(textOf('x/first.md')).toBe(
      '---\nnear: "[[second]]"\n---\n# A\n\nTo [b](../y/second.md), [[c]], [here](./first.md) and ![](../old/red.png).\n',
    )
    expect(textOf('y/second.md')).toContain('To [a](../x/first.md), [[old/deep/c]]')
    expect(textOf('old/deep/c.md')).toBe('# C\n\nTo [a](../../x/first.md) and [[second|so]].\n')
    expect(textOf('out.md')).toContain('[a](x/first.md)')
  })

  it('are all refused where one of them is', async () => {
    const { kb, textOf } = await open()
    const [a, ...others] = moved('new/')
    const refused = (edits: Parameters<typeof writeTogether>[1]) =>
      writeTogether(kb, edits, { by: {} }).then(
        () => 'done',
        ({ code, message }) => `${code}: ${message}`,
      )
    expect(await refused(moved('taken/'))).toMatch(/^exists: .*taken\/b\.md/)
    expect(await refused([a!, { ...others[0]!, to: 'notes/new/A.md' }])).toMatch(
      /^invalid: Two of the documents would be/,
    )
    expect(await refused([a!, { ...others[0]!, ifDigest: 'a'.repeat(64) }])).toMatch(/^conflict: /)
    expect(await refused([a!, a!])).toMatch(/^invalid: /)
    expect(
      await refused([
        ...moved('new/'),
        { kind: 'change', id: 'notes/out.md', change: (text) => `${text}more\n` },
      ]),
    ).toMatch(/^invalid: notes\/out\.md is changed by a move and by another/)
    for (const [path, text] of Object.entries(FILES)) expect(textOf(path)).toBe(text)
  })
})
