/**
 * Stop phrases: what only asks. Words of English questions ("what", "when", "how") are stop words; `many`
 * is one behind `how` alone, 什么时候 has no spaces around it, and its pairs of characters would count
 * as content.
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

/** The word behind `how` belongs to it. */
const HOW =
  /(?<![\p{L}\p{N}"'])(?:(how)[ \t]+(?:many|much|long|often|old)|(wie)[ \t]+(?:viele?n?|lange?|oft|alt)|(как)[ \t]+(?:долго|часто))(?![\p{L}\p{N}"'*])/giu

/** A question that asks for a number or a length of time with such a word. */
export const HOW_MUCH = new RegExp(HOW.source, 'iu')

/** What was said, asked or shown in talks of one's own: no note says so of itself. */
const TALKS = [
  // English
  String.raw`(?:(?:have |did )?(?:i|we)|i['’]ve|we['’]ve|you)(?: have| had| ever)? (?:brought up|bring up|mention(?:ed)?|discuss(?:ed)?|talk(?:ed)? about|(?:told|tell|ask(?:ed)?) you(?: about)?)`,
  String.raw`(?:throughout|across|over|in|during|from|of) (?:all )?(?:of )?(?:our|my|these) (?:(?:previous|past|earlier|last|recent|own) )?(?:conversations?|chats?|sessions?|messages?|discussions?|requests?)`,
  // German, French, Spanish, Russian
  String.raw`(?:in|aus|während) (?:all(?:en)? )?(?:unseren?|meinen?) (?:gesprächen?|unterhaltungen|nachrichten|sitzungen|chats?)`,
  String.raw`(?:dans|au cours de|pendant) (?:toutes )?(?:nos|mes) (?:conversations|discussions|messages|échanges)`,
  String.raw`(?:en|durante|a lo largo de) (?:todas )?(?:nuestras|mis) (?:conversaciones|charlas|mensajes|sesiones)`,
  String.raw`(?:в|во|за время) (?:всех )?(?:наших|моих) (?:разговорах|беседах|сообщениях|чатах|бесед)`,
]
const HAN_TALKS = '在?我们的?(?:对话|聊天|谈话)[中里]?|我(?:提到|说|问)过的?'
const TALK = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${TALKS.join('|')})(?![\p{L}\p{N}])|${HAN_TALKS}`,
  'giu',
)

/** What one is asked to do with it, and in which order: only where a question is about talks. */
const REQUEST = new RegExp(
  [
    String.raw`^\s*(?:(?:can|could|would|will) you |please )*(?:list|walk me through|give|tell|show|describe|explain|summari[sz]e|provide)(?: me)?(?: (?:a|an|the))?(?: (?:comprehensive|detailed|thorough|complete|brief|full|clear|short))?(?: (?:summary|overview) of)?`,
    String.raw`^\s*(?:(?:kannst|könntest) du |bitte )+(?:mir )?(?:nenn|list|beschreib|erklär|zeig)e?n?(?: mir)?`,
    String.raw`^\s*(?:peux-tu|pouvez-vous) (?:me )?(?:énumérer|lister|décrire|résumer|expliquer|montrer)`,
    String.raw`^\s*¿?(?:puedes|podrías) (?:enumerar|listar|describir|resumir|explicar|mostrar)(?:me)?`,
    String.raw`^\s*(?:можешь |пожалуйста,? )+(?:перечислить|описать|рассказать|объяснить|показать)`,
  ]
    .map((phrase) => String.raw`(?:${phrase})(?![\p{L}\p{N}'’-])`)
    .join('|'),
  'iu',
)

const TELLING = new RegExp(
  [
    String.raw`(?:the )?order in which|in (?:the right |chronological )?order(?=\s*(?:[.,;:?!]|$)| how )`,
    String.raw`(?:different |various )?aspects of`,
    String.raw`mention only [^.]{0,60}(?:\.|$)`,
    String.raw`(?:die |der )?reihenfolge, in der|verschiedene[nr]? aspekte`,
    String.raw`l['’]ordre dans lequel|différents aspects (?:de|du|des)`,
    String.raw`el orden en que|(?:diferentes|distintos) aspectos de`,
    String.raw`порядок,? в котором|различные аспекты`,
  ]
    .map((phrase) => String.raw`(?<![\p{L}\p{N}])(?:${phrase})(?![\p{L}\p{N}])`)
    .join('|'),
  'giu',
)

/** Whether there is any of them: most questions are asked no more than this. */
export const ASKS_ALONE = new RegExp(`${HOW.source}|${TALK.source}`, 'iu')

/** So many words a question keeps. */
const LEFT = 2

/**
 * A question without the phrases that only ask: `how many` asks for a number, and `in our conversations`
 * says where one remembers it from. Whoever quotes means every word.
 */
export function withoutAsking(text: string): string {
  if (text.includes('"')) return text
  let rest = text.replace(HOW, (phrase, ...hows: (string | undefined)[]) =>
    (hows.slice(0, 3).find(Boolean) ?? '').padEnd(phrase.length),
  )
  const content = rest.replace(TALK, blank)
  if (content !== rest) rest = content.replace(REQUEST, blank).replace(TELLING, blank)
  const words = rest.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  return words >= LEFT || EASTERN.test(rest) ? rest : text
}

const EASTERN = /[\u3040-\ud7af]{2}/

function blank(phrase: string): string {
  return ' '.repeat(phrase.length)
}
