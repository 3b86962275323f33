import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { answerQuery, findQueryBlocks, firstOf } from './answer-queries.ts'
import { cellText } from './result-text.ts'
import { SUMMARIES } from './summaries.ts'

const NOW = Date.UTC(2026, 11, 1, 12)
const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const FILES = {
  'projects/alpha.md':
    '---\nstatus: active\nprio: 2\ndue: 2026-12-05\nowner: "[[ada]]"\ntags: [project/big]\ncost: 10\n---\n# Alpha\nSee [[beta]].\n\n## Now\n- [ ] write it 📅 2026-12-02 #home\n- [x] plan it [effort:: 3]\n',
  'projects/beta.md':
    '---\nstatus: done\nprio: 10\ndue: 2026-11-01\ntags: [project]\nauthors: [Bob, Ann]\ncost: 5\n---\n# Beta\nRating:: 4\n\n- [/] begun\n',
  'projects/gamma.md':
    '---\nstatus: active\nprio: 1\ntags: [project, old]\nDue by: 2027-01-31\n---\n# Gamma\n[[alpha]] and (mood:: good)\n',
  'people/ada.md': '---\nrole: Engineer\naliases: [Countess]\n---\n# Ada\n',
  'daily/2026-11-30.md': '# A day\nMet [[ada]].\n```\nmood:: in code\n```\n',
  'here.md': '---\nstatus: active\n---\n# Here\n[[beta]]\n',
}
const base = openSmallBase(FILES, { onFinished: (end) => ends.push(end) })

/** Rows as `first cell: the others`, groups as `{group}`; `? …` where it is not understood. */
async function found(language: 'dataview' | 'base', text: string, view = 0): Promise<string[]> {
  const { kb, store } = await base
  const here = await store.findByPath('notes', 'here.md')
  const { result, problem } = await answerQuery(
    kb,
    { language, line: 1, end: 1, text },
    { here, now: NOW, view },
  )
  if (!result) return [`? ${problem}`]
  const name = (id: string): string => id.replace(/^notes\/(?:\w+\/)?/, '').replace(/\.md$/, '')
  const shown = result.groups.flatMap(({ by, rows }) => [
    ...(by === undefined ? [] : [`{${name(cellText(by))}}`]),
    ...rows.map(({ cells, task }) =>
      task
        ? `${'>'.repeat(task.depth ?? 0)}[${task.mark}] ${task.text}`
        : cells.map((cell, at) => (at === 0 ? name(cellText(cell)) : cellText(cell))).join(' | '),
    ),
  ])
  const summed = (result.summaries ?? []).map(
    ({ column, name: by, value }) => `= ${result.columns[column]?.name} ${by} ${cellText(value)}`,
  )
  return [...shown, ...summed, ...result.notes.map((note) => `! ${note}`)]
}

