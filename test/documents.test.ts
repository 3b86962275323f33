/** Documents say what the code does: the tables, commands and links a reader relies on. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONFIG_ENV, SETTINGS, SOURCES_ENV } from '../src/serve/config/settings.ts'
import { allCommands } from '../src/serve/cli/commands.ts'
import { app } from '../src/serve/cli/plug-in.ts'

const COMMANDS = (await allCommands(app)).filter(({ hidden }) => !hidden)
const ROOT = resolve(import.meta.dirname, '..')
const HANDBOOK = join(ROOT, 'examples/handbook')
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

function markdownBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join(folder, path))
}

function documents(): string[] {
  const atRoot = readdirSync(ROOT).filter((name) => name.endsWith('.md'))
  return [...atRoot.map((name) => join(ROOT, name)), ...markdownBelow(join(ROOT, 'docs'))]
}

/** Targets of Markdown links to files, and where they are written. */
function brokenFileLinks(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```|`[^`]*`/g, '')
  return [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
    .map((match) => match[1]!)
    .filter((target) => !existsSync(resolve(dirname(file), target)))
    .map((target) => `${relative(ROOT, file)} -> ${target}`)
}

const reference = readFileSync(join(ROOT, 'docs', 'reference.md'), 'utf8')

it('the README is read to its end', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(160)
})

describe('the reference', () => {
  it.each(SETTINGS.map((row) => [row.key, row]))('has a line for the setting %s', (key, row) => {
    const settings = reference.slice(reference.indexOf('\n## Settings\n'))
    const line = settings.split('\n').find((text) => text.startsWith(`| \`${key}\``))
    if (row.flag !== undefined) expect(line).toContain(`\`--${row.flag}`)
    expect(line).toContain(`\`${row.env}\``)
  })

  it('names the variables that are no settings', () => {
    expect(reference).toContain(SOURCES_ENV)
    expect(reference).toContain(CONFIG_ENV)
  })

  it.each(COMMANDS.map((command) => command.name))('lists the command %s', (name) => {
    expect(reference).toMatch(new RegExp(`^cairn ${name}\\b`, 'm'))
  })
})

it('documents show configuration that clients can parse', () => {
  const page = readFileSync(join(ROOT, 'docs', 'clients.md'), 'utf8')
  const blocks = [...`${readme}\n${page}`.matchAll(/```json\n([\s\S]*?)```/g)]
  expect(blocks.length).toBeGreaterThan(5)
  for (const [, block] of blocks) expect(() => JSON.parse(block!)).not.toThrow()
})

it('documents link only to files that exist', () => {
  expect(documents().flatMap(brokenFileLinks)).toEqual([])
})

it('examples of commands use the examples that are there', () => {
  for (const { name, example } of COMMANDS) {
    // These look at no folder.
    if (['bases', 'completion', 'export', 'hook remove', 'trust'].includes(name)) continue
    expect(example).toMatch(/examples\/(?:handbook|curated|brain)/)
    for (const [, path] of example.matchAll(/ handbook\/(\S+\.md)/g)) {
      expect(existsSync(join(HANDBOOK, path!))).toBe(true)
    }
  }
})

it('the handbook has the size the documents claim, and one broken Markdown link on purpose', () => {
  const notes = markdownBelow(HANDBOOK)
  expect(readme).toContain(`${notes.length} linked notes`)
  expect(notes.flatMap(brokenFileLinks)).toEqual([
    'examples/handbook/decisions/0001-postgres-for-readings.md -> ../architecture/capacity.md',
  ])
})

it('every decision has its number, its place in the index, and says whether it still holds', () => {
  const folder = join(ROOT, 'docs', 'decisions')
  const index = readFileSync(join(folder, 'README.md'), 'utf8')
  for (const name of readdirSync(folder).filter((each) => each !== 'README.md')) {
    expect([name, index.split(`](${name})`).length - 1]).toEqual([name, 1])
    const [title, , status] = readFileSync(join(folder, name), 'utf8').split('\n')
    expect([name, title]).toEqual([name, expect.stringMatching(`^# ${name.slice(0, 4)}: `)])
    expect([name, status]).toEqual([name, expect.stringMatching(/^Status: \w/)])
  }
})
