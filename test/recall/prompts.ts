/**
 * Prompts judged by hand: which page each one names, or that it names none and nothing answers it.
 * The page is what stands behind the arrow.
 */
export interface Judged {
  readonly prompt: string
  /** A path; undefined where recall has to be silent. */
  readonly page: string | undefined
}

function named(lines: string): readonly Judged[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [prompt = '', page] = line.trim().split(' -> ')
      return { prompt, page }
    })
}

function silent(lines: string): readonly Judged[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => ({ prompt: line.trim(), page: undefined }))
}

const HANDBOOK_NAMED = named(`
  I'm preparing the on-call handover, anything I should know? -> practices/working-hours.md
  before I take pager duty next week, what's our agreement? -> practices/working-hours.md
  draft an email about the new on-call rota -> practices/working-hours.md
  I have a call with Mara at three -> people/mara-lind.md
  mara wants numbers for friday -> people/mara-lind.md
  write a reply to Mara Lind about the contract -> people/mara-lind.md
  what would mara lind think of this pricing? -> people/mara-lind.md
  summarise Mara's position for the board -> people/mara-lind.md
  help me phrase a message to Jonas -> people/jonas-okafor.md
  jonas okafor is out today, who covers? -> people/jonas-okafor.md
  who is Okafor? -> people/jonas-okafor.md
  okafor's phone number please -> people/jonas-okafor.md
  I'm having lunch with Inês tomorrow -> people/ines-vidal.md
  ask ines whether this query is safe -> people/ines-vidal.md
  Inês Vidal is on vacation, can I merge this? -> people/ines-vidal.md
  what does vidal own? -> people/ines-vidal.md
  a summary of INES VIDAL for the newcomer -> people/ines-vidal.md
  I'm touching ingest today -> architecture/ingest.md
  refactor the ingest worker so that it batches -> architecture/ingest.md
  the Ingest service looks slow -> architecture/ingest.md
  add a term to the glossary -> glossary.md
  is there a glossary? -> glossary.md
  prepare a postmortem for yesterday -> practices/incidents.md
  I have to write two postmortems this week -> practices/incidents.md
  we had an outage at noon -> practices/incidents.md
  what's our incident process -> practices/incidents.md
  Handling incidents: turn this into a checklist -> practices/incidents.md
  do I need a rollback plan for this change? -> runbooks/roll-back-a-release.md
  trigger a rollback in staging -> runbooks/roll-back-a-release.md
  let's undo a deployment of the web page -> runbooks/roll-back-a-release.md
  write a script for disaster recovery -> runbooks/restore-a-backup.md
  I want to practise restoring: restore a backup on my laptop -> runbooks/restore-a-backup.md
  new hire asks about disaster recovery at our place -> runbooks/restore-a-backup.md
  automate key rotation with a cron job -> runbooks/rotate-credentials.md
  we found a leaked secret in the repo -> runbooks/rotate-credentials.md
  rotate credentials for the mail provider -> runbooks/rotate-credentials.md
  I got ENOSPC on db2 -> runbooks/disk-is-full.md
  the log says no space left on device -> runbooks/disk-is-full.md
  hm, a disk is full again -> runbooks/disk-is-full.md
  the queue is stuck since nine -> runbooks/queue-is-stuck.md
  there is a poisoned job in production -> runbooks/queue-is-stuck.md
  jobs do not run after the upgrade -> runbooks/queue-is-stuck.md
  customer reports station offline in Husum -> runbooks/station-goes-silent.md
  a station goes silent every night at two -> runbooks/station-goes-silent.md
  the gauge does not report since monday -> runbooks/station-goes-silent.md
  open station-goes-silent and shorten it -> runbooks/station-goes-silent.md
  please do a code review of this branch -> practices/code-review.md
  how do we handle pull requests from outside? -> practices/code-review.md
  turn "Code review" into a slide -> practices/code-review.md
  read the page "Alerts" first -> architecture/alerts.md
  update alerts.md with the new level -> architecture/alerts.md
  the Alerts page is out of date -> architecture/alerts.md
  explain the nightly canary to me -> architecture/alerts.md
  what does hysteresis mean for us? -> architecture/alerts.md
  give me the system overview in one paragraph -> architecture/overview.md
  how the system fits together, for a newcomer -> architecture/overview.md
  fix my dev setup -> onboarding/development-setup.md
  my local environment is broken after the update -> onboarding/development-setup.md
  set up a development machine for Rafi -> onboarding/development-setup.md
  documentation style: is passive voice fine? -> practices/writing-notes.md
  the Hafenhandbuch needs a new cover -> de/hafenbetrieb.md
  wer macht die Wartung der Station? -> de/hafenbetrieb.md
  translate the Anleitung für Hafenbetreiber -> de/hafenbetrieb.md
  add a question to the FAQ -> customers/harbour-faq.md
  support answers are too long, shorten them -> customers/harbour-faq.md
  look at the March incident again -> meetings/2026-03-10-incident-review.md
  why were there silent alerts in spring -> meetings/2026-03-10-incident-review.md
  open 2026-02-03-planning and list the actions -> meetings/2026-02-03-planning.md
  compare with the Retrospective, April 2026 -> meetings/2026-04-14-retrospective.md
  why postgresql and not something else -> decisions/0001-postgres-for-readings.md
  UTC everywhere: does that hold for logs too? -> decisions/0003-one-unit-and-one-clock.md
  does one unit and one clock apply to the API? -> decisions/0003-one-unit-and-one-clock.md
  remind me: nobody is woken for yellow, right? -> decisions/0005-nobody-is-woken-for-yellow.md
  feature flags live for eight weeks, why? -> decisions/0004-feature-flags.md
  follow the release checklist for 4.2 -> runbooks/release.md
  can you check what jonas promised? -> people/jonas-okafor.md
  draft the agenda with mara and ines -> people/mara-lind.md
  Lind's calendar looks full -> people/mara-lind.md
  our glossary misses "canary" -> glossary.md
  ingest keeps restarting, look at the logs -> architecture/ingest.md
  I need the disaster recovery numbers for the audit -> runbooks/restore-a-backup.md
  the customer asked about a rollback -> runbooks/roll-back-a-release.md
  pager duty: can I swap with Rafi? -> practices/working-hours.md
  give Tomke the dev setup -> onboarding/development-setup.md
  outage in Cuxhaven, write the notice -> practices/incidents.md
  who wrote "Nobody is woken for yellow"? -> decisions/0005-nobody-is-woken-for-yellow.md
  the key rotation is due -> runbooks/rotate-credentials.md
  see runbooks/queue-is-stuck.md and tell me the first command -> runbooks/queue-is-stuck.md
  is idempotence of ingest tested? -> architecture/ingest.md
  write a Postmortem template -> practices/incidents.md
`)

