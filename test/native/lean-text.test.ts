/** What a model reads of a reply, and what it does not have to. */
import { describe, expect, it } from 'vitest'
import type { TextForm } from '../../src/serve/native/open-native-surface.ts'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { openTestBase } from '../support/open-test-base.ts'

const NOTES = {
  'tea.md':
    '# Tea\n\n## Water\n\nBoil it first, see [the kettle](https://example.org/a/very/long/address).\n\n## Milk\n\nGoes in last.\n\n```sh\n# warm the pot\npour --slowly\n```\n',
  'kettle.md': '# Kettle\n\nBoils water. Linked from [[tea]].\n',
  'empty.md': '',
}

async function open(client?: string, text?: TextForm) {
  const base = await openTestBase(NOTES)
  const surface = openNativeSurface(base.base, { version: '0', log: console.error, text })
  const say = async (tool: string, args: object) => {
    const call = { signal: new AbortController().signal, progress: () => {}, client }
    const { texts, structured } = await surface.call(tool, args, call)
    return { text: texts.join(''), structured: structured as Record<string, any> }
  }
  return { ...base, say }
}

describe('search', () => {
  it('is a line for each document, then passages of the best', async () => {
    const { say } = await open()
    const { text } = await say('search', { query: 'boil water' })
    expect(text).toMatch(/^1 notes\/(?:kettle|tea)\.md:\d+-\d+/)
    expect(text).toContain('[1] ')
    expect(text).not.toContain('https://example.org')
    expect(text).not.toContain('"')
  })

  it('names the true heading and the line of the match, and keeps code as it is', async () => {
    const { say } = await open()
    const { text, structured } = await say('search', { query: 'pour slowly' })
    const [first] = structured['results']
    expect(first).toMatchObject({ id: 'notes/tea.md', heading: 'Tea > Milk', line: 13 })
    expect(first.snippet).toContain('# warm the pot\npour --slowly')
    const [start, end] = first.matches.at(-1)
    expect(first.snippet.slice(start, end)).toBe('slowly')
    expect(text).toContain('notes/tea.md:13-14 Milk\n')
  })

  it('shows headings that fetch takes', async () => {
    const { say } = await open()
    const { structured } = await say('search', { query: 'milk last' })
    const { heading } = structured['results'][0]
    expect(heading).toBe('Tea > Milk')
    const section = await say('fetch', { id: 'tea', section: heading })
    expect(section.text).toContain('Goes in last.')
    expect(section.text).not.toContain('Boil it first')
  })

  it('takes the last word for a beginning while one types', async () => {
    const { call } = await openTestBase({ 'promise.md': '# Promise\n', 'proxy.md': '# Proxy\n' })
    const { results } = await call('search', { query: 'promi', typing: true })
    expect(results[0].id).toBe('notes/promise.md')
  })

  it('stays within about a thousand tokens', async () => {
    const long = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `n${n}.md`,
        `# N${n}\n\n${'water and tea. '.repeat(300)}`,
      ]),
    )
    const base = await openTestBase(long)
    const surface = openNativeSurface(base.base, { version: '0', log: console.error })
    const call = { signal: new AbortController().signal, progress: () => {} }
    const { texts } = await surface.call('search', { query: 'water tea' }, call)
    expect(texts.join('').length / 4).toBeLessThan(1_000)
  })

  it.each([50, 150, 600, 3_000])('keeps to max_tokens: %i', async (max_tokens) => {
    const long = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `folder/with/a/long/name/n${n}.md`,
        `# N${n}\n\n${Array.from({ length: 90 }, (_, m) => `Water and tea, part ${n}.${m}.`).join(' ')}`,
      ]),
    )
    const base = await openTestBase(long)
    const surface = openNativeSurface(base.base, { version: '0', log: console.error })
    const say = async (tool: string, args: object) => {
      const call = { signal: new AbortController().signal, progress: () => {} }
      const { texts, structured } = await surface.call(tool, { ...args, max_tokens }, call)
      return { text: texts.join(''), structured: structured as Record<string, any> }
    }
    const searched = await say('search', { query: 'water tea' })
    expect(searched.text.length / 4).toBeLessThanOrEqual(max_tokens)
    // What did not fit is on the next page.
    const { results, next_cursor: cursor } = searched.structured
    expect(results.length === 10 || cursor !== undefined).toBe(true)
    const asked = await say('ask', { question: 'Which part has water and tea?' })
    expect(asked.text).not.toBe('')
    expect(asked.structured['claims'].length).toBeGreaterThan(0)
    const listed = await say('list', {})
    expect(listed.structured['items'].length).toBeGreaterThan(0)
    expect(listed.text.length / 4).toBeLessThanOrEqual(Math.max(max_tokens, 60))
  })

  it('says what it is when nothing fits', async () => {
    const { say } = await open()
    const { text, structured } = await say('search', { query: 'quantum chromodynamics lattice' })
    expect(structured['relevant']).toBe(false)
    expect(text).toMatch(
      /^(?:No document has these words together; the nearest are:|Nothing was found\.)/,
    )
  })
})

