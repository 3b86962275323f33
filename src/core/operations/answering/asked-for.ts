/**
 * What exactly does a question ask for, and about whom? The noun behind what, which or how many, and
 * the names and figures it has. By the order of words in English questions: where they stand
 * otherwise, nothing is known.
 */

/** What begins the part of a question that says what is asked for. */
const ASKS =
  /\b(?:what|which|whose|how many|how much|share|provide|describe|explain|list|about)\s+/giu
/** What may stand before the noun and says nothing. */
const BEFORE: ReadonlySet<string> = new Set(
  'is are was were the my our your his her its their a an any some all specific exact key main details about like'.split(
    ' ',
  ),
)
/** What ends it: verbs that help, prepositions and pronouns. */
const BEHIND: ReadonlySet<string> = new Set(
  `is are was were be been did do does done has have had can could would will should may might must in
  of for to on at by with from that who where when whose which if during behind between about per
  there i we you he she they it`.split(/\s+/),
)
const MOST_WORDS = 5
/** The same, asked with a verb. */
const BY_VERB =
  /^(?:what (?:was|were|is|are) (discussed|decided|covered|said|agreed)|how (?:did|do|does|has|have)\b.*?\b(react|influence|respond))\b/iu

/** The words that say what is asked for: `What specific advice did Ada give?` asks for advice. */
export function askedNoun(question: string): string {
  const text = question.trim()
  const verb = BY_VERB.exec(text)?.slice(1).find(Boolean)
  if (verb !== undefined) return verb
  for (const { 0: asks, index } of text.matchAll(ASKS)) {
    const noun = nounOf(text.slice(index + asks.length))
    if (noun !== '') return noun
  }
  return ''
}

function nounOf(text: string): string {
  const words = text.split(/\s+/u, 16)
  const first = words.findIndex((word) => !BEFORE.has(word.toLowerCase()) && !/['’]s$/u.test(word))
  if (first < 0) return ''
  const rest = words.slice(first, first + MOST_WORDS)
  const end = rest.findIndex((word) => BEHIND.has(word.toLowerCase()))
  const noun = end < 0 ? rest : rest.slice(0, end)
  const stop = noun.findIndex((word) => /[.,;:?!]$/u.test(word))
  return (stop < 0 ? noun : noun.slice(0, stop + 1)).join(' ').replace(/[^\p{L}\p{N}]+$/u, '')
}

/** What is counted, a plural: `How many release engineers work here?` asks for engineers. */
export function countedNoun(question: string): string | undefined {
  const [asks] = /\b(?:how many|what number of)\s+/iu.exec(question) ?? []
  if (asks === undefined) return undefined
  const noun = nounOf(question.slice(question.indexOf(asks) + asks.length))
  return noun.split(' ').find((word) => PLURAL.test(word))
}

const PLURAL = /(?:[^s]s|people|children|men|mice|feet)$/iu

/** Behind a space, which is never the beginning of a question. `$10,000` is one figure. */
const NAME =
  /(?<=\s["'“‘(]?)(?:\p{Lu}[\p{L}\p{M}\p{N}-]+|[$€£]?\p{L}*\p{N}(?:[\p{L}\p{N}.,:/-]*[\p{L}\p{N}])?)/gu

/** The names and figures of a question, each by its place. */
export function namesIn(question: string): readonly string[] {
  return [...question.trim().matchAll(NAME)].map(([name]) => name)
}
