/** Command lines that run as they stand when they are pasted. */

/** A word as a shell reads it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
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
  return shellLine(['cairn', ...before, flag, value, ...behind])
}
