/**
 * Globs from outside, matched in time that grows with pattern times path and never faster. A glob
 * turned into a regular expression backtracks: thirty characters of `*?*?*?…` keep a server busy
 * for hours.
 */

/** `*` and `?` stay within a folder, `**` does not; `[a-z]`, `[!a]` and `{one,two}` as usual. */
export function compileGlob(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern.toLowerCase()).map((each) => {
    const tokens = tokensOf(each)
    return { tokens, shortest: shortestOf(tokens) }
  })
  return (path) => {
    const text = path.toLowerCase()
    return alternatives.some(
      ({ tokens, shortest }) => shortest <= text.length && matches(tokens, text),
    )
  }
}

/** Where a pattern begins to be one, or undefined for a plain path. */
export function literalFolderOf(pattern: string): string | undefined {
  const at = pattern.search(/[*?[{]/)
  return at < 0 ? undefined : pattern.slice(0, pattern.lastIndexOf('/', at) + 1)
}

const MOST_ALTERNATIVES = 32

/** `a{b,c}` is `ab` or `ac`. Braces in braces, or too many, are taken as they are written. */
function expandBraces(pattern: string): string[] {
  let expanded = ['']
  for (const part of pattern.split(/(\{[^{}]*,[^{}]*\})/)) {
    const choices = /^\{.*,.*\}$/s.test(part) ? part.slice(1, -1).split(',') : [part]
    if (expanded.length * choices.length > MOST_ALTERNATIVES) return [pattern]
    expanded = expanded.flatMap((start) => choices.map((choice) => start + choice))
  }
  return expanded
}

type Token =
  | { readonly kind: 'one'; readonly accepts: (character: string) => boolean }
  /** `*`: any number of characters of one name. */
  | { readonly kind: 'name' }
  /** `**` at the end: any characters. */
  | { readonly kind: 'any' }
  /** The token behind it may be left out. */
  | { readonly kind: 'optional' }
  /** The names of some folders: any characters, up to a slash. */
  | { readonly kind: 'folders' }

/** `**` counts where it is a whole name; amidst one it says no more than `*`. */
const PART = /(?<=^|\/)\*\*+(?:\/|$)|\*+|\?|\[[!^]?\]?[^\]]*\]|[^]/gu

function tokensOf(pattern: string): Token[] {
  // Some folders of some folders are some folders.
  const plain = pattern.replaceAll(/(?<=^|\/)(?:\*\*+\/){2,}/g, '**/')
  return [...plain.matchAll(PART)].flatMap(({ 0: part, index }): Token[] => {
    if (part.endsWith('*/')) return [{ kind: 'optional' }, { kind: 'folders' }]
    const wholeName = index === 0 || plain[index - 1] === '/'
    const atEnd = index + part.length === plain.length
    if (part.startsWith('**') && wholeName && atEnd) return [{ kind: 'any' }]
    if (part.startsWith('*')) return [{ kind: 'name' }]
    if (part === '?') return [{ kind: 'one', accepts: (each) => each !== '/' }]
    if (part.length > 2 && part.startsWith('[')) {
      return [{ kind: 'one', accepts: characterClass(part.slice(1, -1)) }]
    }
    return [{ kind: 'one', accepts: (each) => each === part }]
  })
}

/** How many characters a path must have: patterns of many signs are answered without a look. */
function shortestOf(tokens: readonly Token[]): number {
  return tokens.filter(({ kind }, at) => kind === 'one' && tokens[at - 1]?.kind !== 'optional')
    .length
}

function characterClass(text: string): (character: string) => boolean {
  const negated = text.startsWith('!') || text.startsWith('^')
  const ranges = [...(negated ? text.slice(1) : text).matchAll(/([^])-([^])|([^])/gu)].map(
    ([, from, to, single]) => [from ?? single ?? '', to ?? single ?? ''] as const,
  )
  return (each) =>
    each !== '/' && ranges.some(([from, to]) => from <= each && each <= to) !== negated
}

/** Follows all readings of the pattern side by side: a set of places in it, one step per character. */
function matches(tokens: readonly Token[], text: string): boolean {
  let places = new Places(tokens.length)
  let next = new Places(tokens.length)
  arrive(tokens, places, 0)
  for (const character of text) {
    next.clear()
    for (let index = 0; index < places.size; index++) {
      const place = places.at(index)
      const token = tokens[place]
      if (token?.kind === 'one' && token.accepts(character)) arrive(tokens, next, place + 1)
      if (token?.kind === 'folders') next.add(place)
      if (token?.kind === 'any') arrive(tokens, next, place)
      if (token?.kind === 'folders' && character === '/') arrive(tokens, next, place + 1)
      if (token?.kind === 'name' && character !== '/') arrive(tokens, next, place)
    }
    if (next.size === 0) return false
    const spent = places
    places = next
    next = spent
  }
  return places.has(tokens.length)
}

/** A set of places that is emptied in no time: it is filled once for every character of a path. */
class Places {
  size = 0
  readonly #list: Uint16Array
  /** Where in the list a place would stand; whether it does, the list itself tells. */
  readonly #index: Uint16Array

  constructor(tokens: number) {
    this.#list = new Uint16Array(tokens + 2)
    this.#index = new Uint16Array(tokens + 2)
  }

  at(index: number): number {
    return this.#list[index]!
  }

  has(place: number): boolean {
    const index = this.#index[place]!
    return index < this.size && this.#list[index] === place
  }

  add(place: number): void {
    if (this.has(place)) return
    this.#index[place] = this.size
    this.#list[this.size++] = place
  }

  clear(): void {
    this.size = 0
  }
}

/** Adds a place and all that can be reached from it without another character. */
function arrive(tokens: readonly Token[], places: Places, place: number): void {
  for (let at = place; !places.has(at); at++) {
    places.add(at)
    const kind = tokens[at]?.kind
    if (kind === 'optional') arrive(tokens, places, at + 2)
    if (kind !== 'optional' && kind !== 'name' && kind !== 'any') return
  }
}