it.each<[string, string[]]>([
  ['LIST', ['2026-11-30', 'here', 'ada', 'alpha', 'beta', 'gamma']],
  ['list from #project', ['alpha', 'beta', 'gamma']],
  ['LIST FROM #project/big', ['alpha']],
  ['LIST FROM "projects" AND -#old', ['alpha', 'beta']],
  ['LIST FROM ("people" or "daily") and !"daily"', ['ada']],
  ['LIST FROM "projects/alpha"', ['alpha']],
  ['LIST FROM "notes/projects" AND #old', ['gamma']],
  ['LIST FROM "Notes/Projects" AND #old', ['gamma']],
  ['LIST FROM "Projects/"', ['alpha', 'beta', 'gamma']],
  ['LIST FROM "proj"', []],
  ['LIST FROM "/"', ['2026-11-30', 'here', 'ada', 'alpha', 'beta', 'gamma']],
  ['LIST FROM [[ada]]', ['2026-11-30', 'alpha']],
  ['LIST FROM [[Countess]]', ['2026-11-30', 'alpha']],
  ['LIST FROM outgoing([[]])', ['beta']],
  ['LIST FROM [[nobody]]', []],
  ['LIST WITHOUT ID status FROM #project', ['active', 'done', 'active']],
  ['LIST role WHERE role', ['ada | Engineer']],
  ['TABLE prio FROM #project SORT prio DESC', ['beta | 10', 'alpha | 2', 'gamma | 1']],
  [
    'TABLE status, prio AS "P" SORT status, prio DESC LIMIT 2 WHERE true',
    ['2026-11-30 |  | ', 'ada |  | '],
  ],
  ['TABLE prio FROM #project WHERE status = "active" AND prio > 1', ['alpha | 2']],
  ['TABLE prio FROM #project WHERE status != "active" or prio = 1', ['beta | 10', 'gamma | 1']],
  ['TABLE rating, mood FROM "projects" WHERE rating or mood', ['beta | 4 | ', 'gamma |  | good']],
  ['LIST WHERE mood', ['gamma']],
  ['LIST WHERE due-by', ['gamma']],
  ['LIST WHERE status = this.status AND file.name != this.file.name', ['alpha', 'gamma']],
  ['LIST owner.role WHERE owner', ['alpha | Engineer']],
  ['LIST [[ada]].role FROM "people"', ['ada | Engineer']],
  ['LIST WHERE owner = [[ada]]', ['alpha']],
  ['LIST WHERE file.day', ['2026-11-30']],
  ['LIST WHERE file.day = date(yesterday)', ['2026-11-30']],
  ['LIST WHERE due AND due < date(today)', ['beta']],
  ['LIST due - date(today) WHERE due', ['alpha | 4 days', 'beta | -4 weeks, -2 days']],
  ['LIST WHERE due <= date(today) + dur(1 week) AND due >= date(today)', ['alpha']],
  [
    'LIST dateformat(due, "d MMM yyyy") WHERE due.year = 2026 AND due.month = 12',
    ['alpha | 5 Dec 2026'],
  ],
  ['LIST contains(authors, "Ann") FROM "projects/beta"', ['beta | true']],
  ['LIST join(authors, "; ") + "!" WHERE length(authors) = 2', ['beta | Bob; Ann!']],
  ['LIST default(prio, "none") FROM "people"', ['ada | none']],
  [
    'LIST choice(prio > 5, upper(status), lower("NO")) FROM #project',
    ['alpha | no', 'beta | DONE', 'gamma | no'],
  ],
  ['LIST regexreplace(status, "[aeiou]", "*") FROM #project/big', ['alpha | *ct*v*']],
  ['LIST WHERE regexmatch("a.*e", status)', ['here', 'alpha', 'gamma']],
  ['LIST WHERE regextest("^be", file.name)', ['beta']],
  ['LIST round(cost / 3, 2) FROM #project WHERE cost', ['alpha | 3.33', 'beta | 1.67']],
  ['LIST min(1, 2) + max([3, 4]) + sum(list(5, 6)) FROM "people"', ['ada | 16']],
  ['LIST map(authors, (a) => a + "?") WHERE authors', ['beta | Bob?, Ann?']],
  ['LIST filter([1, 2, 3], (n) => n >= 2) FROM "people"', ['ada | 2, 3']],
  ['LIST striptime(file.mtime) = file.mday FROM "people"', ['ada | true']],
  ['LIST file.tags FROM #project/big', ['alpha | #project, #project/big, #home']],
  ['LIST file.folder + "/" + file.name + "." + file.ext FROM "people"', ['ada | people/ada.md']],
  [
    'TABLE file.outlinks, file.inlinks FROM "projects/gamma"',
    ['gamma | notes/projects/alpha.md | '],
  ],
  ['LIST WHERE any(file.tasks, (t) => !t.completed)', ['alpha', 'beta']],
  [
    'TABLE T.text FROM "projects" FLATTEN file.tasks AS T WHERE T.completed',
    ['alpha | plan it [effort:: 3]'],
  ],
  [
    'TABLE author FROM #project FLATTEN authors AS author WHERE author',
    ['beta | Bob', 'beta | Ann'],
  ],
  [
    'TABLE length(rows) AS n, sum(rows.cost) FROM "projects" GROUP BY status',
    ['active | 2 | 10', 'done | 1 | 5'],
  ],
  [
    'LIST rows.file.link FROM #project GROUP BY status WHERE length(rows) > 1',
    ['active | notes/projects/alpha.md, notes/projects/gamma.md'],
  ],
  ['TASK', ['[ ] write it 📅 2026-12-02 #home', '[x] plan it [effort:: 3]', '[/] begun']],
  ['TASK WHERE !completed AND due', ['[ ] write it 📅 2026-12-02 #home', '[/] begun']],
  ['TASK WHERE effort = 3', ['[x] plan it [effort:: 3]']],
  ['TASK WHERE contains(tags, "#home") AND status = " "', ['[ ] write it 📅 2026-12-02 #home']],
  ['TASK FROM #project WHERE prio = 10', ['[/] begun']],
  ['TASK WHERE meta(section).subpath = "Now" AND completed', ['[x] plan it [effort:: 3]']],
  [
    'TASK GROUP BY file.link',
    [
      '{alpha}',
      '[ ] write it 📅 2026-12-02 #home',
      '[x] plan it [effort:: 3]',
      '{beta}',
      '[/] begun',
    ],
  ],
  ['CALENDAR due WHERE due', ['alpha | 2026-12-05', 'beta | 2026-11-01']],
  ['// a remark\nLIST\nFROM "people"', ['ada']],
  ['', ['? It is empty.']],
  [
    'SELECT a FROM b',
    ['? A query begins with LIST, TABLE, TASK or CALENDAR, and not with “SELECT”.'],
  ],
  ['LIST FROM csv("a.csv")', ['? “csv” is no source: write #tag, "folder" or [[note]].']],
  ['LIST WHERE lauch(x)', ['? There is no function “lauch”.']],
  ['LIST WHERE (a', ['? “)” is expected at the end.']],
  ['LIST WHERE a = "b', ['? A " is never closed.']],
  ['LIST WHERE x\nWHEN y', ['? “WHEN” is not expected there.']],
])('answers in the words of Dataview: %s', async (query, expected) => {
  expect(await found('dataview', query)).toEqual(expected)
})

