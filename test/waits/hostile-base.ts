/** A folder whose notes are as hostile as what is said about them, with something for every surface. */
import { hostileTexts } from './hostile-texts.ts'

export interface BaseSize {
  readonly headings: number
  readonly aliases: number
  readonly links: number
  /** Of every hostile text there is a note of this length. */
  readonly text: number
}

/** What the issue that asked for this was about. */
export const WHOLE: BaseSize = {
  headings: 100_000,
  aliases: 8_000,
  links: 300_000,
  text: 64 * 1024,
}

export const SMALL: BaseSize = { headings: 10_000, aliases: 1_000, links: 20_000, text: 16 * 1024 }

export function hostileBase({ headings, aliases, links, text }: BaseSize): Record<string, string> {
  const lines = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n')
  return {
    'plain.md':
      '---\nname: Plain\ndescription: A note\ntags: [tea]\n---\n# Plain\n\nSee [[tea]].\n\n## Part\n\nText.\n',
    'tea.md':
      '---\nname: Tea\ndescription: A drink\n---\n# Tea\n\nA leaf in a cup. See [[plain]].\n',
    'headings.md': `# Top\n\n${lines(headings, (index) => `## Heading ${index}`)}\n`,
    'same-headings.md': lines(headings, (index) => `${'#'.repeat((index % 6) + 1)} Same`),
    'aliases.md': `---\naliases:\n${lines(aliases, (index) => `- A${index}`)}\n---\n# Aliases\n`,
    'to-aliases.md': lines(aliases, (index) => `[[A${index}]]`),
    'links.md': lines(links, (index) =>
      index % 3 === 0 ? '[[aliases]]' : `[[A${index % aliases}]]`,
    ),
    'nowhere.md': lines(links, (index) => `[[Nobody ${index}]]`),
    'long-names.md': longNames(text),
    'one-line.md': 'A word of many. '.repeat(text / 8),
    'code.ts': `export function brew(cup: string) {\n  return cup\n}\n${'(('.repeat(text / 4)}\n`,
    'knowledge/entities/concepts.jsonl': lines(
      100,
      (index) =>
        `{"id":"e${index}","type":"tech","name":"Entity ${index}","desc":"About ${index}","tags":["a"],"updated_at":"2026-01-01T00:00:00"}`,
    ),
    ...Object.fromEntries(
      hostileTexts(text).map(({ name, text: body }) => [
        `hostile/${name.replaceAll(' ', '-')}.md`,
        body.isWellFormed() ? body : '',
      ]),
    ),
  }
}

/** Everything that may be told of a note is long; of front matter only so much is read. */
export function longNames(length: number): string {
  const name = (of: string, most = length): string => `${of} ${of.repeat(Math.min(length, most))}`
  const [title, alias, key] = ['t', 'a', 'k'].map((of) => name(of, 10_000))
  const tag = 'g'.repeat(Math.min(length, 10_000))
  return [
    `---\ntitle: ${title}\naliases: [${alias}]\ntags: [${tag}]\nkey: ${key}\n---`,
    ...['h', 'i', 'i', 'j'].map((of) => `## ${name(of)}`),
    `[[${name('l')}]] [[${name('m', 10_000)}]] #${'b'.repeat(length)}\n`,
  ].join('\n\n')
}

/** Ids of notes that are worth asking for. */
export const HOSTILE_IDS = [
  'notes/headings.md',
  'notes/same-headings.md',
  'notes/aliases.md',
  'notes/to-aliases.md',
  'notes/links.md',
  'notes/nowhere.md',
  'notes/one-line.md',
  'notes/long-names.md',
  'notes/code.ts',
  'A7',
  'entity:e7',
  'headings',
  'links',
  'aliases',
]
