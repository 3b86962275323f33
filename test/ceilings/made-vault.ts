/** A vault of made-up notes, the same in every run: sections, links, lists, tables, code, tags. */
import { randomNumbers } from '../search/random.ts'

export interface MadeVault {
  /** Path → content. */
  readonly files: Readonly<Record<string, string>>
  readonly questions: readonly string[]
}

export function makeVault(notes: number, questions: number): MadeVault {
  const random = randomNumbers(7)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const syllables = ['ba', 'ker', 'lo', 'min', 'ta', 'rus', 'vel', 'pon', 'dri', 'sha', 'gol', 'ne']
  const words = Array.from({ length: 1_500 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(syllables)).join(''),
  )
  // Few words are frequent and most are rare, as in a language.
  const word = (): string => words[Math.floor(words.length * random() ** 2)]!
  const some = (count: number): string => Array.from({ length: count }, word).join(' ')
  const sentence = (): string => `${upper(some(6 + Math.floor(random() * 10)))}.`
  const paragraph = (): string => Array.from({ length: 4 }, sentence).join(' ')
  const section = (): string =>
    pick([
      () => paragraph(),
      () => `${paragraph()}\n\n${paragraph()}`,
      () => Array.from({ length: 5 }, () => `- ${sentence()}`).join('\n'),
      () => `| ${some(1)} | ${some(1)} |\n| --- | --- |\n| ${some(2)} | ${some(3)} |`,
      () => `\`\`\`js\nconst ${word()} = ${word()}(${word()})\n\`\`\``,
    ])()
  const files: Record<string, string> = {}
  for (let at = 0; at < notes; at++) {
    const sections = Array.from({ length: 4 }, () => `## ${upper(some(2))}\n\n${section()}`)
    const links = [1, 2].map(() => `[[n${Math.floor(random() * notes)}]]`).join(' and ')
    files[`part-${at % 20}/n${at}.md`] =
      `---\ntags: [${word()}]\n---\n# ${upper(some(3))}\n\n${paragraph()}\n\n${sections.join('\n\n')}\n\nSee ${links}.\n`
  }
  return { files, questions: Array.from({ length: questions }, () => some(4)) }
}

function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
