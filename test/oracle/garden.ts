/**
 * A small vault made by rule: sixty notes on six subjects with links, tags, properties, tables, code
 * and tasks, some odd ones beside them, and a graph of entities.
 */
const SUBJECTS = [
  { name: 'tea', words: 'kettle water leaf steam cup pour warm brew pot morning' },
  { name: 'bread', words: 'flour dough oven crust yeast knead rise loaf salt starter' },
  { name: 'bicycle', words: 'wheel brake chain pedal saddle tyre spoke gear repair road' },
  { name: 'garden', words: 'seed soil tomato compost harvest spade greenhouse bed rain frost' },
  {
    name: 'deploy',
    words: 'release rollback cluster container backup restore monitor alert queue host',
  },
  {
    name: 'ledger',
    words: 'invoice payment customer refund tax quarter budget salary account audit',
  },
].map(({ name, words }) => ({ name, words: words.split(' ') }))

const NOTES = 60

export function gardenFiles(): Record<string, string> {
  const notes = Array.from({ length: NOTES }, (_, n) => [pathOf(n), noteOf(n)])
  return { ...Object.fromEntries(notes), ...ODD, ...GRAPH }
}

const subjectOf = (n: number) => SUBJECTS[n % SUBJECTS.length]!
const nameOf = (n: number) => `${subjectOf(n).name}-${String(n).padStart(2, '0')}`
const pathOf = (n: number) => `${subjectOf(n).name}/${nameOf(n)}.md`
const two = (n: number) => String(n).padStart(2, '0')

function sentence(n: number, shift: number): string {
  const { words } = subjectOf(n)
  const word = (step: number) => words[(n * 3 + shift + step * 7) % words.length]!
  return `The ${word(0)} and the ${word(1)} want a ${word(2)} before any ${word(3)} is left with the ${word(4)}.`
}

function noteOf(n: number): string {
  const { name, words } = subjectOf(n)
  const word = words[n % words.length]!
  return [
    '---',
    `title: About the ${word} of ${name} ${n}`,
    ...(n % 5 === 0 ? [`aliases: [${name} ${word} ${n}]`] : []),
    `type: ${['note', 'guide', 'log'][n % 3]}`,
    `status: ${['draft', 'open', 'done'][n % 3]}`,
    `rating: ${n % 7}`,
    `tags: [${name}, ${n % 2 === 0 ? 'work/even' : 'work/odd'}]`,
    `created: 2024-${two(1 + (n % 12))}-${two(1 + (n % 27))}`,
    `updated: 2024-${two(1 + ((n + 3) % 12))}-${two(1 + ((n + 5) % 27))}`,
    '---',
    '',
    `# About the ${word} of ${name} ${n}`,
    '',
    `${sentence(n, 0)} ${sentence(n, 2)}`,
    '',
    `## What the ${word} needs`,
    '',
    `${sentence(n, 4)} See [[${nameOf((n * 5 + 1) % NOTES)}]] and [[${nameOf((n * 7 + 2) % NOTES)}|another]]. #${word}`,
    '',
    ...extraOf(n),
    '',
    '## Afterwards',
    '',
    `${sentence(n, 6)} More in [the ${name} list](../lists/${name}.md).`,
    '',
  ].join('\n')
}

function extraOf(n: number): string[] {
  const { name, words } = subjectOf(n)
  switch (n % 4) {
    case 0:
      return [
        '| part | count |',
        '| --- | ---: |',
        ...words.slice(0, 4).map((w, i) => `| ${w} | ${i * n} |`),
      ]
    case 1:
      return [
        '```ts',
        `export function ${name}${n}(${words[0]}: number) {`,
        `  return ${words[0]} * ${n}`,
        '}',
        '```',
      ]
    case 2:
      return [
        `- [ ] Look at the ${words[1]} (due 2026-0${1 + (n % 9)}-15)`,
        `- [x] Clean the ${words[2]}`,
      ]
    default:
      return [`> [!note] ${words[3]}`, `> ${sentence(n, 8)}`, '', `Missing: [[nobody-${n}]].`]
  }
}

