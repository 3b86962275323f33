/** Folders of made-up notes that are the same on every machine: linked, tagged, of uneven length. */
import { randomNumbers } from '../../bench/harness.ts'

const WORDS =
  'harbour lantern tide anchor buoy gull mast rope sail deck storm pier channel compass keel rudder cargo captain fog signal'.split(
    ' ',
  )

/** Path → text. The same arguments give the same notes. */
export function generatedNotes(count: number, seed = 1, folder = 'notes'): Record<string, string> {
  const random = randomNumbers(seed)
  return Object.fromEntries(
    Array.from({ length: count }, (_, number) => [
      notePath(folder, number),
      noteText(folder, number, count, random),
    ]),
  )
}

export function notePath(folder: string, number: number): string {
  return `${folder}/${number % 7}/note-${number}.md`
}

export function noteText(
  folder: string,
  number: number,
  count: number,
  random: () => number,
): string {
  const pick = (below: number): number => Math.floor(random() * below)
  const sentence = (): string =>
    `${Array.from({ length: 6 + pick(9) }, () => WORDS[pick(WORDS.length)]).join(' ')}.`
  const paragraph = (): string => Array.from({ length: 2 + pick(5) }, sentence).join(' ')
  const links = Array.from({ length: pick(4) }, () => `[[note-${pick(count)}]]`)
  return [
    `---\ntitle: ${folder} note ${number}\ntags: [${WORDS[number % WORDS.length]}]\n---`,
    `# ${folder} note ${number}`,
    paragraph(),
    `## ${WORDS[pick(WORDS.length)]}`,
    paragraph(),
    `${sentence()} See ${links.join(', ') || 'nothing'}.`,
    '',
  ].join('\n\n')
}
