/** Prompts that come with Cairn, and those that are notes. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { nativeTools } from '../../src/serve/native/tools.ts'
import { openTestBase } from '../support/open-test-base.ts'

const NOTES = {
  'prompts/Release notes.md':
    '---\ntype: prompt\ndescription: Notes for a release\narguments:\n  - version\n  - name: tone\n    description: How it sounds\n    required: false\n---\n\nCollect {{version}} {{ tone }}, not ${version} nor {{constructor}}.\n',
  'weekly-review.md': '---\ntype: prompt\ntitle: My own review\n---\n\nLook at the diary.\n',
  'plain.md': '# No prompt\n',
}

const call = { signal: new AbortController().signal, progress: () => {} }

async function open() {
  const { surface } = await openTestBase(NOTES)
  return surface.prompts!
}

it('lists what comes with Cairn and what notes say', async () => {
  const { items } = await (await open()).list(undefined)
  expect(items.map(({ name }) => name)).toEqual([
    'answer',
    'summarise',
    'contradictions',
    'release-notes',
    'weekly-review',
  ])
  expect(items[3]).toMatchObject({
    description: 'Notes for a release',
    arguments: [
      { name: 'version', required: true },
      { name: 'tone', description: 'How it sounds', required: false },
    ],
  })
  expect(items[4]!.title).toBe('My own review')
})

it('fills in what is given, and runs nothing', async () => {
  const prompts = await open()
  const { messages } = await prompts.get('release-notes', { version: '1.2 {{tone}}' }, call)
  expect(messages).toEqual([{ role: 'user', text: 'Collect 1.2 {{tone}} , not ${version} nor .' }])
  const answer = await prompts.get('answer', { question: 'Who?' }, call)
  expect(answer.messages[0]!.text).toContain('Who?')
})

it('refuses texts that would make a prompt very long', async () => {
  const prompts = await open()
  const question = 'x'.repeat(500_000)
  await expect(prompts.get('answer', { question }, call)).rejects.toMatchObject({
    code: 'invalid',
    hint: expect.stringContaining('shorter'),
  })
})

it('says what is missing, and which prompts there are', async () => {
  const prompts = await open()
  await expect(prompts.get('release-notes', { tone: 'dry' }, call)).rejects.toThrow(/needs version/)
  await expect(prompts.get('sumarise', {}, call)).rejects.toMatchObject({
    code: 'not_found',
    hint: expect.stringContaining('summarise'),
  })
  await expect(prompts.complete('answer', 'topic', '', {})).rejects.toThrow(/no argument/)
})

it('names no tool or argument that there is not, in prompts and in the skill', async () => {
  const { items } = await (await open()).list(undefined)
  const prompts = await open()
  const args = { question: 'q', topic: 't', version: '1' }
  const texts = await Promise.all(
    items
      .slice(0, 3)
      .map(async ({ name }) => (await prompts.get(name, args, call)).messages[0]!.text),
  )
  const skill = readFileSync(
    resolve(import.meta.dirname, '../../assets/skill/cairn/SKILL.md'),
    'utf8',
  )
  const calls = [...[...texts, skill].join('\n').matchAll(/`(\w+) (\{.*?\})`/g)]
  expect(calls.length).toBeGreaterThan(5)
  for (const [, tool, given] of calls) {
    const row = nativeTools.find(({ name }) => name === tool)
    expect(row, tool).toBeDefined()
    const keys = [...given!.matchAll(/"(\w+)":/g)].map(([, key]) => key!)
    const known = [...Object.keys(row!.input.shape), 'action']
    expect(known).toEqual(expect.arrayContaining(keys))
  }
})