const HANDBOOK_SILENT = silent(`
  thanks, that works
  good morning!
  yes please go ahead
  no, the other one
  can you explain that again in simpler words?
  write a haiku about the sea
  plan my team day
  how are you today
  what time is it in Tokyo?
  fix the failing tests in src/parser.ts please
  rename this variable to something shorter
  convert this json to yaml
  why does typescript complain about this generic?
  tell me a joke about cats
  translate "good night" into Spanish
  the weather is lovely, people are out
  my team won the match yesterday
  what should I cook for dinner?
  write a birthday poem for my sister
  summarise the plot of Hamlet
  who won the world cup in 1998?
  explain the offside rule
  suggest a name for a kitten
  find me a cheap flight to Rome
  book holidays in Greece for two
  I need a break, holidays cannot come soon enough
  add a loading spinner to the button
  center a div with flexbox
  what is the capital of Mongolia?
  review this poem for rhythm
  give me feedback on my essay about Kant
  how many moons does Jupiter have?
  the people next door are loud
  make the heading bigger
  why is my code so slow
  use tabs instead of spaces
  undo that
  start here and count to ten
  words we use for snow in other languages
  draw an ascii picture of a fish
  compute 17 times 23
  is water wet?
  recommend a novel by Austen
  compose a limerick about a penguin
  Which guitar should a beginner buy?
  my car makes a strange noise
  warnings from eslint are annoying, silence them in this file
  the architecture of Gothic cathedrals
  I feel tired
  the compiler warns about an unused import
  list the kings of Norway
  solve x^2 = 16
  what does the Latin phrase carpe diem mean?
  ok
  regex for matching an email address
  how long do I boil an egg?
  swap these two functions
  I'd like a vegetarian recipe with lentils
  my son starts school in autumn
  is this sentence grammatical?
  write a cover letter for a bakery
  rephrase politely: leave me alone
  why do cats purr
  sing me a song
  please commit and push
  run the linter again
  what's new in CSS this year?
  move the sidebar to the left
  a short story about a lighthouse keeper and a whale
  how do magnets work
  tell Peter I am late
  best museums in Vienna
  who was Ada Lovelace
  the review of the new phone was bad
  make it faster
  hey
  sounds good, continue
  remove the trailing comma
  add unit tests for the date helper
  who painted the Mona Lisa?
  how far is the moon
  a present for my mother
  this function should return early
  change the color to dark blue
  give me three synonyms for happy
  my dog ate my homework
  the train was late again
  please be brief
  what do you think?
  install node 24 on ubuntu
  why is the sky blue
  create a new branch and open a pr
  sort the list by name
  I want to learn the piano
  how do I invite people to my party
  write alerts in javascript with a modal
  the first day of summer
  my working hours are killing me
  turn on the lights
  describe the water cycle
  can the release of dopamine be measured?
  a decision tree for iris data
  harbour seals eat fish
  get the current time in UTC
  practise makes perfect
`)

