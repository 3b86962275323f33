import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { obsidianPatterns } from './obsidian-excludes.ts'
import { openFolderSource } from './open-folder-source.ts'

const NOTES = {
  'Home.md': '',
  'Old.md': '',
  'Older/Plan.md': '',
  'Templates/Note.md': '',
  'templates-list.md': '',
  'Deep/Templates/Note.md': '',
  'Deep/my draft.md': '',
  'Drafts/x.md': '',
  'we[i]rd/a.md': '',
}

async function offered(files: Record<string, string>): Promise<string[]> {
  const root = temporaryFolder({ ...NOTES, ...files })
  const scan = await openFolderSource({ name: 'vault', extensions: ['md'], root }).scan()
  return scan.files.map(({ path }) => path)
}

const excluding = (...filters: unknown[]) => ({
  '.obsidian/app.json': JSON.stringify({ userIgnoreFilters: filters }),
})

it.each<[filters: unknown[], gone: string[]]>([
  [['Templates/'], ['Templates/Note.md']],
  [['Old'], ['Old.md', 'Older/Plan.md']],
  [['Old.md'], ['Old.md']],
  [['Deep/Templates/'], ['Deep/Templates/Note.md']],
  [['we[i]rd/'], ['we[i]rd/a.md']],
  [['/raft/'], ['Deep/my draft.md', 'Drafts/x.md']],
  [['/\\d+/', '', 7, null, '/'], []],
])('leaves out what Obsidian excludes: %j', async (filters, gone) => {
  const all = Object.keys(NOTES)
  const left = all.filter((path) => !gone.includes(path)).toSorted()
  expect((await offered(excluding(...filters))).toSorted()).toEqual(left)
})

it('lets .cairnignore have the last word, and a vault speak for itself alone', async () => {
  const both = { ...excluding('Templates/'), '.cairnignore': '!/Templates/\n' }
  expect(await offered(both)).toContain('Templates/Note.md')
  const inner = { 'Deep/.obsidian/app.json': '{"userIgnoreFilters":["Templates/"]}' }
  const paths = await offered(inner)
  expect(paths).toContain('Templates/Note.md')
  expect(paths).not.toContain('Deep/Templates/Note.md')
})

it.each(['', '{', 'null', '[]', '{"userIgnoreFilters":"Templates/"}'])(
  'takes settings that say nothing for nothing: %j',
  async (text) => {
    expect(await offered({ '.obsidian/app.json': text })).toHaveLength(Object.keys(NOTES).length)
  },
)

it('names the patterns it does not run', () => {
  const root = temporaryFolder(excluding('Templates/', '/raft/', '/(a+)+$/'))
  expect(obsidianPatterns(root)).toEqual(['/(a+)+$/'])
})
