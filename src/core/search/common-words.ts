/**
 * Words that are a note's title as often as they are just a word: what people and agents say in any
 * conversation, months and days, and what notes and folders are called everywhere. A name that is
 * nothing but such a word is heard only where it is said to be a note (`speaking-names.ts`).
 */
import { fold } from './analysis/fold.ts'

/** As they are compared: without case and accents. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `able accept access account act action active activity actual add address advice afternoon age agent
  agenda agree agreement ahead air alert allow almost alone already also although always amount analysis
  analyze animal announce architecture answer anybody anyone anything anyway api app apple application apply
  appointment approach approval approve archive area argument arrive art article ask assign assignment
  assistant assume attach attempt attention august author automation available average avoid away baby
  back background backlog bad bag balance ball bank bar base basic basis bath beach beautiful become bed
  begin behavior behaviour believe benefit best better big bill bird birthday bit black blank block blog
  blue board boat body book bookmark books boss bottom box boy branch brand bread break breakfast bridge
  brief bright bring broken brother brown browser bucket budget bug build building bus business busy
  button buy cache calendar call camera capital car card care career case cash cat category cause center
  central century certain chain chair challenge chance change changelog channel chapter character chart
  chat cheap check checklist child children choice choose church city claim class classroom clean cleanup
  clear client clock close cloth clothes cloud club code coffee cold collection color colour column come
  command comment commit common communication community company compare comparison competition complete
  computer concept concern condition config configuration conclusion confirm connect connection consider
  contact contacts contain content contents context continue contract control conversation cook cookie
  copy core corner correct cost count country couple course cover create credit critical cross culture
  cup current customer cut cycle daily damage dance danger dark dashboard data database date daughter day
  days dead deadline deal debug december decide decision decisions deep default define definition delay
  delete deliver delivery demand demo department depend dependency deploy deployment describe description
  design desk detail details develop developer development device diagram diary die diet difference
  different difficult digital dinner direct direction directory discover discuss discussion distance
  divide doctor document documentation dog dollar door double down download draft draw dream dress drink
  drive driver drop dry due during duty early ear earth ease east easy eat economy edge edit editor
  education effect effort egg eight either election else email emergency employee empty end energy engine
  engineer enjoy enough enter entire entry environment equal error escape essay establish estimate europe
  even evening event ever every everybody everyone everything evidence example excellent exception
  exchange exercise exist expect expense experience experiment expert explain export express extra eye
  face fact factor fail failure fair fall false family famous far farm fast father fear feature february
  federal feed feedback feel few field fight figure file files fill film final finance finances find fine
  finger finish fire first fish fit five fix flag flat flight floor flow fly focus folder follow food foot
  force forecast forest forget form formal format forward found four frame framework free freedom fresh
  friday friend friends front fruit full fun function fund funny future gain game games garden gas gather
  general generate get gift girl give glass global go goal goals god gold good government grace graph
  great green ground group grow growth guess guest guide guideline habit habits hair half hall hand handle
  happen happy harbor hard hat hate head heading health hear heart heat heavy height hello help hi high
  hill history hit hobby hold hole holiday holidays home homework hope hospital host hot hotel hour hours
  house however huge human hundred hunger ice idea ideas identify image imagine impact implement import
  important improve improvement inbox include income increase index individual industry info information
  initial input inside insight install instance instead instruction insurance integration interest
  interface internal international internet interview introduction invest investment invite invoice iron
  island issue issues item items jack january job jobs join journal journey joy judge july jump june just
  keep key keyboard kid kill kind king kitchen knowledge label lack lake land language large last late
  later launch law lay layer lead leader leadership learn learning least leave left leg legal less lesson
  let letter level library license lie life light like likely limit line link links list listen literature
  little live load loan local location lock log logic login logo logs long look loop lose loss lot love
  low luck lunch machine magazine magic mail main maintain maintenance major make man manage management
  manager many map march mark market marketing master match material math matter may maybe meal mean
  meaning measure meat media medical medicine meet meeting meetings member memory mention menu merge
  message meta method middle might migration mile milk million mind mine minute mirror miss mission mistake
  mix mode model modern module moment monday money monitor month months monthly mood moon more morning
  most mother motivation mountain mouth move movement movie movies much music name names narrow nation
  national natural nature near necessary need needs network never new news newsletter next nice night nine
  nobody node noise none normal north nose note notebook notes nothing notice november number object
  observe ocean october offer office official oil old onboarding one online open operation opinion
  opportunity option options orange order organization origin original out outcome outline output outside
  overview own owner package page pages paint pair pan paper parent park part partner party pass past
  paste patch path patient pattern pause pay payment peace pen people percent perfect perform performance
  perhaps period permission person personal phase phone photo photos phrase physical pick picture piece
  pipeline place plan planning plans plant plate play player please plot point policy politics pool poor
  popular population port position positive possible post pot power practice practise prefer preparation
  prepare present presentation press pressure pretty prevent previous price pricing principle print
  priority priorities private prize problem problems procedure process produce product production
  profession profile profit program programming progress project projects prompt promise proof proper
  property proposal protect prototype prove provide public publish pull purchase purpose push put quality
  quarter query queries question questions queue quick quickly quiet quite quote quotes race radio rain
  raise random range rate reach read reader reading readings readme ready real reason receive recent recipe
  recipes recommend record recovery red reduce refactor refactoring reference references reflect
  reflection region regular related relation relationship relationships release relevant remember reminder
  remind remote remove rename repeat reply report reports repository request require requirement
  requirements research resolve resource resources respond response rest restaurant result results resume
  return review reviews revision reward rich ride right ring rise risk river road roadmap rock role roll
  room root rose round route routine row rule rules run safe safety salary sale sales salt same sample
  sand saturday save say scale scene schedule school science score screen script sea search season seat
  second secret section security see seem select sell send sense sentence september sequence series serious
  serve server service session set settings setup seven several shape share sharp sheet ship shirt shoe
  shop shopping short shot shoulder show shower shut sick side sign signal silence silent silver similar
  simple sing single sister sit site situation six size skill skills skin sky sleep slide slow small smart
  smell smile snow social society soft software soil solution solve some somebody someone something
  sometimes son song soon sort sound source south space speak special specific speech speed spend spirit
  sport sports spring square stack staff stage stand standard standup star start state statement station
  stations status stay step steps stick still stock stone stop storage store storm story strategy stream
  street strong structure student study stuff style subject success such sugar suggest suggestion suit
  summary summer sun sunday supply support sure surface surprise survey sweet swim switch symbol sync
  system systems table tag tags take talk tall target task tasks taste tax taxes tea teach teacher team
  teams tech technical technique technology tell temperature template templates ten term terms test testing
  tests text thank thanks theme theory thing things think third thought thoughts thousand thread three
  threshold thresholds through throw thursday ticket tide time timeline times tip tips title today todo
  together tomorrow tonight tool tools tooth top topic topics total touch tour toward town track trade
  tradition traffic train training transfer translate translation transport travel tree trial trip trips
  trouble truck true trust truth try tuesday undo redo turn tutorial twice two type typical understand unit
  university update updates upgrade upload usage use useful user users usual vacation valid value values
  various version very video view vision visit visual voice volume vote wait wake walk wall want war warm
  warning warnings wash watch water wave way weak weather web website wedding wednesday week weekend weekly
  weeks weight welcome west white whole wide wife wiki wild will win wind window wine winter wish woman
  wonder wood word words work worker workflow working workout workplace world worry worth write writing
  wrong yard year yearly years yellow yes yesterday yet young zero zone
  abend abendessen alltag anfang april arbeit aufgabe aufgaben auto besprechung brief buch bücher dank
  datei dezember dienstag donnerstag einkauf einleitung ende entwurf essen familie februar ferien firma
  frage fragen freitag freunde geld geschichte gesundheit haus heute hilfe idee ideen index inhalt januar
  jahr juli juni kalender kind kinder kunde kunden küche leben liste literatur mai märz mittwoch monat
  montag morgen musik nachricht notiz notizen november oktober ordner person personen projekt projekte
  protokoll quelle rechnung reise reisen rezept rezepte samstag schule seite september sonntag spiel sport
  stadt tag termin termine test text thema themen treffen überblick übersicht urlaub vorlage vorlagen
  wetter wissen woche wochenende wohnung wort zeit ziel ziele zusammenfassung
  accueil ami amis année août argent avril but cours date décembre demain dimanche école enfant famille
  février idée idées janvier jeudi jour journal juillet juin liste livre livres lundi mai maison mardi
  mars mercredi mois musique note notes novembre octobre page plan problème projet projets question
  recette recettes résumé réunion samedi semaine septembre soir sujet tâche tâches temps travail vacances
  vendredi vie ville voyage
  abril agosto ahora amigo amigos año ayuda casa ciudad clase comida diario diciembre dinero domingo enero
  escuela familia febrero fecha fin hoy idea ideas jueves julio junio libro libros lista lunes mañana martes
  marzo mayo mes miércoles música nota notas noviembre octubre pregunta preguntas problema proyecto
  proyectos receta recetas resumen reunión sábado semana septiembre tarea tareas tiempo trabajo vacaciones
  viaje viajes vida viernes
  август апрель вопрос вопросы время встреча год декабрь день деньги дом друзья дневник задача задачи
  заметка заметки здоровье идеи идея июль июнь книга книги люди май март месяц музыка неделя ноябрь
  октябрь ответ отпуск план планы поездка проблема проект проекты работа рецепт рецепты семья сентябрь
  список тема февраль цели цель январь
  aber als auch auf aus bei bin bis bitte da danke dann das dass dein dem den der des die dir doch du ein
  eine einem einen einer eines er es für gibt hat ich ihr im ist ja kann kein keine man mein mich mir mit
  muss nach nein nicht noch nur ob oder ohne schon sein sich sie sind so über um und uns unser vom von vor
  wann war warum was wenn wer werden wie wir wird wo zu zum zur
  alors au aussi autre aux avec avez avoir bien bon bonjour ce cela ces cette chez comme comment dans de
  depuis des deux dire dit donc du elle en est et être eu faire fait fais faut ici il ils je la le les leur
  lui ma mais merci mes moi mon ne ni non nos notre nous on ont ou où oui par pas peu peut peux plus pour
  pourquoi qu quand que quel quelle quelles quels qui sa sans se ses si son sont suis sur ta te tes toi ton
  tous tout toute très tu un une va vers voici voilà vos votre vous y
  al algo antes así aunque bien cada como cómo con cosa cual cuál cuando cuándo de del desde donde dónde dos
  el él ella ellos en entre era es esa ese eso esta está este esto estos gracias ha hace hacer hasta hay he
  la las le les lo los más me mi mis muy nada ni no nos nosotros o otra otro para pero poco por porque pues
  puede que qué quién se ser si sí sin sobre son soy su sus también te tengo tiene todo todos tu tú un una
  uno y ya yo
  а без больше бы был была были было быть в вам вас весь во вот все всё вы где да даже для до его ее её если
  есть еще ещё же за здесь и из или им их к как какая какой когда кто ли мне можно мой мы на надо нам нас не
  него нее неё нет ни но ну о об один он она они от очень по под потому почему при про раз с сам свой себя
  сейчас со спасибо так такой там тебя тем теперь то тогда того тоже только том ты у уже хорошо чего чем что
  чтобы эта эти это этот я`
    .split(/\s+/)
    .map(fold),
)

/** Whether anybody says the word, in one of its forms; a number is nobody's name. */
export function isCommonWord(word: string): boolean {
  if (!/\p{L}/u.test(word)) return true
  return (
    COMMON_WORDS.has(word) || COMMON_WORDS.has(word.replace(/(?:es|s|ed|d|ing|er|est|ly)$/u, ''))
  )
}

