/**
 * How do people say that something needs a version, and that one is over? Data by language: English,
 * German, French, Spanish, Russian, Chinese. A language that is missing here loses nothing but this.
 */
interface VersionWords {
  /** What stands before a version that something needs. */
  readonly needs: string
  /** What stands right behind one. */
  readonly needed: string
  /** Of headings: what stands below is needed. */
  readonly heads: string
  /** That one or a later one. */
  readonly atLeast: string
  /** A sentence with one of these tells of another time, of a change, of a case or of an example. */
  readonly otherwise: string
  /** What stands right before a version that is over. */
  readonly before: string
  /** What stands right behind one. */
  readonly behind: string
  /** Both together. */
  readonly around: readonly (readonly [before: string, behind: string])[]
  /** It is to come, or may be. */
  readonly unsure: string
  /** `18 and older`. */
  readonly below: string
  /** `18 or newer`, and what else may stand behind a number that is a version. */
  readonly goesOn: string
  /** Sentences that may say so, as the index is asked. */
  readonly phrases: readonly string[]
}

const WORDS: readonly VersionWords[] = [
  {
    needs:
      'requires?|required|needs?|uses?|using|runs? (?:on|with|under|in)|running|(?:built|build) (?:with|on|for|against)|based on|test(?:ed)? (?:with|on|against)|install(?:s|ed|ing)?|depends? on|dependenc(?:y|ies)|works? (?:with|on)|compatible with|supports?|supported|targets?|pinned|at least|minimum|prerequisites?|requirements?|currently|written (?:in|for)|powered by|deployed (?:on|with)',
    needed: '(?:is|are) (?:required|needed|recommended|supported)|required',
    heads:
      'requirements?|prerequisites?|(?:tech(?:nology)? )?stack|dependencies|compatibility|supported (?:versions|platforms)|what you need',
    atLeast:
      'at least|minimum|minimal|or (?:newer|later|above|higher|greater|up)|and (?:newer|later|above|higher|up)|onwards?',
    otherwise:
      "upgrad\\w*|migrat\\w*|mov(?:e|ed|ing) (?:from|to)|switch\\w*|bump\\w*|was|were|had|used to|formerly|previous\\w*|earlier|older|old|prior|before|since|until|below|introduc\\w*|added|fix(?:es|ed)|remov\\w*|drop\\w*|chang\\w*|deprecat\\w*|no longer|unsupported|instead of|unlike|versus|vs|compared|legacy|end[- ]of[- ]life|eol|if|when|unless|except|not|never|cannot|without|e\\.g|example|such as|like|would|could|might|may|plan\\w*|future|will|became|ago|[a-z]+n['’]t|fail\\w*|bug|broken|crash\\w*|back ?port\\w*",
    before:
      '(?:drop(?:s|ped)?|removes?|removed|ends?|ended|discontinued?|stopped|withdrew) (?:all |the |our )?(?:support|maintenance) (?:for|of) |(?:stopped|discontinued) (?:supporting|maintaining|using) |no longer (?:supports?|supporting|runs? on|works? with|maintains?|uses?|accepts?|ships?|builds? (?:on|with)) ',
    behind:
      '(?:is|are) (?:now )?no longer (?:supported|maintained|available|provided|accepted|served|used|in use|tested|shipped|offered)|(?:is|are) (?:now )?(?:unsupported|obsolete|gone|retired|(?:at )?end[- ]of[- ]life|eol)\\b|(?:has |have )?reached (?:its |their |the )?(?:end[- ]of[- ](?:life|support)|eol)|(?:was|were|has been|have been|is|are) (?:now )?(?:removed|retired|discontinued|withdrawn|yanked|shut down|switched off|turned off|decommissioned|sunset|superseded by|replaced by)|support (?:was|has been|is) (?:dropped|removed|discontinued|withdrawn)|support (?:has )?ended',
    around: [
      [
        'support for ',
        '(?:was|has been|is) (?:now )?(?:dropped|removed|discontinued|ended|withdrawn)|(?:has )?ended',
      ],
      ['(?:upgraded|migrated|moved|switched|bumped)(?: [\\w.@/-]{1,40}){0,4} from\\s', 'to '],
    ],
    unsure:
      'if|when|once|will|would|should|could|plan\\w*|until|unless|whether|may|might|soon|todo|consider\\w*|propos\\w*|not yet|going to|about to|next|upcoming|never',
    below: '(?:and|or) (?:older|below|earlier|lower|before|under)',
    goesOn:
      'is|are|and|or|with|for|in|on|to|from|as|at|by|has|have|must|should|can|needs?|required?|requires|only|now|installed|runtime|lts|app|project|image|environment|series|branch|api',
    phrases: [
      '+"no longer supported"',
      '+"no longer supports"',
      '+"no longer maintained"',
      '+"no longer available"',
      '+"no longer used"',
      '+"no longer runs"',
      '+"no longer works"',
      '+"end of life"',
      '+"dropped support"',
      '+"drop support"',
      '+"removed support"',
      '+"support for" +dropped',
      '+"support for" +ended',
      '+"is unsupported"',
      '+"was removed"',
      '+"was retired"',
      '+"has been retired"',
      '+"has been removed"',
      '+"was discontinued"',
      '+"replaced by"',
      '+"superseded by"',
      '+"shut down"',
      '+"switched off"',
      '+"stopped supporting"',
      '+upgraded +from',
      '+migrated +from',
    ],
  },
  {
    needs:
      'benötigt|braucht|erfordert|verwende[tn]|nutz(?:t|en)|läuft (?:auf|mit|unter)|laufen (?:auf|mit|unter)|basiert auf|getestet mit|installier\\p{L}*|hängt ab von|voraussetzung\\p{L}*|mindestens|unterstützt|derzeit|aktuell',
    needed: '(?:wird|ist) (?:benötigt|vorausgesetzt|erforderlich|nötig)',
    heads: 'voraussetzung\\p{L}*|anforderungen|abhängigkeiten|technik',
    atLeast: 'mindestens|oder (?:neuer|höher|später)|und (?:neuer|höher)',
    otherwise:
      'waren?|wurden?|früher\\p{L}*|vorher|bisher\\p{L}*|veraltet\\p{L}*|nicht|kein\\p{L}*|statt|wenn|falls|seit|bis|aktualisier\\p{L}*|umgestiegen|migrier\\p{L}*|entfern\\p{L}*|eingeführt|hinzugefügt|z\\. ?b|beispiel\\p{L}*|geändert|behoben|wird|werden|ältere?',
    before: 'unterstütz(?:t|en) (?:nun |jetzt )?(?:nicht mehr|kein) ',
    behind:
      'w(?:ird|erden) (?:nun |jetzt |seit [^.]{1,30} )?nicht (?:mehr|länger) (?:unterstützt|gepflegt|gewartet|verwendet|angeboten|ausgeliefert|genutzt)|(?:ist|sind) (?:nicht mehr verfügbar|abgekündigt|eingestellt|abgeschaltet|entfallen)|w(?:urde|urden) (?:entfernt|abgeschaltet|eingestellt|abgelöst|durch|ersetzt)',
    around: [
      [
        'unterstützung (?:für|von) ',
        '(?:wurde|ist) (?:eingestellt|beendet|entfernt|entfallen|weggefallen)',
      ],
      [
        '(?:von|von version) ',
        '(?:auf|zu) [^.;]{1,60} (?:umgestiegen|umgestellt|aktualisiert|migriert)',
      ],
    ],
    unsure: 'wenn|falls|sobald|soll\\p{L}*|könnte\\p{L}*|geplant|bald|demnächst|noch nicht|künftig',
    below: '(?:und|oder) (?:älter|ältere|früher|niedriger|darunter)',
    goesOn: 'ist|sind|und|oder|mit|für|auf|in|ab|als|muss|laufzeit',
    phrases: [
      '+"nicht mehr unterstützt"',
      '+"nicht länger unterstützt"',
      '+"nicht mehr gepflegt"',
      '+"nicht mehr verfügbar"',
      '+"unterstützung für" +eingestellt',
      '+abgeschaltet',
      '+abgekündigt',
      '+umgestiegen',
    ],
  },
  {
    needs:
      'nécessite|requiert|exige|utilis(?:e|er|ons)|fonctionne (?:avec|sur)|tourne sur|basé sur|testé avec|install(?:e|er|ez)|dépend de|prérequis|au moins|minimum|prend en charge|actuellement',
    needed: 'est (?:requis|nécessaire|exigé)\\p{L}*',
    heads: 'prérequis|dépendances|configuration requise',
    atLeast: 'au moins|minimum|ou (?:supérieure?|ultérieure?|plus)',
    otherwise:
      "étai(?:t|ent)|avant|ancien\\p{L}*|ne|n['’]\\p{L}*|pas|sans|si|quand|lorsque|depuis|jusqu\\p{L}*|migr\\p{L}*|supprim\\p{L}*|ajout\\p{L}*|introdui\\p{L}*|exemple|corrig\\p{L}*|sera",
    before: "(?:ne|n[’'])\\s?(?:prend|supporte|utilise) plus (?:en charge )?",
    behind:
      "n[’']est plus (?:pris\\p{L}* en charge|support\\p{L}*|maintenu\\p{L}*|disponible|utilisé\\p{L}*)|ne sont plus (?:pris\\p{L}* en charge|support\\p{L}*|maintenu\\p{L}*|disponibles)|a été (?:supprimé|retiré|abandonné|remplacé)\\p{L}*|a atteint (?:sa|la) fin de vie",
    around: [
      ['(?:prise en charge|support) de ', '(?:a été|est) (?:supprim|abandonn|retir|arrêt)\\p{L}*'],
    ],
    unsure: 'si|quand|lorsque|sera|seront|bientôt|prévu\\p{L}*|devrait',
    below: '(?:et|ou) (?:antérieure?s?|inférieure?s?|plus anciennes?)',
    goesOn: 'est|sont|et|ou|avec|pour|sur|à|doit',
    phrases: [
      '+"plus pris en charge"',
      '+"plus prise en charge"',
      '+"plus maintenu"',
      '+"plus disponible"',
      '+"prend plus en charge"',
      '+"prise en charge" +supprimée',
      '+"fin de vie"',
    ],
  },
  {
    needs:
      'requiere|necesita|us(?:a|ar|amos)|utiliza|funciona con|basado en|probado con|instal(?:a|ar|e)|depende de|requisitos?|al menos|mínimo|soporta|compatible con|actualmente',
    needed: 'es (?:necesari|requerid|obligatori)\\p{L}*',
    heads: 'requisitos|dependencias',
    atLeast: 'al menos|mínimo|o (?:superior|posterior|más reciente)',
    otherwise:
      'eran?|fue|fueron|antes|anterior\\p{L}*|no|sin|si|cuando|desde|hasta|migr\\p{L}*|elimin\\p{L}*|añad\\p{L}*|introduc\\p{L}*|ejemplo|corregi\\p{L}*|será|antigu\\p{L}*',
    before:
      'ya no (?:admite|soporta|es compatible con|usa|utiliza|funciona con) |se eliminó el soporte (?:para|de) ',
    behind:
      'ya no (?:es|está|son|están|tiene|tienen) (?:soport\\p{L}*|compatible\\p{L}*|disponible\\p{L}*|mantenid\\p{L}*|admitid\\p{L}*)|(?:ha sido|fue|fueron) (?:eliminad|retirad|reemplazad|descontinuad)\\p{L}*|(?:ha llegado|llegó) al (?:fin|final) de su vida',
    around: [['soporte (?:para|de) ', '(?:ha sido|fue) (?:eliminad|retirad)\\p{L}*']],
    unsure: 'si|cuando|será|serán|pronto|debería|planeado',
    below: '(?:y|o|e) (?:anteriores?|inferiores?|más antigu\\p{L}*)',
    goesOn: 'es|son|y|o|con|para|en|debe',
    phrases: [
      '+"ya no es compatible"',
      '+"ya no tiene soporte"',
      '+"ya no está disponible"',
      '+"ya no admite"',
      '+"ya no soporta"',
      '+"soporte para" +eliminado',
      '+"fin de su vida"',
    ],
  },
  {
    needs:
      'требует(?:ся)?|требуют|нужен|нужна|использу\\p{L}*|работает на|на базе|установи\\p{L}*|зависит от|минимум|поддерживает|совместим\\p{L}*|сейчас',
    needed: 'необходим\\p{L}*|требуется',
    heads: 'требования|зависимости',
    atLeast: 'минимум|не ниже|или (?:выше|новее)',
    otherwise:
      'был\\p{L}*|раньше|ранее|до|не|нет|без|если|когда|с версии|обнов\\p{L}*|удал\\p{L}*|добавл\\p{L}*|например|исправл\\p{L}*|переш\\p{L}*|будет|стар\\p{L}*',
    before:
      '(?:прекращена|удалена|прекратили|убрана) поддержк[ау] |(?:больше|более) не (?:поддержива|использу)\\p{L}* ',
    behind:
      '(?:больше|более) не (?:поддержива|использу|обслужива)\\p{L}*|снят\\p{L}* с поддержки|удал[её]н\\p{L}*|отключ[её]н\\p{L}*|устарел\\p{L}*',
    around: [['поддержка ', '(?:прекращена|удалена|завершена)']],
    unsure: 'если|когда|будет|будут|скоро|планиру\\p{L}*|возможно',
    below: '(?:и|или) (?:ниже|старше|более ранн\\p{L}*)',
    goesOn: 'и|или|для|на|с|в',
    phrases: [
      '+"больше не поддерживается"',
      '+"более не поддерживается"',
      '+"больше не поддерживаются"',
      '+"прекращена поддержка"',
      '+"поддержка" +прекращена',
      '+"снята с поддержки"',
    ],
  },
  {
    needs: '需要|要求|使用|运行|基于|安装|依赖|至少|支持|兼容|目前|当前|前提',
    needed: '是?必[需须]',
    heads: '要求|依赖|前提|环境',
    atLeast: '至少|最低|或(?:更高|以上|更新)|及?以上',
    otherwise:
      '曾|以前|之前|旧版|不|没|升级|迁移|移除|删除|添加|新增|引入|例如|比如|如果|当.{0,12}时|修复|替代|废弃|弃用|停止|将',
    before: '不再支持\\s*|停止(?:支持|维护)\\s*|不再使用\\s*|放弃(?:支持)?\\s*',
    behind:
      '(?:现)?已?(?:经)?(?:不再(?:受|被)?(?:支持|维护|使用)|停止(?:支持|维护|服务)|被?移除|下线|弃用|结束生命周期)',
    around: [['(?:移除|取消|放弃|停止)了?对\\s*', '的支持']],
    unsure: '如果|将|计划|可能|即将|是否|尚未',
    below: '(?:及|或|和)?(?:以下|更早|之前|更低)',
    goesOn: '(?![个次天倍年月日周种条项分秒位人])\\p{Script=Han}',
    phrases: ['+"不再支持"', '+"不再维护"', '+"停止支持"', '+"停止维护"', '+"的支持" +移除'],
  },
]

