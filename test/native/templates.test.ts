/** Notes made from templates and notes of days, by the settings of the editors that people use. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatMoment } from '../../src/core/kit/format-moment.ts'
import { openTestBase } from '../support/open-test-base.ts'

const TODAY = formatMoment(new Date(), 'YYYY-MM-DD')
const json = (value: unknown): string => JSON.stringify(value)

describe('a note from a template', () => {
  /** What the note is that `write` makes of it. */
  const check = (
    name: string,
    files: Record<string, string>,
    args: Record<string, unknown>,
    path: string,
    expected: string,
  ): void => {
    it(name, async () => {
      const { call, folder, bugs } = await openTestBase({ 'tea.md': '# Tea\n', ...files })
      const preview = await call('write', { action: 'create', ...args, dry_run: true })
      expect(preview).toMatchObject({ id: `notes/${path}` })
      expect(existsSync(join(folder, path))).toBe(false)
      const made = await call('write', { action: 'create', ...args })
      expect(made).toMatchObject({ id: `notes/${path}`, operation: expect.any(String) })
      expect(readFileSync(join(folder, path), 'utf8')).toBe(expected)
      // What it holds is found like any other note.
      expect((await call('fetch', { id: path }))['digest']).toBe(made['digest'])
      await call('history', { action: 'undo', id: made['operation'] })
      expect(existsSync(join(folder, path))).toBe(false)
      expect(bugs).toEqual([])
    })
  }

  check(
    'of the folder templates',
    { 'templates/meeting.md': '# {{title}}\n\nOn {{date}}.\n' },
    { id: 'talks/with-ada.md', template: 'Meeting' },
    'talks/with-ada.md',
    `# with-ada\n\nOn ${TODAY}.\n`,
  )
  check(
    'with properties and a text that goes to its end',
    { 'templates/meeting.md': '---\nkind: meeting # keep\n---\n# {{title}}\n' },
    { id: 'x', template: 'meeting', content: 'Tea.', metadata: { who: 'Ada' } },
    'x.md',
    '---\nkind: meeting # keep\nwho: Ada\n---\n# x\nTea.\n',
  )
  check(
    'of the folder that Obsidian names, in the format it names',
    {
      '.obsidian/templates.json': json({ folder: '/Meta/Forms/', dateFormat: '[D]YYYY' }),
      'Meta/Forms/People/Person.md': '{{date}} {{title}}\n',
      'templates/person.md': 'not this one\n',
    },
    { id: 'people/Ada.md', template: 'people/person' },
    'people/Ada.md',
    `D${TODAY.slice(0, 4)} Ada\n`,
  )
  check(
    'of a folder that Obsidian leaves out of its search, named by its last word',
    {
      '.obsidian/templates.json': json({ folder: 'Forms' }),
      '.obsidian/app.json': json({ userIgnoreFilters: ['Forms/'] }),
      'Forms/People/Person.md': 'Of {{title}}\n',
    },
    { id: 'Ada', template: 'Person' },
    'Ada.md',
    'Of Ada\n',
  )
  check(
    'of Templater, its commands that are names alone',
    {
      '.obsidian/plugins/templater-obsidian/data.json': json({ templates_folder: 'T' }),
      'T/log.md': '<% tp.file.title %> <% tp.date.now("YYYY") %>\n',
    },
    { id: 'Ada.md', template: 'log' },
    'Ada.md',
    `Ada ${TODAY.slice(0, 4)}\n`,
  )
  check(
    'of Foam, which says itself where the note goes',
    {
      '.foam/templates/idea.md':
        '---\nfoam_template:\n  name: Idea\n  filepath: /ideas/$FOAM_DATE_YEAR/idea.md\n---\n# ${FOAM_TITLE}\n',
    },
    { template: 'idea' },
    `ideas/${TODAY.slice(0, 4)}/idea.md`,
    '# idea\n',
  )
  check(
    'of Foam, of which the other properties stay',
    {
      '.foam/templates/idea.md':
        '---\nfoam_template:\n  name: Idea\ntags: [idea] # keep\n---\n\n# $FOAM_TITLE\n',
    },
    { id: 'tea-time', template: 'idea' },
    'tea-time.md',
    '---\ntags: [idea] # keep\n---\n\n# tea-time\n',
  )
})