/** Names of two words and more that people say without meaning a note. */
export const COMMON_PHRASES: ReadonlySet<string> = new Set(
  `to do|to dos|start here|read me|get started|getting started|how to|how tos|follow up|follow ups|check in
|check ins|check out|log in|log out|sign in|sign up|sign off|set up|next steps|next step|to read|to watch
|to buy|in progress|on hold|work in progress|read only|up next|what is|what next|what now|who we are
|about us|about me|open questions|open question|my notes|new note|new notes|new page|new project|new file
|read later|see also|for later|this week|next week|last week|this month|next month|last month|this year
|next year|last year|day one|big picture|best practices|best practice|table of contents|first steps
|first step|quick start|words we use|things to do|good morning|good night|thank you|no idea|main page
|home page|next time|end to end|step by step|day to day|up to date|long term|short term|real time
|full stack|front end|back end|side effects|side effect|error message|error messages|use case|use cases
|unit tests|unit test|source code|command line|open source|well done|all good|no problem|of course
|dear all|many thanks|kind regards|best regards|one more thing|good luck|happy birthday|long story short`
    .replaceAll('\n', '')
    .split('|'),
)

/** Words that begin with a capital wherever they stand, and name no person. */
export const CALENDAR_WORDS: ReadonlySet<string> = new Set(
  `january february march april may june july august september october november december monday tuesday
  wednesday thursday friday saturday sunday spring summer autumn winter christmas easter`.split(
    /\s+/,
  ),
)

