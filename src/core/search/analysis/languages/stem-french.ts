/** Light French stemming: elision, plurals, feminine and the commonest verb endings. */

const ELISION = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'/

/** Longest first; what replaces an ending when at least three letters remain before it. */
const ENDINGS: readonly (readonly [ending: RegExp, replacement: string])[] = [
  [/issements?$/, ''],
  [/(?:atrice|ateur)s?$/, ''],
  [/euses?$/, 'eu'],
  [/ements?$/, ''],
  [/ations?$/, ''],
  [/ives?$/, 'if'],
  [/elles?$/, 'el'],
  [/ennes?$/, 'en'],
  [/aux$/, 'al'],
  [/eux$/, 'eu'],
  [/eurs?$/, 'eu'],
  [/(?:er|ez|ees?|es?|s|x)$/, ''],
]

export function stemFrench(word: string): string {
  const w = word.replace(ELISION, '')
  for (const [ending, replacement] of ENDINGS) {
    const start = w.search(ending)
    if (start >= 3) return w.slice(0, start) + replacement
  }
  return w
}
