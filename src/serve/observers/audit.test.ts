import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openAudit } from './audit.ts'

const call = {
  surface: 'native',
  client: 'c/1',
  principal: 'token:ann',
  startedAt: 0,
  durationMs: 2.4,
}

it('tells changes and refusals, by month, to nobody else', () => {
  const state = temporaryFolder({})
  const audit = openAudit(
    state,
    () => {},
    () => new Date('2026-11-15T10:00:00Z'),
  )
  audit.ended?.({ ...call, tool: 'write', access: 'write', outcome: 'ok' }, {})
  audit.ended?.({ ...call, tool: 'search', access: 'read', outcome: 'ok' }, {})
  audit.ended?.({ ...call, tool: 'write', access: 'write', outcome: 'forbidden' }, {})
  audit.refused({ peer: '10.0.0.1', path: '/mcp', status: 401 })
  expect(readdirSync(join(state, 'audit'))).toEqual(['2026-11.jsonl'])
  const file = join(state, 'audit', '2026-11.jsonl')
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ kind, tool, outcome, status }) => [kind, tool, outcome ?? status])).toEqual([
    ['call', 'write', 'ok'],
    ['call', 'write', 'forbidden'],
    ['refused', undefined, 401],
  ])
  expect(lines[0]).toMatchObject({ at: '2026-11-15T10:00:00.000Z', principal: 'token:ann', ms: 2 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('says once that it cannot be written, and lets calls go on', () => {
  const said: string[] = []
  const audit = openAudit(join(temporaryFolder({ file: '' }), 'file'), (text) => said.push(text))
  audit.refused({ peer: 'x', path: '/', status: 401 })
  audit.refused({ peer: 'x', path: '/', status: 401 })
  expect(said).toHaveLength(1)
})