const view = (lines: string): string => `views:\n  - type: table\n    name: One\n${lines}`
const only = (filter: string): string => `filters: ${JSON.stringify(filter)}`

it.each<[string, string[]]>([
  ['views: []', ['2026-11-30', 'ada', 'alpha', 'beta', 'gamma', 'here']],
  [only('file.hasTag("project")'), ['alpha', 'beta', 'gamma']],
  [only('status == "active" && prio > 1'), ['alpha']],
  [
    only('file.hasTag("#Project") && file.inFolder("/projects/") && !file.hasTag("old")'),
    ['alpha', 'beta'],
  ],
  [only('!file.inFolder("projects") && !file.inFolder("daily")'), ['ada', 'here']],
  [only('prio >= 2 || file.inFolder("people")'), ['ada', 'alpha', 'beta']],
  [only('!status'), ['2026-11-30', 'ada']],
  [only('due < "2026-12-01"'), ['beta']],
  [only('due > today() && due < today() + "1w"'), ['alpha']],
  [only('note["Due by"].month == 1'), ['gamma']],
  [only('owner == link("ada")'), ['alpha']],
  [only('file.hasLink("beta")'), ['alpha', 'here']],
  [only('link("alpha").asFile().hasTag("project") && this.file.hasLink(file)'), ['beta']],
  [only('file == this || file.name == "ada.md"'), ['ada', 'here']],
  [only('authors.contains("Ann")'), ['beta']],
  [only('authors.containsAny("Zoe", "Bob")'), ['beta']],
  [only('/^[ab]/.matches(file.basename)'), ['ada', 'alpha', 'beta']],
  [only('file.tags.contains("#old")'), ['gamma']],
  [only('file.properties.role.lower().startsWith("eng")'), ['ada']],
  [only('file.hasProperty("cost") && cost.isType("number")'), ['alpha', 'beta']],
  [only('file.ext == "md" && file.size > 0 && file.folder == "people"'), ['ada']],
  [
    'filters:\n  and:\n    - file.inFolder("projects")\n    - not:\n        - status == "done"\n        - prio == 1',
    ['alpha'],
  ],
  [
    'filters:\n  or:\n    - status == "done"\n    - and: [prio == 1, file.hasTag("old")]',
    ['beta', 'gamma'],
  ],
  [
    `formulas:\n  ppu: (cost / prio).toFixed(1)\n  told: 'if(cost, formula.ppu + " each", "-")'\n${view('    filters: file.inFolder("projects")\n    order: [file.name, formula.told, note.cost]\n    sort: [{property: cost, direction: DESC}]')}`,
    ['alpha | 5.0 each | 10', 'beta | 0.5 each | 5', 'gamma | - | '],
  ],
  [
    view(
      '    filters: prio > 0\n    order: [file.name]\n    groupBy: {property: status, direction: DESC}',
    ),
    ['{done}', 'beta', '{active}', 'alpha', 'gamma'],
  ],
  [
    view(
      '    order: [file.name, prio]\n    sort: [{property: prio, direction: ASC}]\n    limit: 2',
    ),
    ['gamma | 1', 'alpha | 2'],
  ],
  [
    view('    filters: prio == 2\n    order: [due, formula.x]'),
    ['2026-12-05 | ', '! There is no formula “x”.'],
  ],
  [
    `formulas:\n  a: formula.b + 1\n  b: formula.a + 1\n${view('    filters: prio == 2\n    order: [file.name, formula.a]')}`,
    ['alpha | ', '! The formula “a” goes round in a circle.'],
  ],
  [
    `formulas:\n  a: 'what('\n${view('    filters: prio == 2')}`,
    ['alpha', '! The formula “a” is not understood: Something is expected at the end.'],
  ],
  [
    view(
      '    filters: file.inFolder("projects")\n    order: [file.name, cost, due, status]\n    limit: 2\n    summaries: {cost: Sum, note.due: Range, status: Unique, file.name: Filled, prio: Sum}',
    ),
    [
      'alpha | 10 | 2026-12-05 | active',
      'beta | 5 | 2026-11-01 | done',
      '= cost Sum 15',
      '= due Range 4 weeks, 6 days',
      '= status Unique 2',
      '= name Filled 2',
    ],
  ],
  [
    `summaries:\n  mine: values.filter(value > 4).length * 10\n  bad: values.sing()\n${view('    filters: file.inFolder("projects")\n    order: [cost]\n    sort: [cost]\n    summaries: {cost: mine}')}`,
    ['5', '10', '', '= cost mine 20'],
  ],
  [
    view('    filters: prio == 2\n    order: [cost]\n    summaries: {cost: Fastest}'),
    ['10', '! There is no summary “Fastest”.'],
  ],
  [
    'views:\n  - type: map\n    filters: prio == 2',
    ['alpha', '! A view of the type “map” is shown as a table.'],
  ],
  [only('[1, 2, 3].filter(value > 1).map(value * 2).join("-") == "4-6" && prio == 1'), ['gamma']],
  [only('[1,[2,3]].flat().reduce(acc + value, 0) == 6 && prio == 1'), ['gamma']],
  [only('(due - date("2026-12-01")) / 86400000 == 4'), ['alpha']],
  [only('due.format("DD.MM.YYYY") == "05.12.2026" && "hello".slice(1, 3) == "el"'), ['alpha']],
  [only('file.hasTag('), ['? Something is expected at the end.']],
  [only('status = = 1'), ['? Something is expected before “=”.']],
  [only('"a".explode()'), ['? There is no method “explode”.']],
  ['filters:\n  xor: [a]', ['? “xor” is no filter: write and, or or not.']],
  [
    'filters: [',
    [
      '? It is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].',
    ],
  ],
])('answers in the words of Bases: %s', async (query, expected) => {
  expect(await found('base', query)).toEqual(expected)
})