const STUDIO_NAMED = named(`
  prepare the bluefin demo -> projects/Bluefin.md
  Bluefin's launch slips by a week -> projects/Bluefin.md
  write a status mail for Project Bluefin -> projects/Bluefin.md
  who are the pilot shops again -> projects/Bluefin.md
  kestrel returns 500 for empty baskets -> projects/Kestrel.md
  add caching to kestrel-api -> projects/Kestrel.md
  document the Kestrel API -> projects/Kestrel.md
  the meridian rollout starts monday -> projects/Meridian rollout.md
  checklist for the Meridian rollout please -> projects/Meridian rollout.md
  should we revive tidepool? -> projects/Tidepool.md
  Tidepool needs a logo -> projects/Tidepool.md
  my docker setup broke -> howto/Docker setup.md
  the home network is down -> howto/Home network.md
  invoice numbering for the new year -> howto/Invoice numbering.md
  the espresso machine leaks -> howto/Espresso machine.md
  buy parts for the espresso machine -> howto/Espresso machine.md
  my sourdough starter smells odd -> howto/Sourdough starter.md
  packing list for Lisbon 2026 -> travel/Lisbon 2026.md
  grace holloway asked for receipts -> people/Grace Holloway.md
  an email to Holloway about the deadline -> people/Grace Holloway.md
  holloway's invoice is overdue -> people/Grace Holloway.md
  I should ask Grace before paying this -> people/Grace Holloway.md
  nadia sent a voice message -> people/Nadia Rahimi.md
  Nadia's mockups are in the mail -> people/Nadia Rahimi.md
  is rahimi available in june? -> people/Nadia Rahimi.md
  call bergström about bread -> people/Tom Bergström.md
  call Bergstrom about bread -> people/Tom Bergström.md
  tom bergström's oven broke -> people/Tom Bergström.md
  have will carter read this contract -> people/Will Carter.md
  ruth carter would like a printed copy -> people/Ruth Carter.md
  pick something from my reading list -> Reading list.md
  open the note called Plan -> Plan.md
  show "Plan" -> Plan.md
  what is in [[Ideas]] -> Ideas.md
  the Budget page, please -> Budget.md
  read May.md -> May.md
  who of bluefin and kestrel is behind? -> projects/Kestrel.md
  Compare Tidepool, Kestrel and Bluefin -> projects/Tidepool.md
  meeting with Nadia Rahimi and Grace Holloway -> people/Nadia Rahimi.md
  what did I decide on “Home network”? -> howto/Home network.md
  did nadia reply? -> people/Nadia Rahimi.md
  kestrel's p99 is up -> projects/Kestrel.md
  Holloway needs the March receipts -> people/Grace Holloway.md
  repair the espresso machine -> howto/Espresso machine.md
  is bluefin ready? -> projects/Bluefin.md
  book a restaurant for Lisbon 2026 -> travel/Lisbon 2026.md
  a birthday card for Tom Bergström -> people/Tom Bergström.md
  estimate the meridian rollout -> projects/Meridian rollout.md
`)

