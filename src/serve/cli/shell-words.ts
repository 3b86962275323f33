/** Command lines that run as they stand when they are pasted. */
import { maskAddress } from '../../core/domain/store-address.ts'

/** A word as a shell reads it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

let program = 'cairn'

/** Said once by the process, for `asRun`. */
export function runAs(name: string): void {
  program = name
}

/** What to type for `cairn`: whoever came by npx has no such command to paste. */
export function programOf(
  env: Readonly<Record<string, string | undefined>>,
  launcher: string,
): string {
  if (env['npm_command'] !== 'exec') return 'cairn'
  return launcher.split(/[\\/]/).includes('_npx') ? 'npx cairn-kb' : 'npx cairn'
}

/** Our own advice with commands as they run here; never for text of documents. */
export function asRun(text: string): string {
  return program === 'cairn' ? text : text.replace(/(?<![\w/.-])cairn (?=[a-z])/g, `${program} `)
}

/** Options that say which base is meant; a hint without them would mean another one. */
const BASE_FLAGS = ['--folder', '-f', '--config', '--state']

/** Those of a command line, as they were given. */
export function baseWords(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    if (BASE_FLAGS.includes(word)) return [word, words[index + 1] ?? '']
    return BASE_FLAGS.some((flag) => flag.startsWith('--') && word.startsWith(`${flag}=`))
      ? [word]
      : []
  })
}

/** The same command line with one option set anew. */
export function repeated(words: readonly string[], flag: string, value: string): string {
  const at = words.indexOf(flag)
  const rest = at < 0 ? words : [...words.slice(0, at), ...words.slice(at + 2)]
  const end = rest.indexOf('--')
  const [before, behind] = end < 0 ? [rest, []] : [rest.slice(0, end), rest.slice(end)]
  return shellLine(['cairn', ...before, flag, value, ...behind].map(maskAddress))
}

/** Options whose value is the next word, so that it is no folder. */
const VALUED = /^(-f|--(folder|config|state|store|log-level|embedding|answerer|max-file-bytes))$/

/** Advice to somebody who named folders (`cairn doctor ~/notes`), for the same folders. */
export function forSameBase(advice: string, words: readonly string[]): string {
  if (!/^cairn (?!connect)/.test(advice)) return advice
  const [, ...rest] = words
  const folders = rest.filter(
    (word, index) => !word.startsWith('-') && !VALUED.test(rest[index - 1] ?? ''),
  )
  const where = [...folders.flatMap((folder) => ['--folder', folder]), ...baseWords(words)]
  return where.length === 0 ? advice : `${advice} ${shellLine(where)}`
}
