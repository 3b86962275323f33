/** Votes, administration and recipes in Cairn's own words, by tool and by command. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSurfaces } from '../../src/serve/wiring/surfaces.ts'
import { openTestBase } from '../support/open-test-base.ts'
import { startServerProcess } from '../support/server-process.ts'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NOTES = {
  'boats.md': '# Boats\n\nBoats in the harbour need a rope and a sail.\n',
  'fog.md': '# Fog\n\nIn fog the harbour rings a bell for boats.\n',
  'tea.md': '# Tea\n\nUse a kettle.\n',
}

const run = (folder: string, ...words: string[]) => runCairn('/', ...words, '--folder', folder)

async function json(folder: string, ...words: string[]): Promise<Record<string, any>> {
  const { code, out, err } = await run(folder, ...words, '--json')
  if (code !== 0) throw new Error(`${words.join(' ')}: ${err}${out}`)
  return JSON.parse(out)
}

const QUESTION = 'harbour boats rope bell'

const signalsOf = async (folder: string) => {
  const { results } = await json(folder, 'search', QUESTION, '--explain')
  return new Map<string, any>(results.map((each: any) => [each.id, each.signals]))
}

describe('feedback', { timeout: 600_000 }, () => {
  it('is kept with rank and signals, reported, and teaches when there is enough', async () => {
    const folder = join(temporaryFolder({}), 'notes')
    mkdirSync(folder)
    for (const [path, text] of Object.entries(NOTES)) writeFileSync(join(folder, path), text)
    const before = await signalsOf(folder)
    const order = [...before.keys()]
    const second = order[1]!
    const vote = (id: string, value: number) =>
      json(folder, 'feedback', QUESTION, id, `--vote=${value}`, '--note=because')
    const kept = await vote(second, 1)
    expect(kept).toMatchObject({ id: second, vote: 1, rank: 2, votes: 1, learning: false })
    const file = join(folder, '.cairn/feedback/manual-events.log')
    const [line] = readFileSync(file, 'utf8').trim().split('\n')
    expect(JSON.parse(line!)).toMatchObject({ query: QUESTION, rank: 2, document: second })
    expect(JSON.parse(line!).signals).toHaveProperty('words')
    for (let count = 0; count < 9; count++) await vote(second, 1)
    for (let count = 0; count < 9; count++) await vote(order[0]!, -1)
    // Nineteen are not enough.
    expect(await signalsOf(folder)).toEqual(before)
    await vote(order[0]!, -1)
    const after = await signalsOf(folder)
    const [up, down] = [after.get(second), after.get(order[0]!)]
    expect([up.feedback > 0, down.feedback < 0]).toEqual([true, true])
    expect(up.feedback).toBeLessThanOrEqual(0.1 * before.get(second).total + 1e-9)
    expect(up.total).toBeCloseTo(before.get(second).total + up.feedback, 3)
    // The same question in other words is another question.
    const { results } = await json(folder, 'search', 'kettle', '--explain')
    expect(results[0].signals).not.toHaveProperty('feedback')
    const report = await json(folder, 'feedback', 'report')
    expect(report).toMatchObject({ votes: 20, positive: 10, negative: 10, active: true, needed: 0 })
    expect(report['questions'][0]).toMatchObject({
      query: QUESTION,
      wrong: [order[0]],
      right: [second],
    })
    const { out } = await run(folder, 'feedback', 'report')
    expect(out).toContain('They change the order of results.')
    for (let count = 0; count < 20; count++) await vote(second, 1)
    const evaluation = await json(folder, 'eval', '--feedback')
    expect(evaluation).toMatchObject({ votes: 40, active: true, questions: 2 })
    expect(evaluation['with'].ndcg10).toBeGreaterThanOrEqual(evaluation['without'].ndcg10)
    const text = await run(folder, 'eval', '--feedback')
    expect(text.out).toMatch(/nDCG@10 +[\d.]+ +[\d.]+ +-?[\d.]+/)
  })

  it('never moves what bears the question as its name', async () => {
    const folder = join(temporaryFolder({}), 'notes')
    mkdirSync(folder)
    for (const [path, text] of Object.entries(NOTES)) writeFileSync(join(folder, path), text)
    for (let count = 0; count < 20; count++) {
      await json(folder, 'feedback', 'boats', 'boats.md', '--vote=-1')
    }
    const { results } = await json(folder, 'search', 'boats')
    expect(results[0].id).toBe('notes/boats.md')
  })

  it('refuses what is no vote', async () => {
    const folder = temporaryFolder(NOTES)
    for (const words of [
      ['feedback', 'q', 'boats.md', '--vote=2'],
      ['feedback', 'q', 'boats.md'],
      ['feedback', 'q', 'no such note', '--vote=1'],
      ['feedback', ' ', 'boats.md', '--vote=1'],
    ]) {
      expect([words, (await run(folder, ...words)).code > 0]).toEqual([words, true])
    }
    expect(existsSync(join(folder, '.cairn/feedback/manual-events.log'))).toBe(false)
    expect((await run(folder, 'eval', '--feedback')).err).toContain('no votes')
  })
})

describe('admin', { timeout: 600_000 }, () => {
  it('is there for who asks for it, and for nobody else', async () => {
    const { base } = await openTestBase(NOTES)
    const open = async (...only: string[]) => {
      const log = (): void => {}
      const options = { log, onBug: log, state: '', tools: { only, exclude: [] } }
      const [offering] = await openSurfaces(base, ['native'], options)
      return offering!.surface
    }
    const names = async (...only: string[]) => (await open(...only)).tools().map(({ name }) => name)
    const usual = await names()
    expect(usual).not.toContain('admin')
    expect(usual).not.toContain('feedback')
    expect(await names('+admin', '+feedback')).toEqual([...usual, 'feedback', 'admin'])
    expect(await names('admin', 'search')).toEqual(['search', 'admin'])
    const call = { signal: new AbortController().signal, progress: () => {} }
    await expect((await open()).call('admin', { action: 'help' }, call)).rejects.toThrow(/no tool/)
  })

  it('does what it says, over a real connection', async () => {
    const folder = temporaryFolder(NOTES)
    const server = await startServerProcess([folder, '--tools=+admin'])
    onTestFinished(() => server.close())
    const admin = (action: string, more = {}) => server.call('admin', { action, ...more })
    expect(Object.keys((await admin('help'))['actions'])).toHaveLength(6)
    writeFileSync(join(folder, 'new.md'), '# New\n\nsomething new\n')
    expect(await admin('ingest')).toMatchObject({ files: 4, gone: 0 })
    expect(await admin('status')).toMatchObject({ documents: 4, votes: 0, learning: false })
    const made = await admin('backup')
    expect(made['path']).toMatch(/cairn-backup-\d{8}T\d{6}\.tgz$/)
    expect((await admin('backup', { destination: '/tmp' }))['error'].code).toBe('forbidden')
    expect(await admin('restore_plan')).toMatchObject({
      archive: made['path'],
      documents: 4,
      command: expect.stringContaining('cairn restore'),
    })
    const foreign = await admin('restore_plan', { archive: join(folder, 'tea.md') })
    expect(foreign['error'].message).toContain('no backup of Cairn')
    expect((await admin('status'))['last_backup'].path).toBe(made['path'])
  })
})

describe('recipes', { timeout: 600_000 }, () => {
  const MINE = [
    'version: 1',
    'name: find',
    'summary: Find a note and read it.',
    'variables: { q: kettle }',
    'steps:',
    "  - { id: look, tool: search, params: { query: '${q}' }, capture: [{ name: id, path: 'results[0].id' }] }",
    "  - { id: read, tool: fetch, params: { id: '${captures.id}' }, assert: [{ path: text, exists: true }] }",
    '  - { id: graph, tool: km-graph-search, params: { term: tea } }',
    "outputs: { id: '${captures.id}' }",
  ].join('\n')

  it('call native and km- tools, from the shell', async () => {
    const folder = join(temporaryFolder({}), 'notes')
    mkdirSync(join(folder, 'recipes'), { recursive: true })
    for (const [path, text] of Object.entries(NOTES)) writeFileSync(join(folder, path), text)
    writeFileSync(join(folder, 'recipes/find.yaml'), MINE)
    writeFileSync(join(folder, 'recipes/broken.yaml'), 'a: [')
    await json(folder, 'index')
    const { recipes } = await json(folder, 'recipe', 'list')
    expect(recipes.map(({ name }: any) => name)).toEqual([
      'broken',
      'daily-health',
      'find',
      'release-prep',
      'stale-audit',
      'subsystem-freshness',
    ])
    expect(recipes[0].problem).toContain('no YAML')
    const plan = await json(folder, 'recipe', 'run', 'find', '--dry-run', '--var=q=rope')
    expect(plan['steps'][0]).toMatchObject({
      tool: 'search',
      params: { query: 'rope' },
      known: true,
    })
    const done = await json(folder, 'recipe', 'run', 'find')
    expect(done).toMatchObject({ success: true, outputs: { id: 'notes/tea.md' } })
    const failed = await run(folder, 'recipe', 'run', 'find', '--var=q=[]')
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('Step "look"')])
    expect((await run(folder, 'recipe', 'run', 'nope')).err).toContain('There is no recipe')
    const lines = readFileSync(join(folder, '.cairn/audit/recipes.log'), 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).success)).toEqual([true, false])
  })
})

it('takes an option before the only word of a command', async () => {
  const folder = temporaryFolder(NOTES)
  for (const words of [
    ['backup', '-f', folder],
    ['backup', 'list', '-f', folder],
    ['feedback', 'report', '-f', folder],
  ]) {
    expect([words, (await runCairn('/', ...words)).code]).toEqual([words, 0])
  }
})
