import { expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../../test/support/temporary-folder.ts'
import { foldersOfNotes, knownVaults, proposeSources } from './propose-sources.ts'

function proposed(files: Record<string, string>) {
  const root = temporaryFolder()
  writeFiles(root, files)
  return proposeSources(root).map(({ what, path, exclude }) => ({
    what,
    path: path.slice(root.length + 1),
    ...(exclude.length > 0 && { exclude }),
  }))
}

it.each<[name: string, files: Record<string, string>, expected: object[]]>([
  [
    'an Obsidian vault, whose own settings say what is left out whenever it is read',
    { '.obsidian/app.json': '{"userIgnoreFilters": ["Templates/"]}', 'a.md': '', 'docs/b.md': '' },
    [{ what: 'Obsidian vault', path: '' }],
  ],
  [
    'a Logseq graph, without its copies',
    { 'logseq/config.edn': '{}', 'logseq/bak/a.md': '', 'pages/a.md': '', 'journals/b.md': '' },
    [{ what: 'Logseq graph', path: '', exclude: ['logseq/**', 'whiteboards/**'] }],
  ],
  [
    'a Foam workspace',
    { '.vscode/extensions.json': '{"recommendations": ["foam.foam-vscode"]}', 'a.md': '' },
    [{ what: 'Foam workspace', path: '' }],
  ],
  [
    'all of a project, and not only its documentation',
    { 'mkdocs.yml': 'docs_dir: "manual"\n', 'manual/a.md': '', 'docs/c.md': '', 'b.md': '' },
    [{ what: 'Folder', path: '' }],
  ],
  [
    'a site, without the pages of older versions',
    { 'docusaurus.config.ts': '', 'docs/a.mdx': '', 'versioned_docs/version-1/a.mdx': '' },
    [{ what: 'Folder', path: '', exclude: ['versioned_docs/**'] }],
  ],
  [
    'all of a folder with vaults below, without the copies in those',
    {
      'work/.obsidian/app.json': '{}',
      'work/a.md': '',
      'x/my [old] graph/logseq/config.edn': '{}',
      'b.md': '',
    },
    [
      {
        what: 'Folder',
        path: '',
        exclude: ['x/my \\[old\\] graph/logseq/**', 'x/my \\[old\\] graph/whiteboards/**'],
      },
    ],
  ],
  [
    'the memory of an agent beside notes',
    {
      'docs/a.md': '',
      'memory.jsonl': '{"type":"entity","name":"a","entityType":"b","observations":[]}\n',
      'other.jsonl': '{"a": 1}\n',
    },
    [
      { what: 'Folder', path: '' },
      { what: 'Memory of an agent', path: 'memory.jsonl' },
    ],
  ],
])('takes %s', (_, files, expected) => {
  expect(proposed(files)).toEqual(expected)
})

it('names the folders that have notes, the largest first, without those of tools', () => {
  const home = temporaryFolder({
    'one/a.md': '',
    'deep/er/a.md': '',
    'deep/er/b.txt': '',
    'pictures/a.png': '',
    'node_modules/c.md': '',
    '.cache/d.md': '',
  })
  expect(foldersOfNotes(home)).toEqual([
    { path: `${home}/deep`, notes: 2 },
    { path: `${home}/one`, notes: 1 },
  ])
})

it('knows the vaults of Obsidian, the last one opened first', () => {
  const home = temporaryFolder()
  writeFiles(home, {
    'old/.obsidian/app.json': '{}',
    'old/a.md': '',
    'new/.obsidian/app.json': 'broken',
    'new/a.md': '',
    '.config/obsidian/obsidian.json': JSON.stringify({
      vaults: {
        1: { path: `${home}/old`, ts: 1 },
        2: { path: `${home}/new`, ts: 2 },
        3: { path: `${home}/gone`, ts: 3 },
      },
    }),
  })
  expect(knownVaults(home, `${home}/.config`)).toEqual([`${home}/new`, `${home}/old`])
})