function anyOf(words: readonly string[], flags = 'iu'): RegExp {
  // Han has no spaces between words.
  const han = words.at(-1)!
  const others = words.slice(0, -1).join('|')
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${others})(?![\\p{L}\\p{N}])|(?:${han})`, flags)
}

/** What may stand between one of them and its version: its name, and what is named with it. */
const BETWEEN =
  '(?:(?!(?<!\\p{L})(?:that|which|so|because|where|who|how|dass|das|qui|que|которы\\p{L}*)(?!\\p{L}))[^;!?。；]){0,60}'
const needs = WORDS.map((words) => words.needs)
export const NEEDS = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(?:${needs.slice(0, -1).join('|')})(?![\\p{L}\\p{N}])|(?:${needs.at(-1)!})):?${BETWEEN}$`,
  'iu',
)
/** A word that says so, and is no name. */
export const IS_NEED = new RegExp(`^(?:${needs.join('|')})$`, 'iu')
export const NEEDED = new RegExp(
  `^[^.,;!?]{0,24}?(?:${WORDS.map(({ needed }) => needed).join('|')})`,
  'iu',
)
/** Something came with it, and is there since. */
export const AS_OF = /(?:as of|ab|stand|à partir de|a partir de|с|начиная с|自)\s*$/iu
export const HEADS = anyOf(WORDS.map(({ heads }) => heads))
export const AT_LEAST = anyOf(WORDS.map(({ atLeast }) => atLeast))
export const OTHERWISE = anyOf(WORDS.map(({ otherwise }) => otherwise))
export const UNSURE = anyOf(WORDS.map(({ unsure }) => unsure))

