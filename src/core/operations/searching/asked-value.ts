/**
 * Answer typing, for what holds now: a question for how many is answered by a number, one for when by
 * a time. A later statement without one may speak of the same thing, and says nothing of its value.
 * Words are data by language: English, German, French, Spanish, Russian, Chinese.
 */
import { ANY_MONTH } from '../reading/month-names.ts'

type AskedValue = 'number' | 'time'

/** The first that fits decides. */
const ASKING: readonly (readonly [AskedValue, RegExp])[] = [
  [
    'time',
    /^\P{L}*(?:when|wann|bis wann|quand|cuándo|когда)(?!\p{L})|(?<!\p{L})(?:(?:what|which) (?:time|date|day|month|year)|deadlines?|due date|uhrzeit|datum|frist|termin|date limite|échéance|fecha|plazo|hora|срок|дата)(?!\p{L})|什么时候|何时|几[点号月]|哪[天年]|截止|日期/iu,
  ],
  [
    'number',
    /^(?!\P{L}*(?:who|whose|where|why|wer|wessen|wo|warum|qui|où|pourquoi|quién|dónde|кто|где|почему)(?!\p{L})).*(?<!\p{L})(?:how (?:many|much|long|old|far|big|large|high|fast|often)|percentage|percent|budget|price|costs?|fee|salary|rate|ratio|accuracy|score|target|limit|quota|size|amount|number|total|average|wie ?(?:viele?n?|lange?|alt|hoch|groß|weit|schnell|oft)|preis|kosten|gehalt|anzahl|combien|prix|coût|taux|nombre|cuánt[oa]s?|presupuesto|precio|coste|tasa|número|сколько|бюджет|цена|стоимость|ставка)(?!\p{L})|多少|几[个人位次]|预算|价格/iu,
  ],
]

/** Of what is counted in these, dates tell how much. */
const COUNTS_TIME =
  /(?<!\p{L})(?:how (?:long|old|often)|how many (?:\p{L}+ )?(?:days|weeks|months|years|hours|minutes)|wie (?:lange?|alt|oft)|wie viele (?:tage|wochen|monate|jahre|stunden)|как (?:долго|часто))(?!\p{L})|多久|几[天年]/iu

const MONTH_AND_DAY = String.raw`(?<!\p{L})(?:${ANY_MONTH})\.?[ \u00a0]\p{Nd}{1,2}(?:st|nd|rd|th)?(?:[–-]\p{Nd}{1,2})?(?:,? \p{Nd}{4})?(?![\p{Nd}%])`
const DAY_AND_MONTH = String.raw`\p{Nd}{1,2}(?:st|nd|rd|th|\.)?[ \u00a0](?:of |de )?(?:${ANY_MONTH})(?!\p{L})(?:,? (?:de )?\p{Nd}{4})?`
const DATES = new RegExp(
  [
    String.raw`\p{Nd}{4}[-/.]\p{Nd}{1,2}(?:[-/.]\p{Nd}{1,2})?`,
    MONTH_AND_DAY,
    DAY_AND_MONTH,
    String.raw`(?<![\p{Nd}.,$€£])(?:19|20)\p{Nd}{2}(?![\p{Nd}.,%])`,
    String.raw`\p{Nd}{1,2}(?:[:.]\p{Nd}{2})? ?(?:[ap]\.?m\.?|uhr)(?!\p{L})`,
    String.raw`\p{Nd}{1,2}:\p{Nd}{2}`,
  ].join('|'),
  'giu',
)
const NUMBER =
  /(?<![\p{L}_])\p{Nd}|(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|half|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять)(?!\p{L})|[一二三四五六七八九十百千]/iu
const TIME = new RegExp(
  String.raw`\p{Nd}|(?<!\p{L})(?:${ANY_MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье|today|tomorrow|noon|midnight|next (?:week|month|year)|heute|morgen|demain|mañana|сегодня|завтра)(?!\p{L})|[周星][一二三四五六日期]|[今明后]天`,
  'iu',
)

/** Tells whether a text has such a value; any text has where a question asks for no kind of value. */
export function valueAsked(question: string): (text: string) => boolean {
  const [asked] = ASKING.find(([, pattern]) => pattern.test(question)) ?? []
  if (asked === undefined) return () => true
  if (asked === 'time' || COUNTS_TIME.test(question)) return (text) => TIME.test(text)
  return (text) => NUMBER.test(text.replaceAll(DATES, ' '))
}
