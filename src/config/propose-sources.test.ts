import { expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../test/support/temporary-folder.ts'
import { knownVaults, proposeSources } from './propose-sources.ts'

function proposed(files: Record<string, string>) {
  const root = temporaryFolder()
  writeFiles(root, files)
  return proposeSources(root).map(({ what, path, exclude, documents }) => ({
    what,
    path: path.slice(root.length + 1),
    ...(exclude.length > 0 && { exclude }),
    documents,
  }))
}

it.each<[name: string, files: Record<string, string>, expected: object[]]>([
  [
    'an Obsidian vault, whose own settings say what is left out whenever it is read',
    {
      '.obsidian/app.json': '{"userIgnoreFilters": ["Templates/"]}',
      'a.md': '',
      'docs/b.md': '',
    },
    [{ what: 'Obsidian vault', path: '', documents: 2 }],
  ],
  [
    'a Logseq graph, without its copies',
    { 'logseq/config.edn': '{}', 'logseq/bak/a.md': '', 'pages/a.md': '', 'journals/b.md': '' },
    [
      {
        what: 'Logseq graph',
        path: '',
        exclude: ['logseq/**', 'whiteboards/**'],
        documents: 3,
      },
    ],
  ],
  [
    'a Foam workspace',
    { '.vscode/extensions.json': '{"recommendations": ["foam.foam-vscode"]}', 'a.md': '' },
    [{ what: 'Foam workspace', path: '', documents: 1 }],
  ],
  [
    'documentation of MkDocs in a folder of its own',
    { 'mkdocs.yml': 'site_name: X\ndocs_dir: "manual" # here\n', 'manual/a.md': '', 'b.md': '' },
    [{ what: 'MkDocs', path: 'manual', documents: 1 }],
  ],
  [
    'documentation of Docusaurus, once',
    { 'docusaurus.config.ts': '', 'docs/a.mdx': '', 'blog/b.md': '', 'src/c.ts': '' },
    [
      { what: 'Docusaurus', path: 'docs', documents: 1 },
      { what: 'Docusaurus', path: 'blog', documents: 1 },
    ],
  ],
  [
    'a folder docs, and the memory of an agent',
    {
      'docs/a.md': '',
      'README.md': '',
      'memory.jsonl': '{"type":"entity","name":"a","entityType":"b","observations":[]}\n',
      'other.jsonl': '{"a": 1}\n',
    },
    [
      { what: 'Documentation', path: 'docs', documents: 1 },
      { what: 'Memory of an agent', path: 'memory.jsonl', documents: 1 },
    ],
  ],
  [
    'vaults below',
    { 'work/.obsidian/app.json': '{}', 'work/a.md': '', 'x/home/.foam/a': '', 'x/home/b.md': '' },
    [
      { what: 'Obsidian vault', path: 'work', documents: 1 },
      { what: 'Foam workspace', path: 'x/home', documents: 1 },
    ],
  ],
  [
    'vaults and sites below, and the memory of an agent beside them',
    {
      'work/.obsidian/app.json': '{}',
      'work/a.md': '',
      'site/docusaurus.config.js': '',
      'site/docs/b.mdx': '',
      'tool/docs/c.md': '',
      'memory.jsonl': '{"type":"entity","name":"a","entityType":"b","observations":[]}\n',
    },
    [
      { what: 'Obsidian vault', path: 'work', documents: 1 },
      { what: 'Docusaurus', path: 'site/docs', documents: 1 },
      { what: 'Memory of an agent', path: 'memory.jsonl', documents: 1 },
    ],
  ],
  [
    'notes and the memory of an agent in one folder',
    {
      'a.md': '',
      'memory.jsonl': '{"type":"relation","from":"a","to":"b","relationType":"c"}\n',
    },
    [
      { what: 'Folder of notes', path: '', documents: 1 },
      { what: 'Memory of an agent', path: 'memory.jsonl', documents: 1 },
    ],
  ],
  [
    'a plain folder of notes, without tools',
    { 'a.md': '', 'deep/er/b.txt': '', 'node_modules/c.md': '', '.git/d.md': '', 'e.png': '' },
    [{ what: 'Folder of notes', path: '', documents: 2 }],
  ],
  ['nothing', { 'main.c': '' }, []],
])('finds %s', (_, files, expected) => {
  expect(proposed(files)).toEqual(expected)
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
  expect(knownVaults(home, `${home}/.config`).map(({ path }) => path)).toEqual([
    `${home}/new`,
    `${home}/old`,
  ])
})