it('finds a view by its place', async () => {
  const text =
    'views:\n  - type: list\n    name: A\n    filters: prio == 1\n  - type: cards\n    name: B\n    filters: prio == 2'
  expect([await found('base', text, 0), await found('base', text, 1)]).toEqual([
    ['gamma'],
    ['alpha'],
  ])
  expect(await found('base', text, 7)).toEqual(['? There is no view of that name: there are A, B.'])
})

it.each<[string, string, string]>([
  ['nested parentheses', 'dataview', `LIST WHERE ${'('.repeat(900)}1${')'.repeat(900)}`],
  ['many signs', 'dataview', `LIST WHERE ${'!'.repeat(1_500)}a`],
  ['a long sum', 'dataview', `LIST WHERE ${'1 + '.repeat(950)}1`],
  ['nested lists', 'base', only(`${'['.repeat(500)}${']'.repeat(500)}`)],
  ['a hundred thousand words', 'dataview', `LIST ${'a '.repeat(100_000)}`],
  ['nested filters', 'base', `filters: ${'{and: ['.repeat(200)}${']}'.repeat(200)}`],
  [
    'a chain of formulas',
    'base',
    `formulas:\n${Array.from({ length: 400 }, (_, at) => `  f${at}: formula.f${at + 1} + 1`).join('\n')}\n${view('    order: [formula.f0]')}`,
  ],
  [
    'texts that double',
    'base',
    `formulas:\n  f0: '"0123456789"'\n${Array.from({ length: 60 }, (_, at) => `  f${at + 1}: formula.f${at} + formula.f${at}`).join('\n')}\n${view('    order: [formula.f60]')}`,
  ],
  [
    'lists that double',
    'base',
    `formulas:\n  f0: '[1,2,3,4,5,6,7,8]'\n${Array.from({ length: 40 }, (_, at) => `  f${at + 1}: formula.f${at} + formula.f${at}`).join('\n')}\n${view('    order: [formula.f40]')}`,
  ],
  [
    'lists that hold another twice',
    'base',
    `formulas:\n  a0: '[1]'\n  b0: '[1]'\n${Array.from({ length: 40 }, (_, at) => `  a${at + 1}: '[formula.a${at}, formula.a${at}]'\n  b${at + 1}: '[formula.b${at}, formula.b${at}]'`).join('\n')}\n  same: formula.a40 == formula.b40\n${view('    order: [formula.same]')}`,
  ],
  [
    'lists that hold another a thousand times',
    'base',
    `formulas:\n  f0: '"a,".repeat(999).split(",")'\n${Array.from({ length: 4 }, (_, at) => `  f${at + 1}: formula.f0.map(formula.f${at})`).join('\n')}\n  text: formula.f4.toString()\n${view('    order: [formula.text]')}`,
  ],
  [
    'lists of lists',
    'dataview',
    `LIST ${'map([1,2,3,4,5,6,7,8,9,10], (a) => '.repeat(12)}1${')'.repeat(12)}`,
  ],
  [
    'a pattern that is tried again and again',
    'dataview',
    `LIST WHERE regexmatch("(a+)+$", "${'a'.repeat(4_000)}!")`,
  ],
  ['a pattern that grows', 'dataview', 'LIST WHERE regextest("((a{1,99}){1,99}){1,99}", "aaa")'],
  ['a huge repetition', 'base', only('"abc".repeat(1e9).length > 5')],
  ['rows without end', 'dataview', `LIST ${'FLATTEN [1,2,3,4,5,6,7,8,9,10] AS x '.repeat(40)}`],
  [
    'names of objects',
    'dataview',
    'LIST constructor WHERE __proto__ OR file.constructor OR this.__proto__.constructor',
  ],
  [
    'YAML that stands for gigabytes',
    'base',
    `a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\nviews: [*d,*d,*d]`,
  ],
])('stays within bounds: %s', async (_name, language, text) => {
  const shown = await found(language as 'base', text)
  expect(JSON.stringify(shown).length).toBeLessThan(100_000)
})

