/** YAML that stands for far more than it says is refused in words, wherever YAML is read. */
import { describe, expect, it } from 'vitest'
import { examineDocuments } from '../../src/keep/doctor/doctor-documents.ts'
import { parseFrontMatter } from '../../src/core/parsing/markdown/front-matter.ts'
import { openTestBase } from '../support/open-test-base.ts'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Nine to the power of eleven values. */
const LAUGHS = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...Array.from('bcdefghijk', (name, at) => {
    const before = 'abcdefghij'[at]
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`
  }),
  '',
].join('\n')

const BOMBS: Readonly<Record<string, string>> = {
  'a billion laughs': LAUGHS,
  'an alias without an anchor': 'sources: *nobody\n',
  'a thousand brackets': `sources: ${'['.repeat(1_000)}`,
  'twenty thousand keys': Array.from({ length: 20_000 }, (_, at) => `k${at}:\n`).join(''),
}

/** File and command line by what reads it. */
const READERS: Readonly<Record<string, [file: string, ...words: string[]]>> = {
  'cairn.yaml': ['cairn.yaml', 'search', 'tea'],
  'roux.yaml': ['roux.yaml', 'roux', 'status', '.'],
  'nexus.config.yaml': ['nexus.config.yaml', 'nexus', '.', '--port', '0'],
  'mcp-metadata.yaml': ['mcp-metadata.yaml', 'acdc', '--config', 'mcp-metadata.yaml'],
  'a recipe': ['recipes/bad.yaml', 'recipe', 'run', 'bad', '--dry-run', '-f', '.'],
  'settings of a client': ['.config/goose/config.yaml', 'connect', 'goose', '--dry-run', '.'],
}

describe.each(Object.entries(READERS))('%s', (_, [file, ...words]) => {
  it.each(Object.entries(BOMBS))('refuses %s', async (__, bomb) => {
    const folder = temporaryFolder({ 'tea.md': '# Tea\n', [file]: bomb })
    const { code, err } = await runCairn(folder, ...words)
    expect(code, err).not.toBe(0)
    expect(err).toMatch(/^error: \S/)
    expect(err).not.toContain('inside Cairn')
    expect(err.length).toBeLessThan(1_000)
  })
})

it('refuses settings that contain themselves', async () => {
  const folder = temporaryFolder({ 'tea.md': '# Tea\n', 'cairn.yaml': 'sources: &a [*a]\n' })
  const { code, err } = await runCairn(folder, 'search', 'tea')
  expect(code).not.toBe(0)
  expect(err).not.toContain('inside Cairn')
})

describe('a note', () => {
  // A value that nobody has set is no value.
  const { 'an alias without an anchor': _unset, ...others } = BOMBS
  const notes = { ...others, 'an alias of itself': 'a: &a [*a]' }

  it.each(Object.entries(notes))('is found all the same, with a warning: %s', async (_, bomb) => {
    const { call, base, store, bugs } = await openTestBase({
      'tea.md': `---\n${bomb}\n---\n# Tea\n\nNeeds a kettle.\n`,
    })
    const { results } = await call('search', { query: 'kettle' })
    expect(results).toMatchObject([{ id: 'notes/tea.md' }])
    const { documents } = await store.list({}, 'path', { offset: 0, limit: -1 })
    const [warning] = await store.warnings(documents[0]!.no)
    expect(warning).toMatchObject({ kind: 'front_matter', ref: 'notes/tea.md' })
    const findings = await examineDocuments(base.sources.values())
    expect(findings.map(({ what }) => what).join()).toContain('front matter that cannot be read')
    // An edit that needs to know the front matter says why it cannot.
    const edited = await call('write', { action: 'set_metadata', id: 'tea', metadata: { a: 1 } })
    expect(edited).toMatchObject({ error: { code: 'invalid' } })
    expect(bugs).toEqual([])
  })

  it('does not grow by what its front matter repeats', () => {
    const list = `a: &a [${Array.from({ length: 6_000 }, () => 'x').join(',')}]`
    const yaml = `${list}\nb: [${Array.from({ length: 99 }, () => '*a').join(',')}]`
    const { properties, warnings } = parseFrontMatter(`---\n${yaml}\n---\n# Tea\n`, 'tea.md')
    expect(properties).toEqual({})
    expect(warnings.map(({ message }) => message)).toEqual([
      'The front matter cannot be read: it repeats itself too often (line 2)',
    ])
    // A little repetition is what aliases are for.
    const some = 'a: &a [x, y]\nb: *a\nc: [*a, *a]'
    expect(parseFrontMatter(`---\n${some}\n---\n`, 'tea.md').properties).toEqual({
      a: ['x', 'y'],
      b: ['x', 'y'],
      c: [
        ['x', 'y'],
        ['x', 'y'],
      ],
    })
  })
})
