/**
 * How long could a pattern take? Libraries turn globs into regular expressions, which try every way
 * to share a text out among the stars. Four stars on one long name, or three `**` on one deep path,
 * are enough to keep a scan busy for minutes, and patterns come with folders that others have made.
 */

/** Stars in one name, and `**` among folders, that are still tried in no time. */
const MOST_STARS = 2
const MOST_FOLDERS = 2
/** Ways to choose among `{a,aa}` and its like; the linear matcher spells out fewer. */
const MOST_CHOICES = 4_096
const SPELLED_OUT = 32

/** Whether trying it with a regular expression could take long. */
export function isCostly(glob: string): boolean {
  const names = glob.split('/')
  const stars = names.map((name) => (name === '**' ? 0 : (name.match(/\*+/g)?.length ?? 0)))
  const folders = names.slice(0, -1).filter((name) => name === '**').length
  const isMany = folders > MOST_FOLDERS || Math.max(...stars) > MOST_STARS
  return isMany || choicesIn(glob) > MOST_CHOICES || isRepeated(glob)
}

function choicesIn(glob: string): number {
  const groups = glob.match(/\{[^{}]*\}/g) ?? []
  return groups.reduce((all, group) => all * group.split(',').length, 1)
}

/** `+(a|aa)`: what is repeated could be read in more ways than one. */
function isRepeated(glob: string): boolean {
  return /[+*]\(/.test(glob)
}

/** What the linear matcher reads as well: no groups, no escapes, no braces in braces. */
export function isPlain(glob: string): boolean {
  return !/[()\\]/.test(glob) && !/\{[^}]*\{/.test(glob) && choicesIn(glob) <= SPELLED_OUT
}

/**
 * A line of an ignore file that is tried in no time. Two `**` beside each other say no more than one.
 * Of many others the first and the last stay, so that a little more is left out; a line that brings
 * files back goes, for the same reason.
 */
export function quickIgnoreLine(line: string): string | undefined {
  if (foldersIn(line.split('/')).length <= MOST_FOLDERS) return line
  const negated = line.startsWith('!')
  const names = line
    .slice(negated ? 1 : 0)
    .split('/')
    .filter((name, at, all) => name !== '**' || all[at + 1] !== '**')
  const places = foldersIn(names)
  if (places.length <= MOST_FOLDERS) return `${negated ? '!' : ''}${names.join('/')}`
  if (negated) return undefined
  return [...names.slice(0, places[0]), '**', ...names.slice(places.at(-1)! + 1)].join('/')
}

/** Where a `**` stands that something follows. */
function foldersIn(names: readonly string[]): number[] {
  return names.flatMap((name, at) =>
    /^!?\*\*$/.test(name) && names.slice(at + 1).some((each) => each.trim() !== '') ? [at] : [],
  )
}