/** Each is a case of its own. */
const ODD: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    SUBJECTS.map(({ name }, at) => [
      `lists/${name}.md`,
      [
        `# List of ${name}`,
        '',
        ...Array.from({ length: 10 }, (_, i) => `- [[${nameOf(at + i * SUBJECTS.length)}]]`),
        '',
      ].join('\n'),
    ]),
  ),
  'index.md':
    '---\nid: start-of-all\naliases: [Start, Home]\n---\n# The garden\n\nBegin with [[lists/tea]], [[lists/bread]] or [[Twin]]. ![[tea-00#Afterwards]]\n',
  'left/twin.md': '# Twin\n\nThe twin on the left side. [[right/twin]]\n',
  'right/twin.md': '# Twin\n\nThe twin on the right side. [[left/twin]]\n',
  'lonely.md': '# Lonely\n\nNobody links here and it links to nobody, quoxal.\n',
  'copy-one.md': '# Copy\n\nThe very same text stands in two notes, to the letter and the comma.\n',
  'copy-two.md': '# Copy\n\nThe very same text stands in two notes, to the letter and the comma.\n',
  'ünïcode/Straße 東京.md':
    '---\ntags: [Ünïcode]\n---\n# Straße nach 東京\n\nDer Zug fährt über die Brücke. 東京都の天気は晴れです。 Книга лежит на столе.\n',
  'keys.md':
    '# Keys\n\nThe access key is AKIAIOSFODNN7EXAMPLE and stays here.\n\nBehind it stands the word lantern.\n',
  'private.md': '---\ncairn: private\n---\n# Private\n\nNobody reads of the gargoyle.\n',
  'broken-front.md':
    '---\ntitle: [unclosed\n---\n# Broken front matter\n\nIt is read anyway, zymurgy.\n',
  'empty.md': '',
  'long.md': `# Long\n\n${Array.from({ length: 80 }, (_, n) => `## Part ${n}\n\n${sentence(n, 1)} ${sentence(n + 1, 3)}\n`).join('\n')}`,
  'plain.txt': 'A plain text with a periscope in it.\n',
  'data/table.csv': 'name,count\nkettle,3\nperiscope,1\n',
  'windows.md':
    '# Windows\r\n\r\nLines end with two characters here.\r\n\r\n## Second\r\n\r\nMore.\r\n',
  'mcp-prompts/brew.md':
    '---\nname: brew\ndescription: Ask how to brew\narguments:\n  - name: leaf\n    description: Which leaf\n---\nHow is {{.leaf}} brewed?\n',
  'mcp-resources/house-rules.md':
    '---\nname: House rules\ndescription: What holds in the garden\nkeywords: [rules, gate]\n---\n# House rules\n\nShut the gate. Water in the morning.\n\n## Tools\n\nClean the spade.\n',
}

const entity = (id: string, type: string, name: string, desc: string, tags: readonly string[]) =>
  `${JSON.stringify({ id, type, name, desc, tags, updated_at: '2025-02-14T09:00:00.000Z' })}\n`
const relation = (src: string, rel: string, dst: string, context = '') =>
  `${JSON.stringify({ src, rel, dst, context, created_at: '2025-02-15T10:00:00.000Z' })}\n`

const GRAPH: Readonly<Record<string, string>> = {
  'knowledge/entities/concepts.jsonl':
    entity('brewing', 'concept', 'Brewing', 'Tea leaves in hot water', ['tea', 'kitchen']) +
    entity('baking', 'concept', 'Baking', 'Dough in a hot oven', ['bread', 'kitchen']) +
    entity('frost', 'concept', 'Frost', 'What ends the tomato season', ['garden']),
  'knowledge/entities/people.jsonl':
    entity('ada', 'person', 'Ada Marsh', 'Keeps the greenhouse', ['garden', 'team']) +
    entity('bo', 'person', 'Bo Lund', 'Repairs bicycles', ['team']),
  'knowledge/relations/2025-02.jsonl':
    relation('ada', 'fears', 'frost', 'Every May') +
    relation('bo', 'knows', 'ada') +
    relation('brewing', 'is_like', 'baking') +
    relation('frost', 'harms', 'nobody-known'),
}
