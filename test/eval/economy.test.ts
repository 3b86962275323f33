/** Evidence per token: what `cairn eval --economy` says is what an independent script says. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it, vi } from 'vitest'
import { evaluationSet } from '../evaluation-set.ts'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

const home = process.env.CAIRN_EVAL ?? resolve(import.meta.dirname, '../../../shared/eval')
const script = join(home, 'economy.py')
const hasPython = spawnSync('python3', ['--version']).status === 0

const SMALL = {
  'set/docs/keys.md': '# Keys\n\nThe porter keeps all keys in a drawer.\n',
  'set/docs/doors/lock.md': '# Locks\n\nLocks get oiled in März by the porter.\n',
  'set/docs/tea.md': '# Tea\n\nBoil water first. 茶は最後に。\n',
  'set/queries.jsonl':
    '{"_id": "a", "text": "Who keeps the keys?"}\n{"_id": "b", "text": "When are locks oiled?"}\n',
  'set/qrels.tsv': 'query-id\tdoc-id\tscore\na\tkeys.md\t1\nb\tdoors/lock.md\t1\nb\ttea.md\t0\n',
  'set.gold.json':
    '{"a": {"answer": "The porter, in a drawer of the lodge."}, "b": {"evidence": [{"text": "Locks get oiled in März."}]}}',
}

it.skipIf(!existsSync(script) || !hasPython)(
  'agrees with the independent script on a small set',
  async () => {
    const folder = temporaryFolder(SMALL)
    expect(await economyOf(folder, join(folder, 'set'))).toEqual(
      independent(join(folder, 'set'), join(folder, 'set.gold.json')),
    )
  },
)

const hotpot = evaluationSet('hotpot')

it.skipIf(!existsSync(script) || !hasPython || 'missing' in hotpot)(
  'agrees with it on real questions',
  async () => {
    if ('missing' in hotpot) return
    const folder = temporaryFolder({})
    const set = join(folder, 'hotpot')
    mkdirSync(set)
    cpSync(join(hotpot.folder, 'docs'), join(set, 'docs'), { recursive: true })
    for (const file of ['queries.jsonl', 'qrels.tsv']) {
      cpSync(join(hotpot.folder, file), join(set, file))
    }
    const gold = join(home, 'hotpot.gold.json')
    const few = ['--questions', '12', '--gold', gold]
    expect(await economyOf(folder, set, ...few)).toEqual(independent(set, gold, '--n', '12'))
  },
)

it('says what it lacks', async () => {
  const folder = temporaryFolder(SMALL)
  const lost = await runCairn(folder, 'eval', '--economy')
  expect([lost.code, lost.err]).toEqual([2, expect.stringContaining('eval needs')])
  const noGold = await runCairn(
    folder,
    'eval',
    '--economy',
    join(folder, 'set'),
    '--gold',
    'nowhere.json',
  )
  expect([noGold.code, noGold.err]).toEqual([2, expect.stringContaining('nowhere.json')])
  writeFileSync(join(folder, 'set.gold.json'), 'not json')
  const bad = await runCairn(folder, 'eval', '--economy', join(folder, 'set'))
  expect([bad.code, bad.err]).toEqual([2, expect.stringContaining('reference answers')])
})

async function economyOf(folder: string, set: string, ...more: string[]): Promise<unknown> {
  const ran = await runCairn(folder, 'eval', '--economy', set, '--json', ...more)
  return JSON.parse(ran.out)
}

/** Over the wire, from another process, in another language; its index is complete before it asks. */
function independent(set: string, gold: string, ...more: string[]): unknown {
  const cairn = [process.execPath, resolve(import.meta.dirname, '../support/cairn.ts')]
  const base = ['--folder', join(set, 'docs')]
  execFileSync(cairn[0]!, [cairn[1]!, 'index', ...base], { stdio: 'pipe' })
  const serve = [...cairn, 'serve', ...base, '--read-only']
  const said = execFileSync('python3', [script, set, '--gold', gold, ...more, '--', ...serve], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  return JSON.parse(said)
}
