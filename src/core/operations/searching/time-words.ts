/**
 * Words that speak of time, as data by language: which questions ask for what holds now, and which
 * sentences say that something changed. A language that is missing here loses nothing else.
 */

interface TimeWords {
  /** Asks for one present value: how many, how long, when is, what is the deadline. */
  readonly value: RegExp
  /** Asks for the past, for a span, or for what came first. */
  readonly span: RegExp
  /** Says that something is otherwise than it was. */
  readonly cue: RegExp
  /** Asks for yes or no. */
  readonly yesNo: RegExp
  /** Says that something never was, or is no longer. */
  readonly denial: RegExp
}

const WORDS: readonly TimeWords[] = [
  {
    value:
      /^(?:\P{L}*\p{L}+,)?\s*(?:how (?:many|much|long|often|old|far|big|fast)|when (?:is|are|was|will|do|does|should)|what(?:['’]s| is| are| was| time| date| day| percentage| deadline| budget| version| number)|who (?:is|owns|leads|runs)|where (?:is|are|do|does)|which [\p{L} ]{2,30}(?:do|does|is|are))\b/iu,
    span: /\b(?:between|after|before|since|until|from .* to|first|originally|initially|did i|was|were|used to|history|previous(?:ly)?|formerly|before that)\b/iu,
    cue: /\b(?:now|switch(?:ed)?|chang(?:ed|ing)|updat(?:ed|ing)|no longer|actually|instead|from now on|as of|new|recently|increas(?:ed|ing)|reduc(?:ed|ing)|lower(?:ed|ing)|shorten(?:ed|ing)|dropped|grew|grown|extend(?:ed|ing)|reschedul(?:e|ed|ing)|postpon(?:e|ed|ing)|mov(?:ed|ing)|adjust(?:ed|ing)|rais(?:ed|ing)|current(?:ly)?|just|improv(?:ed|ing)|add(?:ed|ing)|reach(?:ed)?|revis(?:ed|ing)|replac(?:ed|es|ing)|upgrad(?:ed|ing)|bumped|cut)\b/iu,
    yesNo: /^\s*(?:have|has|had|did|do|does|is|are|was|were|am)\b/iu,
    denial:
      /\b(?:never|haven['’]t|hasn['’]t|hadn['’]t|have not|has not|had not|didn['’]t|did not|no longer)\b/iu,
  },
  {
    value:
      /^\s*(?:wie (?:viele?|lange|oft|alt|hoch|groß|weit|schnell)|wieviele?|wann (?:ist|sind|war|wird|muss|soll)|was (?:ist|sind|kostet)|wer (?:ist|leitet)|wo (?:ist|sind|liegt)|welche[mnrs]? [\p{L} ]{2,30}(?:ist|sind|gilt|nutzen|verwenden))(?!\p{L})/iu,
    span: /(?<!\p{L})(?:zwischen|nach|vor|seit|bis|zuerst|ursprünglich|anfangs|früher|war|waren|damals)(?!\p{L})/iu,
    cue: /(?<!\p{L})(?:jetzt|nun|nunmehr|neu(?:e[mnrs]?)?|neuerdings|inzwischen|ab sofort|künftig|nicht mehr|statt(?:dessen)?|geändert|verschoben|erhöht|gesenkt|verlängert|ersetzt|umgestellt|gewechselt|aktuell|mittlerweile)(?!\p{L})/iu,
    yesNo: /^\s*(?:hat|habe|haben|hast|ist|sind|war|waren|wurde|wird|gibt es|kann|bin)(?!\p{L})/iu,
    denial:
      /(?<!\p{L})(?:nie|niemals|noch nie|nicht mehr|habe nicht|hat nicht|haben nicht|wurde nicht|bin nicht|keine?[mnrs]? mehr)(?!\p{L})/iu,
  },
  {
    value:
      /^\s*(?:combien|quand (?:est|sont|sera|faut)|quel(?:le)?s? (?:est|sont)|qui (?:est|dirige)|où (?:est|sont|se))(?!\p{L})/iu,
    span: /(?<!\p{L})(?:entre|après|avant|depuis|jusqu|d['’]abord|au début|à l['’]origine|était|étaient|autrefois)(?!\p{L})/iu,
    cue: /(?<!\p{L})(?:maintenant|désormais|dorénavant|nouveau|nouvelle|récemment|ne .{1,20} plus|au lieu|changé|déplacé|reporté|augmenté|réduit|prolongé|remplacé|actuel(?:lement)?|à partir de)(?!\p{L})/iu,
    yesNo: /^\s*(?:est-ce que|a-t-|ai-je|as-tu|avons-nous|est-il|est-elle|avez-vous)/iu,
    denial: /(?<!\p{L})(?:jamais|n['’](?:ai|a|avons|ont|est) pas|ne .{1,20} plus)(?!\p{L})/iu,
  },
  {
    value:
      /^\s*¿?(?:cuánt[oa]s?|cuándo (?:es|son|será)|cuál(?:es)? (?:es|son)|qué (?:hora|día|fecha|versión|número)|quién (?:es|dirige)|dónde (?:está|están))(?!\p{L})/iu,
    span: /(?<!\p{L})(?:entre|después|antes|desde|hasta|primero|originalmente|al principio|era|eran|fue)(?!\p{L})/iu,
    cue: /(?<!\p{L})(?:ahora|nuev[oa]s?|recientemente|ya no|en lugar|cambi(?:ó|ado|amos)|movid[oa]|aplazad[oa]|aument(?:ó|ado)|reducid[oa]|ampliad[oa]|reemplaz(?:ó|ado)|actual(?:mente)?|a partir de)(?!\p{L})/iu,
    yesNo: /^\s*¿?(?:he|has|ha|hemos|han|es|está|son|están|hay|tengo|tiene)(?!\p{L})/iu,
    denial: /(?<!\p{L})(?:nunca|jamás|no (?:he|ha|hemos|han)|ya no)(?!\p{L})/iu,
  },
  {
    value:
      /^\s*(?:сколько|когда (?:будет|начинается|должен|срок)?|как (?:долго|часто)|как(?:ой|ая|ое|ие|ого) (?:сейчас|срок|версия|бюджет|номер)|кто (?:сейчас|отвечает|руководит)|где (?:сейчас|находится))(?!\p{L})/iu,
    span: /(?<!\p{L})(?:между|после|до|раньше|сначала|изначально|был[аои]?|с тех пор|прежде)(?!\p{L})/iu,
    cue: /(?<!\p{L})(?:теперь|сейчас|нов(?:ый|ая|ое|ые)|недавно|больше не|вместо|измен(?:ил|или|ён|ена)|перен(?:ёс|если|есён|есена)|увелич(?:ил|или|ен|ена)|сократ(?:ил|или)|продл(?:ил|или|ён)|замен(?:ил|или|ён)|отныне|текущ(?:ий|ая|ее))(?!\p{L})/iu,
    yesNo: /(?<!\p{L})ли(?!\p{L})/iu,
    denial: /(?<!\p{L})(?:никогда|больше не|ещё не|еще не|так и не)(?!\p{L})/iu,
  },
  {
    value:
      /(?:多少|几[个人位天次]|什么时候|何时|多久|多长|现在.{0,12}(?:什么|哪|谁)|(?:截止|预算|版本).{0,8}(?:什么|多少|几))/u,
    span: /(?:之前|以前|最初|原来|一开始|之后|期间|从.{1,12}到)/u,
    cue: /(?:现在|目前|新的|最近|改为|改成|变为|不再|推迟|提前|增加到|减少到|延长|替换|更新|从现在起|如今)/u,
    yesNo: /(?:吗[？?]?\s*$|是否|有没有)/u,
    denial: /(?:从未|从来没|没有|不再|还没)/u,
  },
]

/** So many of the first that are found may change places then. */
export const FIRST = 6

/** Whether a question asks for what holds now: one value, not a span and nothing of the past. */
export function asksForNow(question: string): boolean {
  return (
    WORDS.some(({ value }) => value.test(question)) &&
    !WORDS.some(({ span, yesNo }) => span.test(question) || yesNo.test(question))
  )
}

export function asksYesOrNo(question: string): boolean {
  return WORDS.some(({ yesNo }) => yesNo.test(question))
}

export function saysChanged(text: string): boolean {
  return WORDS.some(({ cue }) => cue.test(text))
}

/** `Have I ever …?`: the word asks for any time at all, and stands in no answer. */
const AT_ANY_TIME =
  /^(?:ever|before|yet|already|jemals?|schon|bereits|déjà|jamais|ya|alguna|vez|уже|когда-либо|раньше)$/iu

export function meansAnyTime(word: string): boolean {
  return AT_ANY_TIME.test(word)
}

/** `I'm new to it, so I've never done this`: what is denied stands before. */
const MEANS_WHAT_WAS_SAID =
  /^\s*(?:\p{L}+\s+){0,2}(?:this|that|it|so|one|das|dies|es|ça|cela|eso|esto|lo|это|этого)(?!\p{L})/iu

/**
 * What is denied: behind the denial, as far as its clause goes, with what stands before it where that
 * is pointed back to; empty where nothing is.
 */
export function deniedIn(sentence: string): string {
  for (const { denial } of WORDS) {
    const found = denial.exec(sentence)
    if (!found) continue
    const behind = sentence.slice(found.index + found[0].length)
    const [clause = ''] = behind.split(
      /(?<!\p{N}),|[;:?，；？]|\b(?:but|so|can you|aber|mais|pero|но)\b/u,
      1,
    )
    const before = MEANS_WHAT_WAS_SAID.test(behind) ? sentence.slice(0, found.index) : ''
    return before + clause
  }
  return ''
}
