/** More ways into a base: lines, likeness, outlines, tasks, tables, conditions, several at once. */
import { describe, expect, it } from 'vitest'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { openTestBase } from '../support/open-test-base.ts'

const NOTES = {
  'plans/boat.md':
    '---\nstatus: draft\ndue: 2026-11-30\nprio: 2\ntype: plan\n---\n# Boat\n\n## Hull\n\nPaint the hull blue.\n\n- [ ] buy paint 📅 2026-11-20\n- [x] sand it\n\n## Sail\n\nSew the sail (again).\n',
  'plans/shed.md':
    '---\nstatus: final\ndue: 01.02.2027\nprio: high\ntype: plan\n---\n# Shed\n\nPaint the shed red, see [[boat]].\n\n- [ ] buy nails\n',
  'diary.md':
    '# Diary\n\nToday we sailed. The hull was dry (again).\n\n```\n- [ ] an example\n```\n',
}

async function open(files: Record<string, string> = NOTES) {
  const base = await openTestBase(files)
  const surface = openNativeSurface(base.base, { version: '0', log: console.error })
  const say = async (tool: string, args: object) => {
    const call = { signal: new AbortController().signal, progress: () => {} }
    return (await surface.call(tool, args, call)).texts.join('')
  }
  return { ...base, say }
}

describe('search', () => {
  it('finds every line of a text, letter by letter', async () => {
    const { call, say } = await open()
    const { results, total, relevant } = await call('search', { query: '(again)', match: 'text' })
    expect([total, relevant]).toEqual([2, true])
    expect(results.map(({ id, line }: any) => `${id}:${line}`)).toEqual([
      'notes/diary.md:3',
      'notes/plans/boat.md:18',
    ])
    expect(await say('search', { query: '(again)', match: 'text' })).toContain(
      'notes/plans/boat.md:18: Sew the sail (again).',
    )
    expect(await say('search', { query: 'nowhere at all', match: 'text' })).toBe('No line has it.')
  })

  it('finds every line of a pattern, within filters, page by page', async () => {
    const { call } = await open()
    const all = await call('search', { query: '^(Paint|Sew) the \\w+', match: 'regex' })
    expect(all.total).toBe(3)
    const args = { query: '^(Paint|Sew) the \\w+', match: 'regex', limit: 2 }
    const first = await call('search', args)
    const second = await call('search', { ...args, cursor: first.next_cursor })
    expect([...first.results, ...second.results]).toEqual(all.results)
    const some = await call('search', { ...args, where: 'status = final' })
    expect(some.results.map(({ id }: any) => id)).toEqual(['notes/plans/shed.md'])
    const { error } = await call('search', { query: '(a', match: 'regex' })
    expect(error).toMatchObject({ code: 'invalid', hint: expect.stringContaining('\\d') })
  })

  it('finds notes that are like a note, and not the note itself', async () => {
    const { call } = await open()
    const { results } = await call('search', { query: 'boat', match: 'similar' })
    const ids = results.map(({ id }: any) => id)
    expect(ids).toContain('notes/plans/shed.md')
    expect(ids).not.toContain('notes/plans/boat.md')
    const { error } = await call('search', { query: 'no such note', match: 'similar' })
    expect(error.code).toBe('not_found')
  })

  it('answers several questions in one call', async () => {
    const { call, say } = await open()
    const args = { query: 'who paints the hull', also: ['which colour has the shed'] }
    const { answers } = await call('search', args)
    expect(answers.map(({ results }: any) => results[0].id)).toEqual([
      'notes/plans/boat.md',
      'notes/plans/shed.md',
    ])
    const text = await say('search', { ...args, max_tokens: 300 })
    expect(text).toMatch(
      /^# who paints the hull\n1 notes\/.*# which colour has the shed\n.*notes\/plans\/shed\.md/s,
    )
    expect(text.length / 4).toBeLessThan(300)
    const { error } = await call('search', { ...args, match: 'text' })
    expect(error.code).toBe('invalid')
  })

  it('repeats the beginning of very long questions, and not all of them', async () => {
    const { call } = await open()
    const long = `shed ${'x'.repeat(50_000)}`
    const { answers } = await call('search', { query: long, also: [long] })
    expect(answers.map(({ query }: any) => query.length)).toEqual([2_000, 2_000])
  })

  it('searches among documents that meet a condition', async () => {
    const { call } = await open()
    const { results } = await call('search', { query: 'paint', where: 'prio < 3' })
    expect(results.map(({ id }: any) => id)).toEqual(['notes/plans/boat.md'])
    expect(
      (await call('ask', { question: 'What is painted?', where: 'status = final' })).sources,
    ).toHaveLength(1)
  })
})