/** The same in Chinese and Japanese, as they are written. */
export const COMMON_UNSPACED: ReadonlySet<string> = new Set(
  `计划 笔记 会议 日记 日志 项目 任务 索引 首页 目录 总结 目标 想法 问题 工作 学习 生活 今天 明天 昨天 今年 明年 去年 现在
  以后 以前 时间 地点 人物 公司 团队 客户 用户 产品 设计 开发 测试 发布 部署 文档 说明 介绍 概述 背景 方案 流程 步骤 方法
  工具 资源 参考 链接 列表 清单 待办 收集 归档 模板 草稿 备注 记录 报告 周报 月报 日报 数据 系统 服务 代码 编程 算法 网络
  安全 配置 安装 更新 版本 接口 文件 图片 视频 音乐 电影 读书 书籍 文章 写作 阅读 思考 健康 运动 饮食 旅行 购物 家庭 朋友
  孩子 学校 课程 考试 作业 老师 学生 中国 世界 社会 经济 政治 历史 文化 科学 技术 教育 艺术 自然 环境 城市 国家 语言 中文
  英文 英语 价格 预算 费用 收入 成本 合同 法律 政策 管理 沟通 反馈 建议 决定 讨论 结论 下一步 星期一 星期二 星期三 星期四
  星期五 星期六 星期日 周末 上午 下午 晚上 早上 一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月
  計画 會議 計劃 專案 項目 筆記 任務 問題 時間 今日 昨日 明日 会社 仕事 勉強 生活 日本 日本語 英語 予定 会議 議事録 メモ
  ノート リスト タスク プロジェクト テスト ガイド まとめ はじめに 目次 概要 背景 方法 手順 設定 設計 開発 資料 参考 記録
  月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 회의 계획 노트 메모 할일 일정 프로젝트 오늘 내일 어제`.split(
    /\s+/u,
  ),
)