it('is never run as code', async () => {
  expect(await found('dataview', 'LIST constructor.constructor("return 1")()')).toEqual([
    '? There is no method “constructor”.',
  ])
  expect(findQueryBlocks('```dataviewjs\ndv.list()\n```\n')).toEqual([])
})

it('finds blocks where they stand, and in no other code', () => {
  const text =
    'a\n```dataview\nLIST\n```\n> ```base\n> views: []\n> ```\n````md\n```dataview\nTASK\n```\n````\n![[x.base#Two]] ![[y.png]]\n~~~dataview\nTASK\n'
  expect(findQueryBlocks(text)).toEqual([
    { language: 'dataview', line: 2, end: 4, text: 'LIST' },
    { language: 'base', line: 5, end: 7, text: 'views: []' },
    { language: 'base', line: 13, end: 13, text: '', file: 'x.base', view: 'Two' },
  ])
})

it.each<[string, string | undefined]>([
  ['`= this.status`', 'active'],
  ['`=this.file.name` and more', 'here'],
  ['``= this["status"]``', 'active'],
  ['`= length(this.file.outlinks) + 1`', '2'],
  ['`= [[alpha]].prio`', '2'],
  ['`= date("2026-12-05") - date("2026-12-01")`', '4 days'],
  ['`= this.nothing`', ''],
  ['`= this.status +`', undefined],
])('answers what stands in a line: %s', async (text, expected) => {
  const { kb, store } = await base
  const here = await store.findByPath('notes', 'here.md')
  const [block, ...more] = findQueryBlocks(`a\n${text}\n`)
  expect(more).toEqual([])
  expect(block).toMatchObject({ language: 'dataview', line: 2, end: 2, inline: true })
  const { result, inline } = await answerQuery(kb, block!, { here, now: NOW })
  expect(inline).toBe(true)
  expect(result && cellText(result.groups[0]!.rows[0]!.cells[0]!)).toBe(expected)
})

