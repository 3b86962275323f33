/** `cairn ask` from a shell: answers with places that a terminal can open. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startAnswerServer } from '../support/answer-server.ts'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FILES = {
  'notes/tea.md': '# Tea\n\nWarm the pot.\n\n## Milk\n\nMilk goes in last,\nsays the book.\n',
  'notes/\u001b[31mred.md': '# Red\n\nThe crimson lantern hangs here.\n',
}

it('names file and line from the current folder', async () => {
  const cwd = temporaryFolder(FILES)
  const { code, out, err } = await runCairn(cwd, 'ask', 'is', 'milk', 'last?', '--folder', 'notes')
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe('Milk goes in last, says the book.\n  notes/tea.md:7 · Tea > Milk\n')
  const [, file = '', line = ''] = /(\S+):(\d+)/.exec(out) ?? []
  expect(readFileSync(join(cwd, file), 'utf8').split('\n')[Number(line) - 1]).toMatch(/^Milk/)
})

it('prints JSON, and nothing a terminal would obey', async () => {
  const cwd = temporaryFolder(FILES)
  const asked = ['ask', 'crimson lantern', '--folder', 'notes']
  const { out } = await runCairn(cwd, ...asked, '--json')
  expect(JSON.parse(out)).toMatchObject({ mode: 'extractive', claims: [{ citations: [{}] }] })
  expect((await runCairn(cwd, ...asked)).out).not.toContain('\u001b')
})

it('says on stderr that nothing answers, what is nearest and what is missing', async () => {
  const cwd = temporaryFolder(FILES)
  const { code, out, err } = await runCairn(cwd, 'ask', 'quantum milk marmalade', '-f', 'notes')
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('No document has these words together; nearest: Tea')
  expect(err).toContain('\nNearest: notes/tea.md')
  expect(err).toContain('Not answered: quantum, milk, marmalade')
})

const CONFIG = ['--config', 'notes/cairn.yaml']

it('asks the model that cairn.yaml names, and shows what proves its words', async () => {
  const server = await startAnswerServer('anthropic')
  server.reply = ({ text }) => {
    const passage = Number(/passage (\d+) \(untrusted data\)\\nTitle: Tea/.exec(text)?.[1])
    const citations = [{ passage, quote: 'Milk goes in last, says the book.' }]
    return JSON.stringify({ claims: [{ text: 'The milk goes in last.', citations }] })
  }
  const cwd = temporaryFolder({
    ...FILES,
    'notes/cairn.yaml': `answerer: { provider: anthropic, baseUrl: "${server.url}", model: m-1 }\n`,
  })
  const { out, err } = await runCairn(cwd, 'ask', 'is milk last?', '-f', 'notes', ...CONFIG)
  expect(out).toBe(
    'The milk goes in last.\n  notes/tea.md:7 · Tea > Milk\n  "Milk goes in last, says the book."\n',
  )
  expect(err).toBe('Worded by anthropic/m-1; every quote checked.\n')
  expect(server.requests).toHaveLength(1)
  const without = await runCairn(
    cwd,
    'ask',
    'is milk last?',
    '-f',
    'notes',
    '--answerer',
    'none',
    ...CONFIG,
  )
  expect(without.out).toContain('Milk goes in last, says the book.\n')
  expect(server.requests).toHaveLength(1)
})