describe('list', () => {
  it.each([
    ['status = draft', ['boat']],
    ['due < 2026-12-01', ['boat']],
    ['due > 2026-12-01', ['shed']],
    ['type = plan and not status = draft', ['shed']],
    ['prio = high or prio = 2', ['boat', 'shed']],
    ['path contains plans', ['boat', 'shed']],
    ['due missing', ['diary']],
  ])('keeps to a condition: %s', async (where, names) => {
    const { call } = await open()
    const { items, total } = await call('list', { where })
    const found = items.map(({ id }: any) => /(\w+)\.md$/.exec(id)![1])
    expect([found, total]).toEqual([names, names.length])
  })

  it('says which properties there are to who asks for another', async () => {
    const { call } = await open()
    for (const args of [{ where: 'stauts = draft' }, { columns: ['stauts'] }]) {
      const { error } = await call('list', args)
      expect(error).toMatchObject({ code: 'invalid', hint: expect.stringContaining('status') })
    }
    const { error } = await call('list', { where: 'status draft' })
    expect(error.hint).toContain('status = draft')
    // Elsewhere in the base it exists: nothing here has it, which is an answer.
    expect((await call('list', { path: 'diary.md', where: 'status = draft' })).total).toBe(0)
  })

  it('shows properties as a table', async () => {
    const { call, say } = await open()
    const args = { columns: ['status', 'due'], where: 'type = plan' }
    expect(await say('list', args)).toMatch(
      /^id \| status \| due\nnotes\/plans\/boat\.md \| draft \| 2026-11-30\nnotes\/plans\/shed\.md \| final \| 01\.02\.2027\n/,
    )
    const { items } = await call('list', args)
    expect(items[0].properties).toEqual({ status: 'draft', due: '2026-11-30' })
  })

  it('lists tasks: open ones first due, or those a condition names', async () => {
    const { call, say } = await open()
    const { items, total } = await call('list', { of: 'tasks' })
    expect(total).toBe(2)
    expect(items[0]).toEqual({
      id: 'notes/plans/boat.md',
      line: 13,
      done: false,
      text: 'buy paint 📅 2026-11-20',
      due: '2026-11-20',
    })
    expect(await say('list', { of: 'tasks', where: 'done = true' })).toMatch(
      /^\[x\] sand it \(notes\/plans\/boat\.md:14\)/,
    )
    expect((await call('list', { of: 'tasks', where: 'due < 2026-12-01' })).total).toBe(1)
    expect((await call('list', { of: 'tasks', where: 'task contains nails' })).total).toBe(1)
    expect((await call('list', { of: 'tasks', where: 'status = final' })).total).toBe(1)
    const first = await call('list', { of: 'tasks', limit: 1 })
    const second = await call('list', { of: 'tasks', limit: 1, cursor: first.next_cursor })
    expect(second.items[0].text).toBe('buy nails')
  })

  it('outlines a note or a folder: headings with their lines', async () => {
    const { say, call } = await open()
    expect(await say('list', { of: 'outline', path: 'plans/boat.md' })).toMatch(
      /^notes\/plans\/boat\.md Boat \(\d+ lines\)\n7 # Boat\n9 ## Hull\n16 ## Sail/,
    )
    const { items } = await call('list', { of: 'outline', path: 'plans/' })
    expect(items.map(({ id }: any) => id)).toEqual(['notes/plans/boat.md', 'notes/plans/shed.md'])
  })
})