it.each([
  '`= 5`',
  '`=== this.x`',
  '`== this.x`',
  '`=`',
  '`a = this.x`',
  '```js\n`= this.x`\n```',
  '`=> this`',
])('leaves code as it is: %s', (text) => {
  expect(findQueryBlocks(text)).toEqual([])
})

it.each<[string, string[]]>([
  ['TASK', ['[ ] a', '>[x] b', '>>[ ] c', '>>[ ] h', '>[ ] d', '[ ] e', '[ ] f', '>[ ] g']],
  ['TASK WHERE text = "b"', ['[x] b', '>[ ] c', '>[ ] h']],
  [
    'TASK WHERE !completed',
    ['[ ] a', '>[x] b', '>>[ ] c', '>>[ ] h', '>[ ] d', '[ ] e', '[ ] f', '>[ ] g'],
  ],
  ['TASK WHERE text = "c" OR text = "a"', ['[ ] a', '>[x] b', '>>[ ] c', '>>[ ] h', '>[ ] d']],
  ['TASK WHERE text = "c" OR text = "g"', ['[ ] c', '[ ] g']],
])('shows tasks with their parts: %s', async (query, expected) => {
  const text =
    '- [ ] a\n  - [x] b\n\n    > - [ ] c\n\t - [ ] h\n  - [ ] d\n- other\n  - [ ] e\n\n1. [ ] f\n   1. [ ] g\n'
  const { kb } = await openSmallBase({ 'a.md': text }, { onFinished: (end) => ends.push(end) })
  const { result } = await answerQuery(
    kb,
    { language: 'dataview', line: 1, end: 1, text: query },
    { now: NOW },
  )
  expect(
    result?.groups[0]?.rows.map(
      ({ task }) => `${'>'.repeat(task?.depth ?? 0)}[${task?.mark}] ${task?.text}`,
    ),
  ).toEqual(expected)
})

