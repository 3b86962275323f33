/** Backups, feedback and recipes in the words of this surface. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadDuskmantleSettings } from '../../src/vocabularies/duskmantle/start/duskmantle-settings.ts'
import { planRestore } from '../../src/keep/backup/restore.ts'
import { verifies } from '../support/verifies.ts'
import { FIXTURE, openDuskmantle } from './open-duskmantle.ts'

describe('km-backup-trigger', () => {
  it('packs the state and the repository into one archive', async () => {
    verifies('duskmantle:backup-archive')
    verifies('duskmantle:check-15-backup')
    const { call, base } = await openDuskmantle()
    await call('km-ingest-trigger')
    const made = await call('km-backup-trigger')
    expect(Object.keys(made)).toEqual(['status', 'archive', 'archive_path', 'size_bytes'])
    expect(made['status']).toBe('success')
    expect(made['archive']).toMatch(/^backups\/archives\/km-backup-\d{8}T\d{6}\.tgz$/)
    expect(made['archive_path']).toBe(join(base.state, made['archive']))
    expect(statSync(made['archive_path']).size).toBe(made['size_bytes'])
    const names = execFileSync('tar', ['-tzf', made['archive_path']], { encoding: 'utf8' })
    expect(names).toMatch(/^audit\/runs\.jsonl$/m)
    expect(names).toMatch(/^reports\/coverage_report\.json$/m)
    expect(names).toMatch(/^sources\/notes\/\.metadata\/subsystems\.json$/m)
    expect(names).not.toMatch(/backups\//)
    expect(await planRestore(made['archive_path'], '/nowhere')).toMatchObject({ documents: 5 })
    expect(base.bugs).toEqual([])
  })

  it('goes below the state folder or to a folder that was allowed', async () => {
    verifies('duskmantle:backup-destination')
    const { call, base, folder } = await openDuskmantle()
    const inside = await call('km-backup-trigger', { destination: 'backups/mine' })
    expect(inside['archive']).toMatch(/^backups\/mine\/km-backup-/)
    for (const destination of [folder, '../elsewhere', '/']) {
      const refused = await call('km-backup-trigger', { destination })
      expect(refused['error'].code).toBe('forbidden')
    }
    expect(existsSync(join(base.state, '../elsewhere'))).toBe(false)
    expect((await call('km-backup-trigger', { destination: 7 }))['error'].code).toBe(
      'invalid_request',
    )
    const backups = { keep: 2, allowedRoots: [folder] }
    const other = await openDuskmantle({ settings: { backups } })
    const made = await other.call('km-backup-trigger', { destination: folder })
    expect(made['archive']).toBe(made['archive_path'])
    const env = { KM_BACKUP_RETENTION_LIMIT: '3', KM_BACKUP_ALLOWED_ROOTS: '/a, /b' }
    expect(loadDuskmantleSettings({ env, strict: true }).backups).toEqual({
      keep: 3,
      allowedRoots: ['/a', '/b'],
    })
  })
})

const recipe = (steps: string, more = '') => `version: 1\nname: x\n${more}\nsteps:\n${steps}\n`
const LOOK = '  - { id: look, tool: km-graph-search, params: { term: handler } }'

describe('km-recipe-run', () => {
  const open = async (files: Record<string, string> = {}) => {
    const recipes = Object.entries(files).map(([name, text]) => [`recipes/${name}.yaml`, text])
    return openDuskmantle({ files: { ...FIXTURE, ...Object.fromEntries(recipes) } })
  }
  const run = async (text: string, args: Record<string, unknown> = {}) => {
    const opened = await open({ mine: text })
    const answer = await opened.call('km-recipe-run', { recipe: 'mine', ...args })
    expect(opened.base.bugs).toEqual([])
    return answer
  }

  it('runs what is bundled, and writes it down', async () => {
    verifies('duskmantle:check-15-recipe')
    verifies('duskmantle:recipe-answer')
    verifies('duskmantle:recipe-not-found')
    verifies('duskmantle:recipe-daily-health')
    const { call, base } = await open()
    await call('km-ingest-trigger')
    const audit = await call('km-recipe-run', { recipe: 'stale-audit' })
    expect(audit).toMatchObject({ status: 'success', recipe: 'stale-audit', success: true })
    expect(audit['outputs'].lifecycle.summary).toMatchObject({ stale_docs: 0 })
    expect(audit['steps']).toMatchObject([{ id: 'lifecycle', status: 'success', message: '' }])
    const health = await call('km-recipe-run', { recipe: 'daily-health' })
    expect(health['steps'].map(({ id }: any) => id)).toEqual(['ingest', 'coverage', 'lifecycle'])
    const around = await call('km-recipe-run', {
      recipe: 'subsystem-freshness',
      vars: { subsystem: 'Core' },
    })
    expect(around['outputs'].results.length).toBeGreaterThan(0)
    const release = await call('km-recipe-run', {
      recipe: 'release-prep',
      vars: { query: 'ingest' },
    })
    expect(release['outputs'].archive).toMatch(/^backups\/archives\/km-backup-/)
    for (const name of ['nope', '../../etc/passwd', 'a/b', ' ']) {
      const { error } = await call('km-recipe-run', { recipe: name })
      expect(error.code).toBe(name === ' ' ? 'invalid_request' : 'recipe_not_found')
    }
    const log = readFileSync(join(base.state, 'audit/recipes.log'), 'utf8').trim().split('\n')
    expect(log.map((line) => JSON.parse(line).recipe)).toEqual([
      'stale-audit',
      'daily-health',
      'subsystem-freshness',
      'release-prep',
    ])
    expect(JSON.parse(log[2]!)).toMatchObject({ success: true, vars: ['subsystem'] })
    expect(base.bugs).toEqual([])
  })

  it('fills in expressions, keeps types, and lets vars win', async () => {
    verifies('duskmantle:recipe-parameters')
    const steps = [
      '  - id: one',
      '    tool: km-graph-search',
      "    params: { term: '${word}', limit: '${vars.most}' }",
      '    expect: { "result.status": ok, "results[0].label": SourceFile }',
      '    assert: [{ path: nope, exists: false }, { path: status, not_equals: error }]',
      '    capture: [{ name: first, path: "results[0]" }, { name: all }]',
    ].join('\n')
    const outputs = [
      'outputs:',
      "  id: '${captures.first.id}'",
      "  said: 'found ${captures.first.label} of ${word}'",
      "  count: '${captures.all.results}'",
      "  step: '${steps.one.results[0].score}'",
    ].join('\n')
    const variables = 'variables: { word: "${other}", other: nothing, most: 1 }\n'
    const answer = await run(recipe(steps, variables + outputs), { vars: { other: 'handler' } })
    expect(answer['outputs']).toMatchObject({
      id: 'SourceFile:src/kasmina/core/handler.py',
      said: 'found SourceFile of handler',
      step: 0.8,
    })
    expect(answer['outputs'].count).toHaveLength(1)
  })

  it('shows what it would do', async () => {
    const text = recipe(
      "  - { id: a, tool: km-search, params: { query: '${q}', limit: '${captures.n}' } }\n" +
        '  - { id: b, wait: { tool: km-nope, until: { path: x, exists: true } } }',
      'variables: { q: words }',
    )
    const plan = await run(text, { dry_run: true })
    expect(plan).toMatchObject({
      dry_run: true,
      steps: [
        {
          id: 'a',
          tool: 'km-search',
          params: { query: 'words', limit: '${captures.n}' },
          known: true,
        },
        { id: 'b', tool: 'km-nope', waits: true, known: false },
      ],
    })
  })

  it.each<readonly [string, string, string]>([
    [
      'a wrong answer',
      'assert_failed',
      recipe(`${LOOK.slice(0, -2)}, expect: { result.status: nope } }`),
    ],
    ['a missing path', 'assert_failed', recipe(`${LOOK.slice(0, -2)}, expect: { a.b: 1 } }`)],
    [
      'a missing capture',
      'assert_failed',
      recipe(`${LOOK.slice(0, -2)}, capture: [{ name: n, path: a.b }] }`),
    ],
    [
      'an unknown capture',
      'assert_failed',
      recipe("  - { id: a, tool: km-search, params: { query: '${captures.n}' } }"),
    ],
    ['an unknown output', 'assert_failed', recipe(LOOK, "outputs: { x: '${steps.no.y}' }")],
    ['a prototype', 'assert_failed', recipe(LOOK, "outputs: { x: '${steps.constructor.name}' }")],
    ['an unknown tool', 'tool_failed', recipe('  - { id: a, tool: km-nope }')],
    [
      'itself',
      'tool_failed',
      recipe('  - { id: a, tool: km-recipe-run, params: { recipe: mine } }'),
    ],
    [
      'a tool that fails',
      'tool_failed',
      recipe('  - { id: a, tool: km-graph-node, params: { node_id: x } }'),
    ],
    [
      'a wait that never ends',
      'timeout',
      recipe(
        '  - { id: a, wait: { tool: km-graph-search, params: { term: x }, until: { path: status, equals: never }, interval_seconds: 0.5, timeout_seconds: 1 } }',
      ),
    ],
    ['a circle', 'invalid_request', recipe(LOOK, 'variables: { a: "${b}", b: "${vars.a}" }')],
    ['no version', 'invalid_request', 'steps: []'],
    ['no YAML', 'invalid_request', 'a: [b'],
    ['a tool and a wait', 'invalid_request', recipe('  - { id: a, tool: km-help, wait: {} }')],
    ['two of a name', 'invalid_request', recipe(`${LOOK}\n${LOOK}`)],
    [
      'too short a pause',
      'invalid_request',
      recipe(
        '  - { id: a, wait: { tool: km-help, until: { path: a, exists: true }, interval_seconds: 0 } }',
      ),
    ],
    [
      'a bomb',
      'invalid_request',
      `a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\ne: [*d, *d, *d, *d, *d, *d, *d, *d]\n`,
    ],
    ['a part of itself', 'invalid_request', 'a: &a { b: *a }\n'],
  ])('ends with a code: %s', async (_, code, text) => {
    verifies('duskmantle:recipe-codes')
    const answer = await run(text)
    expect([answer['status'], answer['error'].code]).toEqual(['error', code])
    if (/failed|timeout/.test(code)) expect(answer['error']).toHaveProperty('step')
  })

  it('tells what was done before it failed, and what was left', async () => {
    const text = recipe(
      `${LOOK}\n  - { id: bad, tool: km-graph-node, params: { node_id: x } }\n  - { id: left, tool: km-help }`,
    )
    const { error } = await run(text)
    expect(error).toMatchObject({ code: 'tool_failed', step: 'bad' })
    expect(error.steps.map(({ id, status }: any) => `${id} ${status}`)).toEqual([
      'look success',
      'bad error',
      'left skipped',
    ])
    expect(error.message).toContain('invalid_identifier')
  })

  it('waits for what comes true', async () => {
    const text = recipe(
      '  - { id: a, wait: { tool: km-ingest-status, until: { path: status, equals: ok }, interval_seconds: 0.5, timeout_seconds: 60 } }',
    )
    const { call } = await open({ mine: text })
    const waiting = call('km-recipe-run', { recipe: 'mine' })
    await call('km-ingest-trigger')
    expect((await waiting)['status']).toBe('success')
  })
})

describe('km-feedback-submit', () => {
  const lines = (state: string, name: string) => {
    const file = join(state, 'feedback', name)
    const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
    return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line))
  }

  it('keeps a vote with what it was about', async () => {
    verifies('duskmantle:check-15-feedback')
    verifies('duskmantle:feedback-acknowledged')
    verifies('duskmantle:feedback-range')
    const { call, base } = await openDuskmantle()
    const found = await call('km-search', { query: 'ingest pipeline', limit: 3 })
    const { request_id } = found['metadata']
    const { chunk_id } = found['results'][1].chunk
    const events = lines(base.state, 'events.log')
    expect(events).toHaveLength(found['results'].length)
    expect(events[1]).toMatchObject({ request_id, chunk_id, rank: 2, query: 'ingest pipeline' })
    expect(events[1].signals).toHaveProperty('subsystem_affinity')
    const args = { request_id, chunk_id, vote: 1, note: 'Yes', context: { who: 'me' } }
    const answer = await call('km-feedback-submit', args)
    expect(answer).toMatchObject({ status: 'ok', ...args, source: 'mcp.manual', known: true })
    expect(answer['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    const [vote, ...others] = lines(base.state, 'manual-events.log')
    expect(others).toEqual([])
    expect(vote).toMatchObject({ ...args, query: 'ingest pipeline', rank: 2 })
    expect(vote.signals).toHaveProperty('relationship_count')
    const unknown = await call('km-feedback-submit', { request_id: 'x', chunk_id: 'y::0' })
    expect(unknown).toMatchObject({ status: 'ok', known: false, vote: null, note: null })
    for (const bad of [
      { vote: 2 },
      { vote: -1.5 },
      { vote: 'good' },
      { note: 7 },
      { context: [] },
      { note: 'x'.repeat(5_000) },
      { request_id: '' },
      { chunk_id: undefined },
    ]) {
      const refused = await call('km-feedback-submit', { request_id, chunk_id, ...bad })
      expect([bad, refused['error']?.code]).toEqual([bad, 'invalid_request'])
    }
    expect(lines(base.state, 'manual-events.log')).toHaveLength(2)
    expect(base.bugs).toEqual([])
  })

  it('learns from enough votes, a little, and says so', async () => {
    const { call } = await openDuskmantle()
    const ask = () => call('km-search', { query: 'ingest pipeline', limit: 5 })
    const first = await ask()
    expect(first['results'][0].scoring).not.toHaveProperty('feedback')
    const [best] = first['results']
    const last = first['results'].at(-1)
    const vote = async (result: any, value: number) =>
      call('km-feedback-submit', {
        request_id: first['metadata'].request_id,
        chunk_id: result.chunk.chunk_id,
        vote: value,
      })
    for (let count = 0; count < 19; count++) await vote(last, 1)
    expect((await ask())['results'][0].scoring).not.toHaveProperty('feedback')
    await vote(last, 1)
    const after = (await ask())['results'].find(
      (each: any) => each.chunk.chunk_id === last.chunk.chunk_id,
    )
    const { term, votes, change } = after.scoring.feedback
    expect([votes, term > 0, term < 1]).toEqual([20, true, true])
    expect(after.scoring.adjusted_score).toBeCloseTo(last.scoring.adjusted_score + change, 9)
    expect(Math.abs(change)).toBeLessThanOrEqual(0.1 * Math.abs(last.scoring.adjusted_score))
    // A question of other words is not touched.
    const other = await call('km-search', { query: 'handler example' })
    for (const { scoring } of other['results']) expect(scoring).not.toHaveProperty('feedback')
    expect(best.chunk.chunk_id).toBe('docs/telemetry.md::0')
  })
})

it('says that a report is stale when two runs were missed', async () => {
  const threshold = async (schedules: object) => {
    const { call } = await openDuskmantle({ settings: { schedules } })
    await call('km-ingest-trigger')
    return (await call('km-coverage-summary'))['freshness'].threshold_seconds
  }
  expect(await threshold({})).toBe(86_400)
  expect(await threshold({ ingest: { everyMs: 600_000 } })).toBe(3_600)
  expect(await threshold({ ingest: { everyMs: 7_200_000 } })).toBe(14_400)
})