describe('the note of a day', () => {
  const check = (
    name: string,
    files: Record<string, string>,
    args: Record<string, unknown>,
    path: string,
    expected: string,
  ): void => {
    it(name, async () => {
      const { call, folder } = await openTestBase({ 'tea.md': '# Tea\n', ...files })
      const made = await call('write', { action: 'create', template: 'daily', ...args })
      expect(made).toMatchObject({ id: `notes/${path}` })
      expect(readFileSync(join(folder, path), 'utf8')).toBe(expected)
      const again = await call('write', { action: 'create', template: 'daily', ...args })
      expect(again['error']).toMatchObject({ code: 'exists' })
    })
  }
  const DAY = { id: '2026-12-01' }

  check('is in daily/', {}, {}, `daily/${TODAY}.md`, `# ${TODAY}\n`)
  check(
    'holds what is given',
    {},
    { ...DAY, content: 'Tea.' },
    'daily/2026-12-01.md',
    '# 2026-12-01\nTea.\n',
  )
  check(
    'is beside the last one there is, and called like it',
    { 'log/2026_11_20.md': 'a\n', 'old/2026-10-09.md': 'b\n' },
    DAY,
    'log/2026_12_01.md',
    '# 2026_12_01\n',
  )
  check('is at the top of a vault', { '.obsidian/app.json': '{}' }, DAY, '2026-12-01.md', '')
  check(
    'is where Obsidian says, from the template it names',
    {
      '.obsidian/daily-notes.json': json({
        folder: 'Days',
        format: 'YYYY/MM/dddd D',
        template: 'Forms/Day',
      }),
      '.obsidian/templates.json': json({ folder: 'Forms' }),
      'Forms/Day.md': '{{title}}: {{date:D MMM}}, then {{tomorrow}}\n',
    },
    DAY,
    'Days/2026/12/Tuesday 1.md',
    'Tuesday 1: 1 Dec, then 2026-12-02\n',
  )
  check(
    'is where Periodic Notes says',
    {
      '.obsidian/plugins/periodic-notes/data.json': json({
        daily: { enabled: true, folder: 'P', format: '' },
      }),
      '.obsidian/daily-notes.json': json({ folder: 'Days' }),
    },
    DAY,
    'P/2026-12-01.md',
    '',
  )
  check(
    'is where the template of Foam says',
    {
      '.foam/templates/daily-note.md':
        '---\nfoam_template:\n  filepath: "/log/$FOAM_DATE_MONTH/$FOAM_DATE_DATE.md"\n---\n# ${FOAM_DATE_DAY_NAME}\n',
    },
    DAY,
    'log/12/01.md',
    '# Tuesday\n',
  )
  check(
    'is where older settings of Foam say, which have comments',
    {
      '.vscode/settings.json':
        '{\n  // where\n  "foam.openDailyNote.directory": "journal//x", /* how */\n  "foam.openDailyNote.filenameFormat": "yyyymmdd",\n}\n',
    },
    DAY,
    'journal/x/20261201.md',
    '# 20261201\n',
  )

  it.each(['2026-13-01', '2026-02-30', '0000-00-00'])('%s is no day', async (id) => {
    const { call } = await openTestBase({ 'tea.md': 'Tea\n' })
    const { error } = await call('write', { action: 'create', template: 'daily', id })
    expect(error).toMatchObject({ code: 'invalid', message: `There is no day "${id}".` })
  })

  it('with a path it is a template that is called so', async () => {
    const { call } = await openTestBase({ 'templates/daily.md': 'Mine {{title}}\n' })
    const made = await call('write', { action: 'create', template: 'daily', id: 'x/y.md' })
    expect(made['diff']).toContain('+Mine y')
  })

  it('is made without the template that is gone, and says so', async () => {
    const settings = json({ template: 'Gone' })
    const { call } = await openTestBase({ '.obsidian/daily-notes.json': settings, 'a.md': 'A\n' })
    const made = await call('write', { action: 'create', template: 'daily', ...DAY })
    expect(made['warnings']).toEqual([
      expect.stringContaining(
        'The template of daily notes was not used: There is no template "Gone"',
      ),
    ])
  })
})