describe('the other tools', () => {
  it('reads by the address that search shows, in one header line and the Markdown', async () => {
    const { say } = await open()
    const { text } = await say('fetch', { id: 'notes/tea.md:7-9' })
    expect(text).toMatch(/^notes\/tea\.md:7-9 of 14 \(digest [0-9a-f]{12}\)\n\n## Milk\n/)
    const other = await say('fetch', { id: 'notes/tea.md:99' })
    expect(other.text).toContain('has no line 99')
  })

  it('writes with the digest that fetch shows, and sends nothing back that was sent', async () => {
    const { say } = await open()
    const digest = /digest ([0-9a-f]{12})/.exec((await say('fetch', { id: 'kettle' })).text)![1]
    const change = { action: 'append', id: 'kettle', content: 'It whistles.', if_digest: digest }
    const { text, structured } = await say('write', change)
    expect(text).toMatch(/^notes\/kettle\.md digest=[0-9a-f]{12} operation=/)
    expect(text).not.toContain('whistles')
    expect(structured['diff']).toContain('+It whistles.')
    const again = await say('write', change)
    expect(again.text).toContain('conflict')
    expect((await say('write', { ...change, if_digest: 'abc' })).text).toContain('conflict')
  })

  it('tells what was changed and what was undone a line each, and shows a diff when asked', async () => {
    const { say } = await open()
    expect((await say('history', {})).text).toBe('Nothing was changed.')
    await say('write', { action: 'append', id: 'kettle', content: 'It whistles.' })
    const listed = await say('history', {})
    expect(listed.text).toMatch(
      /^at=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (\S+) action=append .*documents=notes\/kettle\.md$/,
    )
    const [{ id }] = listed.structured['operations'] as [{ id: string }]
    expect((await say('history', { action: 'diff', id })).text).toContain('+It whistles.')
    const planned = await say('history', { action: 'undo', dry_run: true })
    expect(planned.text).toContain('-It whistles.')
    const undone = await say('history', { action: 'undo' })
    expect(undone.text).toMatch(
      /^undone=\S+ notes\/kettle\.md .*operation=\S+ digest=[0-9a-f]{12}$/,
    )
    expect((await say('history', { id })).text).toContain('state=undone')
  })

  it('quotes once, with the place', async () => {
    const { say } = await open()
    const { text } = await say('ask', { question: 'What goes in last, the milk?' })
    expect(text).toContain('(notes/tea.md:9-9)')
    expect(text.split('Goes in last.')).toHaveLength(2)
  })

  it('lists, walks and reports a line a row, dates to the day', async () => {
    const { say } = await open()
    expect((await say('list', {})).text).toMatch(/^notes\/empty\.md \S+ day=\d{4}-\d\d-\d\d\n/)
    expect((await say('neighbors', { id: 'tea' })).text).toContain('notes/kettle.md Kettle way=in')
    expect((await say('insights', { report: 'hubs' })).text).toContain('notes/tea.md Tea')
    expect((await say('path', { from: 'kettle', to: 'tea' })).text).toContain('notes/tea.md Tea')
  })
})

it.each<[string | undefined, TextForm | undefined, boolean]>([
  [undefined, undefined, false],
  ['claude-code/2.1', undefined, false],
  ['openai-mcp/1.0.0', undefined, true],
  ['ChatGPT', undefined, true],
  ['ChatGPT', 'plain', false],
  ['claude-code/2.1', 'json', true],
])('says JSON to clients that look for it there: %s, %s: %s', async (client, form, json) => {
  const { say } = await open(client, form)
  for (const [tool, args] of [
    ['search', { query: 'water' }],
    ['fetch', { id: 'tea' }],
  ] as const) {
    const { text, structured } = await say(tool, args)
    expect(text.startsWith('{')).toBe(json)
    if (json) expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(structured)))
  }
})
