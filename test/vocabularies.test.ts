/** A vocabulary is a folder and a line, and costs nothing where nobody asks for it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VOCABULARIES, VOCABULARY_NAMES } from '../src/vocabularies/vocabularies.ts'

const SRC = join(import.meta.dirname, '../src')

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }))

it('has a line for every folder', () => {
  const folders = readdirSync(join(SRC, 'vocabularies'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect([...VOCABULARY_NAMES].toSorted()).toEqual(folders.toSorted())
})

it('calls commands as the vocabulary that brings them', async () => {
  for (const name of VOCABULARY_NAMES) {
    const commands = await VOCABULARIES[name].commands()
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) expect(command.name.split(' ')[0]).toBe(name)
  }
})

it('loads nothing of a vocabulary with its row', () => {
  const rows = sources.filter(({ path }) => path.endsWith('/start/vocabulary.ts'))
  expect(rows).toHaveLength(VOCABULARY_NAMES.length)
  const loading = rows.filter(({ text }) => /^import (?!type )/m.test(text))
  expect(loading.map(({ path }) => path)).toEqual([])
})

/** Who else names one of them, and why. The list may only become shorter. */
const NAMED: Readonly<Record<string, string>> = {
  'serve/cli/base.ts': 'what cairn nexus, cairn duskmantle and cairn roux viz hand on',
  'serve/cli/graph-page.ts': 'what cairn roux viz draws',
  'serve/wiring/http-wire.ts': 'the password of nexus, the limits of duskmantle',
  'serve/wiring/observers.ts': 'numbers and events of duskmantle',
  'serve/wiring/open-base.ts': 'what cairn roux viz draws; km- tools among the native ones',
  'serve/wiring/start-server.ts': 'settings and schedules of duskmantle',
  'serve/wiring/surfaces.ts': 'their settings; km- tools among the native ones',
}

it('is named by nobody else', () => {
  const others = sources
    .filter(({ path }) => !path.startsWith('vocabularies/'))
    .filter(({ text }) => /vocabularies\/[a-z]+\//.test(text))
  expect(others.map(({ path }) => path).toSorted()).toEqual(Object.keys(NAMED).toSorted())
})
