/** Names of months by language, as data: English, German, French, Spanish and Russian, in any case. */

const MONTHS: readonly string[] = [
  'jan(?:uary)?|jän(?:ner)?|januar|janv(?:ier)?|ene(?:ro)?|январ[ьяе]|янв',
  'feb(?:ruary)?|februar|févr(?:ier)?|febrero|феврал[ьяе]|фев',
  'mar(?:ch)?|märz|mrz|mär|mars|marzo|март[ае]?|мар',
  'apr(?:il)?|avr(?:il)?|abr(?:il)?|апрел[ьяе]|апр',
  'may|mai|mayo|ма[йяе]',
  'june?|juni|juin|junio|июн[ьяе]',
  'july?|juli|juil(?:let)?|julio|июл[ьяе]',
  'aug(?:ust)?|août|aout|ago(?:sto)?|август[ае]?|авг',
  'sep(?:t(?:ember|iembre|embre)?)?|setiembre|сентябр[ьяе]|сент?',
  'oct(?:ober|obre|ubre)?|okt(?:ober)?|октябр[ьяе]|окт',
  'nov(?:ember|embre|iembre)?|ноябр[ьяе]|ноя',
  'dec(?:ember)?|dez(?:ember)?|déc(?:embre)?|dic(?:iembre)?|декабр[ьяе]|дек',
]

const EACH = MONTHS.map((names) => new RegExp(`^(?:${names})$`, 'u'))

/** A part of a pattern that is matched without regard to case, and needs a boundary behind it. */
export const ANY_MONTH = MONTHS.join('|')

/** From 1 to 12; 0 for any other word. */
export function monthOf(word: string): number {
  const name = word.toLowerCase()
  return EACH.findIndex((names) => names.test(name)) + 1
}
