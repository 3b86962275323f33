/** Changes a folder of notes as people and agents do: the same way for the same number. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomNumbers } from '../harness.ts'

/** Words changed, sections added, notes written, renamed and removed. */
export function editAtRandom(folder: string, edits: number, seed = 7): void {
  const random = randomNumbers(seed)
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .toSorted()
  const words = paths
    .slice(0, 200)
    .flatMap((path) => readFileSync(join(folder, path), 'utf8').match(/\p{L}{4,}/gu) ?? [])
    .toSorted()
  const word = (): string => words[Math.floor(random() * words.length)] ?? 'word'
  const sentence = (): string => Array.from({ length: 12 }, word).join(' ')
  for (let edit = 0; edit < edits; edit++) {
    const at = Math.floor(random() * paths.length)
    const path = paths[at]
    const kind = random()
    if (path === undefined || kind < 0.1) {
      const fresh = `edits/note-${seed}-${edit}.md`
      writeNote(folder, fresh, `# ${word()} ${word()}\n\n${sentence()}.\n`)
      paths.push(fresh)
    } else if (kind < 0.2) {
      rmSync(join(folder, path))
      paths.splice(at, 1)
    } else if (kind < 0.3) {
      const moved = path.replace(/\.md$/, `-${edit}.md`)
      renameSync(join(folder, path), join(folder, moved))
      paths[at] = moved
    } else {
      const text = readFileSync(join(folder, path), 'utf8')
      writeFileSync(
        join(folder, path),
        kind < 0.6
          ? `${text}\n## ${word()} ${word()}\n\n${sentence()}, see [[${word()}]].\n`
          : text.replace(/\p{L}{5,}/u, word()).replace(/\n\n(?=\p{L})/u, `\n\n${sentence()}. `),
      )
    }
  }
}

function writeNote(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, 'edits'), { recursive: true })
  writeFileSync(join(folder, path), text)
}