describe('templates', () => {
  const FILES = {
    'templates/b.md': 'B\n',
    'templates/deep/a.md': 'A\n',
    'templates/picture.png': 'x',
    '.foam/templates/new-note.md': 'C\n',
    'secret/x.md': 'X\n',
  }

  it('are listed for agents', async () => {
    const { call } = await openTestBase(FILES)
    expect(await call('list', { of: 'templates' })).toEqual({
      items: [
        { name: 'b', id: 'notes/templates/b.md' },
        { name: 'deep/a', id: 'notes/templates/deep/a.md' },
        { name: 'new-note', id: 'notes/.foam/templates/new-note.md' },
      ],
      total: 3,
    })
  })

  it('one that is not there says which are', async () => {
    const { call } = await openTestBase(FILES)
    const { error } = await call('write', { action: 'create', id: 'x.md', template: 'new-noet' })
    expect(error).toMatchObject({ code: 'not_found' })
    expect(error.hint).toContain('new-note')
    for (const template of ['../secret/x', 'secret/x', '/etc/passwd', '', '\0', '.obsidian/app']) {
      const { error } = await call('write', { action: 'create', id: 'x.md', template })
      expect(error, template).toMatchObject({ code: 'not_found' })
    }
  })

  it('what nobody can fill stays as it is, and is said', async () => {
    const { call } = await openTestBase({
      'templates/a.md': '{{weather}} <%* tp.x() %> {{title}}\n',
    })
    const made = await call('write', { action: 'create', id: 'x.md', template: 'a' })
    expect(made['diff']).toContain('+{{weather}} <%* tp.x() %> x')
    expect(made['warnings']).toEqual([
      'Nobody knows what to fill in for {{weather}}, <%* tp.x() %>: left as it is written.',
    ])
  })

  it('one that needs a path says so, and goes with nothing but create', async () => {
    const { call } = await openTestBase(FILES)
    const { error } = await call('write', { action: 'create', template: 'b' })
    expect(error).toMatchObject({ code: 'invalid', hint: expect.stringContaining('as id') })
    const other = await call('write', { action: 'append', id: 'templates/b.md', template: 'b' })
    expect(other['error']).toMatchObject({ message: expect.stringContaining('takes no template') })
  })

  it('several notes at once are one operation', async () => {
    const { call } = await openTestBase(FILES)
    const edits = [
      { action: 'create', id: 'x.md', template: 'b' },
      { action: 'create', id: 'y.md', template: 'b', content: 'More.' },
    ]
    const made = await call('write', { edits })
    expect(made['documents']).toHaveLength(2)
    expect(made['diff']).toContain('+More.')
  })

  it.each([
    ['5 MB', 'x'.repeat(5 * 1024 * 1024), 'larger than a megabyte'],
    ['binary', Uint8Array.of(1, 0, 2, 255), 'no text'],
  ])('of %s are refused', async (_, content, words) => {
    const { call } = await openTestBase({ 'templates/a.md': content, 'b.md': 'B\n' })
    const { error } = await call('write', { action: 'create', id: 'x.md', template: 'a' })
    expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining(words) })
  })

  it('that include each other end', async () => {
    const { call } = await openTestBase({
      'templates/a.md': '{{b}} ![[b]] <% tp.file.include("[[b]]") %>\n',
      'templates/b.md': '{{a}} ![[a]] <% tp.file.include("[[a]]") %>\n',
    })
    const made = await call('write', { action: 'create', id: 'x.md', template: 'a' })
    expect(made['diff']).toContain('+{{b}} ![[b]] <% tp.file.include("[[b]]") %>')
  })

  it.each([
    ['.obsidian/templates.json', json({ folder: '../..' })],
    ['.obsidian/templates.json', json({ folder: '.git' })],
    ['.obsidian/templates.json', json({ folder: ['x'], dateFormat: {} })],
    ['.obsidian/templates.json', '[]'],
    ['.obsidian/templates.json', '{'],
    ['.obsidian/daily-notes.json', json({ folder: '../../out', format: '../../../x' })],
    ['.obsidian/daily-notes.json', json({ folder: '.git/hooks' })],
    ['.obsidian/daily-notes.json', json({ format: '[../../]x' })],
    ['.vscode/settings.json', json({ 'foam.openDailyNote.directory': '/../../etc' })],
  ])('settings of %s lead nowhere else: %s', async (path, text) => {
    const { call, folder } = await openTestBase({ [path]: text, 'a.md': 'A\n', '.git/x.md': 'X\n' })
    expect((await call('list', { of: 'templates' }))['total']).toBe(0)
    const made = await call('write', { action: 'create', template: 'daily', id: '2026-12-01' })
    const place = made['id'] ? join(folder, made['id'].slice('notes/'.length)) : undefined
    if (place) expect(place.startsWith(folder) && existsSync(place)).toBe(true)
    else expect(made['error'].code).toMatch(/invalid|forbidden/)
  })

  it('a note that is private is none', async () => {
    const { call } = await openTestBase({
      'templates/a.md': '---\ncairn: private\n---\nX\n',
      'b.md': 'B\n',
    })
    expect((await call('list', { of: 'templates' }))['total']).toBe(0)
  })
})
