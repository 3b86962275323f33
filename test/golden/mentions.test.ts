/** Questions as people ask them, with the name of a note in the middle and common words around it. */
import { expect, it } from 'vitest'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { mentionedNames, nameTerm } from '../../src/core/search/names.ts'
import { openSmallBase } from '../support/open-small-base.ts'

const FOOTER = 'This note in Obsidian: edit it with Git.'
const plugin = (title: string, text: string): string => `# ${title}\n\n${text}\n\n${FOOTER}\n`

/** Every note has the words of the name in its footer, so that they tell nothing one by one. */
const VAULT = {
  'plugins/obsidian-git.md': plugin('Obsidian Git', 'Backup your vault.'),
  'plugins/style-settings.md': plugin('Style Settings', 'Settings, settings and more settings.'),
  'themes/friendly.md': plugin('Themes with Friendly Settings', 'Settings for your vault.'),
  'guides/backup.md': plugin('Backup', 'Copies of all files are kept in another town.'),
  'plugins/calendar.md': plugin('Calendar', 'Shows the month.'),
  'plugins/local.md': plugin('Local copies', 'Automatically make a copy, or go back to one.'),
  'plugins/scroll.md': plugin('Autoscroll', 'Automatically scroll up and back.'),
  'plugins/table.md': plugin('Tables', 'Sort and set rows.'),
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`people/${at}.md`, plugin(`Person ${at}`, 'Hello.')]),
  ),
}

async function found(question: string): Promise<string[]> {
  const { kb } = await openSmallBase(VAULT)
  return (await searchDocuments(kb, question)).hits.map(({ id }) => id.replace('notes/', ''))
}

it('finds the note whose title stands in a question', async () => {
  const question = 'How do I set up Obsidian Git to back up my vault automatically?'
  expect((await found(question))[0]).toBe('plugins/obsidian-git.md')
})

it('finds a note whose title joins a verb and its particle', async () => {
  expect(await found('how do i back up what i wrote')).toContain('guides/backup.md')
})

it('does not take set for settings, nor setting for something else', async () => {
  expect(await found('set')).toEqual(['plugins/table.md'])
  expect((await found('setting')).slice(0, 3)).toContain('plugins/style-settings.md')
  expect(await found('settings')).not.toContain('plugins/table.md')
})

it('looks for names of a few words, and for single words that are written like names', () => {
  const stop = (word: string): boolean => ['how', 'do', 'i', 'to', 'the', 'a', 'of'].includes(word)
  const names = (question: string): string[] =>
    mentionedNames(question, stop).map(({ text }) => text)
  expect(names('How do I use Dataview?')).toEqual(['use Dataview', 'Dataview'])
  expect(names('the art of war')).toEqual(['art of war'])
  const terms = mentionedNames('how do i back up', stop).map(({ term }) => term)
  expect(terms).toContain(nameTerm('Backup'))
  expect(names('calendar')).toEqual([])
  expect(names('')).toEqual([])
  expect(names('x '.repeat(100_000)).length).toBeLessThan(200)
})
