/**
 * What only asks, in scripts without spaces. Words of English questions ("what", "when", "how") are
 * stop words; 什么时候 has no spaces around it, and its pairs of characters would count as content.
 */

/** Longer ones first, so that a part never hides the whole. */
const PHRASES = [
  // Chinese
  '什么时候|什麼時候|为什么|為什麼|怎么样|怎麼樣|是什么|是什麼|怎么|怎麼|怎样|怎樣|什么|什麼',
  '哪里|哪裡|哪儿|哪个|哪個|哪些|哪位|多少|何时|何時|如何|是否|有没有|有沒有|能不能|请问|請問|吗|嗎|呢',
  // Japanese
  'どうすれば|どうやって|どのように|どうして|何ですか|でしょうか|教えてください|ですか|ますか',
  'なぜ|いつ|どこ|とは',
  // Korean
  '무엇인가요|무엇입니까|어떻게|무엇|언제|어디|인가요|입니까|하나요|합니까',
]

const QUESTION = new RegExp(PHRASES.join('|'), 'g')

/** The text with blanks for what only asks, unless that is all of it. Places stay as they are. */
export function withoutQuestionPhrases(text: string): string {
  const rest = text.replace(QUESTION, (phrase) => ' '.repeat(phrase.length))
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text
}
