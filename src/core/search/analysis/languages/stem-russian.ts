/**
 * Light Russian stemming: the endings of nouns, adjectives and the commonest verbs. It serves
 * every word in Cyrillic letters; its neighbours (Ukrainian, Bulgarian) inflect much alike.
 */

/** Longest first. */
const ENDINGS =
  `иями ованн ировал иях иям ией ями ами ого его ому ему ыми ими ешь ете ишь ите ала ила
  ать ить еть ует уют ют ут ат ят ет ит ях ах ям ам ом ем ой ей ий ый ая яя ое ее ые ие ых их ую юю
  ов ев ью ия ии ию ал ил ел ы и а я о е у ю ь й`
    .split(/\s+/)
    .toSorted((a, b) => b.length - a.length)

/** What must be left for an ending to be one. */
const MIN_STEM = 3

export function stemRussian(word: string): string {
  const plain = word.replace(/(?:ся|сь)$/, '')
  const w = plain.length >= MIN_STEM + 1 ? plain : word
  const ending = ENDINGS.find(
    (candidate) => w.length - candidate.length >= MIN_STEM && w.endsWith(candidate),
  )
  return ending === undefined ? w : w.slice(0, -ending.length)
}
