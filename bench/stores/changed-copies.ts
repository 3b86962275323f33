/**
 * A large base out of a small one: copies of its notes in which every tenth word is another word of
 * the notes. Every folder, title and address has another name in each copy, links included, as the
 * notes of one large base have; `sameNames` leaves titles and addresses as they are. The same for the
 * same number.
 *
 *     node bench/stores/changed-copies.ts FOLDER COUNT INTO [same-names]
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomNumbers } from '../harness.ts'

const SHARE_CHANGED = 0.1
/** So many different words are drawn from. */
const WORDS = 50_000

export function makeCopies(
  folder: string,
  count: number,
  into: string,
  { sameNames = false }: { readonly sameNames?: boolean } = {},
): void {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .toSorted()
  const texts = paths.map((path) => readFileSync(join(folder, path), 'utf8'))
  const words = [...new Set(texts.flatMap((text) => text.match(/\p{L}{4,}/gu) ?? []))]
  const some = words.toSorted().filter((_, place) => place % Math.ceil(words.length / WORDS) === 0)
  cpSync(folder, into, { recursive: true })
  for (let copy = 1; copy < count; copy++) {
    const random = randomNumbers(copy)
    const another = (word: string): string =>
      random() < SHARE_CHANGED ? some[Math.floor(random() * some.length)]! : word
    for (const [place, path] of paths.entries()) {
      const file = join(into, renamed(path, copy))
      mkdirSync(dirname(file), { recursive: true })
      const text = changed(texts[place]!, copy, another)
      writeFileSync(file, sameNames ? text : renamedPage(text, texts[place]!, copy))
    }
  }
}

function renamed(path: string, copy: number): string {
  const segments = path.split('/')
  return segments.map((each, at) => (at < segments.length - 1 ? `${each}-${copy}` : each)).join('/')
}

/** Addresses lead into the same copy; words of the text change, what is between backticks stays. */
function changed(text: string, copy: number, another: (word: string) => string): string {
  return text.replace(
    /\]\((\/en-US\/docs\/)([^)#\s]*)|`[^`]*`|\p{L}{4,}/gu,
    (all, root?: string, rest?: string) =>
      root !== undefined
        ? `](${root}${rest!
            .split('/')
            .map((each) => `${each}-${copy}`)
            .join('/')}`
        : all.startsWith('`')
          ? all
          : another(all),
  )
}

/** What the note calls itself at its top, of which words were not to be changed. */
function renamedPage(text: string, original: string, copy: number): string {
  const slug = /^slug: (.*)$/m.exec(original)?.[1]
  const own = slug
    ?.split('/')
    .map((each) => `${each}-${copy}`)
    .join('/')
  return text
    .replace(/^title: (.*?)(["']?)$/m, (_, title: string, quote: string) => {
      return `title: ${title} ${copy}${quote}`
    })
    .replace(/^slug: .*$/m, () => `slug: ${own}`)
}

if (import.meta.main) {
  const [folder, count, into, names] = process.argv.slice(2) as [string, string, string, string?]
  makeCopies(folder, Number(count), into, { sameNames: names === 'same-names' })
}