it('shows every task however deep it stands, and those of a long note in parts', async () => {
  const deep = Array.from({ length: 30 }, (_, at) => `${'  '.repeat(at)}- [ ] deep ${at}\n`).join(
    '',
  )
  const long = Array.from(
    { length: 10_000 },
    (_, at) => `- [${at % 2 === 0 ? ' ' : 'x'}] upper ${at}\n  - [ ] lower ${at}\n`,
  ).join('')
  const { kb } = await openSmallBase(
    { 'deep.md': deep, 'long.md': long },
    { onFinished: (end) => ends.push(end) },
  )
  const ask = async (text: string, options = {}) => {
    const block = { language: 'dataview', line: 1, end: 1, text } as const
    const { result } = await answerQuery(kb, block, { now: NOW, ...options })
    const { groups = [], total, shown } = result ?? {}
    const rows = groups.flatMap((group) => group.rows.map(({ task }) => task))
    return { rows, total, shown, groups: groups.length }
  }
  const found = await ask('TASK FROM "deep.md"')
  expect(found).toMatchObject({ total: 30, shown: 30 })
  expect(found.rows.map((task) => task?.depth ?? 0)).toEqual(
    Array.from({ length: 30 }, (_, at) => Math.min(at, 20)),
  )
  // What is far below one that is found is a part of it, too, and stands there once.
  const few = await ask('TASK FROM "deep.md" WHERE text = "deep 0" OR text = "deep 28"')
  expect(few.total).toBe(30)
  const some = await ask('TASK FROM "long.md" WHERE !completed', { offset: 10_001, limit: 3 })
  expect(some).toMatchObject({ total: 15_000, shown: 3 })
  expect(some.rows.map((task) => [task?.text, task?.depth ?? 0])).toEqual([
    ['lower 6667', 0],
    ['upper 6668', 0],
    ['lower 6668', 1],
  ])
  const grouped = await ask('TASK FROM "long.md" GROUP BY text', { limit: 100 })
  expect(grouped).toMatchObject({ groups: 100, total: 100 })
})

it('finds values within lines again by what they ask, and blocks whatever their number', async () => {
  const many = Array.from({ length: 80 }, (_, at) => `\`= this.n${at}\``).join(' ')
  const blocks = findQueryBlocks(`${many}\n\n\`\`\`dataview\nLIST\n\`\`\`\n`)
  expect(blocks.filter(({ inline }) => inline)).toHaveLength(50)
  expect(blocks.at(-1)).toMatchObject({ text: 'LIST' })
  expect(firstOf(blocks, 2).map(({ text }) => text)).toEqual(['LIST', 'this.n0', 'this.n1'])
  const { kb } = await base
  expect(await answerQuery(kb, blocks[3]!, { now: NOW })).toMatchObject({ text: 'this.n3' })
  expect(await answerQuery(kb, blocks.at(-1)!, { now: NOW })).not.toHaveProperty('text')
})

