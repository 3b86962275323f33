/** The command line that users of the original know. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { CONCEPTS, daysAgo, filesBelow, fixture, lines, thisMonth } from './open-cortex.ts'

function brain(files: Record<string, string> = fixture()): string {
  const inside = Object.entries(files).map(([path, text]) => [`docs/brain/${path}`, text])
  const folder = temporaryFolder(Object.fromEntries(inside))
  mkdirSync(join(folder, 'docs/brain'), { recursive: true })
  return folder
}

const ENTITY = ['--id', 'ada', '--type', 'person', '--name', 'Ada', '--desc', 'Wrote programs']

describe('--root', () => {
  it('stands before or behind the command, and has a default', async () => {
    verifies('cortex:command-line')
    const folder = brain()
    const outcomes = await Promise.all([
      runCairn(folder, 'cortex', 'search', 'rag'),
      runCairn(folder, 'cortex', '--root', 'docs/brain', 'search', 'rag'),
      runCairn(folder, 'cortex', '--root=docs/brain', 'search', 'rag'),
      runCairn(folder, 'cortex', 'search', 'rag', '--root', join(folder, 'docs/brain')),
    ])
    for (const outcome of outcomes) {
      expect(outcome).toEqual({
        code: 0,
        out: "\n🔎 Search Results for 'rag' (搜索结果):\n  - [rag] RAG: Retrieval augmented...\n",
        err: '',
      })
    }
    const flag = await runCairn(folder, 'cortex', '--json', 'search', 'rag')
    expect(JSON.parse(flag.out)).toMatchObject({ results: [{ id: 'rag' }] })
  })

  it('must exist', async () => {
    verifies('cortex:command-line')
    const folder = temporaryFolder()
    for (const words of [['status'], ['search', 'x'], ['evolve'], ['serve'], ['visualize']]) {
      const { code, out, err } = await runCairn(folder, 'cortex', ...words)
      expect([code, out]).toEqual([1, ''])
      expect(err).toContain("Brain root 'docs/brain' does not exist.")
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('does not hide a mistake', async () => {
    const folder = brain()
    expect((await runCairn(folder, 'cortex', '--rot', 'x', 'status')).code).toBe(2)
    expect((await runCairn(folder, 'cortex', '--root')).code).toBe(2)
    expect((await runCairn(folder, 'cortex', '--root', 'docs/brain')).code).toBe(2)
    expect((await runCairn(folder, 'cortex', 'cleen')).code).toBe(2)
    const port = await runCairn(folder, 'cortex', 'serve', '--port', '1')
    expect([port.code, port.err]).toEqual([2, expect.stringContaining('--transport')])
    const open = ['cortex', 'serve', '-t', 'http', '-p', '0', '-H', '0.0.0.0']
    expect((await runCairn(folder, ...open)).code).toBe(2)
  })
})

describe('status', () => {
  it('counts, lists broken links and fails because of them', async () => {
    verifies('cortex:command-line')
    const { code, out } = await runCairn(brain(), 'cortex', 'status')
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      '',
      '🧠 CORTEX STATUS REPORT (大脑状态报告)',
      '========================',
      'Entities (实体):    3',
      'Relations (关系):   2',
      'Density (密度):     0.3333',
      'Orphans (孤岛):     1',
      'Stale (陈旧):       2',
      '',
      '[!] BROKEN LINKS DETECTED (检测到断链): 1',
      "  - Broken Link: Relation #1 destination 'gone' does not exist.",
      '',
    ])
  })

  it('succeeds where nothing is broken, and writes nothing', async () => {
    const folder = brain({ [CONCEPTS]: lines({ id: 'a', updated_at: daysAgo(1) }) })
    const { code, out } = await runCairn(folder, 'cortex', 'status', '--json')
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { entities: 1, relations: 0, orphans: ['a'], stale: [], density: 0, broken: [] },
    ])
    expect(readdirSync(join(folder, 'docs/brain'))).toEqual(['knowledge'])
  })

  it('says which lines cannot be read', async () => {
    const folder = brain({ [CONCEPTS]: '{"id":"a"}\nnot json\n' })
    const { err } = await runCairn(folder, 'cortex', 'status')
    expect(err).toBe(`warning: ${CONCEPTS}:2: not JSON\n`)
  })
})

it('search shows fifty characters, whole ones, and nothing a terminal obeys', async () => {
  verifies('cortex:command-line', 'cortex:any-stored-id')
  const folder = brain({
    [CONCEPTS]: lines({ id: 'a_b', name: '\u001b[31m红', desc: `第\n${'协😀'.repeat(40)}` }),
  })
  const { out } = await runCairn(folder, 'cortex', 'search', '红')
  expect(out).toBe(
    `\n🔎 Search Results for '红' (搜索结果):\n  - [a_b] 红: 第 ${'协😀'.repeat(24)}...\n`,
  )
  expect(await runCairn(folder, 'cortex', 'search', 'zzz')).toEqual({
    code: 0,
    out: "\n🔎 Search Results for 'zzz' (搜索结果):\n",
    err: 'Nothing found.\n',
  })
})

it('visualize draws a Mermaid flowchart', async () => {
  verifies('cortex:command-line')
  const folder = brain({
    ...fixture(),
    'knowledge/entities/odd.jsonl': lines(
      { id: 'has space', type: 'my type', name: 'A "quoted" (name)\nof two lines' },
      { id: 'end', type: '', name: "it's" },
    ),
    'knowledge/relations/2026-03.jsonl': lines(
      { src: 'has space', rel: 'says "x"', dst: 'end' },
      { src: 'mcp', rel: 'enables', dst: 'tool_use' },
    ),
  })
  const { code, out } = await runCairn(folder, 'cortex', 'visualize')
  expect(code).toBe(0)
  expect(out).toBe(`graph TD
    subgraph CONCEPT
        tool_use("Tool Use")
    end
    subgraph MY_TYPE
        node2("A quoted name of two lines")
    end
    subgraph PATTERN
        rag("RAG")
    end
    subgraph TECH
        mcp("MCP 协议")
    end
    subgraph UNTYPED
        node1("its")
    end
    mcp -- "enables" --> tool_use
    node2 -- "says x" --> node1
`)
})

it('visualize draws what Mermaid would take for something else', async () => {
  verifies('cortex:command-line')
  const folder = brain({
    'knowledge/entities/odd.jsonl': lines(
      { id: 'graph-db', type: 'tech', name: "%%{init: {'theme': 'dark'}}%%" },
      { id: 'graphs', type: 'tech', name: '100%' },
      { id: 'TECH', type: 'tech', name: 'Tech' },
    ),
  })
  const { out } = await runCairn(folder, 'cortex', 'visualize')
  expect(out).toBe(`graph TD
    subgraph TECH
        node1("Tech")
        node2("%{init: {theme: dark}}%")
        graphs("100%")
    end
`)
})

describe('evolve', () => {
  const active = 'docs/brain/memories/MISSION_ACTIVE.md'

  it('writes a brief, and archives the one before', async () => {
    verifies('cortex:command-line')
    const folder = brain()
    const first = await runCairn(folder, 'cortex', 'evolve')
    expect(first).toMatchObject({
      code: 0,
      out: [
        '[Evolution] Starting Cognitive Cycle... (开始认知循环)',
        '[Entropy] Density (密度): 0.3333 | Orphans (孤岛): 1 | Stale (陈旧): 2',
        '[Evolution] Generating mission for targets: rag (orphan), mcp (stale) (生成任务)',
        '[Evolution] Mission Brief written to memories/MISSION_ACTIVE.md',
        '',
      ].join('\n'),
    })
    const brief = readFileSync(join(folder, active), 'utf8')
    expect(brief).toMatch(
      /^# 🧠 NEXUS CORTEX: Active Mission \(活跃任务\)\n> Generated \(生成时间\): /,
    )
    expect(brief).toContain('## 🔍 Targets (目标节点)\n### 1. RAG (`rag`)\n- **Type**: pattern\n')
    expect(brief).toContain('### 2. MCP 协议 (`mcp`)\n')
    writeFileSync(join(folder, active), 'edited by hand')
    const before = filesBelow(folder)
    const { code, out } = await runCairn(folder, 'cortex', 'evolve', '--json')
    const { archived } = JSON.parse(out)
    expect(code).toBe(0)
    expect(archived).toMatch(/^memories\/archive\/MISSION_\d{8}_\d{6}\.md$/)
    const after = filesBelow(folder)
    expect(after).toEqual({
      ...before,
      [active]: expect.stringContaining('# 🧠 NEXUS CORTEX'),
      [`docs/brain/${archived}`]: 'edited by hand',
    })
    await Promise.all([runCairn(folder, 'cortex', 'evolve'), runCairn(folder, 'cortex', 'evolve')])
    expect(readdirSync(join(folder, 'docs/brain/memories/archive'))).toHaveLength(3)
  })

  it('takes three orphans first, then what is stale', async () => {
    const stale = daysAgo(40)
    const orphans = ['d', 'c', 'b', 'a'].map((id) => ({ id, updated_at: stale }))
    const folder = brain({ [CONCEPTS]: lines(...orphans) })
    const { out } = await runCairn(folder, 'cortex', 'evolve')
    expect(out).toContain('targets: a (orphan), b (orphan), c (orphan) (生成任务)\n')
  })

  it('suggests to explore where nothing is to be done', async () => {
    const folder = brain({})
    const { out } = await runCairn(folder, 'cortex', 'evolve')
    expect(out).toContain('No high-priority targets.')
    expect(readFileSync(join(folder, active), 'utf8')).toContain('Exploration Mission (探索任务)')
  })

  it('does not follow a link out of the root', async () => {
    verifies('cortex:hostile')
    const folder = brain()
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'docs/brain/memories'))
    expect((await runCairn(folder, 'cortex', 'evolve')).code).toBe(1)
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
  })
})

describe('connect and add', () => {
  it('say what the original says', async () => {
    verifies('cortex:command-line', 'cortex:command-texts')
    const folder = brain()
    const added = await runCairn(folder, 'cortex', 'add', 'people', ...ENTITY, '--tags', 'a, b,a')
    expect(added).toEqual({
      code: 0,
      out: "[Factory] Entity 'ada' committed to people.jsonl. (实体已提交)\n",
      err: '',
    })
    const people = join(folder, 'docs/brain/knowledge/entities/people.jsonl')
    expect(JSON.parse(readFileSync(people, 'utf8'))).toMatchObject({ id: 'ada', tags: ['a', 'b'] })
    const link = ['cortex', 'connect', 'ada', 'knows', 'tool_use']
    const connected = await runCairn(folder, ...link, '--context', 'why', '--json')
    expect(JSON.parse(connected.out)).toMatchObject({
      relation: { context: 'why' },
      created: true,
      file: thisMonth(),
    })
    const other = await runCairn(folder, 'cortex', 'connect', 'rag', 'knows', 'ada')
    expect(other.out).toMatch(/^\[Factory\] Relation 'rag -> ada' committed to \d{4}-\d\d\.jsonl\./)
    expect((await runCairn(folder, ...link)).out).toBe(
      "The link 'ada' --[knows]--> 'tool_use' was already there.\n",
    )
  })

  it('fail as the tools fail', async () => {
    verifies('cortex:add-unique', 'cortex:connect-existing')
    const folder = brain()
    await runCairn(folder, 'cortex', 'add', 'people', ...ENTITY)
    const before = filesBelow(folder)
    const again = await runCairn(folder, 'cortex', 'add', 'concepts', ...ENTITY)
    expect(again).toEqual({
      code: 1,
      out: '',
      err: "error: Integrity Violation: Entity 'ada' already exists. Modification is forbidden.\n",
    })
    const nowhere = await runCairn(folder, 'cortex', 'add', '../x', ...ENTITY)
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('Security Violation') })
    const missing = await runCairn(folder, 'cortex', 'connect', 'ada', 'knows', 'nope', '--json')
    expect([missing.code, JSON.parse(missing.err).error]).toEqual([
      1,
      "Integrity Violation: Destination entity 'nope' does not exist.",
    ])
    expect((await runCairn(folder, 'cortex', 'add', 'people', '--id', 'x')).code).toBe(1)
    expect(filesBelow(folder)).toEqual(before)
    expect(existsSync(join(folder, 'docs/x.jsonl'))).toBe(false)
  })
})

describe('at a shell', () => {
  const draft = ['--type', 'concept', '--name', 'N', '--desc', 'd']

  it('any category and any id may be added, and lead nowhere else', async () => {
    verifies('cortex:command-any', 'cortex:add-paths')
    const folder = brain()
    const add = (category: string, id: string) =>
      runCairn(folder, 'cortex', 'add', category, '--id', id, ...draft)
    const below = (file: string) => join(folder, 'docs/brain/knowledge/entities', file)
    expect((await add('my_patterns', 'arch_pattern_gemma-2b_1')).code).toBe(0)
    expect((await add('tech_stack/ai', 'tool_two')).code).toBe(0)
    expect((await add('models.jsonl', 'm_1')).code).toBe(0)
    expect(readFileSync(below('my_patterns.jsonl'), 'utf8')).toContain('arch_pattern_gemma-2b_1')
    expect(readFileSync(below('tech_stack/ai.jsonl'), 'utf8')).toContain('tool_two')
    expect(readFileSync(below('models.jsonl'), 'utf8')).toContain('m_1')
    const before = filesBelow(folder)
    for (const category of ['../x', '/x', 'a/../../x', '.hidden', 'a//b', 'a\\b', 'a\nb']) {
      const { code, err } = await add(category, 'x_1')
      expect([code, err]).toEqual([1, expect.stringContaining('Security Violation')])
    }
    expect((await add('people', 'two\nlines')).err).toContain('Security Violation')
    expect(filesBelow(folder)).toEqual(before)
  })

  it('clean removes what was derived, and says what', async () => {
    verifies('cortex:command-clean')
    const folder = brain()
    const state = join(folder, 'docs/brain/.cairn')
    await runCairn(folder, 'cortex', 'add', 'people', ...ENTITY)
    writeFileSync(join(state, 'index.db'), '')
    writeFileSync(join(state, 'index.db-wal'), '')
    const before = filesBelow(folder)
    const { code, out } = await runCairn(folder, 'cortex', 'clean')
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        `[Nexus] Cleaning cache in ${join(folder, 'docs/brain')}...`,
        '  - Removed: .cairn/graph.lock',
        '  - Removed: .cairn/index.db',
        '  - Removed: .cairn/index.db-wal',
        '[Nexus] Cache clean complete. (缓存清理完成)',
        '',
      ],
    ])
    expect(existsSync(state)).toBe(false)
    expect(filesBelow(folder)).toEqual(before)
    expect(JSON.parse((await runCairn(folder, 'cortex', 'clean', '--json')).out)).toEqual({
      removed: [],
    })
    expect((await runCairn(folder, 'cortex', 'add', 'people', '--id', 'b', ...draft)).code).toBe(0)
    writeFileSync(join(state, 'history.log'), 'what was changed')
    await runCairn(folder, 'cortex', 'clean')
    expect(readdirSync(state)).toEqual(['.gitignore', 'history.log'])
  })
})