const BELOW = `(?:\\s*(?:${WORDS.map(({ below }) => below).join('|')}))`
export const IS_BELOW = new RegExp(`^${BELOW}`, 'iu')
const joined = (each: (words: VersionWords) => string): string => WORDS.map(each).join('|')

/** Words between a list of versions and what is said of them. */
const LEAD = `^${BELOW}?[\\s,:)—–-]*`
export const ENDS_BEFORE = new RegExp(
  `(?:^|[^\\p{L}]|(?<=\\p{Script=Han}))(?:${joined(({ before }) => before)})$`,
  'iu',
)
/** `What was possible in v4 is gone` says nothing of v4. */
export const IS_PART =
  /(?<!\p{L})(?:in|of|from|with|by|for|on|since|than|im|von|mit|bei|für|dans|de|du|en|con|del|в|с|из|от)\s*$/iu
export const ENDS_BEHIND = new RegExp(`${LEAD}(?:${joined(({ behind }) => behind)})`, 'iu')
export const ENDS_AROUND: readonly (readonly [RegExp, RegExp])[] = WORDS.flatMap(({ around }) =>
  around.map(
    ([before, behind]) =>
      [
        new RegExp(`(?<!\\p{L}|\\p{N})(?:${before})$`, 'iu'),
        new RegExp(`${LEAD}(?:${behind})`, 'iu'),
      ] as const,
  ),
)
export const GOES_ON = new RegExp(
  `^(?:(?:${WORDS.slice(0, -1)
    .map(({ goesOn }) => goesOn)
    .join('|')})(?!\\p{L})|${WORDS.at(-1)!.goesOn})`,
  'iu',
)

export const PHRASES: readonly string[] = WORDS.flatMap(({ phrases }) => phrases)