it.each<[string, readonly number[], number]>([
  ['max', [1, 1_700_000_000_123], 1_700_000_000_123],
  ['max', [1, 1e308], 1e308],
  ['min', [1_234_567.890_123_45, 1e9], 1_234_567.890_123_45],
  ['median', [1e308, 1e308], 1e308],
  ['median', [1.5e308, 1.7e308], 1.6e308],
  ['median', [1, 2], 1.5],
  ['sum', [1_234_567_890, 0.125], 1_234_567_890.125],
  ['sum', [0.1, 0.2], 0.3],
  ['sum', Array.from({ length: 1_000 }, () => 0.1), 100],
  ['sum', [9_007_199_254_740_990, 1], 9_007_199_254_740_991],
  ['average', [0.1, 0.2], 0.15],
  ['range', [0.1, 0.3], 0.2],
  ['stddev', [0.1, 0.3], 0.1],
])('summarizes numbers to their last digit: %s', (name, numbers, expected) => {
  expect(SUMMARIES[name]!(numbers, () => {})).toBe(expected)
})

/* An obvious evaluation of the same: arrays and JavaScript. */

interface Note {
  readonly n: number | null
  readonly s: string | null
}
const MADE: readonly Note[] = Array.from({ length: 60 }, (_, at) => ({
  n: at % 7 === 0 ? null : (at * 31) % 11,
  s: at % 5 === 0 ? null : 'abcde'[(at * 17) % 5]!,
}))
const made = openSmallBase(
  Object.fromEntries(
    MADE.map(({ n, s }, at) => [
      `n${String(at).padStart(2, '0')}.md`,
      `---\nat: ${at}${n === null ? '' : `\nn: ${n}`}${s === null ? '' : `\ns: ${s}`}\n---\n`,
    ]),
  ),
  { onFinished: (end) => ends.push(end) },
)

type Test = readonly [text: string, holds: (note: Note) => boolean]
const OPERATORS = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '=': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
} as const
const comparison = fc
  .tuple(fc.constantFrom(...(Object.keys(OPERATORS) as (keyof typeof OPERATORS)[])), fc.nat(11))
  .map(([operator, wanted]): Test => [
    `n ${operator} ${wanted}`,
    // Nothing comes before everything.
    ({ n }) => OPERATORS[operator](n ?? -1, wanted),
  ])
const letter = fc
  .constantFrom('a', 'b', 'c')
  .map((wanted): Test => [`s = "${wanted}"`, ({ s }) => s === wanted])
const test = fc.letrec<{ test: Test }>((tie) => ({
  test: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparison,
    letter,
    tie('test').map(([text, holds]): Test => [`!(${text})`, (note) => !holds(note)]),
    fc
      .tuple(tie('test'), fc.constantFrom('AND', 'OR'), tie('test'))
      .map(([[a, one], word, [b, other]]): Test => [
        `(${a}) ${word} (${b})`,
        (note) => (word === 'AND' ? one(note) && other(note) : one(note) || other(note)),
      ]),
  ),
})).test

it('finds what an obvious evaluation finds, in its order', async () => {
  const { kb } = await made
  await fc.assert(
    fc.asyncProperty(test, fc.boolean(), fc.nat(60), async ([text, holds], down, limit) => {
      const query = `LIST WITHOUT ID at WHERE ${text} SORT n ${down ? 'DESC' : 'ASC'}, s LIMIT ${limit}`
      const block = { language: 'dataview', line: 1, end: 1, text: query } as const
      const { result } = await answerQuery(kb, block, { now: NOW })
      const expected = MADE.map((note, at) => ({ ...note, at }))
        .filter(holds)
        .toSorted(
          (a, b) =>
            (down ? -1 : 1) * ((a.n ?? -1) - (b.n ?? -1)) ||
            ((a.s ?? '') < (b.s ?? '') ? -1 : (a.s ?? '') > (b.s ?? '') ? 1 : 0),
        )
        .slice(0, limit)
      expect(result?.groups[0]?.rows.map(({ cells }) => cells[0])).toEqual(
        expected.map(({ at }) => at),
      )
    }),
    { numRuns: 60 },
  )
})
