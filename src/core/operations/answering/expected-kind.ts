/**
 * What kind of thing does a question ask for? Who wants a name, when a time, how many a number. A
 * sentence that has none is seldom the answer, however many words of the question it has.
 */

export type ExpectedKind = 'person' | 'place' | 'time' | 'number'

/** The first that fits decides: `in which year` asks for a time, not for a number of years. */
const ASKING: readonly (readonly [ExpectedKind, RegExp])[] = [
  [
    'time',
    /\b(?:when|(?:what|which|whose) (?:year|date|day|month|century|decade|time)|how long ago|since when|until when|wann|seit wann|bis wann|(?:welche[mns]?|was für ein) (?:jahr|datum|tag|monat|jahrhundert)|cuándo|(?:qué|cual|cuál) (?:año|fecha|día|mes|siglo)|quand|quelle (?:année|date)|quel (?:jour|mois|siècle)|quando|(?:che|quale|qual) (?:anno|data|giorno|mese|secolo|ano|dia)|wanneer|welk jaar|kiedy|którym roku|ne zaman|hangi (?:yıl|tarih)|când|ce an|khi nào|năm nào|bao giờ)(?![\p{L}])/iu,
  ],
  [
    'time',
    /когда|каком году|какого числа|πότε|ποι[αο] (?:χρονιά|έτος)|متى|أي عام|कब|किस (?:वर्ष|साल)|เมื่อใด|เมื่อไร|ปีใด|ปีไหน|什么时候|何时|哪一?年|几年|いつ|何年|언제|몇 년/iu,
  ],
  [
    'number',
    /\b(?:how (?:many|much|old|long|far|tall|high|large|big|often|fast|deep|wide|heavy)|what (?:number|percentage|percent|share|amount|fraction|age)|wie (?:viele?n?|alt|lange?|hoch|groß|weit|oft|schwer|schnell|tief)|wieviele?|cuánt[oa]s?|qué (?:edad|porcentaje|cantidad)|combien|quel (?:âge|pourcentage|nombre)|quant[oaie]s?|hoeveel|hoe (?:oud|lang|ver|vaak)|ile|kaç|ne kadar|câ[tț][ei]?|bao nhiêu|mấy)(?![\p{L}])/iu,
  ],
  [
    'number',
    /сколько|πόσ[αοηεω]|كم |नंबर|कितन[ेाी]|เท่าไร|เท่าใด|กี่|多少|几[个人位]|百分之几|いくつ|何[人個年歳%]|どのくらい|얼마|몇/iu,
  ],
  [
    'person',
    /\b(?:who|whom|whose|wer|wen|wem|wessen|quién|quiénes|qui|chi|quem|wie (?=is\b|was\b|heeft\b)|kto|kim|kimin|cine|ai (?=là|đã))(?![\p{L}])/iu,
  ],
  [
    'person',
    /кто|кого|кому|ποιος|ποιον|ποιοι|من (?=هو|هي|كان|الذي)|कौन|किसने|ใคร|谁|誰|누구|누가/iu,
  ],
  [
    'place',
    /\b(?:where|(?:what|which) (?:city|country|state|town|region|place|river|continent)|wo|woher|wohin|(?:welche[mnrs]?) (?:stadt|land|ort|region)|dónde|(?:qué|cuál) (?:ciudad|país|lugar)|où|quelle ville|quel pays|dove|onde|waar|gdzie|nerede|hangi (?:şehir|ülke)|unde|ở đâu|nơi nào)(?![\p{L}])/iu,
  ],
  ['place', /где|куда|откуда|πού|أين|कहाँ|कहां|ที่ไหน|哪里|哪儿|何处|どこ|어디/iu],
]

export function expectedKind(question: string): ExpectedKind | undefined {
  return ASKING.find(([, pattern]) => pattern.test(question))?.[0]
}

/** Written-out numbers of the languages people ask in most. */
const NUMBER_WORDS =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?|billions?|half|once|twice|both|first|second|third|eine?[nmrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|million(?:en)?|un[oae]?|deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|mille|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil|due|tre|quattro|cinque|sei|sette|otto|nove|dieci)\b/iu

const TIME_WORDS =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|yesterday|tomorrow|century|centuries|decade|spring|summer|autumn|winter|januar|februar|märz|mai|juni|juli|oktober|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|jahrhunderts?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|siglo|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|siècle)\b/iu

/** Whether a sentence has such a thing that the question did not bring itself. */
export function offersKind(sentence: string, kind: ExpectedKind, question: string): boolean {
  const asked = question.toLowerCase()
  if (kind === 'number' || kind === 'time') {
    const numbers = sentence.match(/\p{N}+(?:[.,:]\p{N}+)*/gu) ?? []
    if (numbers.some((number) => !asked.includes(number))) return true
    return (kind === 'time' ? TIME_WORDS : NUMBER_WORDS).test(sentence)
  }
  // Scripts without capitals do not show their names.
  if (!/\p{Lu}/u.test(sentence)) return !/\p{Ll}/u.test(sentence)
  const names = sentence.matchAll(/(?<=[\p{L}\p{N},;:)("'“”’–-]\s*)\p{Lu}[\p{L}\p{M}’'-]+/gu)
  return [...names].some(([name]) => !asked.includes(name.toLowerCase()))
}
