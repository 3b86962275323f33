import { describe, expect, it } from 'vitest'
import { slugOf, titleFromPath } from './names.ts'

function checkTitle(path: string, title: string): void {
  it(`${path} → ${title}`, () => expect(titleFromPath(path)).toBe(title))
}

function checkSlug(text: string, slug: string): void {
  it(`${text} → ${slug}`, () => expect(slugOf(text)).toBe(slug))
}

describe('titleFromPath', () => {
  checkTitle('notes/my-note.md', 'My Note')
  checkTitle('a--b---c.md', 'A B C')
  checkTitle('my_note_title.md', 'My Note Title')
  checkTitle('FOLDER/MY-FILE.MD', 'My File')
  checkTitle('folder\\sub\\file.md', 'File')
  checkTitle('archive.2024.md', 'Archive.2024')
  checkTitle('README', 'Readme')
  checkTitle('.hidden', '.hidden')
  checkTitle('-a-.md', 'A')
  checkTitle('été-à-paris.md', 'Été À Paris')
  checkTitle('会议 记录.md', '会议 记录')
  checkTitle('it\u2019s-2nd.md', 'It\u2019s 2nd')
  checkTitle('', '')
  checkTitle('journal/2026-11-14.md', '2026-11-14')
  checkTitle('2026-11.md', '2026-11')
  checkTitle('2026-11-14-team-meeting.md', '2026-11-14 Team Meeting')
  checkTitle('part-12-34.md', 'Part 12 34')
})

describe('slugOf', () => {
  checkSlug('Meeting Notes 2024-01-15', 'meeting-notes-2024-01-15')
  checkSlug('  C++ & Rust!  ', 'c-rust')
  checkSlug('Größe', 'größe')
  checkSlug('ﬁle №5', 'file-no5')
  checkSlug('会议记录', '会议记录')
  checkSlug('हिन्दी', 'हिन्दी')
  checkSlug('a_b.c', 'a-b-c')
  checkSlug('---', '')
})
