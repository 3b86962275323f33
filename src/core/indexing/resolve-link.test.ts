import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LinkKind, Properties } from '../domain/text.ts'
import type { NamedDocument } from '../store/store.ts'
import { documentNames, isAttachment, linkKey, normalizeTarget } from './link-names.ts'
import { resolveLink } from './resolve-link.ts'

type Entry = string | (Partial<NamedDocument> & { path: string })

/** Resolves a link among these files, through their keys as the store does. */
function resolved(link: { kind: LinkKind; target: string }, from: string, files: Entry[]) {
  const documents = files.map((entry, no): NamedDocument => {
    const given = typeof entry === 'string' ? { path: entry } : entry
    const foldedPath = given.path.toLowerCase()
    return {
      no,
      source: 'notes',
      foldedPath,
      title: `Title ${no}`,
      aliases: [],
      pageName: undefined,
      ...given,
    }
  })
  const key = linkKey(link)
  const candidates = documents
    .filter((each) => {
      const properties: Properties = each.pageName ? { slug: each.pageName } : {}
      return key !== undefined && documentNames({ ...each, properties }).includes(key)
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const no = resolveLink(link, { source: 'notes', path: from }, candidates)
  const found = no === undefined ? undefined : documents[no]
  return found && (found.source === 'notes' ? found.path : `${found.source}/${found.path}`)
}

describe('wiki links', () => {
  const files: Entry[] = [
    'a.md',
    'Notes/Lemon.md',
    'archive.2024.md',
    'a/item.md',
    'b/item.md',
    'deep/folder/target.md',
    'meetings/meeting-notes-2024-01-15.md',
    { path: 'x/boil.md', title: 'Water boiler', aliases: ['Kettle'] },
    'my note.md',
    'guides/index.md',
    'Ünïcode/Größe.md',
    '🎉.md',
    { path: 'other.md', source: 'docs' },
    { path: 'a.md', source: 'docs' },
  ]
  const check = (target: string, expected: string | undefined, from = 'here.md') =>
    it(`[[${target}]] means ${expected ?? 'nothing'}`, () =>
      expect(resolved({ kind: 'wiki', target }, from, files)).toBe(expected))

  check('a', 'a.md')
  check('A.MD', 'a.md')
  check('LEMON', 'Notes/Lemon.md')
  check('notes/lemon', 'Notes/Lemon.md')
  check('Notes\\Lemon', 'Notes/Lemon.md')
  check('archive.2024', 'archive.2024.md')
  check('item', 'a/item.md')
  check('b/item', 'b/item.md')
  check('folder/target', undefined)
  check('folder\\target', undefined)
  check('target', 'deep/folder/target.md')
  check('Meeting Notes 2024-01-15', 'meetings/meeting-notes-2024-01-15.md')
  check('water boiler', 'x/boil.md')
  check('kettle', 'x/boil.md')
  check('my-note', 'my note.md')
  check('guides', 'guides/index.md')
  check('GRÖSSE', undefined)
  check('größe', 'Ünïcode/Größe.md')
  check('🎉', '🎉.md')
  check('../a', 'a.md', 'sub/here.md')
  check('./item', 'b/item.md', 'b/here.md')
  check('../../a', undefined, 'sub/here.md')
  check('other', 'docs/other.md')
  check('docs/a', 'docs/a.md')
  check('nothing', undefined)
  check('a.png', undefined)
})

describe('Markdown links', () => {
  const files: Entry[] = [
    'index.md',
    'guide.md',
    'docs/setup.md',
    'docs/api/index.md',
    'docs/api/README.md',
    'docs/with space.md',
    { path: 'web/css/index.md', pageName: 'web/css' },
    { path: 'css/index.md', pageName: 'css' },
    'posts/_index.md',
    'posts/one.md',
  ]
  const check = (target: string, expected: string | undefined, from = 'docs/here.md') =>
    it(`(${target}) in ${from} means ${expected ?? 'nothing'}`, () =>
      expect(resolved({ kind: 'markdown', target }, from, files)).toBe(expected))

  check('setup.md', 'docs/setup.md')
  check('./setup.md', 'docs/setup.md')
  check('setup', 'docs/setup.md')
  check('SETUP.md', 'docs/setup.md')
  check('../guide.md', 'guide.md')
  check('../../guide.md', undefined)
  check('api/', 'docs/api/index.md')
  check('api', 'docs/api/index.md')
  check('api/README.md', 'docs/api/README.md')
  check('with space.md', 'docs/with space.md')
  check('/guide.md', 'guide.md')
  check('/guide?x=1', 'guide.md')
  check('guide.md', 'guide.md')
  check('docs/setup.md', 'docs/setup.md', 'posts/one.md')
  check('/en-US/docs/Web/CSS', 'web/css/index.md')
  check('/en-US/docs/CSS', 'css/index.md')
  check('/en-US/docs/XCSS', undefined)
  check('/posts/', 'posts/_index.md')
  check('/', 'index.md')
  check('..', 'index.md')
  check('setup.pdf', undefined)
})

it('normalises like roux', () => {
  const check = (target: string, expected: string) => expect(normalizeTarget(target)).toBe(expected)
  check('archive.2024', 'archive.2024.md')
  check('meeting.notes.draft', 'meeting.notes.draft.md')
  check('doc.txt', 'doc.txt')
  check('image.png', 'image.png')
  check('file.md', 'file.md')
  check('Folder\\Sub', 'folder/sub.md')
})

it('knows attachments', () => {
  const check = (kind: LinkKind, target: string, expected: boolean) =>
    expect(isAttachment({ kind, target })).toBe(expected)
  check('wiki', 'cup.png', true)
  check('wiki', 'cup', false)
  check('wiki', 'v1.2024', false)
  check('markdown', 'a/paper.pdf?page=2', true)
  check('image', 'anything', true)
})

it('takes any text for a target, and finds a document under its own path', () => {
  const segment = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/[\\/\0]/.test(text))
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('wiki', 'markdown', 'embed', 'image'),
      (target, kind) => {
        resolved({ kind: kind as LinkKind, target }, 'x/y.md', ['a.md', 'x/index.md'])
      },
    ),
  )
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 3 }), (parts) => {
      fc.pre(parts.every((part) => part.trim() === part && !/^\.+$/.test(part)))
      const path = `${parts.join('/')}.md`
      expect(resolved({ kind: 'wiki', target: path }, 'other.md', [path])).toBe(path)
    }),
  )
})