describe('write', () => {
  const edits = [
    { action: 'append', id: 'diary', content: 'And then we slept.' },
    { action: 'find_replace', id: 'plans/boat.md', find: 'blue', replace: 'green' },
    { action: 'set_metadata', id: 'plans/boat.md', metadata: { status: 'final' } },
    { action: 'create', id: 'notes/new.md', content: '# New\n' },
  ]

  it('makes several edits of several notes, and undoes them as one', async () => {
    const { call } = await open()
    const before = (await call('fetch', { id: 'plans/boat.md' })).text
    const { documents, operation, diff } = await call('write', { edits })
    expect(documents.map(({ id }: any) => id)).toEqual([
      'notes/diary.md',
      'notes/plans/boat.md',
      'notes/new.md',
    ])
    expect(diff).toContain('+And then we slept.')
    const boat = (await call('fetch', { id: 'plans/boat.md' })).text
    expect(boat).toContain('green')
    expect(boat).toContain('status: final')
    await call('history', { action: 'undo', id: operation })
    expect((await call('fetch', { id: 'plans/boat.md' })).text).toBe(before)
    expect((await call('fetch', { id: 'notes/new.md' })).error.code).toBe('not_found')
  })

  it('moves notes among other edits: links follow, and one undo takes all of it back', async () => {
    const { call } = await open()
    await call('write', { action: 'create', id: 'notes/index.md', content: 'See [[boat]].\n' })
    await call('write', { action: 'create', id: 'notes/far.md', content: 'A [way](diary.md).\n' })
    const { documents, operation, links_rewritten } = await call('write', {
      edits: [
        { action: 'move', id: 'plans/boat.md', to: 'plans/ship.md' },
        { action: 'move', id: 'diary', to: 'old/' },
        { action: 'create', id: 'notes/new.md', content: '# New\n' },
      ],
    })
    expect(documents.map(({ id }: any) => id)).toEqual(
      expect.arrayContaining(['notes/plans/ship.md', 'notes/old/diary.md', 'notes/new.md']),
    )
    expect(links_rewritten).toBeGreaterThanOrEqual(2)
    expect((await call('fetch', { id: 'notes/index.md' })).text).toContain('[[ship]]')
    expect((await call('fetch', { id: 'notes/far.md' })).text).toContain('(old/diary.md)')
    await call('history', { action: 'undo', id: operation })
    expect((await call('fetch', { id: 'notes/index.md' })).text).toContain('[[boat]]')
    expect((await call('fetch', { id: 'notes/far.md' })).text).toContain('(diary.md)')
    expect((await call('fetch', { id: 'notes/plans/boat.md' })).text).toContain('Boat')
    expect((await call('fetch', { id: 'notes/new.md' })).error.code).toBe('not_found')
  })

  it('moves nothing that another edit of the same call changes', async () => {
    const { call } = await open()
    const move = { action: 'move', id: 'diary', to: 'old/' }
    for (const other of [
      { action: 'append', id: 'diary', content: 'x' },
      { action: 'move', id: 'diary', to: 'older/' },
      { action: 'create', id: 'notes/old/diary.md', content: 'x' },
    ]) {
      const pairs = [
        [move, other],
        [other, move],
      ]
      for (const both of pairs) {
        expect((await call('write', { edits: both })).error.code).toMatch(/invalid|already_exists/)
      }
    }
    expect((await call('fetch', { id: 'notes/diary.md' })).error).toBeUndefined()
  })

  it('changes nothing when one of them cannot be', async () => {
    const { call } = await open()
    const digest = 'f'.repeat(12)
    for (const bad of [
      { action: 'find_replace', id: 'diary', find: 'not there', replace: 'x' },
      { action: 'append', id: 'nobody', content: 'x' },
      { action: 'append', id: 'diary', content: 'x', if_digest: digest },
      { action: 'move', id: 'diary', to: 'other.md' },
      { action: 'shout', id: 'diary' },
      { action: 'append', id: 'diary', find: 'x', content: 'y' },
    ]) {
      const { error } = await call('write', { edits: [...edits, bad] })
      expect(error.code).toMatch(/invalid|not_found|conflict/)
    }
    expect((await call('fetch', { id: 'plans/boat.md' })).text).toContain('blue')
    expect((await call('write', {})).error.hint).toContain('"action"')
    expect((await call('write', { edits, id: 'diary' })).error.code).toBe('invalid')
  })

  it('shows what would happen', async () => {
    const { call } = await open()
    const { diff, operation } = await call('write', { edits, dry_run: true })
    expect(diff).toContain('+Paint the hull green.')
    expect(operation).toBeUndefined()
    expect((await call('fetch', { id: 'diary' })).text).not.toContain('slept')
  })
})