const STUDIO_SILENT = silent(`
  plan a trip to Japan
  make a plan first, then code
  what's the plan?
  Plan the migration in small steps
  take notes while I talk
  any notes on this function?
  Notes: the customer is angry
  it may rain tomorrow
  May I ask you something?
  the deadline is in May
  see you on 12 May 2027
  add an index to the users table
  the index is out of bounds
  Index the array from zero
  any ideas?
  I have no ideas left
  the team is tired
  go on
  let's go
  Go ahead and delete it
  my budget is ten euros
  I'm going home
  home is where the heart is
  grace under pressure
  will you do it?
  Will it compile?
  the carter family
  ask Carter for advice
  a reading of the poem
  list all files
  number the pages
  the machine stops
  starter kit for rust
  update README.md
  open index.ts
  the new roll-out of Windows
  network error when fetching
  docker build fails with exit code 1
  print hello world
  What a lovely day in may
  plan b
  a note on style
  the may flower
  tom and jerry
  go fish
  network with people
  an idea for a present
  reading is fun
  team up with me
  the grace period ends soon
  a docker image for redis
`)

export const HANDBOOK_PROMPTS = [...HANDBOOK_NAMED, ...HANDBOOK_SILENT]
export const STUDIO_PROMPTS = [...STUDIO_NAMED, ...STUDIO_SILENT]

/** Names as several languages and hands write them: joined to other words, or in another case. */
const LANGUAGES_NAMED = named(`
  compare Kestrel/Bluefin costs -> en/Kestrel.md
  are Kestrel/Bluefin costs alike? -> en/Bluefin.md
  ask Mara—she knows -> people/Mara Lind.md
  Kestrel,Bluefin and the others -> en/Bluefin.md
  a Kestrel-based tool -> en/Kestrel.md
  das Kestrel-Projekt läuft gut -> en/Kestrel.md
  Kestrels Antworten sind zu langsam -> en/Kestrel.md
  ich bereite die Dienstübergabe vor -> de/Dienstübergabe.md
  wie sieht der schichtplan aus? -> de/Schichtplan.md
  schreib etwas zum Inhalt des Schichtplans -> de/Schichtplan.md
  je prépare la passation d'astreinte -> fr/Passation.md
  on se voit à l'Orangerie demain -> fr/Orangerie.md
  le rapport d’Amélie est en retard -> people/Amélie Laurent.md
  l'atelier boréal est fermé -> fr/Atelier.md
  preparo el traspaso de guardia -> es/Traspaso.md
  ¿traspaso de guardia? -> es/Traspaso.md
  я готовлю передачу дежурства -> ru/Передача дежурства.md
  Передача дежурства: что знать? -> ru/Передача дежурства.md
  обсудить с Анной Петровой -> people/Анна Петрова.md
  спроси Петрову -> people/Анна Петрова.md
  что с Берёзкой? -> ru/Берёзка.md
  Березка закрыта -> ru/Берёзка.md
  我正在准备值班交接，有什么要注意的？ -> zh/值班交接.md
  青鸟项目的价格是多少 -> zh/青鸟项目.md
  问一下王小明 -> people/王小明.md
  “青鸟”怎么样 -> zh/青鸟项目.md
  打开《计划》 -> zh/计划.md
  渡り鳥計画の準備をしています -> ja/渡り鳥計画.md
  来週京都に行きます -> ja/京都.md
  인수인계를 준비하고 있어요 -> ko/인수인계.md
`)

const LANGUAGES_SILENT = silent(`
  fix src/kestrel-old/main.ts please
  Mara-Lena ruft morgen an
  a bluefinned fish
  der Dienst beginnt um acht
  schreib mir einen Plan für die Woche
  danke, das reicht
  quel temps fait-il demain ?
  l'heure d'été commence quand ?
  d'abord, corrige cette fonction
  qu'est-ce que tu en penses ?
  gracias, eso es todo
  escribe una función que ordene una lista
  la guardia llega a las ocho
  спасибо, этого достаточно
  что ты думаешь об этом?
  напиши функцию сортировки
  мои заметки пусты
  дежурная аптека открыта?
  петровская эпоха в двух словах
  今天天气怎么样
  帮我写一个排序函数
  周末的计划是什么
  谢谢，就这样
  北京大学的历史
  大阪府的人口是多少
  这只鸟是青色的
  小明和小红的故事
  ありがとうございます
  鳥の名前を教えて
  고마워요, 됐어요
`)

export const LANGUAGES_PROMPTS: readonly Judged[] = [...LANGUAGES_NAMED, ...LANGUAGES_SILENT]