describe('addresses of a site', () => {
  const hugo = [
    'content/en/docs/concepts/_index.md',
    'content/en/docs/concepts/pods.md',
    'content/de/docs/concepts/pods.md',
    'content/en/docs/tasks/pods.md',
  ]
  const check = (target: string, from: string, files: string[], expected: string | undefined) =>
    it(`${target} from ${from} → ${expected}`, () =>
      expect(resolved({ kind: 'markdown', target }, from, files)).toBe(expected))

  check('/docs/concepts/pods/', 'content/en/docs/tasks/pods.md', hugo, hugo[1])
  check('/docs/concepts/pods/', 'content/de/docs/x.md', hugo, hugo[2])
  check('/docs/concepts/', 'content/en/a.md', hugo, hugo[0])
  check('/docs/nothing/pods/', 'content/en/a.md', hugo, undefined)
  // The folder itself is what the site shows below /docs/.
  check('/docs/guide/setup', 'intro.md', ['guide/setup.md', 'other/setup.md'], 'guide/setup.md')
  check('/docs/guide/setup', 'intro.md', ['01-guide/02-setup.md'], '01-guide/02-setup.md')
  // A page stands in a folder of its own name.
  check('../pods/', 'docs/nodes.md', ['docs/pods.md', 'pods/x.md'], 'docs/pods.md')
})
